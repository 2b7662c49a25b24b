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
