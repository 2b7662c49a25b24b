"""Observe and reset the connection of the current request, as far as the web server allows it."""

import contextlib
import select
import socket
import struct
import threading
from collections.abc import Iterator

from flask import request

from web.http.gunicorn_private import SOCKET

# Set when this process has to stop: waiting requests return early.
stopping = threading.Event()


def is_in_watch_lane() -> bool:
    """Return whether the current request runs in the lane for requests that wait for a job.

    Returns False under another web server.
    """
    return getattr(request.environ.get(SOCKET), "watches", False)


def drop_body() -> None:
    """Discard the unread part of the request's body, if the web server supports that.

    If more of the body may arrive, the server closes the connection after the response, and
    announces that in the response's headers.
    """
    drop = getattr(request.environ.get(SOCKET), "drop_body", None)
    if drop is not None:
        drop()


@contextlib.contextmanager
def reset_if_interrupted() -> Iterator[None]:
    """Reset the connection (RST instead of FIN) if the `with` block or this process ends early.

    The block ends early if it raises an exception. A response without a length or chunks ends where
    its connection closes. A normal close would make an interrupted response look complete. Does
    nothing if the web server doesn't expose the connection.
    """
    connection: socket.socket | None = request.environ.get(SOCKET)
    if connection is None:
        yield
        return
    _linger(connection, on=True)  # a linger time of 0 seconds turns closing into a reset
    try:
        yield
    except BaseException:
        connection.close()
        raise
    _linger(connection, on=False)


def _linger(connection: socket.socket, *, on: bool) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", on, 0))


def client_disconnected() -> bool:
    """Return whether the client of the current request has disconnected.

    Returns False if the web server doesn't expose the connection. Returns True if the connection is
    broken.
    """
    connection: socket.socket | None = request.environ.get(SOCKET)
    if connection is None:
        return False
    try:
        poll = select.poll()
        poll.register(connection, select.POLLIN)
        return bool(poll.poll(0)) and not connection.recv(1, socket.MSG_PEEK)
    except (OSError, ValueError):
        return True
