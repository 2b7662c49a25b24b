"""Find additional givens, each of which would leave exactly one solution of a puzzle.

They are found from the puzzle's true candidates or from all its solutions.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.board.true_candidates import TrueCandidates
from worker.records.boards import StoredBoard

_MAX_SHOWN = 30


@dataclass(frozen=True, slots=True)
class UniqueGivens:
    """The additional givens that leave exactly one solution, as far as they are known.

    `shown` contains the first of them as (symbol, cell name). `total` is their number. If
    `is_complete` is not set, there may be others.
    """

    shown: list[tuple[str, str]]
    total: int
    is_complete: bool


def of_candidates(true: TrueCandidates, board: StoredBoard) -> UniqueGivens | None:
    """Return the givens that leave exactly one solution, according to a puzzle's true candidates.

    Values that were not decided are left out. Returns None if the search stopped at the first
    solution with each value.
    """
    if true.bound < 2:
        return None
    found = (true.counts == 1) & true.decided
    return _named(found, board, is_complete=bool(true.decided.all()))


def of_solutions(grids: Sequence[Sequence[int]], board: StoredBoard) -> UniqueGivens:
    """Return the givens that occur in exactly one of all solutions of a puzzle.

    `grids` contains the solutions, with the values of their cells from 1.
    """
    values = np.arange(1, board.layout.size + 1)
    counts = (np.array(grids)[:, :, None] == values).sum(axis=0)
    return _named(counts == 1, board, is_complete=True)


def _named(found: NDArray[np.bool_], board: StoredBoard, *, is_complete: bool) -> UniqueGivens:
    """Return the givens (cell, value) that the mask `found` selects, with their symbols and names.

    Only the first ones are listed, but all are counted.
    """
    places = np.argwhere(found).tolist()
    shown = [
        (board.symbols.values[value], board.layout.cell_name(cell))
        for cell, value in places[:_MAX_SHOWN]
    ]
    return UniqueGivens(shown, len(places), is_complete)
