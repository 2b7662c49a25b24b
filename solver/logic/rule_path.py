"""Solving paths on boards with rules.

Compiled techniques, steps from rules, and trials are mixed in one order from easy to hard. If all
of them fail, the next value comes from the solution.
"""

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from solver.board.layout import Layout
from solver.engines.engine import ABANDON, StopFlag
from solver.logic.board import Board, Ints
from solver.logic.deduction import split
from solver.logic.deduction_buffer import END, ROWS, new_buffer, written
from solver.logic.grid import OPEN, Grid, perform
from solver.logic.rating.hodoku import default_techniques
from solver.logic.registry import SOLVING_ORDER
from solver.logic.rule_steps.conflicts import ConflictSteps
from solver.logic.rule_steps.deductions import (
    COMMON_PEERS,
    REQUIRED,
    RULE,
    RULE_AND_HOUSES,
    SEARCHED,
    TOGETHER,
    TRIAL,
    RuleSteps,
    uses_rules,
    with_placements,
)
from solver.logic.rule_steps.trial_steps import (
    LONG,
    SHORT,
    TrialSteps,
    searched,
    wrong_candidates,
)
from solver.logic.solving_path import has_all_candidates
from solver.logic.technique import Technique
from solver.logic.techniques.sums import SUM_TECHNIQUES

_NO_ROWS = np.zeros(0, np.int32)
# A rung of the order: a technique, the code of a step from a rule, or the lines of a trial.
Rung = Technique | int
_TRIALS = (SHORT, LONG)
# The codes before which steps from rules are tried. All other techniques keep their order.
_BEFORE = {
    "3000": (RULE,),
    "0200": (REQUIRED, COMMON_PEERS),
    "0703": (RULE_AND_HOUSES,),
    "0701": (SHORT,),
}


def rule_solving_steps(
    layout: Layout,
    board: Board,
    grid: Grid,
    solution: Sequence[int] | None,
    *,
    taken: Ints = _NO_ROWS,
    excluded: Collection[str] = (),
    stop: StopFlag,
) -> Iterator[Ints]:
    """Yield the rows of each deduction of a solving path, until the grid is full.

    Each deduction is applied to the grid when the caller requests the next one. `solution` is the
    puzzle's only solution. It decides which candidates are tried, and gives the next value where
    every other step fails. If it is None, the puzzle can have several solutions. Then there are no
    trials, no steps from several rules together, and no techniques that rely on uniqueness, so the
    path can end before the grid is full. `excluded` are codes of techniques to leave out. `taken`
    and `stop` are as in `solving_path.solving_steps`.
    """
    path = _Path(layout, board, grid, solution, stop, excluded=excluded)
    for rows in split(taken):
        path.repeat(rows)
        path.apply(rows)
    while grid.counts[OPEN]:
        found = path.next_rows()
        if found is None:
            return
        yield found
        path.apply(found)


