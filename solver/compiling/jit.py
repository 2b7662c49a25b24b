"""Compiling with Numba, and where on disk the compiled code is kept."""

import os
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from numba import njit
from numba.core import config

_SOURCES = Path(__file__).parents[1]
_numba: Any = config  # its attributes are made when it is imported
_njit: Any = njit  # its annotations leave out an option


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function at its first call, without the interpreter lock, and keep the result.

    Numba alone notices a change only in the file that the function itself is in. Here the
    folder that it keeps compiled code in is named after all sources of the package.
    """
    before = _numba.CACHE_DIR
    _numba.CACHE_DIR = str(_folder())
    try:
        return njit(nogil=True, cache=True)(function)
    finally:
        _numba.CACHE_DIR = before


def inner(function: Callable[..., Any]) -> Any:
    """Compile a function that only compiled ones call; it is kept with them."""
    return njit(nogil=True)(function)


def bare(function: Callable[..., Any]) -> Any:
    """Compile an inner function that makes no arrays, without counting references to them.

    Counting costs an atomic operation for each array in each tuple of arrays that such a
    function gets: most of the time where functions are small.
    """
    return _njit(nogil=True, _nrt=False)(function)


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a bare function into each place that calls it, for what is small and often run."""
    return _njit(nogil=True, _nrt=False, forceinline=True)(function)


@cache
def _folder() -> Path:
    """Return NUMBA_CACHE_DIR, or a folder beside the sources, or else one of the user's."""
    digest = sha256()
    for source in sorted(_SOURCES.rglob("*.py")):
        digest.update(source.read_bytes())
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        kept = Path(chosen)
    elif os.access(_SOURCES, os.W_OK):
        kept = _SOURCES / "__pycache__"
    else:
        kept = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sudokuq"
    return kept / digest.hexdigest()[:16]
