"""Decorators that compile functions with Numba."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import config, njit

from solver.compiling.cache_folder import cache_folder, source_digest

_config: Any = config  # Its attributes are created during its import.
PATCHED = os.environ.get("SUDOKUQ_NUMBA_PATCHES") != "0"

if _config.DISABLE_JIT:
    raise ImportError("NUMBA_DISABLE_JIT is set, and no engine can run without Numba's compiler")

if PATCHED:
    from solver.compiling.numba_patches.split_compilation import EntryPoint, HelperFunction
    from solver.compiling.numba_patches.symbol_names import name_records_by_fields
    from solver.compiling.numba_patches.typing_cache import cache_call_types

    cache_call_types()
    name_records_by_fields()


def compiled(function: Callable[..., Any]) -> Any:
    """Return a function as an entry point: compiled on its first call, and cached on disk.

    It runs without the GIL. Python code and compiled functions can call it. Changes to the file
    that contains the function, and to all files of `solver` that this one imports, make the cached
    result invalid. Without the patches, nothing is cached on disk, see
    `numba_patches.symbol_names`.
    """
    # Numba by itself detects changes only in the file that contains the function. Here, the name of
    # the cache folder is a digest of all sources.
    dispatcher = compiled_without_cache(function)
    if PATCHED:
        before = _config.CACHE_DIR
        _config.CACHE_DIR = str(cache_folder() / source_digest(Path(function.__code__.co_filename)))
        try:
            dispatcher.enable_caching()
        finally:
            _config.CACHE_DIR = before
    return dispatcher


def compiled_without_cache(function: Callable[..., Any]) -> Any:
    """Return a function as an entry point that each process compiles on its first call.

    It runs without the GIL.
    """
    return EntryPoint(function) if PATCHED else njit(nogil=True)(function)


def helper(function: Callable[..., Any]) -> Any:
    """Return a function that only compiled functions can call, compiled as part of them.

    It is cached on disk together with its callers. If the patches are turned off, Python code can
    call it, too.
    """
    return HelperFunction(function) if PATCHED else njit(nogil=True)(function)


def kernel(function: Callable[..., Any]) -> Any:
    """Return a helper that is compiled without reference counting.

    It must not create or return arrays.
    """
    # Reference counting costs an atomic operation for each array in each tuple of arrays that is
    # passed to such a function. In small functions, that takes most of the time.
    return HelperFunction(function, _nrt=False) if PATCHED else njit(nogil=True)(function)


def always_inline(function: Callable[..., Any]) -> Any:
    """Return a kernel that is compiled into each of its call sites.

    This is meant for small functions that are called often.
    """
    if PATCHED:
        return HelperFunction(function, _nrt=False, forceinline=True)
    return njit(nogil=True, forceinline=True)(function)
