"""Processes that end when the one that started them does."""

import ctypes
import signal
import sys
from collections.abc import Callable

_PR_SET_PDEATHSIG = 1


def die_with_parent(by: signal.Signals = signal.SIGTERM) -> Callable[[], None] | None:
    """Return what a child runs before its own work, so that no parent leaves it behind.

    Linux only; elsewhere a supervisor that is killed outright leaves its children.
    """
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None)
    return lambda: libc.prctl(_PR_SET_PDEATHSIG, by)
