"""Trials: assume a candidate, and follow singles and rules until a contradiction appears.

The lines that lead to the contradiction are traced back, and each rule's line gets a minimal
reason, so the trace contains only the lines that are needed. Candidates of the position before the
trial need no line.
"""

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from solver.board.layout import Layout
from solver.logic.deduction import LineKind
from solver.logic.rule_steps.filters import values_in
from solver.logic.rule_steps.reasons import Proves, minimal_domains, with_further_values
from solver.logic.rule_steps.trial_search import has_contradiction, trial_board
from solver.logic.rule_steps.units import RuleUnit, derived_units, rule_units
from solver.logic.sentences.links import houses_of_cells, peers_of_cells


@dataclass(slots=True)
class TrialLine:
    """A line of a trial.

    `source` is the index of the line's house or constraint, or the cell without candidates. `cell`
    is the cell of a placement or removal, −1 for contradictions of a house or a rule. `values` are
    the values that the line places in the cell or removes from it, as bits. `unit` and `domains`
    are the rule unit of the line and the domains of its cells before it. In the result of a trial,
    these domains only contain the restrictions that the line needs. `needed` are those of the
    removed values that other lines follow from. `premises` are the earlier lines that this one
    follows from.
    """

    kind: LineKind
    source: int = 0
    cell: int = -1
    values: int = 0
    unit: int = -1
    domains: tuple[int, ...] = ()
    needed: int = 0
    premises: set[int] = field(default_factory=set)


class LineReason(NamedTuple):
    """The removals by a line from a rule or a sum, and the earlier removals that it needs for them.

    `cell` loses the values `gone`. If the rule is broken, these are its last ones, and `only` is
    the value that the rule would leave there, or 0 if there are several. Values are bits. `absent`
    are pairs of a cell and the values that it has lost.
    """

    cell: int
    gone: int
    absent: tuple[tuple[int, int], ...]
    only: int = 0


class Trials:
    """Tries out candidates of one board: assumes one, and looks for a contradiction.

    If `rules` and `houses` are given, as indices, the lines only follow from these rules, and from
    last places in these houses. They don't use sums then.
    """

    def __init__(
        self,
        layout: Layout,
        *,
        rules: Collection[int] | None = None,
        houses: Collection[int] | None = None,
    ) -> None:
        all_rules, sums = rule_units(layout), derived_units(layout)
        self.units = (*all_rules, *sums)
        self._rules = len(all_rules)
        self._houses = layout.houses
        self._houses_of = [
            [
                house
                for house in own
                if len(layout.houses[house].cells) == layout.size
                and (houses is None or house in houses)
            ]
            for own in houses_of_cells(layout)
        ]
        self._peers = peers_of_cells(layout)
        self._units_of: list[list[int]] = [[] for _ in range(layout.cells)]
        for number, unit in enumerate(self.units):
            if rules is not None and not (self.is_rule(number) and unit.constraint in rules):
                continue
            for cell in unit.cells:
                self._units_of[cell].append(number)
        self._lists = trial_board(
            self.units,
            peers=self._peers,
            houses=self._houses_of,
            places=[house.cells for house in self._houses],
            units_of=self._units_of,
        )

    def contradiction(
        self, base: Sequence[int], cell: int, value: int, *, most_lines: int
    ) -> list[TrialLine] | None:
        """Return the lines from an assumption to a contradiction, or None if there is none.

        The first line assumes that the cell has the value, and the last one is the contradiction.
        `base` are the domains before the trial, and `value` counts from 0. The trial ends without a
        result after `most_lines` lines, including those that turn out to be unneeded.
        """
        domains = np.array(base, np.uint64).view(np.int64)
        if not has_contradiction(self._lists, domains, cell, value, most_lines):
            return None
        return _Trial(self, base, most_lines).run(cell, value)

    def reason_of(self, line: TrialLine) -> LineReason | None:
        """Return the reason of a line in a trial's result, or None without a rule or a sum.

        A broken rule or sum removes the last candidates of one of its cells. Of the cells that the
        reason needs, a cell is preferred for which the rule leaves only one value, and then one
        with many candidates.
        """
        if line.unit < 0:
            return None
        unit = self.units[line.unit]
        target = unit.cells.index(line.cell) if line.cell >= 0 else -1
        proves = _refutes(unit, target, line.values)
        facts = list(line.domains)
        if target >= 0:
            facts[target] = unit.full[target]
        if proves(facts):
            facts = list(minimal_domains(facts, unit.full, proves, target=target))
        if target >= 0:
            facts = list(with_further_values(facts, unit.full, proves, keep_bounds=True))
            return LineReason(line.cell, line.values, _absent(unit, facts))
        facts = list(with_further_values(facts, unit.full, proves))
        named = [place for place, full in enumerate(unit.full) if facts[place] != full]
        only = {place: self._only(unit, facts, place) & ~line.domains[place] for place in named}
        target = max(named, key=lambda place: (only[place] > 0, line.domains[place].bit_count()))
        facts[target] = unit.full[target]
        gone = line.domains[target]
        return LineReason(unit.cells[target], gone, _absent(unit, facts), only[target])

    @staticmethod
    def _only(unit: RuleUnit, facts: Sequence[int], place: int) -> int:
        """Return the only value that a unit leaves its cell at index `place`, as a bit.

        `facts` are the domains of the unit's other cells. Returns 0 if the unit leaves several
        values, or none.
        """
        left = unit.filtered([*facts[:place], unit.full[place], *facts[place + 1 :]])
        return 0 if left is None or left[place] & (left[place] - 1) else left[place]

    def units_of(self, cell: int) -> list[int]:
        """Return the numbers of the units that contain a cell, of those that trials may use."""
        return self._units_of[cell]

    def is_rule(self, unit: int) -> bool:
        """Return whether a unit is a rule, and not a sum that follows from houses and cages."""
        return unit < self._rules

    def peers_of(self, cell: int) -> frozenset[int]:
        """Return the cells that must differ from a cell because of houses and not-equal pairs."""
        return self._peers[cell]

    def houses_of(self, cell: int) -> list[int]:
        """Return the houses of a cell, as indices, whose last places trials may use.

        These houses must contain every value.
        """
        return self._houses_of[cell]

    def cells_of(self, house: int) -> tuple[int, ...]:
        """Return the cells of the house with this index."""
        return self._houses[house].cells


