"""Everything that the web server uses of gunicorn beyond its documentation, and why.

Gunicorn documents its settings and the `Logger` class, but neither its threaded worker nor its
parser. All other modules import the undocumented parts from here. If an upgrade changes one of
them, `tests/web/test_gunicorn_private.py` fails.
"""

from dataclasses import dataclass
from typing import Any, cast

from gunicorn.http import errors
from gunicorn.util import split_request_uri
from gunicorn.workers.gthread import TConn, ThreadWorker

__all__ = ["SOCKET", "TConn", "ThreadWorker", "errors", "split_request_uri"]

# The key of a request's connection in its WSGI environment.
SOCKET = "gunicorn.socket"


@dataclass(frozen=True, slots=True)
class Override:
    """A method of `ThreadWorker` that `gunicorn_worker` overrides, and why.

    `caller` is the method of gunicorn that calls it. `parameters` are the names of the parameters
    of the overridden method. A test checks both.
    """

    caller: str
    parameters: tuple[str, ...]
    reason: str


OVERRIDES = {
    "init_process": Override("__init__", (), "creates the lanes in the new process"),
    "get_thread_pool": Override("init_process", (), "gunicorn needs one pool, although lanes run"),
    "handle_exit": Override("init_signals", ("sig", "frame"), "ends waiting requests early"),
    "accept": Override(
        "set_accept_enabled", ("listener",), "requests wait for their header in the main loop"
    ),
    "handle_request": Override("handle", ("req", "conn"), "lets the view discard the body"),
    "_keepalive_after": Override(
        "handle", ("conn", "keepalive"), "discards the unread body without blocking"
    ),
    "murder_pending": Override("run", (), "is called regularly, to close idle connections"),
    "handle_error": Override(
        "handle", ("req", "client", "addr", "exc"), "responds with a problem document"
    ),
}

# Methods and attributes of a `ThreadWorker` that `web.server.gunicorn_worker` uses.
WORKER_MEMBERS = {
    "alive": "is false while the worker stops",
    "cfg": "has the numbers of threads and the keep-alive timeout",
    "handle": "reads and handles a request in the current thread",
    "log": "gets the messages about malformed requests",
    "method_queue": "runs a function in the main loop",
    "nr_conns": "is the number of connections, which gunicorn compares with their maximum",
    "poller": "calls a function when a connection is readable or writable",
    "worker_connections": "is the maximum number of connections",
}


def read_ahead(conn: TConn) -> bytes:
    """Return the bytes that gunicorn has read beyond the end of the connection's last request."""
    return b"" if conn.parser is None else cast("bytes", conn.parser.unreader.buf.getvalue())


def skip_waiting(conn: TConn) -> None:
    """Mark a connection as readable, so that its thread doesn't wait for data again."""
    conn.data_ready = True


def finish_body(conn: TConn, *, deadline: float) -> bool:
    """Discard the unread part of the request's body, and return whether its end was reached.

    `deadline` is the monotonic time at which reading stops.
    """
    return bool(conn.parser.finish_body(deadline=deadline))


def close_after_response(request: Any) -> None:
    """Make gunicorn close a request's connection after the response, whose headers announce it."""
    request.force_close()
