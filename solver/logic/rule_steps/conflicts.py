"""Conflicts: a few rules and houses that exclude candidates if they are taken together.

One scan looks at all candidates. Its conflicts remain valid, so the following steps use the
simplest of them, each reduced to a minimal one.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property

from solver.board.layout import Layout
from solver.engines.sat.clauses import TooManyLiterals
from solver.logic import deduction_rows as tags
from solver.logic.rule_steps.conflict_groups import ConflictGroups, Core
from solver.logic.rule_steps.deductions import TOGETHER, Rows, conclusions
from solver.logic.sentences.links import peers_of_cells

_SHORT, _LONG = 20, 400  # conflicts of the SAT solver in a first and a second scan
_MOST_MINIMIZED = 3  # conflicts of which the simplest is chosen
_MOST_FAILURES = 3  # after which no more conflicts are searched
_MOST_COST = 120  # of a minimal conflict
_MOST_COST_BEFORE = 250  # of a conflict before it is reduced to a minimal one
_MOST_EXTENDED = 200  # other candidates that a conflict may exclude
_MOST_WORK, _MOST_SCAN = 5_000_000, 1_000_000  # propagations for one puzzle, for one scan

Candidates = Sequence[tuple[int, int]]  # pairs of a cell and a value, counted from 0


class ConflictSteps:
    """Finds conflicts on one board.

    A call depends on the earlier ones, so a path that is resumed repeats them.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._peers = peers_of_cells(layout)
        self._found: dict[tuple[int, int], tuple[int, Core]] = {}  # costs and cores by candidate
        self._failures = 0

    def first(self, domains: Sequence[int], candidates: Candidates) -> Rows | None:
        """Return the simplest conflict found as a step, or None if none is simple enough.

        The step consists of rows (see `deduction_rows`). It excludes at least one of
        `candidates`. These are the position's candidates that aren't in the solution, as pairs of a
        cell and a value from 0. `domains` are those of the position, as bits. After a few failures,
        and on boards with too many clauses, the result is always None.
        """
        groups = self._groups
        if groups is None or self._failures >= _MOST_FAILURES:
            return None
        left = {*candidates}
        self._found = {each: entry for each, entry in self._found.items() if each in left}
        for conflicts in (_SHORT, _LONG):
            if not self._found:
                self._scan(groups, domains, candidates, conflicts)
        if not self._found:
            self._failures += 1
            return None
        simplest = sorted(self._found, key=lambda each: (self._found[each][0], each))
        for each in simplest[:_MOST_MINIMIZED]:
            core = groups.minimal(
                groups.literal(*each), self._found[each][1], conflicts=_SHORT, most_work=_MOST_WORK
            )
            self._found[each] = groups.cost(core), core
        best = min(simplest[:_MOST_MINIMIZED], key=lambda each: (self._found[each][0], each))
        cost, core = self._found[best]
        if cost > _MOST_COST:
            self._found.clear()
            self._failures += 1
            return None
        excluded = [best, *self._also(groups, core, candidates, best)]
        return _rows(groups, core, conclusions(excluded, dict(enumerate(domains)), self._peers))

    def _scan(
        self, groups: ConflictGroups, domains: Sequence[int], candidates: Candidates, conflicts: int
    ) -> None:
        """Search for a conflict with each candidate, and store those of low cost in `_found`.

        `conflicts` limits the search for each. The scan ends early if it takes too much work.
        """
        facts, began = groups.facts(domains), groups.work
        for cell, value in candidates:
            if groups.work > min(_MOST_WORK, began + _MOST_SCAN):
                return
            assumed = [*facts, *groups.near(cell)]
            core = groups.core(groups.literal(cell, value), assumed, conflicts=conflicts)
            if core is not None and groups.cost(core) <= _MOST_COST_BEFORE:
                self._found[cell, value] = groups.cost(core), core

    def _also(
        self, groups: ConflictGroups, core: Core, candidates: Candidates, first: tuple[int, int]
    ) -> Iterable[tuple[int, int]]:
        """Yield candidates other than `first` that a core excludes as a whole.

        Candidates that a part of the core excludes are stored for later steps instead. Only the
        first `_MOST_EXTENDED` candidates in the core's cells are tested, until the work exceeds
        `_MOST_WORK`.
        """
        cells = {cell for name in core for cell in groups.cells.get(name, ())}
        others = [each for each in candidates if each[0] in cells and each != first]
        possible: set[int] = set()
        for each in others[:_MOST_EXTENDED]:
            if groups.work > _MOST_WORK:
                return
            literal = groups.literal(*each)
            if literal in possible:
                continue
            needed = groups.core(literal, core, conflicts=_SHORT)
            if needed is not None and len(needed) == len(core):
                yield each
            elif needed is not None:
                self._found[each] = groups.cost(needed), needed
            else:
                possible |= groups.possible()

    @cached_property
    def _groups(self) -> ConflictGroups | None:
        try:
            return ConflictGroups(self._layout)
        except TooManyLiterals:
            return None


def _rows(groups: ConflictGroups, core: Core, results: Rows) -> Rows:
    return [
        (tags.TECHNIQUE, TOGETHER, 0),
        *results,
        *[(tags.RULE, groups.rules[name], 0) for name in sorted(core) if name in groups.rules],
        *[(tags.BASE, groups.houses[name], 0) for name in sorted(core) if name in groups.houses],
        *[(tags.ABSENT, cell, value + 1) for cell, value in groups.absent(core)],
    ]
