"""Notes beside compiled code: what was once compiled to the end, and need only be loaded."""

import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core.registry import cpu_target

from solver.compiling.jit import digest_of, folder

_codegen: Any = cpu_target.target_context.codegen()  # Numba leaves it without annotations


def note(name: str, *, source: Path) -> None:
    """Note that the code of a name is compiled, for the sources that this one imports."""
    path = _path(name, source)
    with suppress(OSError):  # where nothing can be written, nothing is kept
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def is_noted(name: str, *, source: Path) -> bool:
    """Return whether that was noted, for a processor and for versions like these."""
    return _path(name, source).exists()


def _path(name: str, source: Path) -> Path:
    versions = (sys.version, numba.__version__, llvmlite.__version__)
    machine = sha256(repr((versions, _codegen.magic_tuple())).encode()).hexdigest()[:16]
    return folder() / f"{name}-{digest_of(source)}-{machine}"
