"""Deduction after deduction, each applied to the grid, in HoDoKu's order."""

from collections.abc import Iterator

from solver.engines.engine import ABANDON, StopFlag
from solver.logic.board import Board, Ints
from solver.logic.grid import OPEN, Grid, perform
from solver.logic.record import new_buffer, written
from solver.logic.registry import LADDER
from solver.logic.table import TECHNIQUES
from solver.logic.technique import Technique


def usual_techniques(board: Board) -> tuple[Technique, ...]:
    """Return what is looked for on a board, unless somebody asks for more."""
    return tuple(
        technique
        for technique in LADDER
        if any(TECHNIQUES[code].usual for code in technique.codes) and technique.applies(board)
    )


def walk(board: Board, grid: Grid, *, stop: StopFlag) -> Iterator[Ints]:
    """Yield the rows of each deduction in HoDoKu's order, until there is none."""
    techniques = usual_techniques(board)
    buffer = new_buffer()
    while grid.counts[OPEN] and stop[0] != ABANDON:
        if not any(technique.first(board, grid, buffer) for technique in techniques):
            return
        yield written(buffer).copy()
        perform(board, grid, buffer)
