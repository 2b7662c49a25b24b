"""The connection under the current request, as far as the web server shows it."""

import contextlib
import select
import socket
import struct
import threading
from collections.abc import Iterator

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


@contextlib.contextmanager
def reset_if_interrupted() -> Iterator[None]:
    """Reset the connection (RST instead of FIN) if the block or this process ends early.

    A response without a length or chunks ends where its connection closes. Closing an interrupted
    one in the usual way would present it as complete.
    """
    connection: socket.socket | None = request.environ.get("gunicorn.socket")
    if connection is None:
        yield
        return
    _linger(connection, on=True)  # for 0 seconds, which makes closing a reset
    try:
        yield
    except BaseException:
        connection.close()
        raise
    _linger(connection, on=False)


def _linger(connection: socket.socket, *, on: bool) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", on, 0))


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
