"""Checkpoints of suspended ratings and explanations, from which another process can resume."""

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.compiling.archive import pack_arrays, unpack_arrays
from solver.compiling.jit import digest_of
from solver.logic import grid
from solver.logic.board import Words
from solver.logic.explainer import state

Bytes = NDArray[np.uint8]


def _nothing() -> Bytes:
    return np.zeros(0, np.uint8)


def _no_counts() -> Words:
    return np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class SetAside:
    """A puzzle's progress: first its explanation, then HoDoKu's rating, then Sudoku Explainer's.

    grid       the grid in HoDoKu's rating; empty before that has begun and after it is complete
    counts     (codes,) how often each of HoDoKu's techniques was needed so far
    explainer  the state of Sudoku Explainer's rating; empty before that has begun
    rows       the explanation's deductions so far, in the format of `solver.logic.deduction.pack`
    """

    grid: Bytes = field(default_factory=_nothing)
    counts: Words = field(default_factory=_no_counts)
    explainer: Bytes = field(default_factory=_nothing)
    rows: Bytes = field(default_factory=_nothing)

    def is_beyond(self, begun: "SetAside | None") -> bool:
        """Return whether this checkpoint contains any deduction that `begun` doesn't contain."""
        if begun is None:
            return bool(self.counts.any() or len(self.rows))
        return not (
            np.array_equal(self.counts, begun.counts)
            and np.array_equal(self.explainer, begun.explainer)
            and np.array_equal(self.rows, begun.rows)
        )

    def pack(self) -> bytes:
        """Serialize the checkpoint. `unpack` restores it."""
        arrays: dict[str, NDArray[Any]] = {
            "grid": self.grid, "counts": self.counts, "explainer": self.explainer,
            "rows": self.rows,
        }  # fmt: skip
        return pack_arrays(arrays, made_by=_sources())


def unpack(packed: bytes) -> SetAside | None:
    """Restore a checkpoint from the output of `SetAside.pack`.

    Returns None if the bytes are something else, or if other versions of the sources wrote them.
    """
    arrays = unpack_arrays(packed, made_by=_sources())
    return None if arrays is None else SetAside(**arrays)


@cache
def _sources() -> str:
    return digest_of(Path(grid.__file__)) + digest_of(Path(state.__file__))
