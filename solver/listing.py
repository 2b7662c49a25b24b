"""List all steps that are available at a position of a puzzle."""

from itertools import islice

import numpy as np

from solver.board.layout import Layout
from solver.board.puzzle import Puzzle
from solver.engines.engine import GO_ON, StopFlag
from solver.explaining import explain
from solver.logic.all_steps import find_all_steps
from solver.logic.available_steps import AvailableSteps
from solver.logic.board import Board, Ints
from solver.logic.board_tables import any_board_of
from solver.logic.deduction import pack, split, unpack
from solver.logic.deduction_buffer import END, ROWS, new_buffer
from solver.logic.explanation import Ending, Explanation, Position
from solver.logic.grid import Grid, grid_of, perform
from solver.logic.rule_path import rule_solving_steps
from solver.logic.solving_path import has_all_candidates, solving_steps
from solver.single import PuzzleLike, single_puzzle
from solver.solving import solve

_CLASSIC = Layout.boxed(3, 3)


def all_steps(source: PuzzleLike, *, after: int = 0) -> AvailableSteps:
    """Return the steps that are available in a puzzle, the simplest first.

    source  as for `solver.explain`
    after   the number of steps of the explanation to take first

    The first step is the explanation's next one. At most 50 steps of each technique are listed, and
    forcing chains and nets only where no single is available. If the puzzle isn't explained, the
    result has no steps and a reason. Raises ValueError if `after` is negative or the explanation
    has fewer steps, and the same errors as `solver.explain` for `source`.
    """
    puzzle = single_puzzle(source)
    explanation = explain(puzzle, most_deductions=after)
    if explanation.ending is Ending.REFUSED or not isinstance(puzzle, Puzzle):
        return _refused(explanation)
    if not 0 <= after <= len(explanation.deductions):
        number = len(explanation.deductions)
        raise ValueError(f"after must be from 0 to {number}, the number of steps, not {after}")
    solution = solve(puzzle).solution
    if solution is None:
        raise AssertionError("only puzzles with a solution are explained")
    stop = np.full(1, GO_ON, np.uint8)
    return all_steps_of_unique(puzzle, solution, taken=explanation.rows, stop=stop)


def all_steps_of_unique(
    puzzle: Puzzle, solution: tuple[int, ...], *, taken: bytes = b"", stop: StopFlag
) -> AvailableSteps:
    """Return the steps that are available in a puzzle whose unique solution is known.

    The list is limited as that of `all_steps`. `taken` contains the steps of the explanation in
    HoDoKu's order that were taken before, as in `Explanation.rows`. If `stop` becomes ABANDON, not
    all steps are found.
    """
    layout, board = puzzle.layout, any_board_of(puzzle.layout)
    rows = np.frombuffer(taken, "<i2").astype(np.int32)
    grid = _grid_of(puzzle, board)
    has_all = puzzle.candidates is None or has_all_candidates(board, grid)
    _take(board, grid, rows)
    # Searching for the next step uses up queued singles, so it needs a grid of its own.
    path_grid = _grid_of(puzzle, board)
    path = (
        solving_steps(board, path_grid, taken=rows, stop=stop)
        if layout is _CLASSIC
        else rule_solving_steps(layout, board, path_grid, solution, taken=rows, stop=stop)
    )
    found = find_all_steps(
        layout, board, grid, solution,
        following=islice(path, 1), has_all_candidates=has_all, stop=stop,
    )  # fmt: skip
    packed = b"".join(map(pack, found.steps))
    count = board.cell_count
    values = tuple(grid.values[:count].tolist())
    candidates = tuple(grid.cells[:count].view(np.uint64).tolist())
    return AvailableSteps(
        layout,
        puzzle.symbols,
        puzzle.givens,
        Position(values, candidates),
        unpack(packed),
        found.unlisted,
        found.is_complete,
        rows=packed,
    )


def _grid_of(puzzle: Puzzle, board: Board) -> Grid:
    return grid_of(board, puzzle.givens, candidates=puzzle.candidates)


def _take(board: Board, grid: Grid, rows: Ints) -> None:
    """Apply the steps in `rows` to a grid."""
    for step in split(rows):
        buffer = new_buffer(len(step))
        buffer[END] = ROWS + len(step)
        buffer[ROWS : buffer[END]] = step
        perform(board, grid, buffer)


def _refused(explanation: Explanation) -> AvailableSteps:
    return AvailableSteps(
        explanation.layout,
        explanation.symbols,
        explanation.start.values,
        explanation.start,
        (),
        detail=explanation.detail,
    )
