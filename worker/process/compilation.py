"""Compiles missing machine code in the background while the worker already solves puzzles.

The code is divided into a few units (`solver.preparing.Code`), such as the engine for classic
puzzles and the ratings. A chunk waits only for the units that it needs.
"""

import logging
import mmap
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Sequence
from functools import partial

from solver.preparing import Code, is_kept, prepare
from worker.process_setup import die_with_parent

logger = logging.getLogger(__name__)

_NICENESS = 5
# Loaded once, before the processes are forked. Each process loads other code when it first needs
# it.
_BEFORE_FORKING = (Code.CLASSIC, Code.GENERAL)


class Compilation:
    """Compiles code in the background, and tells all worker processes which units are ready.

    It must be created before the processes are forked, because they inherit its memory.
    """

    def __init__(self) -> None:
        # one byte per code, 1 if it is ready; inherited by forked processes
        self._ready = mmap.mmap(-1, 1 + max(Code))

    def start(self) -> None:
        """Mark the units in the cache as ready, and start compiling the others in the background.

        The unit for classic puzzles is compiled before this method returns, if necessary. The
        engines are loaded if they are in the cache.
        """
        missing = []
        for code in Code:
            if code is not Code.CLASSIC and not is_kept(code):
                missing.append(code)
                continue
            if code in _BEFORE_FORKING:
                prepare(code)
            self.mark_ready(code)
        for codes in shares(missing, processors=os.cpu_count() or 1):
            run = partial(self._run, codes)
            threading.Thread(target=run, name="compilation", daemon=True).start()

    def are_ready(self, codes: Iterable[Code]) -> bool:
        """Return whether all these units of code are ready."""
        return all(self._ready[code] for code in codes)

    def missing(self) -> list[Code]:
        """Return the units that aren't ready."""
        return [code for code in Code if not self._ready[code]]

    def mark_ready(self, code: Code) -> None:
        """Record for all worker processes that a unit of code is ready."""
        self._ready[code] = 1

    def _run(self, codes: Sequence[Code]) -> None:
        missing = list(codes)
        with subprocess.Popen(
            [sys.executable, "-m", "worker.process.compilation", *(code.name for code in codes)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            preexec_fn=die_with_parent(signal.SIGKILL),  # noqa: PLW1509 (one system call)
        ) as process:
            for line in process.stdout or ():
                code = Code(int(line))
                missing.remove(code)
                self.mark_ready(code)
        if missing:
            logger.error(
                "compilation failed (%s); each process will compile the functions that it needs",
                process.args,
            )
            for code in missing:
                self.mark_ready(code)


def shares(codes: Sequence[Code], *, processors: int) -> list[list[Code]]:
    """Distribute the units to compile to one or two lists, which are compiled in parallel.

    `processors` is the number of CPUs. If it is 1, there is one list. Otherwise, the ratings have a
    list to themselves, because they take longer than everything else together. Empty lists are left
    out.
    """
    first = [code for code in codes if processors == 1 or code is not Code.LOGIC]
    second = [code for code in codes if code not in first]
    return [share for share in (first, second) if share]


def _prepare(codes: Iterable[Code]) -> None:
    """Compile units of code at low priority, and print the number of each unit when it is ready."""
    os.nice(_NICENESS)
    for code in codes:
        prepare(code)
        sys.stdout.write(f"{code}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _prepare([Code[name] for name in sys.argv[1:]] or Code)
