"""Making the rest of the compiled code ready while a worker solves what is ready already."""

import logging
import mmap
import os
import signal
import subprocess
import sys
import threading
from itertools import takewhile

from solver.preparing import LABELS, Code, is_kept, prepare
from worker.processes import die_with_parent

logger = logging.getLogger(__name__)

_NICENESS = 5


class Preparation:
    """What compiled code is ready; made before the processes of a worker, who all see the same."""

    def __init__(self) -> None:
        self._ready = mmap.mmap(-1, 1)  # the last of `Code` that is; inherited by forked processes

    def begin(self) -> None:
        """Make ready what plain puzzles need, then the rest in the background."""
        prepare(Code.CLASSIC)
        self.reach(Code.CLASSIC)
        for code in takewhile(is_kept, list(Code)[Code.CLASSIC :]):
            if code is Code.GENERAL:  # the others are loaded by workers that are asked for them
                prepare(code)
            self.reach(code)
        if not self.has(Code.LOGIC):
            threading.Thread(target=self._run, name="preparation", daemon=True).start()

    def has(self, code: Code) -> bool:
        """Return whether some code is ready."""
        return self._ready[0] >= code

    def says(self) -> str:
        """Return what is being compiled, and how far that is; nothing when all is ready."""
        if self.has(Code.LOGIC):
            return ""
        code = Code(self._ready[0] + 1)
        return f"{LABELS[code]} ({code} of {len(Code)})"

    def reach(self, code: Code) -> None:
        """Say that some code is ready, and what comes before it."""
        self._ready[0] = code

    def _run(self) -> None:
        with subprocess.Popen(
            [sys.executable, "-m", "worker.node.preparation"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            preexec_fn=die_with_parent(signal.SIGKILL),  # noqa: PLW1509 (one system call)
        ) as process:
            for line in process.stdout or ():
                self.reach(Code(int(line)))
        if not self.has(Code.LOGIC):
            logger.error("compiling ended early (%s); puzzles compile for themselves", process.args)
            self.reach(Code.LOGIC)


def _prepare_all() -> None:
    """Compile everything, with a line for each code that is ready."""
    os.nice(_NICENESS)
    for code in Code:
        prepare(code)
        sys.stdout.write(f"{code}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _prepare_all()
