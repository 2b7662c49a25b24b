"""Compiling with Numba, and where on disk the compiled code is kept."""

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
_numba: Any = config  # its attributes are made when it is imported

if _numba.DISABLE_JIT:
    raise ImportError("NUMBA_DISABLE_JIT is set, and no engine can run without Numba's compiler")


def compiled(function: Callable[..., Any]) -> Any:
    """Compile a function at its first call, without the interpreter lock, and keep the result.

    Numba alone notices a change only in the file that the function itself is in. Here the
    folder that it keeps compiled code in is named after all sources that this file imports,
    however far.
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
    """Compile a function that only compiled ones call; it is kept with them."""
    return Inner(function)


def bare(function: Callable[..., Any]) -> Any:
    """Compile an inner function that makes and returns no arrays, counting no references to them.

    Counting costs an atomic operation for each array in each tuple of arrays that such a
    function gets: most of the time where functions are small.
    """
    return Inner(function, _nrt=False)


def inlined(function: Callable[..., Any]) -> Any:
    """Compile a bare function into each place that calls it, for what is small and often run."""
    return Inner(function, _nrt=False, forceinline=True)


@cache
def folder() -> Path:
    """Return NUMBA_CACHE_DIR, or a folder beside the sources, or else one of the user's.

    The first that can be written to; where none can, one for this process and those that it
    starts, with a warning.
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
    except RuntimeError:  # a user without a home
        return None


def _is_writable(path: Path) -> bool:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(path, os.W_OK | os.X_OK)


def _remove(path: Path, *, maker: int) -> None:
    if os.getpid() == maker:  # and not one that was forked
        shutil.rmtree(path, ignore_errors=True)


@cache
def digest_of(source: Path) -> str:
    """Return a name for the state of a source and of all that it imports from the package."""
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
    """Return the modules of the package that a source imports, or takes names from."""
    paths = []
    for match in _IMPORT.finditer(text):
        module = _PACKAGE.parent.joinpath(*match[1].decode().split("."))
        names = re.findall(r"\w+", match[2].decode())
        candidates = [module, *(module / name for name in names)]
        paths += [file for path in candidates if (file := path.with_suffix(".py")).is_file()]
    return paths
