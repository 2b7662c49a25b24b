"""Set up processes of the service: they end with their parent, and limit or keep their memory."""

import ctypes
import resource
import signal
import sys
from collections.abc import Callable

_PR_SET_PDEATHSIG = 1
# https://man7.org/linux/man-pages/man3/mallopt.3.html
_M_TRIM_THRESHOLD, _KEPT_BYTES = -1, 32 << 20
_M_MMAP_THRESHOLD, _LARGEST_KEPT_BYTES = -3, 8 << 20


def die_with_parent(by: signal.Signals = signal.SIGTERM) -> Callable[[], None] | None:
    """Return a function that makes a child process end when its parent ends.

    The child process must call it first. The kernel then sends the child the signal `by` when the
    parent ends. Returns None except on Linux: elsewhere, killing a supervisor leaves its children
    running.
    """
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None)
    return lambda: libc.prctl(_PR_SET_PDEATHSIG, by)


def limit_memory(max_bytes: int) -> None:
    """Make memory allocations of this process fail beyond `max_bytes` of data.

    A record that needs more memory then raises MemoryError, which the worker reports as the
    record's result. Without a limit, the kernel would kill a process, and not necessarily this one.
    A lower limit that is set already remains. Does nothing except on Linux, because elsewhere
    mapped files count, too.
    """
    if sys.platform.startswith("linux"):
        soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
        set_already = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
        resource.setrlimit(resource.RLIMIT_DATA, (min([max_bytes, *set_already]), hard))


def keep_freed_memory() -> None:
    """Make this process keep up to 32 MiB of freed memory for later arrays.

    Otherwise glibc would return the arrays of every chunk to the kernel, which clears each page
    before it provides it again. That took a third of a worker's time on classic puzzles. Other C
    libraries don't have this option.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_TRIM_THRESHOLD, _KEPT_BYTES)
        mallopt(_M_MMAP_THRESHOLD, _LARGEST_KEPT_BYTES)
