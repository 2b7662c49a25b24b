"""The shutdown flag that a worker's processes share."""

import mmap
import struct
import time

_MOMENT = struct.Struct("d")


class ShutdownFlag:
    """The time when the worker's shutdown began, in memory that its processes share.

    It must be created before the processes are forked. When the shutdown has lasted more than
    `grace` seconds, they must abandon the puzzles in progress.
    """

    def __init__(self, *, grace: float) -> None:
        self._grace = grace
        self._shared = mmap.mmap(-1, _MOMENT.size)  # inherited by forked processes; 0 means not yet

    def set(self) -> None:
        """Record that the worker's shutdown begins now. All its processes can see this."""
        self._shared[:] = _MOMENT.pack(time.monotonic())

    @property
    def is_set(self) -> bool:
        """Whether the worker is shutting down."""
        return self._moment() > 0

    def grace_is_over(self) -> bool:
        """Whether the worker is shutting down and the grace period is over."""
        return 0 < self._moment() < time.monotonic() - self._grace

    def _moment(self) -> float:
        moment: float = _MOMENT.unpack(self._shared[:])[0]
        return moment
