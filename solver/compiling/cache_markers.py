"""Marker files in the cache, which record that code is completely compiled and can be loaded."""

import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import llvmlite
import numba

from solver.compiling.cache_folder import cache_folder, source_digest
from solver.compiling.jit import PATCHED
from solver.compiling.processor import target


def mark_compiled(name: str, *, source: Path) -> None:
    """Record that the code called `name` is completely compiled and in the disk cache.

    `source` is the file with the code. The record holds only for the current content of this file
    and of the modules that it imports. Without the patches to Numba, nothing is recorded, because
    nothing is cached.
    """
    if not PATCHED:
        return
    path = marker_path(name, source)
    with suppress(OSError):  # An unwritable cache is allowed.
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def is_marked(name: str, *, source: Path) -> bool:
    """Return whether `mark_compiled` recorded `name` for the same sources and machine.

    The processor and the versions of Python, Numba, and llvmlite must be the same, too. Without the
    patches to Numba, the result is False.
    """
    return PATCHED and marker_path(name, source).exists()


def marker_path(name: str, source: Path) -> Path:
    """Return the path of the marker for `name`, whether or not it exists.

    It contains digests of the sources, the processor, and the versions.
    """
    versions = (sys.version, numba.__version__, llvmlite.__version__)
    machine = sha256(repr((versions, target())).encode()).hexdigest()[:16]
    return cache_folder() / f"{name}-{source_digest(source)}-{machine}"