class _Trial:
    """One trial: it places a value, and follows singles, rules, and sums to a contradiction.

    Each placement or removal on the way is a line. `base` are the candidates before the trial, as
    bits by cell. The trial ends without a result after `most_lines` lines.
    """

    def __init__(self, board: Trials, base: Sequence[int], most_lines: int) -> None:
        self._board = board
        self._base = base
        self._most = most_lines
        self._domains = list(base)
        self._placed = [not mask & (mask - 1) for mask in base]
        self._lines: list[TrialLine] = []
        self._source: dict[tuple[int, int], int] = {}  # the line that removed a candidate
        self._singles: deque[int] = deque()
        self._places: dict[tuple[int, int], None] = {}  # houses and values to look at
        self._units: dict[int, None] = {}
        self._end: TrialLine | None = None

    def run(self, cell: int, value: int) -> list[TrialLine] | None:
        """Place a value, and return the lines that lead to a contradiction, including it.

        Returns None if singles, rules, and sums lead to none within the maximum number of lines.
        """
        self._place(TrialLine(LineKind.ASSUMPTION, cell=cell, values=1 << value))
        while self._end is None and len(self._lines) < self._most:
            if self._singles:
                own = self._singles.popleft()
                if not self._placed[own]:
                    self._place(
                        TrialLine(LineKind.LAST_CANDIDATE, cell=own, values=self._domains[own])
                    )
            elif self._places:
                house, bit = next(iter(self._places))
                del self._places[house, bit]
                self._look_at(house, bit)
            elif self._units:
                unit = next(iter(self._units))
                del self._units[unit]
                self._apply(unit)
            else:
                return None
        return None if self._end is None else self._trace(self._end)

    def _place(self, line: TrialLine) -> None:
        """Add a line that places its value in its cell, and remove it from the cell's peers."""
        number, cell, bit = len(self._lines), line.cell, line.values
        self._lines.append(line)
        self._placed[cell] = True
        self._remove(cell, self._domains[cell] & ~bit, number)
        for peer in self._board.peers_of(cell):
            if self._domains[peer] & bit:
                self._remove(peer, bit, number)

    def _remove(self, cell: int, mask: int, number: int) -> None:
        """Remove values (`mask`, bits) from a cell because of the line with index `number`.

        Queues the singles and units this may lead to. If no candidate is left, the trial has ended.
        """
        if not mask:
            return
        left = self._domains[cell] = self._domains[cell] & ~mask
        houses = self._board.houses_of(cell)
        for value in values_in(mask):
            self._source[cell, value] = number
            for house in houses:
                self._places[house, 1 << value] = None
        self._units.update(dict.fromkeys(self._board.units_of(cell)))
        if not left and self._end is None:
            self._end = TrialLine(LineKind.NO_CANDIDATE, source=cell, cell=cell)
        elif not left & (left - 1) and not self._placed[cell]:
            self._singles.append(cell)

    def _look_at(self, house: int, bit: int) -> None:
        """Place a value (a bit) that has one place in a house, or end the trial if it has none."""
        places = [cell for cell in self._board.cells_of(house) if self._domains[cell] & bit]
        if not places:
            self._end = TrialLine(LineKind.NO_PLACE, source=house, values=bit)
        elif len(places) == 1 and not self._placed[places[0]]:
            self._place(TrialLine(LineKind.LAST_PLACE, source=house, cell=places[0], values=bit))

    def _apply(self, number: int) -> None:
        """Add a line for each cell that unit `number` restricts, and remove the values.

        Sets the end of the trial if the unit leaves a cell without candidates.
        """
        unit = self._board.units[number]
        own = tuple([self._domains[cell] for cell in unit.cells])
        left = unit.filtered(own)
        is_rule = self._board.is_rule(number)
        if left is None:
            kind = LineKind.BROKEN_RULE if is_rule else LineKind.BROKEN_SUM
            self._end = TrialLine(kind, source=unit.constraint, unit=number, domains=own)
            return
        kind = LineKind.BY_RULE if is_rule else LineKind.BY_SUM
        for cell, old, new in zip(unit.cells, own, left, strict=True):
            gone = old & ~new & self._domains[cell]
            if gone:
                line = TrialLine(
                    kind, source=unit.constraint, cell=cell, values=gone, unit=number,
                    domains=own,
                )  # fmt: skip
                self._lines.append(line)
                self._remove(cell, gone, len(self._lines) - 1)

    def _trace(self, end: TrialLine) -> list[TrialLine]:
        """Return the lines that the contradiction `end` needs, and the contradiction itself.

        Their `premises` become indices in the result. Lines of rules and sums keep only the removed
        values that other lines need.
        """
        waiting: list[int] = []
        chosen: dict[int, TrialLine] = {}

        def need(line: TrialLine, facts: Iterable[tuple[int, int]]) -> None:
            for cell, mask in facts:
                for value in values_in(mask):
                    source = self._source[cell, value]
                    line.premises.add(source)
                    self._lines[source].needed |= (
                        1 << value if self._lines[source].cell == cell else 0
                    )
                    if source not in chosen:
                        chosen[source] = self._lines[source]
                        heappush(waiting, -source)

        need(end, self._facts(end))
        while waiting:
            line = self._lines[-heappop(waiting)]
            need(line, self._facts(line))
        order = {number: place for place, number in enumerate(sorted(chosen))}
        lines = [chosen[number] for number in order]
        for line in (*lines, end):
            line.premises = {order[number] for number in line.premises}
            if line.kind in (LineKind.BY_RULE, LineKind.BY_SUM):
                line.values = line.needed
        return [*lines, end]

    def _facts(self, line: TrialLine) -> list[tuple[int, int]]:
        """Return the candidates removed in this trial that a line follows from.

        They are pairs of a cell and its values as bits. If the line uses a rule or a sum, its
        `domains` are reduced to the restrictions that it needs.
        """
        base = self._base
        match line.kind:
            case LineKind.LAST_CANDIDATE:
                return [(line.cell, base[line.cell] & ~line.values)]
            case LineKind.NO_CANDIDATE:
                return [(line.cell, base[line.cell])]
            case LineKind.LAST_PLACE | LineKind.NO_PLACE:
                return [
                    (cell, base[cell] & line.values)
                    for cell in self._board.cells_of(line.source)
                    if cell != line.cell
                ]
            case _ if line.unit >= 0:
                return self._rule_facts(line, self._board.units[line.unit])
            case _:
                return []

    def _rule_facts(self, line: TrialLine, unit: RuleUnit) -> list[tuple[int, int]]:
        """Return the removed candidates that a line by a rule or a sum follows from (see `_facts`).

        Reduces the line's `domains` to the restrictions that it needs.
        """
        own, base = list(line.domains), [self._base[cell] for cell in unit.cells]
        target = unit.cells.index(line.cell) if line.cell >= 0 else -1
        proves = _refutes(unit, target, line.needed)
        if target >= 0:
            own[target] = base[target]
        if proves(own):
            own = list(minimal_domains(own, base, proves, target=target))
        elif target >= 0:
            own[target] = line.domains[target]
        line.domains = tuple(own)
        return [
            (cell, full & ~mask) for cell, mask, full in zip(unit.cells, own, base, strict=True)
        ]


def _refutes(unit: RuleUnit, target: int, values: int) -> Proves:
    """Return a function that tests whether a unit allows no values within the domains that it gets.

    The cell at index `target` is tested with the domain `values` (bits) instead of its own. A
    target of −1 means that all cells have their own domains.
    """

    def refutes(domains: Sequence[int]) -> bool:
        tried = list(domains)
        if target >= 0:
            tried[target] = values
        return unit.filtered(tried) is None

    return refutes


def _absent(unit: RuleUnit, facts: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return the cells of a unit whose domains (`facts`) lack values, each with these as bits."""
    return tuple(
        (cell, full & ~mask)
        for cell, mask, full in zip(unit.cells, facts, unit.full, strict=True)
        if full & ~mask
    )
