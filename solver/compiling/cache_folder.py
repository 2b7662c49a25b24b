"""The disk cache for compiled code: its folder, and the digests that name its entries."""

import atexit
import os
import re
import shutil
import warnings
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp

_PACKAGE = Path(__file__).parents[1]
_IMPORT = re.compile(rb"^\s*from (solver(?:\.\w+)*) import ([\w, ]+|\()", re.MULTILINE)


@cache
def cache_folder() -> Path:
    """Return the first writable folder for compiled code.

    The order is NUMBA_CACHE_DIR, a folder next to the sources, and a folder in the user's cache. If
    none is writable, this creates a temporary folder for this process and its children, and issues
    a warning. NUMBA_CACHE_DIR is set to that folder, and the process removes it at its end.
    """
    for candidate in (_configured(), _PACKAGE / "__pycache__", _user_cache()):
        if candidate is not None and _is_writable(candidate):
            return candidate
    path = Path(mkdtemp(prefix="sudokuq-compiled-"))
    os.environ["NUMBA_CACHE_DIR"] = str(path)
    atexit.register(_remove, path, maker=os.getpid())
    warnings.warn(
        "no folder for compiled code is writable, so each start compiles it again. "
        "Set NUMBA_CACHE_DIR to a writable folder.",
        stacklevel=2,
    )
    return path


def _configured() -> Path | None:
    configured = os.environ.get("NUMBA_CACHE_DIR")
    return Path(configured) if configured else None


def _user_cache() -> Path | None:
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
def source_digest(source: Path) -> str:
    """Return a digest of a source file and of all modules of `solver` that it imports.

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
    """Return the files of the modules of `solver` that a source imports directly."""
    paths = []
    for match in _IMPORT.finditer(text):
        module = _PACKAGE.parent.joinpath(*match[1].decode().split("."))
        names = re.findall(r"\w+", match[2].decode())
        candidates = [module, *(module / name for name in names)]
        paths += [file for path in candidates if (file := path.with_suffix(".py")).is_file()]
    return paths
