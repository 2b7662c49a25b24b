"""gunicorn's threaded worker, extended so that slow clients can't block others.

    accept ──► wait for all headers ──► wait for a thread ──► thread of a lane
                     ▲                                               │
                     └── keep-alive ◄── send rest of response ◄──────┤
                                                 close ◄─────────────┘

Except for the threads, everything runs in the main loop. A connection occupies a thread only once
the request's headers have arrived with all of the body or its first 16 KiB. There are four lanes
with separate threads: health checks, transfers (uploads and downloads), requests that wait for a
job, and everything else. Only transfers may block on their client, limited by `PacedSocket`, and no
client, even behind trusted proxies, can occupy all of their threads. In the other lanes, the main
loop sends what the client doesn't accept immediately. If connections run out, the oldest one in the
largest group of waiting connections is closed.
"""

import contextlib
import errno
import math
import selectors
import socket
import time
from concurrent.futures import Future
from functools import partial
from typing import Any, cast

import msgspec
from werkzeug.http import HTTP_STATUS_CODES

from web.access.forwarded import source_of
from web.api.events import MAX_WATCHERS
from web.http.connection import stopping
from web.http.gunicorn_private import (
    TConn,
    ThreadWorker,
    close_after_response,
    errors,
    finish_body,
    read_ahead,
    skip_waiting,
)
from web.http.request_context import MAX_FOLLOWERS
from web.http.request_ids import new_request_id
from web.schemas import responses
from web.schemas.problem_types import default_type
from web.server.paced_socket import SLOWEST_BYTES_PER_SECOND, PacedSocket
from web.server.request_header import Lane, can_start, header_of, lane_of
from web.server.thread_lanes import Threads
from worker.settings import Settings

# Bytes of a request to look at before a thread starts on it.
_MAX_PEEKED_BYTES = 1 << 17
# Bytes to discard in one step from a connection that is being closed.
_MAX_DISCARDED_BYTES = 1 << 16
# Time that a client has to close its connection after the last response.
_CLOSING_SECONDS = 2.0
# Maximum time for discarding the unread body of one request.
_DROPPING_SECONDS = 1.0
# Pause between checks of the connections' deadlines.
_CHECK_SECONDS = 0.5
_MIN_FREE_CONNECTIONS = 10  # connections kept available by closing those that have waited longest
_HEALTH_THREADS = 4
_TRANSFER_THREADS = 64
_TRANSFERS_OF_ONE_ADDRESS = 48
_REJECTING_THREADS = 4

_STATUSES: dict[type[Exception], int] = {
    errors.LimitRequestLine: 414,
    errors.LimitRequestHeaders: 431,
    errors.ExpectationFailed: 417,
    errors.UnsupportedTransferCoding: 501,
    errors.ForbiddenProxyRequest: 403,
    errors.InvalidResponseHeader: 500,
    errors.InvalidResponseHeaderName: 500,
    errors.ConfigurationProblem: 500,
    errors.ParseException: 400,
}


class _Deadline:
    """The time at which a connection is closed. Transferred bytes postpone it.

    `end` is a monotonic time. At first, it is `seconds` from now. `moved` is the number of bytes
    that have been transferred so far, as in `has_moved`.
    """

    __slots__ = ("_moved", "_seconds", "end")

    def __init__(self, seconds: float, *, moved: int = 0) -> None:
        self._seconds = seconds
        self._moved = moved
        self.end = time.monotonic() + seconds

    def has_moved(self, moved: int) -> bool:
        """Postpone the deadline if bytes were transferred since the last call.

        It is postponed by the time that these bytes take at `SLOWEST_BYTES_PER_SECOND`, but at most
        to the connection's full timeout from now. `moved` is the number of bytes transferred so
        far. Only differences count, so it can also be minus the number of unsent bytes. Returns
        whether bytes were transferred.
        """
        earned = (moved - self._moved) / SLOWEST_BYTES_PER_SECOND
        self.end = min(self.end + earned, time.monotonic() + self._seconds)
        self._moved = moved
        return earned > 0


