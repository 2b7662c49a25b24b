"""A rating that was set aside: where each ladder stands, for another process to go on with it."""

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, eq=False)
class SetAside:
    """Where the rating of a puzzle stands: on HoDoKu's ladder, or on Sudoku Explainer's.

    grid       the grid on HoDoKu's ladder, nothing once that is done
    counts     (codes,) how often HoDoKu's techniques were needed so far
    explainer  the state on Sudoku Explainer's ladder, nothing before it is begun
    """

    grid: Bytes
    counts: Words
    explainer: Bytes

    def is_beyond(self, begun: "SetAside | None") -> bool:
        """Return whether a deduction was found since the rating was begun, there or anew."""
        if begun is None:
            return bool(self.counts.any())
        same_counts = np.array_equal(self.counts, begun.counts)
        return not (same_counts and np.array_equal(self.explainer, begun.explainer))

    def pack(self) -> bytes:
        """Return all that it takes to go on, see `unpack`."""
        arrays: dict[str, NDArray[Any]] = {
            "grid": self.grid, "counts": self.counts, "explainer": self.explainer,
        }  # fmt: skip
        return pack_arrays(arrays, made_by=_sources())


def unpack(packed: bytes) -> SetAside | None:
    """Return what `SetAside.pack` was given; None if it, or other sources, did not pack it."""
    arrays = unpack_arrays(packed, made_by=_sources())
    return None if arrays is None else SetAside(**arrays)


@cache
def _sources() -> str:
    return digest_of(Path(grid.__file__)) + digest_of(Path(state.__file__))
