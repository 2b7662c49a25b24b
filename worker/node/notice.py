"""How the processes of a worker learn that it was told to stop."""

import mmap
import struct
import time

_MOMENT = struct.Struct("d")


class Notice:
    """When the worker was told to stop; made before its processes, who all see the same.

    What lasts longer than `grace` seconds from then on is to be given up.
    """

    def __init__(self, *, grace: float) -> None:
        self._grace = grace
        self._shared = mmap.mmap(-1, _MOMENT.size)  # inherited by forked processes; 0 = not yet

    def give(self) -> None:
        """Tell all processes to come to an end."""
        self._shared[:] = _MOMENT.pack(time.monotonic())

    @property
    def given(self) -> bool:
        """Whether the worker was told to stop."""
        return self._moment() > 0

    def is_over(self) -> bool:
        """Whether it was told so, and the grace is used up."""
        return 0 < self._moment() < time.monotonic() - self._grace

    def _moment(self) -> float:
        moment: float = _MOMENT.unpack(self._shared[:])[0]
        return moment
