"""A socket that gives up a peer who keeps it waiting."""

import errno
import math
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

# A peer earns time by moving bytes, as much as this rate takes for them.
SLOWEST_BYTES_PER_SECOND = 1024
# What an answer may leave unsent when its thread goes on to other requests.
_MOST_UNSENT_BYTES = 1 << 20
_FILE_PIECE_BYTES = 1 << 16
# How many threads of those that shouldn't wait may wait for the reader of a larger answer: half of
# a process's threads for pages, so that readers who never read leave the others to everybody else.
_MOST_WAITING = 8
_waiting = threading.BoundedSemaphore(_MOST_WAITING)


class PacedSocket(socket.socket):
    """A connection whose peer may keep us waiting for `patience` seconds, then no longer.

    Waiting uses the patience up and bytes that move restore it, in both directions: who sends
    or reads less than 1 KiB a second for so long is cut off, who is merely busy in between is
    not. ConnectionResetError tells of it, like of any peer that is gone.

    While `waits` is false, receiving does not wait at all, and sending as long as no more than
    1 MiB is left: what the peer does not take at once is kept for `send_unsent`. For more, a few
    connections at the same time wait all the same, and others are cut off. `watches` says
    that its request waits for a job. `client` is the address that the request comes from.
    `drop_body`, while there is a request, drops what nobody has
    read of its body.
    """

    def __init__(self, connection: socket.socket, *, patience: float) -> None:
        super().__init__(fileno=connection.detach())
        self._patience = patience
        self._left = patience
        self.waits = True
        self.watches = False
        self.client = ""
        self.drop_body: Callable[[], None] | None = None
        self.unsent = bytearray()

    def setblocking(self, flag: bool, /) -> None:  # noqa: FBT001 (socket's)
        """Return to the beginning of the patience: a blocking socket begins a request."""
        super().setblocking(flag)
        self._left = self._patience

    def recv(self, *arguments: Any) -> bytes:
        """Receive as `socket.recv` does, as long as there is patience."""
        if self.gettimeout() == 0:
            return super().recv(*arguments)
        if not self.waits:
            return self._receive_at_once(*arguments)
        started = self._begin()
        try:
            piece = super().recv(*arguments)
        except TimeoutError:
            raise _too_slow() from None
        self._account(started, len(piece))
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
        """Send everything, as `sendall` does."""
        self.sendall(data, *arguments)
        return len(data)

    def sendall(self, data: Any, *arguments: Any) -> None:
        """Send everything, as long as there is patience, or keep it as unsent."""
        if not self.waits:
            self.unsent += data
            self.send_unsent()
            if len(self.unsent) <= _MOST_UNSENT_BYTES:
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
            started = self._begin()
            try:
                sent = super().send(rest, *arguments)
            except TimeoutError:
                raise _too_slow() from None
            self._account(started, sent)
            rest = rest[sent:]

    def send_unsent(self) -> None:
        """Send what the peer takes now of what was left unsent."""
        try:
            while self.unsent:
                del self.unsent[: super().send(self.unsent, socket.MSG_DONTWAIT)]
        except BlockingIOError:
            return

    def sendfile(self, file: Any, offset: int = 0, count: int | None = None) -> int:
        """Send a file after what is unsent, in the same way; return how many bytes."""
        file.seek(offset)
        left = math.inf if count is None else count
        while left and (piece := file.read(min(left, _FILE_PIECE_BYTES))):
            self.sendall(piece)
            left -= len(piece)
        return int(file.tell() - offset)

    def _begin(self) -> float:
        if self._left <= 0:
            raise _too_slow()
        self.settimeout(self._left)
        return time.monotonic()

    def _account(self, started: float, moved: int) -> None:
        waited = time.monotonic() - started
        earned = moved / SLOWEST_BYTES_PER_SECOND
        self._left = min(self._left - waited + earned, self._patience)


def _too_slow() -> ConnectionResetError:
    return ConnectionResetError(errno.ECONNRESET, "the client is too slow")
