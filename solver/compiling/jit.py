"""Decorators that compile functions with Numba, and the disk cache for compiled code."""

import atexit
import os
import re
import shutil
import warnings
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from numba.core import config

from solver.compiling.parts import Inner, Outer

_PACKAGE = Path(__file__).parents[1]
_IMPORT = re.compile(rb"^\s*from (solver(?:\.\w+)*) import ([\w, ]+|\()", re.MULTILINE)
_numba: Any = config  # Its attributes are created during its import.

if _numba.DISABLE_JIT:
    raise ImportError("NUMBA_DISABLE_JIT is set, and no engine can run without Numba's compiler")


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function on its first call, without the GIL, and cache the result on disk.

    Numba by itself detects changes only in the file that contains the function. Here, the name of
    the cache folder is a digest of all sources that this file imports, directly or indirectly.
    """
    before = _numba.CACHE_DIR
    _numba.CACHE_DIR = str(folder() / digest_of(Path(function.__code__.co_filename)))
    try:
        dispatcher = Outer(function)
        dispatcher.enable_caching()
        return dispatcher
    finally:
        _numba.CACHE_DIR = before


def inner(function: Callable[..., Any]) -> Any:
    """Compile a function that only compiled functions call. It is cached as part of them."""
    return Inner(function)


def bare(function: Callable[..., Any]) -> Any:
    """Compile an inner function without reference counting. It must not create or return arrays.

    Reference counting costs an atomic operation for each array in each tuple of arrays that is
    passed to such a function. In small functions, that takes most of the time.
    """
    return Inner(function, _nrt=False)


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a bare function into each call site.

    Meant for small functions that are called often.
    """
    return Inner(function, _nrt=False, forceinline=True)


@cache
def folder() -> Path:
    """Return the first writable cache folder.

    The order is NUMBA_CACHE_DIR, a folder next to the sources, then one in the user's cache. If
    none is writable, this creates a temporary folder for this process and its children, and issues
    a warning.
    """
    for choice in (_chosen, _beside_the_sources, _of_the_user):
        path = choice()
        if path is not None and _is_writable(path):
            return path
    path = Path(mkdtemp(prefix="sudokuq-compiled-"))
    os.environ["NUMBA_CACHE_DIR"] = str(path)
    atexit.register(_remove, path, maker=os.getpid())
    warnings.warn(
        "no folder for compiled code can be written to, so that each start compiles anew; "
        "set NUMBA_CACHE_DIR to one",
        stacklevel=2,
    )
    return path


def _chosen() -> Path | None:
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return Path(chosen) if chosen else None


def _beside_the_sources() -> Path:
    return _PACKAGE / "__pycache__"


def _of_the_user() -> Path | None:
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sudokuq"
    except RuntimeError:  # The user has no home directory.
        return None


def _is_writable(path: Path) -> bool:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(path, os.W_OK | os.X_OK)


def _remove(path: Path, *, maker: int) -> None:
    if os.getpid() == maker:  # A forked child must not remove it.
        shutil.rmtree(path, ignore_errors=True)


@cache
def digest_of(source: Path) -> str:
    """Return a digest of a source and of all modules of the package that it imports.

    It includes modules that are imported indirectly.
    """
    texts: dict[Path, bytes] = {}
    waiting = [source]
    while waiting:
        path = waiting.pop()
        if path not in texts:
            texts[path] = path.read_bytes()
            waiting += _imports(texts[path])
    digest = sha256()
    for path in sorted(texts):
        digest.update(texts[path])
    return digest.hexdigest()[:16]


def _imports(text: bytes) -> list[Path]:
    """Return the files of the package's modules that a source imports or imports names from."""
    paths = []
    for match in _IMPORT.finditer(text):
        module = _PACKAGE.parent.joinpath(*match[1].decode().split("."))
        names = re.findall(r"\w+", match[2].decode())
        candidates = [module, *(module / name for name in names)]
        paths += [file for path in candidates if (file := path.with_suffix(".py")).is_file()]
    return paths