class Worker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """A gunicorn worker. Threads handle requests, and the main loop handles idle connections."""

    def init_process(self) -> None:
        """Create the threads, and run the worker. gunicorn calls this in the new process."""
        settings = Settings.from_environment()
        self._idle_timeout = settings.client_patience
        self._trusted = settings.proxy_networks()
        self._checked_at = 0.0
        # Every connection is either in a thread or in one of these groups, oldest first.
        self._waiting: dict[TConn, _Deadline] = {}  # waiting for a request
        # Waiting for the client to read the rest of the response.
        self._reading: dict[TConn, _Deadline] = {}
        self._closing: dict[TConn, _Deadline] = {}  # waiting for the client to disconnect
        self._queued: dict[Lane, dict[TConn, _Deadline]] = {lane: {} for lane in Lane}
        self._groups = (self._waiting, self._reading, self._closing, *self._queued.values())
        self._lanes = {
            Lane.HEALTH: Threads(_HEALTH_THREADS),
            Lane.TRANSFER: Threads(_TRANSFER_THREADS, share=_TRANSFERS_OF_ONE_ADDRESS),
            # Beyond the maximum number of watchers, some threads must be free to turn clients away.
            Lane.WATCH: Threads(MAX_WATCHERS + MAX_FOLLOWERS + _REJECTING_THREADS),
            Lane.QUICK: Threads(self.cfg.threads),
        }
        super().init_process()

    def handle_exit(self, sig: int, frame: object) -> None:
        """Stop after the requests in progress. gunicorn calls this on a signal.

        Requests that wait for a job return early.
        """
        stopping.set()
        super().handle_exit(sig, frame)

    def get_thread_pool(self) -> Any:
        """Return the pool of the lane QUICK. gunicorn calls this, and expects a single pool."""
        return self._lanes[Lane.QUICK].pool

    def accept(self, listener: socket.socket) -> None:
        """Accept a new connection, and wait for its first request without occupying a thread.

        If there are almost too many connections or open files, closes the oldest one of the largest
        group. Does nothing if another process has accepted the connection, or if the client has
        disconnected.
        """
        try:
            accepted, address = listener.accept()
        except OSError as error:  # another process accepted it first, or the client disconnected
            if error.errno in (errno.EMFILE, errno.ENFILE):
                self._close_oldest()
            return
        self.nr_conns += 1
        connection = PacedSocket(accepted, idle_timeout=self._idle_timeout)
        conn = TConn(self.cfg, connection, address, listener.getsockname())
        if self.nr_conns > self.worker_connections - _MIN_FREE_CONNECTIONS:
            self._close_oldest()
        self._await_request(conn, self._idle_timeout)

    def _await_request(self, conn: TConn, seconds: float) -> None:
        conn.sock.setblocking(False)  # noqa: FBT003 (socket's)
        self._waiting[conn] = _Deadline(seconds, moved=len(read_ahead(conn)))
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._peek_request, conn))

    def _peek_request(self, conn: TConn, _: socket.socket) -> None:
        if conn not in self._waiting:  # closed since the poller saw it
            return
        try:
            arrived = conn.sock.recv(_MAX_PEEKED_BYTES, socket.MSG_PEEK)
        except BlockingIOError:
            return
        except OSError:
            arrived = b""
        start = read_ahead(conn) + arrived
        if not arrived:
            self._close(conn)
        elif can_start(start) or not self._waiting[conn].has_moved(len(start)):
            # Start the request. An event without new bytes means that the client has sent its last
            # one.
            self._remove(conn)
            _set_low_water_mark(conn.sock, 1)
            skip_waiting(conn)
            self._enqueue(conn, start)
        else:
            _set_low_water_mark(conn.sock, len(arrived) + 1)

    def _enqueue(self, conn: TConn, head: bytes) -> None:
        """Queue a request for the threads of its lane, and start it as soon as a thread is free.

        `head` contains the request's headers. The client's address, and whether the lane's threads
        may block on the client, are stored in the connection's socket.
        """
        lane = lane_of(head)
        header = partial(header_of, head)
        conn.sock.client = source_of(_peer(conn), header, trusted=self._trusted).address
        conn.sock.waits = lane is Lane.TRANSFER
        conn.sock.watches = lane is Lane.WATCH
        self._queued[lane][conn] = _Deadline(math.inf)
        self._start_queued(lane)

    def _start_queued(self, lane: Lane) -> None:
        threads = self._lanes[lane]
        for conn in list(self._queued[lane]):
            if threads.has_room(conn.sock.client):
                self._remove(conn)
                done = threads.run(conn.sock.client, partial(self.handle, conn))
                done.add_done_callback(partial(self._schedule_finish, conn, lane))

    def _schedule_finish(self, conn: TConn, lane: Lane, done: "Future[bool]") -> None:
        """Let the main thread call `_finish`. A thread calls this when it has handled a request."""
        self.method_queue.defer(self._finish, conn, lane, done)

    def handle_request(self, req: Any, conn: TConn) -> bool:
        """Handle a request, and return whether to keep its connection. gunicorn calls this."""
        conn.sock.drop_body = partial(_drop_body, req, conn)
        try:
            return bool(super().handle_request(req, conn))
        finally:
            conn.sock.drop_body = None

    def _keepalive_after(self, conn: TConn, keepalive: object) -> bool:
        """Discard the unread part of the request's body, and return whether to keep the connection.

        gunicorn calls this in the request's thread, after the response. Only bytes that have
        already arrived are discarded. If the body isn't complete then, the connection isn't kept.
        """
        conn.sock.waits = False
        return bool(super()._keepalive_after(conn, keepalive))

    def _finish(self, conn: TConn, lane: Lane, done: "Future[bool]") -> None:
        """Let the next request of the lane start, and decide what happens to the connection.

        It is kept for its next request if `done` has the result True, and otherwise closed. If the
        client hasn't read all of the response, the rest is sent first.
        """
        self._lanes[lane].release(conn.sock.client)
        self._start_queued(lane)
        kept = bool(not done.cancelled() and done.exception() is None and done.result())
        if conn.sock.fileno() < 0:  # closed because its response couldn't be completed
            self.nr_conns -= 1
        elif conn.sock.unsent:
            self._await_reader(conn, kept=kept)
        else:
            self._continue(conn, kept=kept)

    def _await_reader(self, conn: TConn, *, kept: bool) -> None:
        conn.sock.setblocking(False)  # noqa: FBT003 (socket's)
        self._reading[conn] = _Deadline(self._idle_timeout, moved=-len(conn.sock.unsent))
        self.poller.register(conn.sock, selectors.EVENT_WRITE, partial(self._send_rest, conn, kept))

    def _send_rest(self, conn: TConn, kept: bool, _: socket.socket) -> None:  # noqa: FBT001
        """Send more of a response's rest when the client can receive it, and continue at its end.

        A connection with an error is closed. `kept` is as in `_continue`.
        """
        if conn not in self._reading:  # closed since the poller saw it
            return
        try:
            conn.sock.send_unsent()
        except OSError:
            self._close(conn)
            return
        if conn.sock.unsent:
            self._reading[conn].has_moved(-len(conn.sock.unsent))
        else:
            self._remove(conn)
            self._continue(conn, kept=kept)

    def _continue(self, conn: TConn, *, kept: bool) -> None:
        """Wait for the connection's next request, or close it.

        It is closed unless `kept` is True, and also during shutdown.
        """
        if not (kept and self.alive):
            self._await_close(conn)
        elif can_start(ahead := read_ahead(conn)):  # already read, so the poller won't report it
            self._enqueue(conn, ahead)
        else:
            self._await_request(conn, self.cfg.keepalive)

    def _await_close(self, conn: TConn) -> None:
        """Close a connection after the client has closed it, or after a timeout of 2 seconds.

        The client is told immediately that no more data follows. If the server closed the
        connection immediately, the client might lose the response.
        """
        conn.sock.setblocking(False)  # noqa: FBT003 (socket's)
        self._closing[conn] = _Deadline(_CLOSING_SECONDS)
        try:
            conn.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self._close(conn)
        else:
            self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._discard, conn))

    def _discard(self, conn: TConn, _: socket.socket) -> None:
        if conn not in self._closing:  # closed since the poller saw it
            return
        try:
            arrived = conn.sock.recv(_MAX_DISCARDED_BYTES)
        except BlockingIOError:
            return
        except OSError:
            arrived = b""
        if not arrived:
            self._close(conn)

    def murder_pending(self) -> None:
        """Close connections whose deadline has passed. gunicorn calls this regularly.

        Looks for them at most once in `_CHECK_SECONDS`. During shutdown, also closes all
        connections that are waiting for a request.
        """
        now = time.monotonic()
        if now - self._checked_at < _CHECK_SECONDS and self.alive:
            return
        self._checked_at = now
        late = [conn for group in self._groups for conn, its in group.items() if its.end <= now]
        for conn in late if self.alive else {*late, *self._waiting}:
            self._close(conn)

    def _close_oldest(self) -> None:
        fullest = max(self._groups, key=len)
        if fullest:
            self._close(next(iter(fullest)))

    def _close(self, conn: TConn) -> None:
        self._remove(conn)
        self.nr_conns -= 1
        conn.close()

    def _remove(self, conn: TConn) -> None:
        """Remove a connection from its group and from the poller."""
        next(group for group in self._groups if conn in group).pop(conn)
        with contextlib.suppress(KeyError):  # those that wait for a thread aren't registered
            self.poller.unregister(conn.sock)

    def handle_error(
        self, req: object, client: socket.socket, addr: object, exc: BaseException
    ) -> None:
        """Respond to malformed HTTP, or to an error outside of a view, with a problem document.

        Unknown exceptions get status 500 and are logged with their traceback. The response
        announces that the connection is closed. Does nothing more if the client has disconnected.
        """
        del req
        status = next((code for kind, code in _STATUSES.items() if isinstance(exc, kind)), 500)
        kind, request_id = default_type(status), new_request_id()
        if status == 500:
            self.log.exception("unhandled error outside of a view request=%s", request_id)
            detail = f"Internal server error. Please report it with the request id {request_id}."
        else:
            self.log.info("malformed request from %s: %s request=%s", addr, exc, request_id)
            detail = f"Malformed request: {str(exc)[:200]}"
        problem = responses.Problem(
            type=kind.uri, title=kind.title, status=status, detail=detail, request_id=request_id
        )
        body = msgspec.json.encode(problem)
        head = (
            f"HTTP/1.1 {status} {HTTP_STATUS_CODES[status]}\r\nConnection: close\r\n"
            f"X-Content-Type-Options: nosniff\r\nX-Request-Id: {request_id}\r\n"
            f"Content-Type: application/problem+json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        try:
            client.sendall(head.encode() + body)
        except OSError:
            self.log.debug("the client disconnected before the error response was sent")


def _drop_body(req: Any, conn: TConn) -> None:
    """Discard the unread part of a request's body that has already arrived.

    If the body isn't complete, the connection is closed after the response.
    """
    waits, conn.sock.waits = conn.sock.waits, False
    try:
        is_whole = finish_body(conn, deadline=time.monotonic() + _DROPPING_SECONDS)
    except OSError:
        is_whole = False
    finally:
        conn.sock.waits = waits
    if not is_whole:
        close_after_response(req)


def _set_low_water_mark(connection: Any, count: int) -> None:
    """Make the poller report a connection only when `count` bytes have arrived or it is closed."""
    cast("socket.socket", connection).setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, count)


def _peer(conn: TConn) -> str:
    """Return the IP address of the connection's peer, or "" for all clients of a Unix socket."""
    return str(conn.client[0]) if isinstance(conn.client, tuple) else ""
