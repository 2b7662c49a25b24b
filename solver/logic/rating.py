"""HoDoKu's rating of puzzles: the score, the level, and how often each technique was needed."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.compiling.jit import compiled
from solver.engines.engine import ABANDON, GO_ON, StopFlag
from solver.logic.board import Board, Ints
from solver.logic.grid import OPEN, Grid, empty_grid, fill, perform
from solver.logic.ladder import find_first, ladder_of
from solver.logic.record import PLACE, ROWS, TECHNIQUE, new_buffer, reset
from solver.logic.registry import LADDER
from solver.logic.table import MOST_SCORE, TECHNIQUES, Level
from solver.logic.tables import Unexplained, board_of
from solver.logic.technique import Technique
from solver.logic.techniques.singles import (
    FULL_HOUSE,
    HIDDEN_SINGLE,
    NAKED_SINGLE,
    find_full_house,
    find_hidden_single,
    find_naked_single,
)

GUESS = "1205"  # code of what is left when no technique finds anything


@dataclass(frozen=True, slots=True)
class Rating:
    """How hard a puzzle is, by HoDoKu's ladder."""

    score: int
    level: Level
    counts: dict[str, int]  # by the code of a technique


def usual_ladder(board: Board) -> tuple[Technique, ...]:
    """Return the techniques that HoDoKu uses unasked, as far as they apply to a board."""
    return tuple(
        technique
        for technique in LADDER
        if TECHNIQUES[technique.codes[0]].usual and technique.applies(board)
    )


def rate(
    givens: NDArray[np.uint8],
    solutions: NDArray[np.uint8],
    *,
    layout: Layout,
    stop: StopFlag | None = None,
) -> list[Rating] | Unexplained:
    """Rate puzzles (·, cells) with one solution each; fewer if `stop` is set meanwhile.

    At FINISH, the puzzle under way is still rated, and the first one always is.
    """
    board = board_of(layout)
    if isinstance(board, Unexplained):
        return board
    path = Path(board, np.zeros(1, np.uint8) if stop is None else stop)
    ratings: list[Rating] = []
    for puzzle, solution in zip(givens, solutions, strict=True):
        if ratings and path.stop[0] != GO_ON:
            break
        counts = path.counts(puzzle, solution)
        if counts is None:
            break
        ratings.append(rating_of(counts))
    return ratings


def rating_of(counts: dict[str, int]) -> Rating:
    """Return the score and the level that follow from how often each technique was needed."""
    entries = [(TECHNIQUES[code], count) for code, count in counts.items()]
    score = sum(entry.score * count for entry, count in entries)
    level = max((entry.level for entry, _ in entries), default=Level.EASY)
    while score > MOST_SCORE.get(level, score):
        level = Level(level + 1)
    return Rating(score, level, counts)


class Path:
    """The way through puzzles of one layout, technique by technique; memory for one at a time."""

    def __init__(self, board: Board, stop: StopFlag) -> None:
        self._board = board
        self.stop = stop
        self._grid = empty_grid(board)
        self._buffer = new_buffer()
        self._singles = np.zeros(3, np.int64)
        self._ladder = ladder_of(usual_ladder(board)[3:], board, self._grid, self._buffer)

    @property
    def values(self) -> Ints:
        """What the last puzzle is filled with, 0 for open cells."""
        return self._grid.values[: self._board.cell_count]

    def counts(
        self, givens: NDArray[np.uint8], solution: NDArray[np.uint8]
    ) -> dict[str, int] | None:
        """Return how often each technique is needed; None if it was stopped."""
        fill(self._board, self._grid, givens.astype(np.int32))
        self._singles[:] = 0
        needed = Counter[str]()
        while take_singles(self._board, self._grid, self._buffer, self._singles):
            if self.stop[0] == ABANDON:
                return None
            needed[self._step(solution)] += 1
        singles = (FULL_HOUSE, NAKED_SINGLE, HIDDEN_SINGLE)
        for technique, count in zip(singles, self._singles.tolist(), strict=True):
            needed[technique.codes[0]] += count
        return dict(+needed)

    def _step(self, solution: NDArray[np.uint8]) -> str:
        """Do the next step that is no single; return the code of its technique."""
        board, grid, buffer = self._board, self._grid, self._buffer
        if not find_first(board, grid, buffer, self._ladder):
            guess(grid, buffer, solution)
        perform(board, grid, buffer)
        return f"{buffer[ROWS + 1]:04}"


def guess(grid: Grid, buffer: Ints, solution: NDArray[np.uint8]) -> None:
    """Write the value of the open cell in the middle."""
    cells = np.flatnonzero(grid.cells)
    cell = int(cells[len(cells) // 2])
    buffer[: ROWS + 6] = (ROWS + 6, 1, 0, TECHNIQUE, int(GUESS), 0, PLACE, cell, solution[cell])


@compiled
def take_singles(board: Any, grid: Any, buffer: Any, counts: Any) -> bool:
    """Place singles as long as there are any; return whether cells are open still.

    `counts` gets how many full houses, naked and hidden singles there were.
    """
    while grid.counts[OPEN]:
        reset(buffer)
        kind = 0
        find_full_house(board, grid, buffer, 0)
        if buffer[1] == 0:
            kind = 1
            find_naked_single(board, grid, buffer, 0)
        if buffer[1] == 0:
            kind = 2
            find_hidden_single(board, grid, buffer, 0)
        if buffer[1] == 0:
            return True
        counts[kind] += 1
        perform(board, grid, buffer)
    return False
