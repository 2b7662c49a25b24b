"""Find all steps that are available on a grid: those of each technique, in the solving order."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from solver.board.layout import Layout
from solver.engines.engine import ABANDON, StopFlag
from solver.logic.available_steps import MOST_LISTED
from solver.logic.board import Board, Ints
from solver.logic.deduction import split
from solver.logic.deduction_buffer import OVERFLOW, new_buffer, written
from solver.logic.deduction_rows import PLACE, REMOVE
from solver.logic.grid import Grid
from solver.logic.registry import LISTED_TECHNIQUES, SINGLES
from solver.logic.rule_path import Rung, domains_of, rungs
from solver.logic.rule_steps.deductions import TOGETHER, RuleSteps, uses_rules, with_placements
from solver.logic.rule_steps.trial_steps import LONG, SHORT, TrialSteps
from solver.logic.technique import Technique
from solver.logic.techniques.forcing_chains import FORCING_CHAIN
from solver.logic.techniques.forcing_nets import FORCING_NET
from solver.logic.techniques.sums import SUM_TECHNIQUES

_CLASSIC = Layout.boxed(3, 3)
# Searched only if there are no singles, because with a single they prove nearly everything.
_LAST = FORCING_CHAIN, FORCING_NET
_MOST_ROWS = 1 << 17  # that one technique writes; further steps of it are dropped

Conclusions = tuple[int, frozenset[tuple[int, int, int]]]  # the code, placements, and eliminations


class Found(NamedTuple):
    """The steps that were found, each as an array of rows, the simplest first.

    `steps` contains at most `MOST_LISTED` steps of each technique. `unlisted` contains the codes of
    the techniques that have more. `is_complete` is False if the search was abandoned.
    """

    steps: list[Ints]
    unlisted: tuple[str, ...]
    is_complete: bool


def find_all_steps(
    layout: Layout,
    board: Board,
    grid: Grid,
    solution: Sequence[int],
    *,
    following: Iterable[Ints],
    has_all_candidates: bool,
    stop: StopFlag,
) -> Found:
    """Find the steps that are available on a grid. The grid doesn't change.

    `following` contains the next step of the explanation, or nothing. That step comes first, then
    the others of its technique, then the other techniques in the solving order. The steps of a
    technique are ordered by size. Of steps by the same technique with the same conclusions, only
    the smallest one is included. Forcing chains and nets are searched only where no single is
    available. Long trials and steps from several rules together aren't searched.

    `solution` is the puzzle's only solution. Without `has_all_candidates`, the puzzle has pencil
    marks, and techniques that rely on uniqueness are skipped. If `stop` becomes ABANDON, the search
    ends after the current technique.
    """
    known: set[Conclusions] = set()
    steps: dict[str, list[Ints]] = {}
    unlisted: dict[str, None] = {}
    is_complete = True
    for rows in following:
        known.add(_conclusions(rows))
        steps[_code(rows)] = [rows]
    search = _Search(layout, board, grid, solution)
    has_singles = any(next(search.all_of(single), None) is not None for single in SINGLES)
    for rung in _rungs(layout, board, has_all_candidates=has_all_candidates):
        if stop[0] == ABANDON:
            is_complete = False
            break
        if has_singles and rung in _LAST:
            continue
        for rows in sorted(search.all_of(rung), key=_size):
            conclusions = _conclusions(rows)
            if conclusions in known:
                continue
            known.add(conclusions)
            listed = steps.setdefault(_code(rows), [])
            if len(listed) < MOST_LISTED:
                listed.append(rows)
            else:
                unlisted[_code(rows)] = None
        unlisted |= dict.fromkeys(search.overflowed)
    return Found([*chain.from_iterable(steps.values())], tuple(unlisted), is_complete)


def _rungs(layout: Layout, board: Board, *, has_all_candidates: bool) -> list[Rung]:
    """Return the techniques, kinds of rule steps, and trials to search, in the solving order.

    On classic boards, these are only techniques. Long trials and steps from several rules together
    are left out, and so are techniques that rely on uniqueness if `has_all_candidates` is not set.
    """
    used = [
        technique
        for technique in LISTED_TECHNIQUES
        if technique.applies(board) and (has_all_candidates or not technique.relies_on_uniqueness)
    ]
    if layout is _CLASSIC:
        return [*used]
    order = rungs(LISTED_TECHNIQUES, used, has_rules=uses_rules(layout))
    return [rung for rung in order if rung not in (TOGETHER, LONG)]


class _Search:
    """Finds all steps of one rung after the other on the same grid (see `rule_path.rungs`).

    `overflowed` contains the codes of the last technique's steps if some of them were dropped.
    """

    def __init__(self, layout: Layout, board: Board, grid: Grid, solution: Sequence[int]) -> None:
        self._board, self._grid, self._solution = board, grid, solution
        self._rules, self._trials = RuleSteps(layout), TrialSteps(layout)
        self._buffer = new_buffer(_MOST_ROWS)
        self.overflowed: tuple[str, ...] = ()

    def all_of(self, rung: Rung) -> Iterator[Ints]:
        """Yield the rows of each step of a rung: a technique, a kind of rule step, or trials.

        Afterwards, `overflowed` has the codes of the yielded steps if further ones were dropped.
        """
        self.overflowed = ()
        if not isinstance(rung, int):
            yield from self._compiled(rung)
            return
        domains = domains_of(self._board, self._grid)
        found = (
            self._trials.all(domains, self._solution)
            if rung == SHORT
            else self._rules.all(rung, domains)
        )
        for rows in found:
            yield np.array(rows, np.int32).ravel()

    def _compiled(self, technique: Technique) -> list[Ints]:
        """Return the rows of each step of a technique.

        If they didn't fit into the buffer, the last one may be incomplete and is left out, and
        `overflowed` gets the codes of the others.
        """
        technique.all_steps(self._board, self._grid, self._buffer)
        steps = [rows.copy() for rows in split(written(self._buffer))]
        if self._buffer[OVERFLOW]:
            del steps[-1:]  # It may be incomplete.
            self.overflowed = tuple(dict.fromkeys(map(_code, steps)))
        if technique in SUM_TECHNIQUES:
            domains = domains_of(self._board, self._grid)
            return [with_placements(rows, domains, self._rules.peers) for rows in steps]
        return steps


def _code(rows: Ints) -> str:
    """Return the technique code of a step, given its rows: four digits."""
    return f"{rows[1]:04}"


def _conclusions(rows: Ints) -> Conclusions:
    """Return the code of a step with its placements and eliminations, given its rows.

    Steps for which this is equal differ only in their reasons.
    """
    table = rows.reshape(-1, 3).tolist()
    return table[0][1], frozenset(
        (tag, cell, value) for tag, cell, value in table if tag in (PLACE, REMOVE)
    )


def _size(rows: Ints) -> int:
    """Return the size of a step's pattern: the number of rows that aren't conclusions."""
    tags = rows[::3]
    return int(np.count_nonzero((tags != PLACE) & (tags != REMOVE)))
