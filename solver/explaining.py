"""Explain how a person would solve a puzzle, continue from a position, or find a wrong entry."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np

from solver.board.checkpoint import Checkpoint
from solver.board.closest import unknown
from solver.board.layout import Layout
from solver.board.puzzle import Invalid, Puzzle
from solver.board.result import Outcome
from solver.board.symbols import Symbols
from solver.engines.engine import ABANDON, GO_ON, NEVER, StopFlag
from solver.logic.board_tables import any_board_of
from solver.logic.deduction import pack, unpack
from solver.logic.explanation import Ending, Explanation, Position, start_position
from solver.logic.grid import grid_of
from solver.logic.progress import Progress, progress_in
from solver.logic.rating.difficulty import Difficulty
from solver.logic.rating.reference_ratings import difficulty_of
from solver.logic.rule_path import rule_solving_steps
from solver.logic.rule_steps.pencil_marks import pencil_marks
from solver.logic.solving_path import solving_steps
from solver.logic.sudoku_explainer import rating as explainer
from solver.single import PuzzleLike, single_puzzle
from solver.solving import solve
from solver.unsolvable import fault_of

ORDERS = ("hodoku", "explainer")
# Longer than any path: a 9×9 puzzle has 729 candidates.
_MOST_DEDUCTIONS = 10_000
_MOST_FILTERED = 64  # values of a board whose rules have filters

_CLASSIC = Layout.boxed(3, 3)
_NOT_UNIQUE = {
    Outcome.MULTIPLE: "the puzzle has more than one solution",
    Outcome.UNSOLVABLE: "the puzzle has no solution",
    Outcome.STEP_LIMIT: "the search for a second solution reached the step limit",
}


def explain(
    source: PuzzleLike,
    *,
    order: str = "hodoku",
    most_deductions: int = _MOST_DEDUCTIONS,
) -> Explanation:
    """Explain step by step how a person would solve a puzzle.

    source           as for `solver.solve`: a Puzzle, text, a path, an array, or nested lists
    order            "hodoku" tries the techniques that are easiest for people first; "explainer"
                     uses Sudoku Explainer's techniques in its order, for classic 9×9 puzzles
                     without pencil marks only
    most_deductions  number of steps after which the explanation ends as `cut`

    The ending is `refused`, with a reason, if the source isn't one valid puzzle, if the solver
    doesn't find exactly one solution, or if the order doesn't support the puzzle. If there are
    several solutions, the reason names a cell in which two of them differ. If there is none, it
    names up to three entries of which one is probably wrong, and a few givens and constraints that
    contradict each other, if they can be found. Raises ValueError for an unknown order, TypeError
    for a source or cells of an unsupported type, and OSError if a file can't be read.
    """
    if order not in ORDERS:
        raise ValueError(unknown("order", order, ORDERS))
    puzzle = single_puzzle(source)
    if isinstance(puzzle, Invalid):
        return _empty(order, puzzle.detail)
    result = solve(puzzle)
    if not result.unique or result.solution is None:
        if result.outcome is Outcome.UNSOLVABLE:
            return explain_unsolvable(puzzle, result.detail, order=order)
        reason = _NOT_UNIQUE.get(result.outcome, "the solution failed verification")
        if result.outcome is Outcome.MULTIPLE:
            reason += _example_of_difference(puzzle)
        return refused(puzzle, result.detail or reason, order=order)
    stop = np.full(1, GO_ON, np.uint8)
    return explain_unique(
        puzzle, result.solution, order=order, most_deductions=most_deductions, stop=stop
    )


def _example_of_difference(puzzle: Puzzle) -> str:
    """Return in which cell two solutions differ, such as ": for example, r1c2 can be 3 or 5".

    Returns "" if the solver lists no solutions of the puzzle.
    """
    pairs = zip(*solve(puzzle, limit=3).listed[:2], strict=True)  # a limit of 2 lists none
    for cell, values in enumerate(pairs):
        if len({*values}) > 1:
            symbols = [puzzle.symbols.values[value - 1] for value in sorted(values)]
            return f": for example, {puzzle.layout.cell_name(cell)} can be {' or '.join(symbols)}"
    return ""


def explain_unique(
    puzzle: Puzzle,
    solution: tuple[int, ...],
    *,
    order: str = "hodoku",
    most_deductions: int = _MOST_DEDUCTIONS,
    stop: StopFlag,
    checkpoint: Checkpoint | None = None,
) -> Explanation:
    """Explain a puzzle whose unique solution is known, and rate it.

    `order` and `most_deductions` are as for `explain`. The ending is `refused` for Sudoku
    Explainer's order unless the puzzle is a classic one without pencil marks.

    If `stop` becomes ABANDON, the explanation or the rating is interrupted, and the rating is
    missing. If there is progress beyond `checkpoint`, the explanation then has a checkpoint of its
    own, from which a later call resumes. Checkpoints are for HoDoKu's order only. The ending is
    `cut` if the steps end early, after `most_deductions` or because of `stop`. Otherwise, the
    rating is missing only in the cases that `reference_ratings.difficulty_of` states.
    """
    board = any_board_of(puzzle.layout)
    is_classic = puzzle.layout is _CLASSIC and puzzle.candidates is None
    if order == "explainer" and not is_classic:
        detail = "Sudoku Explainer's order needs a classic 9×9 puzzle without pencil marks"
        return refused(puzzle, detail, order=order)
    earlier = progress_in(checkpoint)
    packed = b"" if earlier is None else earlier.rows.tobytes()
    if order == "explainer":
        rows = explainer.step_rows(np.array(puzzle.givens, np.uint8), stop=stop)
    else:
        grid = grid_of(board, puzzle.givens, candidates=puzzle.candidates)
        taken = np.frombuffer(packed, "<i2").astype(np.int32)
        rows = (
            solving_steps(board, grid, taken=taken, stop=stop)
            if puzzle.layout is _CLASSIC
            else rule_solving_steps(puzzle.layout, board, grid, solution, taken=taken, stop=stop)
        )
    packed += b"".join(map(pack, islice(rows, most_deductions - len(unpack(packed)))))
    deductions = unpack(packed)
    filled = sum(len(deduction.placements) for deduction in deductions)
    ending = Ending.SOLVED if filled == _open_cells(puzzle) else Ending.STUCK
    if ending is Ending.STUCK and (len(deductions) == most_deductions or stop[0] == ABANDON):
        ending = Ending.CUT
    whole = deductions if ending is Ending.SOLVED else ()
    rated: Difficulty | Progress | None = earlier or Progress()
    if ending is not Ending.CUT or stop[0] != ABANDON:
        rated = difficulty_of(
            puzzle, solution, order=order, deductions=whole, stop=stop, earlier=earlier
        )
    suspended = None
    if isinstance(rated, Progress):
        progress = replace(rated, rows=np.frombuffer(packed, np.uint8))
        suspended = progress.to_checkpoint() if progress.is_beyond(earlier) else None
    return Explanation(
        puzzle.layout,
        puzzle.symbols,
        _start(puzzle),
        order,
        ending,
        deductions,
        None if isinstance(rated, Progress) else rated,
        rows=packed,
        checkpoint=suspended,
        pencil_marks=_pencil_marks(puzzle),
    )


def explain_position(
    puzzle: Puzzle,
    solution: Sequence[int] | None,
    *,
    most_deductions: int = _MOST_DEDUCTIONS,
    excluded: Collection[str] = (),
    stop: StopFlag,
) -> Explanation:
    """Explain how to continue from a position of any puzzle, without rating it.

    `solution` is the only solution. If it is None, the puzzle can have several solutions. Then the
    explanation has neither trials nor techniques that rely on uniqueness, and ends as `stuck` where
    logic finds nothing more. `excluded` are codes of techniques to leave out. After
    `most_deductions` steps, or if `stop` becomes ABANDON, the explanation is `cut`.
    """
    board = any_board_of(puzzle.layout)
    grid = grid_of(board, puzzle.givens, candidates=puzzle.candidates)
    found = rule_solving_steps(puzzle.layout, board, grid, solution, excluded=excluded, stop=stop)
    rows = b"".join(map(pack, islice(found, most_deductions)))
    deductions = unpack(rows)
    filled = sum(len(deduction.placements) for deduction in deductions)
    is_cut = len(deductions) == most_deductions or stop[0] == ABANDON
    ending = Ending.CUT if is_cut else Ending.STUCK
    if filled == _open_cells(puzzle):
        ending = Ending.SOLVED
    start = _start(puzzle)
    return Explanation(
        puzzle.layout, puzzle.symbols, start, "hodoku", ending, deductions, rows=rows
    )


def explain_unsolvable(
    puzzle: Puzzle, reason: str | None, *, order: str = "hodoku", stop: StopFlag = NEVER
) -> Explanation:
    """Return a `refused` explanation of a puzzle that has no solution.

    Its detail is `reason`, followed by the advice of `fault_of`. `reason` is the detail of the
    puzzle's result, or None for a general text. The conflict is also that of `fault_of`. If `stop`
    is raised, the advice and the conflict can be missing.
    """
    reason = reason or _NOT_UNIQUE[Outcome.UNSOLVABLE]
    fault = fault_of(puzzle, stop=stop)
    detail = f"{reason}. {fault.advice}" if fault.advice else reason
    return replace(refused(puzzle, detail, order=order), conflict=fault.conflict)


def refused(puzzle: Puzzle, detail: str, *, order: str = "hodoku") -> Explanation:
    """Return an explanation without steps whose ending is `refused`, with the reason `detail`."""
    return Explanation(
        puzzle.layout,
        puzzle.symbols,
        _start(puzzle),
        order,
        Ending.REFUSED,
        detail=detail,
        pencil_marks=_pencil_marks(puzzle),
    )


def _empty(order: str, detail: str) -> Explanation:
    nothing = (0,) * _CLASSIC.cells
    return Explanation(
        _CLASSIC, Symbols.usual(9), Position(nothing, nothing), order, Ending.REFUSED, detail=detail
    )


def _open_cells(puzzle: Puzzle) -> int:
    return puzzle.givens.count(0) - len(puzzle.layout.holes)


def _start(puzzle: Puzzle) -> Position:
    return start_position(puzzle.layout, puzzle.givens, puzzle.candidates)


def _pencil_marks(puzzle: Puzzle) -> tuple[int, ...] | None:
    """Return the candidates that the givens and each rule on its own leave, as bits by cell.

    Returns None if the board has no rules, or too many values for their filters.
    """
    if puzzle.layout.size > _MOST_FILTERED or not puzzle.layout.constraints:
        return None
    start = _start(puzzle)
    marks = pencil_marks(puzzle.layout, start.domains)
    return tuple(mask & left for mask, left in zip(marks, start.candidates, strict=True))
