"""The connection under the current request, as far as the web server shows it."""

import select
import socket
import threading

from flask import request

# Set when this process is told to stop: whoever merely waits goes home.
stopping = threading.Event()


def may_take_its_time() -> bool:
    """Return whether the web server has given the request a thread of those that are to wait."""
    return getattr(request.environ.get("gunicorn.socket"), "watches", False)


def drop_body() -> None:
    """Drop what nobody has read of the request's body, where the web server can.

    If more of it may come, the connection is closed behind the answer, which says so.
    """
    drop = getattr(request.environ.get("gunicorn.socket"), "drop_body", None)
    if drop is not None:
        drop()


def client_is_gone() -> bool:
    """Return whether the client has closed the connection; False where that is not known."""
    connection: socket.socket | None = request.environ.get("gunicorn.socket")
    if connection is None:
        return False
    try:
        poll = select.poll()
        poll.register(connection, select.POLLIN)
        return bool(poll.poll(0)) and not connection.recv(1, socket.MSG_PEEK)
    except (OSError, ValueError):
        return True
