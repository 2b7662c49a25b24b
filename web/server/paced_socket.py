"""Disconnect clients that are too slow to send a request or to read a response."""

import errno
import math
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

# Minimum rate: transferred bytes replenish the time budget by the time they take at this rate.
SLOWEST_BYTES_PER_SECOND = 1024
# Maximum unsent data of a response when its thread moves on to other requests.
_MAX_UNSENT_BYTES = 1 << 20
_FILE_PIECE_BYTES = 1 << 16
# Maximum number of threads that may block on a larger response, in lanes where threads shouldn't
# block. It is half of a process's threads for pages, so that clients that never read can't occupy
# all of them.
_MAX_WAITING = 8
_waiting = threading.BoundedSemaphore(_MAX_WAITING)


class PacedSocket(socket.socket):
    """A connection whose peer may keep the server waiting for at most `idle_timeout` seconds.

    Waiting uses up this time, and transferred bytes replenish it, in both directions. A peer that
    sends or reads less than 1 KiB per second for that long is disconnected. A peer that pauses
    briefly isn't. Disconnection raises ConnectionResetError, as when the peer disconnects.

    waits       If false, receiving never blocks: the peer is disconnected if no data has arrived.
                Sending doesn't block as long as at most 1 MiB is unsent: data that the peer doesn't
                accept immediately is kept in `unsent`. If there is more, up to 8 connections may
                block, and others are disconnected.
    watches     Whether the current request is in the lane for requests that wait for a job.
    client      IP address of the client, which may be connected through proxies.
    drop_body   During a request, a function that discards the unread rest of its body.
    unsent      Data that `send_unsent` sends later.
    """

    def __init__(self, connection: socket.socket, *, idle_timeout: float) -> None:
        super().__init__(fileno=connection.detach())
        self._idle_timeout = idle_timeout
        self._budget = idle_timeout
        self.waits = True
        self.watches = False
        self.client = ""
        self.drop_body: Callable[[], None] | None = None
        self.unsent = bytearray()

    def setblocking(self, flag: bool, /) -> None:  # noqa: FBT001 (socket's)
        """Set the mode as in `socket.setblocking`, and reset the time budget.

        gunicorn makes the socket blocking when a request starts.
        """
        super().setblocking(flag)
        self._budget = self._idle_timeout

    def recv(self, *arguments: Any) -> bytes:
        """Receive data as in `socket.recv`, within the time budget.

        Waiting uses up the budget, and the received bytes replenish it. Raises ConnectionResetError
        if no data arrives before the budget is used up. If `waits` is false, it is raised
        immediately if no data has arrived yet. A nonblocking socket behaves as in `socket.recv`.
        """
        if self.gettimeout() == 0:
            return super().recv(*arguments)
        if not self.waits:
            return self._receive_at_once(*arguments)
        started = self._start_waiting()
        try:
            piece = super().recv(*arguments)
        except TimeoutError:
            raise _too_slow() from None
        self._spend(started, len(piece))
        return piece

    def _receive_at_once(self, *arguments: Any) -> bytes:
        timeout = self.gettimeout()
        self.settimeout(0)
        try:
            return super().recv(*arguments)
        except BlockingIOError:
            raise _too_slow() from None
        finally:
            self.settimeout(timeout)

    def send(self, data: Any, *arguments: Any) -> int:
        """Send all data, like `sendall`, and return the number of bytes."""
        self.sendall(data, *arguments)
        return len(data)

    def sendall(self, data: Any, *arguments: Any) -> None:
        """Send all data, and wait for the peer if necessary, or keep the rest in `unsent`.

        If `waits` is set, this waits within the time budget. Otherwise, data that the peer doesn't
        accept immediately is kept in `unsent`, and this waits only if more than 1 MiB is unsent.
        Raises ConnectionResetError if the budget is used up, or if too many other connections wait
        already. `arguments` are those of `socket.send`, ignored unless `waits` is set.
        """
        if not self.waits:
            self.unsent += data
            self.send_unsent()
            if len(self.unsent) <= _MAX_UNSENT_BYTES:
                return
            data, self.unsent = self.unsent, bytearray()
            if not _waiting.acquire(blocking=False):
                raise _too_slow()
            try:
                self._send_paced(data)
            finally:
                _waiting.release()
        else:
            self._send_paced(data, *arguments)

    def _send_paced(self, data: Any, *arguments: Any) -> None:
        rest = memoryview(data)
        while rest:
            started = self._start_waiting()
            try:
                sent = super().send(rest, *arguments)
            except TimeoutError:
                raise _too_slow() from None
            self._spend(started, sent)
            rest = rest[sent:]

    def send_unsent(self) -> None:
        """Send as much unsent data as the peer accepts without blocking."""
        try:
            while self.unsent:
                del self.unsent[: super().send(self.unsent, socket.MSG_DONTWAIT)]
        except BlockingIOError:
            return

    def sendfile(self, file: Any, offset: int = 0, count: int | None = None) -> int:
        """Send a part of a file in the same way as `sendall`, and return its number of bytes.

        The part begins at `offset`. It has `count` bytes, or is the rest of the file if `count` is
        None.
        """
        file.seek(offset)
        left = math.inf if count is None else count
        while left and (piece := file.read(min(left, _FILE_PIECE_BYTES))):
            self.sendall(piece)
            left -= len(piece)
        return int(file.tell() - offset)

    def _start_waiting(self) -> float:
        if self._budget <= 0:
            raise _too_slow()
        self.settimeout(self._budget)
        return time.monotonic()

    def _spend(self, started: float, moved: int) -> None:
        waited = time.monotonic() - started
        earned = moved / SLOWEST_BYTES_PER_SECOND
        self._budget = min(self._budget - waited + earned, self._idle_timeout)


def _too_slow() -> ConnectionResetError:
    return ConnectionResetError(errno.ECONNRESET, "the client is too slow")
