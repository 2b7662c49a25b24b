"""HoDoKu's rating alone: score, level, and how often each technique was needed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.engines.engine import ABANDON, GO_ON, StopFlag
from solver.logic.board import Board, Ints, Words
from solver.logic.board_tables import Unexplained, board_of
from solver.logic.deduction_buffer import ROWS, new_buffer
from solver.logic.deduction_rows import PLACE, TECHNIQUE
from solver.logic.grid import Grid, empty_grid, fill, perform
from solver.logic.many_paths import apply_to_many
from solver.logic.registry import SINGLES, SOLVING_ORDER
from solver.logic.solving_order import apply_all, search_table_of
from solver.logic.technique import Technique
from solver.logic.technique_table import GUESS, MOST_SCORE, TECHNIQUES, Level

_CLASSIC = Layout.boxed(3, 3)
_MOST_CODE = max(map(int, TECHNIQUES))


@dataclass(frozen=True, slots=True)
class Rating:
    """The difficulty of a puzzle according to HoDoKu's solving order.

    `counts` contains how often each technique was needed, by code.
    """

    score: int
    level: Level
    counts: dict[str, int]


def default_techniques(board: Board) -> tuple[Technique, ...]:
    """Return the techniques that are enabled by default and apply to a board, in HoDoKu's order.

    They include those for sums, which HoDoKu doesn't have.
    """
    return tuple(
        technique
        for technique in SOLVING_ORDER
        if TECHNIQUES[technique.codes[0]].enabled_by_default and technique.applies(board)
    )


def rate(
    givens: NDArray[np.uint8],
    solutions: NDArray[np.uint8],
    *,
    layout: Layout,
    stop: StopFlag | None = None,
) -> list[Rating] | Unexplained:
    """Rate puzzles (·, cells) that have one solution each, in order.

    Returns `Unexplained` if compiled techniques don't cover all rules of the layout. The list can
    have fewer ratings than puzzles if `stop` is set. With FINISH, the current puzzle is still
    rated, so there is at least one rating. With ABANDON, the current puzzle is dropped.
    """
    board = board_of(layout)
    if isinstance(board, Unexplained):
        return board
    solver = Solver(board, np.zeros(1, np.uint8) if stop is None else stop)
    ratings: list[Rating] = []
    for puzzle, solution in zip(givens, solutions, strict=True):
        if ratings and solver.stop[0] != GO_ON:
            break
        counts = solver.counts(puzzle, solution)
        if counts is None:
            break
        ratings.append(rating_of(counts, layout=layout))
    return ratings


def rating_of(counts: dict[str, int], *, layout: Layout) -> Rating:
    """Return HoDoKu's score and level, given how often each technique was needed.

    The level is that of the hardest technique. HoDoKu also raises it if the score exceeds the
    level's limit. The limits are made for classic 9×9 puzzles, so they apply only to these.
    """
    entries = [(TECHNIQUES[code], count) for code, count in counts.items()]
    score = sum(entry.score * count for entry, count in entries)
    level = max((entry.level for entry, _ in entries), default=Level.EASY)
    while layout is _CLASSIC and score > MOST_SCORE.get(level, score):
        level = Level(level + 1)
    return Rating(score, level, counts)


def by_code(counts: Words) -> dict[str, int]:
    """Return technique counts, which are indexed by code, as {code: count} without zeros."""
    return {f"{code:04}": int(counts[code]) for code in np.flatnonzero(counts)}


def codes_of(counts: dict[str, int]) -> Words:
    """Return technique counts as an array that is indexed by code. This reverses `by_code`."""
    array = np.zeros(_MOST_CODE + 1, np.int64)
    for code, count in counts.items():
        array[int(code)] = count
    return array


class Solver:
    """Solves puzzles of one layout in HoDoKu's order, one after the other in the same memory."""

    def __init__(
        self, board: Board, stop: StopFlag, *, techniques: Sequence[Technique] | None = None
    ) -> None:
        """Prepare to solve puzzles with `techniques`, by default those that HoDoKu enables.

        They are used in the given order. Singles always come first, and are added if missing.
        """
        techniques = default_techniques(board) if techniques is None else techniques
        self._board = board
        self.stop = stop
        self._grid = empty_grid(board)
        self._buffer = new_buffer()
        self._counts = np.zeros(_MOST_CODE + 1, np.int64)
        searched = [technique for technique in techniques if technique not in SINGLES]
        self._search_table = search_table_of(searched, board, self._grid)

    @property
    def values(self) -> Ints:
        """The values in the grid of the last puzzle, 0 for open cells."""
        return self._grid.values[: self._board.cell_count]

    @property
    def progress(self) -> tuple[NDArray[np.uint8], Words]:
        """The state of an abandoned puzzle: the grid's bytes, and the counts by code."""
        return np.frombuffer(bytes(self._grid.data), np.uint8), self._counts.copy()

    def counts(
        self,
        givens: NDArray[np.uint8],
        solution: NDArray[np.uint8],
        *,
        progress: tuple[NDArray[np.uint8], Words] | None = None,
    ) -> dict[str, int] | None:
        """Solve a puzzle and return how often each technique was needed, by code.

        Where no technique finds anything, a value of the solution is placed and counted as a guess.
        Returns None if `stop` is ABANDON. `progress` is the state of an interrupted puzzle to
        resume from. The givens are then ignored.
        """
        board, grid, buffer = self._board, self._grid, self._buffer
        if progress is None:
            fill(board, grid, givens.astype(np.int32))
            self._counts[:] = 0
        else:
            grid.data[:] = progress[0].data
            self._counts[:] = progress[1]
        while not apply_all(board, grid, buffer, self._search_table, self._counts, self.stop):
            if self.stop[0] == ABANDON:
                return None
            guess(grid, buffer, solution)
            perform(board, grid, buffer)
            self._counts[int(GUESS)] += 1
        return by_code(self._counts)

    def counts_many(
        self, givens: NDArray[np.uint8], *, required: Iterable[str] = ()
    ) -> list[dict[str, int] | None]:
        """Return how often each technique was needed by each puzzle (n, cells), by code.

        The result is None for puzzles that need a guess or that don't need all `required`
        techniques. If `stop` becomes ABANDON, it is None for all puzzles from then on.
        """
        codes = sorted(TECHNIQUES, key=int)
        are_solved = np.zeros(len(givens), np.bool_)
        needed = np.zeros((len(givens), len(codes)), np.int64)
        apply_to_many(
            self._board, self._grid, self._buffer, self._search_table, self._counts, self.stop,
            givens.astype(np.int32), np.array(codes, np.int64), (are_solved, needed),
        )  # fmt: skip
        are_solved &= (needed[:, [codes.index(code) for code in required]] > 0).all(axis=1)
        counts: list[dict[str, int] | None] = [None] * len(givens)
        for row in np.flatnonzero(are_solved).tolist():
            places = np.flatnonzero(needed[row]).tolist()
            counts[row] = {codes[place]: int(needed[row, place]) for place in places}
        return counts


def guess(grid: Grid, buffer: Ints, solution: NDArray[np.uint8]) -> None:
    """Write a guess to the buffer: the solution's value for one of the open cells.

    It is the middle one of the open cells in reading order. `solution` (cells,) contains the
    values. The guess replaces the contents of the buffer.
    """
    cells = np.flatnonzero(grid.cells)
    cell = int(cells[len(cells) // 2])
    buffer[: ROWS + 6] = (ROWS + 6, 1, 0, TECHNIQUE, int(GUESS), 0, PLACE, cell, solution[cell])
