"""A rating or an explanation that was set aside, for another process to go on with it."""

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
    """Where a puzzle stands: in its explanation, then on HoDoKu's ladder, then on the other one.

    grid       the grid on HoDoKu's ladder, nothing before and once that is done
    counts     (codes,) how often HoDoKu's techniques were needed so far
    explainer  the state on Sudoku Explainer's ladder, nothing before it is begun
    rows       the deductions of the explanation so far, as `solver.logic.deduction.pack` has them
    """

    grid: Bytes = field(default_factory=_nothing)
    counts: Words = field(default_factory=_no_counts)
    explainer: Bytes = field(default_factory=_nothing)
    rows: Bytes = field(default_factory=_nothing)

    def is_beyond(self, begun: "SetAside | None") -> bool:
        """Return whether a deduction was found since it was begun, there or anew."""
        if begun is None:
            return bool(self.counts.any() or len(self.rows))
        return not (
            np.array_equal(self.counts, begun.counts)
            and np.array_equal(self.explainer, begun.explainer)
            and np.array_equal(self.rows, begun.rows)
        )

    def pack(self) -> bytes:
        """Return all that it takes to go on, see `unpack`."""
        arrays: dict[str, NDArray[Any]] = {
            "grid": self.grid, "counts": self.counts, "explainer": self.explainer,
            "rows": self.rows,
        }  # fmt: skip
        return pack_arrays(arrays, made_by=_sources())


def unpack(packed: bytes) -> SetAside | None:
    """Return what `SetAside.pack` was given; None if it, or other sources, did not pack it."""
    arrays = unpack_arrays(packed, made_by=_sources())
    return None if arrays is None else SetAside(**arrays)


@cache
def _sources() -> str:
    return digest_of(Path(grid.__file__)) + digest_of(Path(state.__file__))
