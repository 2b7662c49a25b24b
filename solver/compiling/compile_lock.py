"""A lock that keeps two processes from compiling the same code at the same time."""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path

from solver.compiling.cache_markers import is_marked, marker_path
from solver.compiling.jit import PATCHED


@contextmanager
def compile_lock(name: str, *, source: Path, on_wait: Callable[[], object]) -> Iterator[None]:
    """Hold the lock on the code called `name`, which only one process at a time can hold.

    The arguments `name` and `source` are those of `mark_compiled`. If another process holds the
    lock, calls `on_wait` and waits until it releases the lock or ends. It has usually compiled the
    code by then, so that loading it takes little time. Nothing is locked if the code is in the
    cache already, if it isn't cached at all, or if the cache folder doesn't support locks.
    """
    is_needed = PATCHED and not is_marked(name, source=source)
    file = _opened(marker_path(name, source)) if is_needed else None
    if file is None:
        yield
        return
    with file:
        _acquire(file, on_wait)
        try:
            yield
        finally:
            with suppress(OSError):
                # Closing the file isn't enough if a forked process has inherited it.
                fcntl.flock(file, fcntl.LOCK_UN)


def _opened(marker: Path) -> FileIO | None:
    path = marker.with_name(f"{marker.name}.lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return FileIO(path, "a")
    except OSError:  # An unwritable cache is allowed.
        return None


def _acquire(file: FileIO, on_wait: Callable[[], object]) -> None:
    with suppress(OSError):  # Some network file systems have no locks.
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            on_wait()
            fcntl.flock(file, fcntl.LOCK_EX)
