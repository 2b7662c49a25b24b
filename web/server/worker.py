"""gunicorn's threaded worker, so that slow clients keep nobody else waiting.

    accept ──► the main loop waits for a whole head ──► a lane's threads ──► it sends the rest ──┐
                     ▲                                                                          │
                     └───────────────────────────── keep-alive ─────────────────────────────────┘

A connection costs a thread from when its request's head is there, with 16 KiB of its body or
all of it, and no longer than `PacedSocket` is patient. There are four lanes with threads of
their own: health; what moves much, uploads and downloads; what watches a job; and everything
else, where a client that does not read its answer costs no thread, either: the main loop sends
the rest.
"""

import errno
import re
import selectors
import socket
import time
from concurrent.futures import Future, ThreadPoolExecutor
from enum import StrEnum
from functools import partial
from typing import Any, cast

import msgspec
from gunicorn.http import errors
from gunicorn.workers.gthread import TConn, ThreadWorker
from werkzeug.http import HTTP_STATUS_CODES

from web import answers
from web.connections import stopping
from web.events import MOST_WATCHERS
from web.server.paced_socket import SLOWEST_BYTES_PER_SECOND, PacedSocket
from worker.settings import Settings

_MOST_HEAD_BYTES = 1 << 16
_MOST_PEEKED_BYTES = 1 << 17
_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")
_FIRST_BODY_BYTES = 1 << 14
_LENGTH = re.compile(rb"\ncontent-length:[ \t]*([0-9]{1,15})[ \t]*\r?\n", re.IGNORECASE)
_CHUNKED = re.compile(rb"\ntransfer-encoding:[^\n]*chunked", re.IGNORECASE)
_LAST_CHUNK = re.compile(rb"\n0+[ \t]*(;[^\n]*)?\r?\n")
_EXPECT = re.compile(rb"\nexpect:", re.IGNORECASE)  # the body comes when it is asked for
_KEPT_FREE = 10  # connections, by closing those that have waited longest
_HEALTH_THREADS = 4
_TRANSFER_THREADS = 64
_TURNED_AWAY_THREADS = 4
_CLOSING_THREADS = 8

_HEALTH = re.compile(rb"[A-Z]+ /(healthz|readyz)[ ?]")
_TRANSFER = re.compile(rb"(POST|PUT|PATCH) |[A-Z]+ /api/v1/jobs/[^/ ]*/results[ ?]")
_WATCH = re.compile(rb"GET /api/v1/jobs/[^/ ]*/events[ ?]")

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


class Lane(StrEnum):
    """Which threads a request is for."""

    HEALTH = "health"
    TRANSFER = "transfer"
    WATCH = "watch"
    QUICK = "quick"


def lane_of(head: bytes) -> Lane:
    """Return the lane of a request by its first line."""
    if _HEALTH.match(head):
        return Lane.HEALTH
    if _WATCH.match(head):
        return Lane.WATCH
    return Lane.TRANSFER if _TRANSFER.match(head) else Lane.QUICK


def is_enough(start: bytes) -> bool:
    """Return whether a thread may begin with a request that starts like this."""
    end = _END_OF_HEAD.search(start)
    if end is None or _EXPECT.search(start, 0, end.end()):
        return end is not None or len(start) >= _MOST_HEAD_BYTES
    here = len(start) - end.end()
    if _CHUNKED.search(start, 0, end.end()):
        return here >= _FIRST_BODY_BYTES or bool(_LAST_CHUNK.search(start, end.end() - 1))
    length = _LENGTH.search(start, 0, end.end())
    return length is None or here >= min(int(length[1]), _FIRST_BODY_BYTES)


class _Patience:
    """When a connection is given up, which bytes that move put off; times are monotonic."""

    __slots__ = ("_moved", "_seconds", "end")

    def __init__(self, seconds: float, *, moved: int = 0) -> None:
        self._seconds = seconds
        self._moved = moved
        self.end = time.monotonic() + seconds

    def has_moved(self, moved: int) -> bool:
        """Note how many bytes have moved by now, and return whether any did since last time."""
        earned = (moved - self._moved) / SLOWEST_BYTES_PER_SECOND
        self.end = min(self.end + earned, time.monotonic() + self._seconds)
        self._moved = moved
        return earned > 0


