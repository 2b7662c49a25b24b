"""What processes of the service ask of the system: to end with their parent, to keep memory."""

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
    """Return what a child runs before its own work, so that no parent leaves it behind.

    Linux only; elsewhere a supervisor that is killed outright leaves its children.
    """
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None)
    return lambda: libc.prctl(_PR_SET_PDEATHSIG, by)


def limit_memory(most: int) -> None:
    """Make allocations of this process fail when it has more than `most` bytes of data.

    A record that needs more then raises MemoryError and is answered. Without a limit the kernel
    would kill a process, and perhaps another one. Linux only: elsewhere mapped files count too.
    """
    if sys.platform.startswith("linux"):
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def keep_freed_memory() -> None:
    """Have this process keep memory that it frees, up to 32 MiB, for the arrays that come next.

    Otherwise glibc gives every array of a chunk back to the kernel, which clears each of its pages
    before it hands it out anew: a third of a worker's time on plain puzzles. Other libraries of
    C have no such switch.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(_M_TRIM_THRESHOLD, _KEPT_BYTES)
        mallopt(_M_MMAP_THRESHOLD, _LARGEST_KEPT_BYTES)
