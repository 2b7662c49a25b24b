"""Solving paths: find and apply one deduction after the other, in HoDoKu's order.

Where HoDoKu's techniques find nothing on a classic board, Sudoku Explainer's follow.
"""

from collections.abc import Iterator

import numpy as np

from solver.board.layout import Layout
from solver.engines.engine import ABANDON, StopFlag
from solver.logic.board import Board, Ints
from solver.logic.board_tables import board_of
from solver.logic.deduction import split
from solver.logic.deduction_buffer import END, ROWS, new_buffer, written
from solver.logic.grid import OPEN, Grid, empty_grid, fill, perform
from solver.logic.rating.hodoku import default_techniques
from solver.logic.sudoku_explainer.rating import new_memory, step_from

_NO_ROWS = np.zeros(0, np.int32)


def solving_steps(
    board: Board, grid: Grid, *, taken: Ints = _NO_ROWS, stop: StopFlag
) -> Iterator[Ints]:
    """Yield the rows of one deduction after the other, and apply each to the grid.

    A deduction is applied when the caller requests the next one. Until then, the grid is in the
    state in which the deduction was found. The generator ends when the grid is full, when nothing
    more is found, or when `stop` is ABANDON. `taken` contains the rows of the first deductions, if
    they are already known. These are applied but not yielded.

    The deductions are found in HoDoKu's order. On grids with pencil marks, techniques that rely on
    uniqueness are skipped. Where HoDoKu's techniques find nothing on a classic board without pencil
    marks, Sudoku Explainer's techniques supply a deduction.
    """
    techniques = default_techniques(board)
    has_all = has_all_candidates(board, grid)
    if not has_all:
        # The puzzle's pencil marks can rule out the swap that makes a pattern deadly.
        techniques = tuple(
            technique for technique in techniques if not technique.relies_on_uniqueness
        )
    goes_on = has_all and board is board_of(Layout.boxed(3, 3))
    buffer, memory = new_buffer(), new_memory() if goes_on else None
    for rows in split(taken):
        buffer[END] = ROWS + len(rows)
        buffer[ROWS : buffer[END]] = rows
        perform(board, grid, buffer)
    while grid.counts[OPEN]:
        # Check before each technique, because one may take long on a large board.
        if any(
            stop[0] == ABANDON or technique.first_step(board, grid, buffer)
            for technique in techniques
        ):
            if stop[0] == ABANDON:
                return
            yield written(buffer).copy()
        elif goes_on:
            rows = step_from(grid.values[:81], grid.cells[:81], buffer, stop=stop, memory=memory)
            if not len(rows):
                return
            yield rows
        else:
            return
        perform(board, grid, buffer)


def has_all_candidates(board: Board, grid: Grid) -> bool:
    """Return whether the open cells have all candidates that the placed values allow.

    Candidates that `Board.allowed` excludes don't count. The result is False if the puzzle has
    pencil marks, or if deductions have removed candidates.
    """
    full = empty_grid(board)
    fill(board, full, grid.values[: board.cell_count])
    return bool((full.cells == grid.cells).all())
