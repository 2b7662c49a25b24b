"""A rating that was set aside, and how it is packed so that another process can go on with it.

Packed is an archive of NumPy's, without pickles: where each ladder stands, and which sources laid
that out. Other sources may do it otherwise, and do not read it.
"""

from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.compiling.jit import digest_of
from solver.logic import grid
from solver.logic.board import Words
from solver.logic.explainer import state

_MADE_BY = "made_by"
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
        archive = BytesIO()
        np.savez(
            archive,
            allow_pickle=False,
            made_by=np.array(_sources()),
            grid=self.grid,
            counts=self.counts,
            explainer=self.explainer,
        )
        return archive.getvalue()


def unpack(packed: bytes) -> SetAside | None:
    """Return what `SetAside.pack` was given; None if it, or other sources, did not pack it."""
    with np.load(BytesIO(packed), allow_pickle=False) as archive:
        if str(archive[_MADE_BY]) != _sources():
            return None
        return SetAside(archive["grid"], archive["counts"], archive["explainer"])


@cache
def _sources() -> str:
    return digest_of(Path(grid.__file__)) + digest_of(Path(state.__file__))
