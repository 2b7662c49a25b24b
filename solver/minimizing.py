"""Find the givens and constraints that a puzzle with one solution doesn't need.

Each is removed alone, and the puzzle is solved without it. It is redundant if the solution is still
the only one. To reduce a puzzle, redundant ones are removed one after the other, first givens in
reading order and then constraints in the order of the puzzle, while the solution stays unique.
"""

from collections.abc import Generator, Sequence
from dataclasses import replace
from functools import cache
from itertools import compress
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.board.checkpoint import Checkpoint
from solver.board.layout import Layout
from solver.board.minimality import Elements, Minimality
from solver.board.puzzle import Invalid, Puzzle
from solver.board.result import Outcome
from solver.checks.constraints import are_kept
from solver.compiling.cache_folder import source_digest
from solver.engines.engine import GO_ON, StopFlag
from solver.rules.fewer_constraints import removable_constraints, without_constraints
from solver.search_series import Computation, Finished, Found, Puzzles, Searches, run_series
from solver.single import PuzzleLike, single_puzzle
from solver.solving import solve

_SOLVED = int(Outcome.SOLVED)
_UNDECIDED = (int(Outcome.STEP_LIMIT), int(Outcome.FAILED))

Solution = Sequence[int]
# whether a puzzle keeps its only solution without some elements; None if that is undecided
_Verdict = bool | None
_Test = Generator[Searches, Found, _Verdict]


def minimality(
    source: PuzzleLike, *, reduce: bool = False, step_limit: int = 1_000_000
) -> Minimality:
    """Return which givens and constraints of a puzzle are needed, and which aren't.

    `source` is as for `solver.solve`. Each search has the step limit. With `reduce`, the result
    also has a smaller puzzle: redundant givens are removed in reading order, and then redundant
    constraints, as long as the solution stays unique. Givens and constraints whose search reaches
    the step limit are undecided, and stay. Rules for the whole grid aren't tested.

    Raises ValueError if `source` isn't a puzzle with exactly one solution, or if that isn't proved
    within the step limit. Raises TypeError for anything that can't be a puzzle, and OSError if a
    file can't be read.

    >>> minimality("12.4...2....4..1").redundant.givens
    (1, 7)
    """
    puzzle = single_puzzle(source)
    if isinstance(puzzle, Invalid):
        raise ValueError(puzzle.detail)
    result = solve(puzzle, step_limit=step_limit)
    if not result.unique or result.solution is None:
        detail = f" ({result.detail})" if result.detail else ""
        raise ValueError(f"expected a puzzle with one solution, not {result.outcome}{detail}")
    stop = np.full(1, GO_ON, np.uint8)
    finished = minimality_until(
        [(puzzle, result.solution)], reduce=reduce, step_limit=step_limit, stop=stop
    )
    return finished.results[0]


def minimality_until(
    puzzles: Sequence[tuple[Puzzle, Solution]],
    *,
    reduce: bool,
    step_limit: int,
    stop: StopFlag,
    checkpoint: Checkpoint | None = None,
) -> Finished[Minimality]:
    """Return the results of `minimality` for puzzles with their only solutions.

    `reduce` and `step_limit` are as there. If `stop` becomes FINISH, at least the first puzzle is
    still finished. If it becomes ABANDON, there can be fewer results, and `Finished` has a
    checkpoint of the puzzle that was interrupted. The first puzzle resumes from `checkpoint`, if
    given.
    """
    return run_series(
        [_minimality(puzzle, solution, reduce=reduce) for puzzle, solution in puzzles],
        limit=2,
        step_limit=step_limit,
        stop=stop,
        sources=_sources(),
        checkpoint=checkpoint,
    )


def _minimality(puzzle: Puzzle, solution: Solution, *, reduce: bool) -> Computation[Minimality]:
    cells = np.flatnonzero(puzzle.givens)
    found = yield Searches(
        lambda: puzzle.layout,
        len(cells),
        lambda start, stop: _without_each(puzzle, cells[start:stop]),
        is_marked=puzzle.candidates is not None,
    )
    givens = _verdicts(found)
    numbers = removable_constraints(puzzle.layout)
    constraints: list[_Verdict] = []
    for number in numbers:
        verdict = yield from _test(puzzle, solution, Elements((), (number,)))
        constraints.append(verdict)
    every = Elements(tuple(cells.tolist()), numbers)
    redundant = _those(every, givens, constraints, verdict=True)
    undecided = _those(every, givens, constraints, verdict=None)
    reduced = None
    if reduce:
        removed = yield from _removable_together(puzzle, solution, redundant)
        reduced = _without(puzzle, removed)
    return Minimality(redundant, undecided, reduced)