class _Path:
    """The state of one solving path: the grid, and the order of rungs to try.

    A rung is a technique, a kind of step from rules, or a length of trials (see `rungs`).
    """

    def __init__(
        self,
        layout: Layout,
        board: Board,
        grid: Grid,
        solution: Sequence[int] | None,
        stop: StopFlag,
        *,
        excluded: Collection[str],
    ) -> None:
        self._board, self._grid, self._solution, self._stop = board, grid, solution, stop
        self._rules, self._trials = RuleSteps(layout), TrialSteps(layout)
        self._conflicts = ConflictSteps(layout)
        # The puzzle's pencil marks can rule out the swap that makes a pattern deadly.
        is_unique = solution is not None and has_all_candidates(board, grid)
        self._order = [
            rung
            for rung in rungs(
                SOLVING_ORDER, default_techniques(board), has_rules=uses_rules(layout)
            )
            if not _is_excluded(rung, excluded, is_unique=is_unique)
        ]
        self._searches = solution is not None and f"{SEARCHED}" not in excluded
        self._buffer = new_buffer()

    def apply(self, rows: Ints) -> None:
        """Apply a deduction to the grid.

        Also counts complete searches, on which later trials depend.
        """
        if ROWS + len(rows) > len(self._buffer):
            self._buffer = new_buffer(2 * len(rows))
        self._buffer[END] = ROWS + len(rows)
        self._buffer[ROWS : ROWS + len(rows)] = rows
        perform(self._board, self._grid, self._buffer)
        self._trials.searches += int(rows[1]) == SEARCHED

    def repeat(self, rows: Ints) -> None:
        """Repeat the search for conflicts if it was made before the known deduction was found.

        `rows` are those of the deduction. The result of the search is dropped, but later searches
        for conflicts depend on it.
        """
        code = int(rows[1])
        if TOGETHER not in self._order:
            return
        if code in (TOGETHER, SEARCHED) or (code == TRIAL and self._rows_of(SHORT) is None):
            self._rows_of(TOGETHER)

    def next_rows(self) -> Ints | None:
        """Return the rows of the next deduction, or None if there is none or `stop` is ABANDON.

        The grid doesn't change. If no rung finds anything, the deduction is a value of the
        solution, unless that is excluded or the solution is unknown.
        """
        for rung in self._order:
            if self._stop[0] == ABANDON:
                return None
            rows = self._rows_of(rung)
            if rows is not None:
                return rows
        if self._solution is None or not self._searches:
            return None
        return np.array(searched(self._domains, self._solution), np.int32).ravel()

    def _rows_of(self, rung: Rung) -> Ints | None:
        """Return the rows of the next deduction of a rung, or None if it finds nothing.

        Trials and steps from several rules find nothing if the solution is unknown.
        """
        if not isinstance(rung, int):
            if not rung.first_step(self._board, self._grid, self._buffer):
                return None
            step = written(self._buffer).copy()
            is_sum = rung in SUM_TECHNIQUES
            return with_placements(step, self._domains, self._rules.peers) if is_sum else step
        if rung not in (*_TRIALS, TOGETHER):
            rows = self._rules.first(rung, self._domains)
        elif self._solution is None:
            rows = None
        elif rung == TOGETHER:
            wrong = list(wrong_candidates(self._domains, self._solution))
            rows = self._conflicts.first(self._domains, wrong)
        else:
            rows = self._trials.first(self._domains, self._solution, most_lines=rung)
        return None if rows is None else np.array(rows, np.int32).ravel()

    @property
    def _domains(self) -> list[int]:
        return domains_of(self._board, self._grid)


def _is_excluded(rung: Rung, excluded: Collection[str], *, is_unique: bool) -> bool:
    """Return whether a rung is left out, on request or because it relies on uniqueness.

    The latter applies unless `is_unique`: the puzzle is known to have only one solution.
    """
    if isinstance(rung, int):
        return f"{TRIAL if rung in _TRIALS else rung}" in excluded
    return rung.codes[0] in excluded or (rung.relies_on_uniqueness and not is_unique)


def domains_of(board: Board, grid: Grid) -> list[int]:
    """Return the values that each cell can have, as bits: one bit for a filled cell."""
    count = board.cell_count
    values = grid.values[:count].tolist()
    masks = grid.cells[:count].view(np.uint64).tolist()
    return [1 << (value - 1) if value else mask for value, mask in zip(values, masks, strict=True)]


def rungs(
    order: Sequence[Technique], used: Collection[Technique], *, has_rules: bool
) -> list[Rung]:
    """Return the rungs in the order in which they are tried.

    A rung is a technique, the code of a step from rules, or the largest number of lines of a trial.
    `order` contains all techniques in their order, and `used` those of them to use. `has_rules`
    states whether the board has rules beyond houses, not-equal pairs, and domains. If it has, steps
    from rules and short trials come before certain techniques, even if these aren't used.
    Otherwise, COMMON_PEERS and short trials follow the techniques. TOGETHER and long trials are
    always last.
    """
    found: list[Rung] = []
    for technique in order:
        if has_rules:
            found += _BEFORE.get(technique.codes[0], ())
        if technique in used:
            found.append(technique)
    return [*found, *(() if has_rules else (COMMON_PEERS, SHORT)), TOGETHER, LONG]
