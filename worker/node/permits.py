"""At most so many processes of a worker may be in long records, so that others find a free one."""

import fcntl
import os
import tempfile


class Permits:
    """Permits that the processes of one worker share; made before them.

    Each is a byte of a file without a name, and belongs to the process that locks it: the kernel
    takes it back, however the process ends.
    """

    def __init__(self, count: int) -> None:
        self._count = count
        descriptor, name = tempfile.mkstemp(prefix="sudokuq-")
        os.unlink(name)  # noqa: PTH108 (a name for a moment)
        self._file = descriptor
        self._held: int | None = None

    def take(self) -> bool:
        """Take a permit, or keep the one that this process has; False if there is none."""
        for number in range(self._count if self._held is None else 0):
            try:
                fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, number)
            except OSError:  # it is somebody else's
                continue
            self._held = number
            break
        return self._held is not None

    def give_back(self) -> None:
        """Give back the permit of this process, if it has one."""
        if self._held is not None:
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, self._held)
            self._held = None

    def __del__(self) -> None:
        os.close(self._file)
