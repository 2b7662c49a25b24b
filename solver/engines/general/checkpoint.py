"""Suspended searches, and their serialization so that another process can resume them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from solver.compiling.archive import pack_arrays, unpack_arrays
from solver.compiling.jit import digest_of
from solver.engines.general.backtracking import search as plain
from solver.engines.general.clause_learning import search as learning

_STEPS_BEFORE = "steps_before"

# A checkpoint is a nested tuple of arrays.
_T = TypeVar("_T", bound=tuple[Any, ...])


@dataclass(frozen=True, slots=True)
class Suspended:
    """A suspended search; `steps_before` are the guesses of an earlier search that gave up."""

    standing: Any
    steps_before: int | None = None

    @property
    def is_learning(self) -> bool:
        """Whether the clause-learning search was suspended, or the one that replaces it."""
        return self.steps_before is not None

    def pack(self) -> bytes:
        """Serialize the search; `unpack` restores it."""
        arrays = {
            str(k): array.view(np.uint8) if array.dtype.names else array
            for k, array in enumerate(_arrays(self.standing))
        }
        arrays[_STEPS_BEFORE] = np.array(-1 if self.steps_before is None else self.steps_before)
        return pack_arrays(arrays, made_by=_sources())

    def on(self, beginning: _T) -> _T:
        """Return the checkpoint with the types of an initial one."""
        return cast("_T", _rebuilt(beginning, iter(_arrays(self.standing))))


def unpack(packed: bytes) -> Suspended | None:
    """Restore a search from `Suspended.pack`.

    Returns None if another version of the code packed it.
    """
    arrays = unpack_arrays(packed, made_by=_sources())
    if arrays is None:
        return None
    steps = int(arrays.pop(_STEPS_BEFORE))
    standing = tuple(arrays[str(k)] for k in range(len(arrays)))
    return Suspended(standing, None if steps < 0 else steps)


def _arrays(standing: tuple[Any, ...]) -> list[NDArray[Any]]:
    return [
        array
        for part in standing
        for array in (_arrays(part) if isinstance(part, tuple) else [part])
    ]


def _rebuilt(like: Any, arrays: Iterator[NDArray[Any]]) -> Any:
    if isinstance(like, tuple):
        parts = [_rebuilt(part, arrays) for part in like]
        return type(like)(*parts)  # a named tuple
    array = next(arrays)
    return array.view(like.dtype) if like.dtype.names else array


@cache
def _sources() -> str:
    return digest_of(Path(learning.__file__)) + digest_of(Path(plain.__file__))
