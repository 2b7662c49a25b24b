"""At most so many processes of a worker may be in long records, so that others find a free one."""

import fcntl
import mmap
import os
import struct
import tempfile
import time

_MOMENT = struct.Struct("d")
# Whoever waits for a permit asks again after less than that.
_WANTED_FOR_SECONDS = 4.0


class Permits:
    """Permits that the processes of one worker share; made before them.

    Each is a byte of a file without a name, and belongs to the process that locks it: the kernel
    takes it back, however the process ends. When there was none, all processes can see it.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        descriptor, name = tempfile.mkstemp(prefix="sudokuq-")
        os.unlink(name)  # noqa: PTH108 (a name for a moment)
        self._file = descriptor
        self._wanted_at = mmap.mmap(-1, _MOMENT.size)  # inherited by forked processes
        self._held: int | None = None
        self._held_since = 0.0

    def take(self) -> bool:
        """Take a permit, or keep the one that this process has; False if there is none."""
        for number in range(self._count if self._held is None else 0):
            try:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, number)
            except OSError:  # it is somebody else's
                continue
            self._held, self._held_since = number, time.monotonic()
            break
        if self._held is None:
            self._wanted_at[:] = _MOMENT.pack(time.monotonic())
        return self._held is not None

    def last(self, seconds: float) -> bool:
        """Take a permit, or keep it, but for no longer than so many seconds if others want one."""
        if not self.take():
            return False
        now = time.monotonic()
        wanted_at: float = _MOMENT.unpack(self._wanted_at[:])[0]
        is_wanted = wanted_at > max(self._held_since, now - _WANTED_FOR_SECONDS)
        return not (is_wanted and now > self._held_since + seconds)

    def give_back(self) -> None:
        """Give back the permit of this process, if it has one."""
        if self._held is not None:
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, self._held)
            self._held = None

    def __del__(self) -> None:
        os.close(self._file)
