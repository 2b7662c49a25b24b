"""The progress of suspended ratings and explanations, and their checkpoints."""

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.board.checkpoint import Checkpoint
from solver.compiling.cache_folder import source_digest
from solver.logic import grid
from solver.logic.board import Words
from solver.logic.sudoku_explainer import state

Bytes = NDArray[np.uint8]


def _no_bytes() -> Bytes:
    return np.zeros(0, np.uint8)


def _no_counts() -> Words:
    return np.zeros(0, np.int64)


def _no_seconds() -> NDArray[np.float64]:
    return np.zeros(1)


@dataclass(frozen=True, slots=True, eq=False)
class Progress:
    """A puzzle's progress: first its explanation, then HoDoKu's rating, then Sudoku Explainer's.

    grid       the grid in HoDoKu's rating; empty before that has begun and after it is complete
    counts     (codes,) how often each of HoDoKu's techniques was needed so far
    explainer  the state of Sudoku Explainer's rating; empty before that has begun
    rows       the explanation's deductions so far, in the format of `solver.logic.deduction.pack`
    seconds    (1,) the CPU time of a rating by steps so far
    """

    grid: Bytes = field(default_factory=_no_bytes)
    counts: Words = field(default_factory=_no_counts)
    explainer: Bytes = field(default_factory=_no_bytes)
    rows: Bytes = field(default_factory=_no_bytes)
    seconds: NDArray[np.float64] = field(default_factory=_no_seconds)

    def is_beyond(self, earlier: "Progress | None") -> bool:
        """Return whether this progress differs from `earlier`, from which it was resumed.

        Progress is only ever added, so a difference means further progress. The grids aren't
        compared, because they change only together with the counts. The seconds aren't compared
        either. If `earlier` is None, returns whether HoDoKu's rating or the explanation has any
        progress.
        """
        if earlier is None:
            return bool(self.counts.any() or len(self.rows))
        return not (
            np.array_equal(self.counts, earlier.counts)
            and np.array_equal(self.explainer, earlier.explainer)
            and np.array_equal(self.rows, earlier.rows)
        )

    def to_checkpoint(self) -> Checkpoint:
        """Return a checkpoint that contains the progress."""
        arrays: dict[str, NDArray[Any]] = {
            "grid": self.grid, "counts": self.counts, "explainer": self.explainer,
            "rows": self.rows, "seconds": self.seconds,
        }  # fmt: skip
        return Checkpoint(arrays, sources=_sources())


def progress_in(checkpoint: Checkpoint | None) -> Progress | None:
    """Return the progress in a checkpoint, or None.

    The result is None if there is no checkpoint, or if other code or another task made it.
    """
    arrays = None if checkpoint is None else checkpoint.arrays_of(_sources())
    return None if arrays is None else Progress(**arrays)


@cache
def _sources() -> str:
    """Return a digest of the code that determines the format of the progress."""
    return source_digest(Path(grid.__file__)) + source_digest(Path(state.__file__))
