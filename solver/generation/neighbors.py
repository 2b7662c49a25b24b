"""Find the neighbors of a puzzle, in which one given is moved or changed, and estimate hardness."""

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.generation.full_grids import Grids
from solver.generation.removal import are_unique
from solver.logic.board_tables import seen_cells
from solver.solving import solve_many

_STEP_LIMIT = 1_000  # guesses when hardness is estimated; harder puzzles count as equally hard
_TURNS = 4


class Neighborhood:
    """Finds the neighbors of puzzles on a classic board.

    A neighbor differs from the puzzle in one given, which has moved or changed. Givens are only
    added in the cells of `pattern`, or anywhere if that is None.
    """

    def __init__(self, layout: Layout, pattern: frozenset[int] | None) -> None:
        self._layout = layout
        self._sees = seen_cells(layout)
        self._may_add = np.ones(layout.cells, np.bool_)
        if pattern is not None:
            self._may_add[:] = False
            self._may_add[list(pattern)] = True

    def of(self, puzzle: NDArray[np.uint8]) -> Grids:
        """Return all neighbors of a puzzle (cells,) that have unique solutions, as (n, cells).

        In a neighbor, one given is replaced by another value in its cell, or by any value in an
        empty cell. The neighbors may have redundant givens.
        """
        givens = np.flatnonzero(puzzle)
        values = np.arange(1, self._layout.size + 1)
        has_value = puzzle[:, None] == values  # (cells, size)
        seen = self._sees.astype(np.int64) @ has_value  # how many givens exclude a candidate
        # Without given i, the candidates that only it excludes are possible.
        without = seen - self._sees[givens][:, :, None] * has_value[givens][:, None, :]
        is_empty = np.tile(puzzle == 0, (len(givens), 1))
        order = np.arange(len(givens))
        is_empty[order, givens] = True
        possible = (without == 0) & (is_empty & self._may_add)[:, :, None]
        possible[order, givens, puzzle[givens] - 1] = False  # the puzzle itself
        which, cells, numbers = np.nonzero(possible)
        changed = np.tile(puzzle, (len(which), 1))
        rows = np.arange(len(which))
        changed[rows, givens[which]] = 0
        changed[rows, cells] = values[numbers]
        return changed[are_unique(self._layout, changed)]

    def without_redundant(self, puzzles: Grids, ranks: NDArray[np.integer]) -> Grids:
        """Return the puzzles without redundant givens, which are removed one by one.

        Of several redundant givens, the one in the cell with the lowest of `ranks` (cells,) is
        removed first.
        """
        puzzles = puzzles.copy()
        open_ = np.arange(len(puzzles))
        while len(open_):
            rows, cells = np.nonzero(puzzles[open_])
            smaller = puzzles[open_[rows]]
            smaller[np.arange(len(rows)), cells] = 0
            redundant = np.flatnonzero(are_unique(self._layout, smaller))
            redundant = redundant[np.argsort(ranks[cells[redundant]], kind="stable")]
            reduced, first = np.unique(rows[redundant], return_index=True)
            puzzles[open_[reduced], cells[redundant[first]]] = 0
            open_ = open_[reduced]
        return puzzles


def hardness(layout: Layout, puzzles: Grids) -> NDArray[np.int64]:
    """Return an estimate of how hard each puzzle on a square board is, as an array (n,).

    It is the product of four factors: one plus the number of guesses that the engine needs for each
    rotation of the puzzle, up to a limit. A single number of guesses depends more on luck. The
    estimate takes microseconds.
    """
    boards = puzzles.reshape(-1, layout.rows, layout.columns)
    product = np.ones(len(puzzles), np.int64)
    for turn in range(_TURNS):
        rotated = np.ascontiguousarray(np.rot90(boards, turn, axes=(1, 2)))
        batch = solve_many(rotated, layout=layout, limit=2, step_limit=_STEP_LIMIT)
        product *= batch.steps.astype(np.int64) + 1
    return product
