"""Making the rest of the compiled code ready while a worker solves what is ready already."""

import logging
import mmap
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Sequence
from functools import partial

from solver.preparing import LABELS, Code, is_kept, prepare
from worker.processes import die_with_parent

logger = logging.getLogger(__name__)

_NICENESS = 5
# Loaded once for all processes of a worker; each loads the others when it is first asked for them.
_BEFORE_FORKING = (Code.CLASSIC, Code.GENERAL)


class Preparation:
    """What compiled code is ready; made before the processes of a worker, who all see the same."""

    def __init__(self) -> None:
        self._ready = mmap.mmap(-1, 1 + max(Code))  # by code, 1 if it is; inherited when forked

    def begin(self) -> None:
        """Make ready what plain puzzles need, then the rest in the background."""
        missing = []
        for code in Code:
            if code is not Code.CLASSIC and not is_kept(code):
                missing.append(code)
                continue
            if code in _BEFORE_FORKING:
                prepare(code)
            self.reach(code)
        for codes in shares(missing, processors=os.cpu_count() or 1):
            run = partial(self._run, codes)
            threading.Thread(target=run, name="preparation", daemon=True).start()

    def has(self, code: Code) -> bool:
        """Return whether some code is ready, and all that comes before it."""
        return all(self._ready[each] for each in Code if each <= code)

    def says(self) -> str:
        """Return what is being compiled, and how far that is; nothing when all is ready."""
        missing = [code for code in Code if not self._ready[code]]
        return f"{LABELS[missing[0]]} ({missing[0]} of {len(Code)})" if missing else ""

    def reach(self, code: Code) -> None:
        """Say that some code is ready."""
        self._ready[code] = 1

    def _run(self, codes: Sequence[Code]) -> None:
        missing = list(codes)
        with subprocess.Popen(
            [sys.executable, "-m", "worker.node.preparation", *(code.name for code in codes)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            preexec_fn=die_with_parent(signal.SIGKILL),  # noqa: PLW1509 (one system call)
        ) as process:
            for line in process.stdout or ():
                code = Code(int(line))
                missing.remove(code)
                self.reach(code)
        if missing:
            logger.error("compiling ended early (%s); puzzles compile for themselves", process.args)
            for code in missing:
                self.reach(code)


def shares(codes: Sequence[Code], *, processors: int) -> list[list[Code]]:
    """Return what to compile side by side: ratings take longer than all else together."""
    first = [code for code in codes if processors == 1 or code is not Code.LOGIC]
    second = [code for code in codes if code not in first]
    return [share for share in (first, second) if share]


def _prepare(codes: Iterable[Code]) -> None:
    """Compile some code, with a line for each that is ready."""
    os.nice(_NICENESS)
    for code in codes:
        prepare(code)
        sys.stdout.write(f"{code}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _prepare([Code[name] for name in sys.argv[1:]] or Code)
