"""Marker files in the cache: which code is completely compiled and only has to be loaded."""

import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core.registry import cpu_target

from solver.compiling.jit import digest_of, folder

_codegen: Any = cpu_target.target_context.codegen()  # Numba has no annotations for it.


def note(name: str, *, source: Path) -> None:
    """Record that the code called `name` is compiled, for the sources that `source` imports."""
    path = _path(name, source)
    with suppress(OSError):  # An unwritable cache is allowed.
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def is_noted(name: str, *, source: Path) -> bool:
    """Return whether `note` recorded this name for the same sources, processor, and versions."""
    return _path(name, source).exists()


def _path(name: str, source: Path) -> Path:
    versions = (sys.version, numba.__version__, llvmlite.__version__)
    machine = sha256(repr((versions, _codegen.magic_tuple())).encode()).hexdigest()[:16]
    return folder() / f"{name}-{digest_of(source)}-{machine}"