def _those(
    every: Elements, givens: list[_Verdict], constraints: list[_Verdict], *, verdict: _Verdict
) -> Elements:
    """Return the givens and constraints in `every` whose verdict is `verdict`.

    `givens` and `constraints` are the verdicts on all of them, in the same order.
    """
    return Elements(
        tuple(compress(every.givens, [each is verdict for each in givens])),
        tuple(compress(every.constraints, [each is verdict for each in constraints])),
    )


def _removable_together(
    puzzle: Puzzle, solution: Solution, redundant: Elements
) -> Generator[Searches, Found, Elements]:
    """Return redundant elements that can be removed together, trying them in their order.

    Givens are tried before constraints. An element is removed if the puzzle without it and without
    the ones removed before it still has a single solution. One search can try several elements: if
    the puzzle has one solution without all of them, they are all removed. Otherwise, fewer are
    tried. Yields the searches, and is sent their results. Elements for which the search reaches the
    step limit stay.
    """
    removed = Elements()
    for own in (Elements(redundant.givens), Elements((), redundant.constraints)):
        position, size = 0, len(own.givens) + len(own.constraints)
        block = size
        while position < size:
            part = slice(position, position + block)
            more = Elements(
                removed.givens + own.givens[part], removed.constraints + own.constraints[part]
            )
            verdict = yield from _test(puzzle, solution, more)
            if verdict:
                removed = more
            if verdict or block == 1:
                position += block
                block = max((size - position) // 2, 1)
            else:
                block //= 2
    return removed


def _test(puzzle: Puzzle, solution: Solution, removed: Elements) -> _Test:
    """Return whether a puzzle keeps its only solution without some elements, None if undecided.

    Yields the search, and is sent its result. Without a search, the result is False if the solution
    breaks one of the other constraints once some are removed.
    """
    layout = puzzle.layout
    if removed.constraints and not layout.variables:
        # Under the rule that all dots are given, pairs of cells without a dot are restricted, too.
        left = layout.changed(
            constraints=tuple(
                each for n, each in enumerate(layout.constraints) if n not in removed.constraints
            )
        )
        if not are_kept(left.constraints, solution, left):
            return False

    def build(start: int, stop: int) -> Puzzles:
        rows, marks = _as_rows(puzzle, stop - start)
        cells = list(removed.givens)
        rows[:, cells] = 0
        if marks is not None:
            marks[:, cells] = _every_value(layout)
        return rows, marks

    found = yield Searches(
        lambda: _layout_without(layout, removed.constraints),
        1,
        build,
        is_marked=puzzle.candidates is not None,
    )
    return _verdicts(found)[0]


def _verdicts(found: Found) -> list[_Verdict]:
    """Return for each search whether there is exactly one solution, None if that is undecided."""
    return list(map(_verdict, found.outcomes.tolist(), found.counts.tolist()))


def _verdict(outcome: int, count: int) -> _Verdict:
    if outcome == _SOLVED and count == 1:
        return True
    return None if outcome in _UNDECIDED and count < 2 else False


def _as_rows(puzzle: Puzzle, count: int) -> Puzzles:
    """Return copies of a puzzle's givens and candidates as arrays (count, cells)."""
    rows = np.tile(np.array(puzzle.givens, np.uint8), (count, 1))
    if puzzle.candidates is None:
        return rows, None
    return rows, np.tile(np.array(puzzle.candidates, np.uint64), (count, 1))


def _without_each(puzzle: Puzzle, cells: NDArray[np.int64]) -> Puzzles:
    """Return copies of a puzzle, each without the given in another one of the cells.

    If the puzzle has pencil marks, the cell without its given gets all values as candidates.
    """
    rows, marks = _as_rows(puzzle, len(cells))
    numbers = np.arange(len(cells))
    rows[numbers, cells] = 0
    if marks is not None:
        marks[numbers, cells] = _every_value(puzzle.layout)
    return rows, marks


def _without(puzzle: Puzzle, removed: Elements) -> Puzzle:
    """Return a puzzle without some of its givens and constraints.

    If the puzzle has pencil marks, cells that lose their given get all values as candidates.
    """
    layout = _layout_without(puzzle.layout, removed.constraints)
    givens, marks = list(puzzle.givens), puzzle.candidates
    for cell in removed.givens:
        givens[cell] = 0
    if marks is not None:
        every = _every_value(layout)
        marks = tuple(every if n in removed.givens else mask for n, mask in enumerate(marks))
    return replace(puzzle, layout=layout, givens=tuple(givens), candidates=marks)


def _layout_without(layout: Layout, removed: tuple[int, ...]) -> Layout:
    if not removed:
        return layout
    smaller = without_constraints(layout, removed)
    if isinstance(smaller, str):
        raise TypeError(smaller)
    return smaller


def _every_value(layout: Layout) -> int:
    """Return the candidates of a cell that can have every value, as bits."""
    return (1 << layout.size) - 1


@cache
def _sources() -> str:
    return source_digest(Path(__file__))
