"""Limits how many processes of a worker work on slow records.

One process stays free for fast records.
"""

import fcntl
import mmap
import os
import struct
import tempfile
import time

_MOMENT = struct.Struct("d")
# A waiting process retries within this time.
_WAITING_SECONDS = 4.0


class Slots:
    """A semaphore with `count` slots for the processes of one worker. A process can have one slot.

    It must be created before the processes are forked. Each slot is a byte of an unnamed file that
    a process locks, so the kernel releases it however the process ends. If a process gets no slot,
    it records this in shared memory.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        descriptor, name = tempfile.mkstemp(prefix="sudokuq-")
        os.unlink(name)  # noqa: PTH108 (a name for a moment)
        self._file = descriptor
        self._waiting_since = mmap.mmap(-1, _MOMENT.size)  # inherited by forked processes
        self._held: int | None = None
        self._held_since = 0.0

    def acquire(self) -> bool:
        """Acquire a slot or keep the current one. Return whether this process has a slot now.

        If no slot is free, records that a process is waiting, so that `may_hold` considers it.
        """
        for number in range(self._count if self._held is None else 0):
            try:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, number)
            except OSError:  # another process has it
                continue
            self._held, self._held_since = number, time.monotonic()
            break
        if self._held is None:
            self._waiting_since[:] = _MOMENT.pack(time.monotonic())
        return self._held is not None

    def may_hold(self, seconds: float) -> bool:
        """Acquire a slot for a slow record or keep the current one, if that is allowed.

        Returns whether it is. It isn't if this process has no slot and none is free, or if it has
        held its slot for more than `seconds` while another process is waiting for one. The slot
        isn't released then.
        """
        if not self.acquire():
            return False
        now = time.monotonic()
        waiting_since: float = _MOMENT.unpack(self._waiting_since[:])[0]
        others_wait = waiting_since > max(self._held_since, now - _WAITING_SECONDS)
        return not (others_wait and now > self._held_since + seconds)

    def release(self) -> None:
        """Release the slot of this process, if it has one."""
        if self._held is not None:
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, self._held)
            self._held = None

    def __del__(self) -> None:
        os.close(self._file)