class Worker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """Threads for requests, a loop for connections between them."""

    def init_process(self) -> None:
        """Make the threads and run; called by gunicorn in the new process."""
        self._patience = Settings.from_environment().client_patience
        self._waiting: dict[TConn, _Patience] = {}  # for their request; oldest first
        self._reading: dict[TConn, _Patience] = {}  # the rest of their answer
        self._closing = ThreadPoolExecutor(_CLOSING_THREADS)
        self._lanes = {
            Lane.HEALTH: ThreadPoolExecutor(_HEALTH_THREADS),
            Lane.TRANSFER: ThreadPoolExecutor(_TRANSFER_THREADS),
            # Beyond the most that watch, there is somebody to say so.
            Lane.WATCH: ThreadPoolExecutor(MOST_WATCHERS + _TURNED_AWAY_THREADS),
            Lane.QUICK: ThreadPoolExecutor(self.cfg.threads),
        }
        super().init_process()

    def handle_exit(self, sig: int, frame: object) -> None:
        """Stop when what is under way is done; called by gunicorn."""
        stopping.set()
        super().handle_exit(sig, frame)

    def get_thread_pool(self) -> ThreadPoolExecutor:
        """Return the threads that gunicorn itself knows of."""
        return self._lanes[Lane.QUICK]

    def accept(self, listener: socket.socket) -> None:
        """Take a new connection, and wait for its first request."""
        try:
            accepted, address = listener.accept()
        except OSError as error:  # another process was faster, or the client is gone
            if error.errno in (errno.EMFILE, errno.ENFILE):
                self._give_up_oldest()
            return
        self.nr_conns += 1
        connection = PacedSocket(accepted, patience=self._patience)
        conn = TConn(self.cfg, connection, address, listener.getsockname())
        self._await_request(conn, self._patience)
        if self.nr_conns > self.worker_connections - _KEPT_FREE:
            self._give_up_oldest()

    def _await_request(self, conn: TConn, seconds: float) -> None:
        conn.sock.setblocking(False)  # noqa: FBT003 (socket's)
        self._waiting[conn] = _Patience(seconds)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._look_at_request, conn))

    def _look_at_request(self, conn: TConn, _: socket.socket) -> None:
        if conn not in self._waiting:  # given up after the poller saw it
            return
        try:
            start = conn.sock.recv(_MOST_PEEKED_BYTES, socket.MSG_PEEK)
        except BlockingIOError:
            return
        except OSError:
            start = b""
        if not start:
            self._give_up(conn)
        elif is_enough(start) or not self._waiting[conn].has_moved(len(start)):
            self._stop_waiting(conn)  # with all that comes: told of nothing new, this is its end
            _call_at(conn.sock, 1)
            conn.data_ready = True
            self._hand_over(conn, lane_of(start))
        else:
            _call_at(conn.sock, len(start) + 1)

    def _hand_over(self, conn: TConn, lane: Lane) -> None:
        conn.sock.defers = lane is not Lane.TRANSFER
        done: Future[bool] = self._lanes[lane].submit(self.handle, conn)
        done.add_done_callback(
            lambda future: self.method_queue.defer(self.finish_request, conn, future)
        )

    def finish_request(self, conn: TConn, done: "Future[bool]") -> None:
        """Wait for the next request of a connection, or close it."""
        kept = bool(not done.cancelled() and done.exception() is None and done.result())
        if conn.sock.unsent:
            self._await_reader(conn, kept=kept)
        else:
            self._go_on(conn, kept=kept)

    def _await_reader(self, conn: TConn, *, kept: bool) -> None:
        conn.sock.setblocking(False)  # noqa: FBT003 (socket's)
        self._reading[conn] = _Patience(self._patience, moved=-len(conn.sock.unsent))
        self.poller.register(conn.sock, selectors.EVENT_WRITE, partial(self._send_rest, conn, kept))

    def _send_rest(self, conn: TConn, kept: bool, _: socket.socket) -> None:  # noqa: FBT001
        if conn not in self._reading:  # given up after the poller saw it
            return
        try:
            conn.sock.send_unsent()
        except OSError:
            self._give_up(conn)
            return
        if conn.sock.unsent:
            self._reading[conn].has_moved(-len(conn.sock.unsent))
        else:
            self._stop_waiting(conn)
            self._go_on(conn, kept=kept)

    def _go_on(self, conn: TConn, *, kept: bool) -> None:
        if not (kept and self.alive):
            self.nr_conns -= 1
            # It may take seconds until the other side has closed, too.
            self._closing.submit(conn.close, graceful=True)
        elif conn.parser.unreader.buf.getvalue():  # read ahead: no event will tell of it
            self._hand_over(conn, Lane.QUICK)
        else:
            self._await_request(conn, self.cfg.keepalive)

    def murder_pending(self) -> None:
        """Close the connections that have waited too long; called every second."""
        now = time.monotonic()
        late = [conn for conn, its in self._waiting.items() if its.end <= now or not self.alive]
        late += [conn for conn, its in self._reading.items() if its.end <= now]
        for conn in late:
            self._give_up(conn)

    def _give_up_oldest(self) -> None:
        oldest = next(iter(self._waiting), None)
        if oldest is not None:
            self._give_up(oldest)

    def _give_up(self, conn: TConn) -> None:
        self._stop_waiting(conn)
        self.nr_conns -= 1
        conn.close()

    def _stop_waiting(self, conn: TConn) -> None:
        (self._waiting if conn in self._waiting else self._reading).pop(conn)
        self.poller.unregister(conn.sock)

    def handle_error(
        self, req: object, client: socket.socket, addr: object, exc: BaseException
    ) -> None:
        """Answer what is no request, in the form that every other refusal has."""
        del req
        status = next((code for kind, code in _STATUSES.items() if isinstance(exc, kind)), 500)
        if status == 500:
            self.log.exception("an error outside of any view")
        else:
            self.log.info("no request from %s: %s", addr, exc)
        detail = "an error of ours" if status == 500 else f"this is no request: {str(exc)[:200]}"
        title = HTTP_STATUS_CODES[status]
        problem = answers.Problem(type="about:blank", title=title, status=status, detail=detail)
        body = msgspec.json.encode(problem)
        head = (
            f"HTTP/1.1 {status} {title}\r\nConnection: close\r\nX-Content-Type-Options: nosniff\r\n"
            f"Content-Type: application/problem+json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        try:
            client.sendall(head.encode() + body)
        except OSError:
            self.log.debug("the client is gone")


def _call_at(connection: Any, count: int) -> None:
    """Have the poller tell of a connection only when so many bytes have arrived, or its end."""
    cast("socket.socket", connection).setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, count)
