"""Suspended searches of the general engine, and their conversion to checkpoints."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from solver.board.checkpoint import Checkpoint
from solver.compiling.cache_folder import source_digest
from solver.engines.general.backtracking import search as backtracking
from solver.engines.general.clause_learning import search as clause_learning

_STEPS_BEFORE = "steps_before"

# The state of a search is a nested named tuple of arrays.
_T = TypeVar("_T", bound=tuple[Any, ...])


@dataclass(frozen=True, slots=True)
class Suspended:
    """A suspended search of one puzzle.

    `state` consists of the arrays of its state, in nested tuples or in a flat one. `steps_before`
    is None for the first search of the puzzle. For the second search, which begins when
    backtracking was too hard, it is the number of guesses of the first one.
    """

    state: tuple[Any, ...]
    steps_before: int | None = None

    @property
    def is_second_search(self) -> bool:
        """Whether this is the second search of the puzzle, after backtracking was too hard.

        The second search is clause learning, or backtracking without a conflict limit.
        """
        return self.steps_before is not None

    def to_checkpoint(self) -> Checkpoint:
        """Return a checkpoint with the numbered arrays of the state, and `steps_before`."""
        arrays = {
            str(k): array.view(np.uint8) if array.dtype.names else array
            for k, array in enumerate(_arrays(self.state))
        }
        arrays[_STEPS_BEFORE] = np.array(-1 if self.steps_before is None else self.steps_before)
        return Checkpoint(arrays, sources=_sources())

    def state_like(self, initial: _T) -> _T:
        """Return the saved state in named tuples of the same types as those of `initial`."""
        return cast("_T", _rebuilt(initial, iter(_arrays(self.state))))


def suspended_in(checkpoint: Checkpoint | None) -> Suspended | None:
    """Return the suspended search in a checkpoint.

    Returns None without a checkpoint, or if other code or another computation made it.
    """
    arrays = None if checkpoint is None else checkpoint.arrays_of(_sources())
    if arrays is None:
        return None
    steps = int(arrays.pop(_STEPS_BEFORE))
    # A search changes its state in place, but not the checkpoint that it was resumed from.
    state = tuple(arrays[str(k)].copy() for k in range(len(arrays)))
    return Suspended(state, None if steps < 0 else steps)


def _arrays(state: tuple[Any, ...]) -> list[NDArray[Any]]:
    """Return the arrays in nested tuples as one list, in order."""
    return [
        array for part in state for array in (_arrays(part) if isinstance(part, tuple) else [part])
    ]


def _rebuilt(like: Any, arrays: Iterator[NDArray[Any]]) -> Any:
    """Return arrays in nested named tuples like those of `like`, and with its record types."""
    if isinstance(like, tuple):
        parts = [_rebuilt(part, arrays) for part in like]
        return type(like)(*parts)  # a named tuple
    array = next(arrays)
    return array.view(like.dtype) if like.dtype.names else array


@cache
def _sources() -> str:
    """Return a digest of the code of both searches. Other code can't resume their states."""
    files = clause_learning.__file__, backtracking.__file__
    return "".join(source_digest(Path(file)) for file in files)
