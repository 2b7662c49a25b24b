"""Deduction after deduction, each applied to the grid, in HoDoKu's order."""

from collections.abc import Iterator

from solver.engines.engine import ABANDON, StopFlag
from solver.logic.board import Board, Ints
from solver.logic.grid import OPEN, Grid, perform
from solver.logic.rating import usual_ladder
from solver.logic.record import new_buffer, written


def walk(board: Board, grid: Grid, *, stop: StopFlag) -> Iterator[Ints]:
    """Yield the rows of each deduction, until there is none or `stop` says ABANDON."""
    ladder = usual_ladder(board)
    buffer = new_buffer()
    while grid.counts[OPEN] and stop[0] != ABANDON:
        if not any(technique.first(board, grid, buffer) for technique in ladder):
            return
        yield written(buffer).copy()
        perform(board, grid, buffer)
