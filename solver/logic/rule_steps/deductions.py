"""Steps from a single rule, or from a house whose places share peers, and how they become rows."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np

from solver.board.layout import Layout
from solver.logic import deduction_rows as tags
from solver.logic.board import Ints
from solver.logic.rule_steps.filters import values_in
from solver.logic.rule_steps.house_search import HouseSearch
from solver.logic.rule_steps.reasons import minimal_domains, with_further_values
from solver.logic.rule_steps.units import RuleUnit, rule_units
from solver.logic.sentences.links import peers_of_cells

RULE, RULE_AND_HOUSES, REQUIRED, COMMON_PEERS, TRIAL, SEARCHED, TOGETHER = range(4000, 4007)
# Eliminations of a unit for which a minimal reason is searched: of a small unit, of a large one.
_MOST_REASONS, _FEW_REASONS = 8, 2
_LARGE = 20  # cells
_MOST_PLACES = 5  # of a value in a house or a rule

Rows = list[tuple[int, int, int]]
Reason = tuple[int, tuple[int, ...], tuple[int, ...]]  # cost, minimal domains, resulting domains


class RuleSteps:
    """Finds steps that use the rules of one board.

    A unit is a constraint or a piece of one, see `RuleUnit`. For each technique except
    COMMON_PEERS, units that gave no step are skipped until the domains of their cells change.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.units = rule_units(layout)
        self.peers = peers_of_cells(layout)
        self._searches = [HouseSearch(unit, layout, self.peers) for unit in self.units]
        self._seen: dict[tuple[int, int], tuple[int, ...]] = {}

    def first(self, code: int, domains: Sequence[int]) -> Rows | None:
        """Return the first step of a technique as rows (see `deduction_rows`), or None.

        `code` is the technique: RULE, RULE_AND_HOUSES, REQUIRED, or COMMON_PEERS. `domains` are the
        values that each cell can have, as bits: one bit for a filled cell.
        """
        return next(self.all(code, domains), None)

    def all(self, code: int, domains: Sequence[int]) -> Iterator[Rows]:
        """Yield each step of a technique as rows. The arguments are as for `first`.

        Units are skipped that gave no step of the technique for the same domains before. RULE also
        skips the units that the techniques for sums cover.
        """
        if code == COMMON_PEERS:
            yield from self._common_peers(domains)
            return
        for number, unit in enumerate(self.units):
            if code == RULE and unit.summed:
                continue
            own = tuple([domains[cell] for cell in unit.cells])
            if self._seen.get((code, number)) == own:
                continue
            is_found = False
            steps = (
                self._required(number, own, domains)
                if code == REQUIRED
                else self._filtered(code, number, own)
            )
            for rows in steps:
                is_found = True
                yield rows
            if not is_found:
                self._seen[code, number] = own

    def _filtered(self, code: int, number: int, own: tuple[int, ...]) -> Iterator[Rows]:
        """Yield the steps that remove what unit `number` excludes, the simplest reason first.

        `own` are the domains of the unit's cells. The code RULE stands for steps that use only the
        unit's filters. Those with other codes also use that cells differ if they see each other.
        For these, there is no step of a unit that the techniques for sums cover if none of its
        cells see each other. A unit without a solution yields nothing.
        """
        unit, search = self.units[number], self._searches[number]
        if code == RULE:
            result: Callable[..., tuple[int, ...] | None] = unit.filtered
        elif search.has_pairs or not unit.summed:
            result = search.filtered
        else:
            return
        kept = result(own)
        if kept is None or kept == own:
            return
        reasons = sorted(self._reasons(code, number, own, kept), key=lambda reason: reason[0])
        for _, facts, left in reasons:
            rows = [(tags.TECHNIQUE, code, 0)]
            rows += self._conclusions(unit.cells, own, left)
            yield rows + _rule_rows(unit, self._with_further_values(code, number, facts, own, left))

    def _with_further_values(
        self, code: int, number: int, facts: Sequence[int], own: Sequence[int], left: Sequence[int]
    ) -> Sequence[int]:
        """Return the domains of a step's reason, with all values that don't affect its conclusion.

        `facts` are the domains of the reason so far. `own` and `left` are the domains of the unit's
        cells before and after the step, and `number` is the index of the unit. With the code RULE,
        the unit's filters must prove the step, and with any other code a search. Returns `facts`
        unchanged if they don't prove it, or if a search would have to prove changes of several
        cells.
        """
        unit, search = self.units[number], self._searches[number]
        changed = [
            cell for cell, (old, new) in enumerate(zip(own, left, strict=True)) if old != new
        ]

        def proves(domains: Sequence[int]) -> bool:
            if code == RULE:
                kept = unit.filtered(domains)
                return kept is not None and not any(
                    own[cell] & kept[cell] & ~left[cell] for cell in changed
                )
            (cell,) = changed
            trial = [*domains[:cell], own[cell] & ~left[cell], *domains[cell + 1 :]]
            return search.is_impossible(trial)

        if (code != RULE and len(changed) > 1) or not proves(facts):
            return facts
        return with_further_values(facts, unit.full, proves)

    def _reasons(
        self, code: int, number: int, own: tuple[int, ...], kept: tuple[int, ...]
    ) -> Iterator[Reason]:
        """Yield a reason for each of the first few cells whose domain changes from `own` to `kept`.

        These are domains of the cells of unit `number`. Each reason has a cost, minimal domains
        that prove the elimination in its cell, and the domains after all eliminations that follow
        from these. For `code`, see `_filtered`.
        """
        unit, search = self.units[number], self._searches[number]
        targets = [
            cell for cell, (old, new) in enumerate(zip(own, kept, strict=True)) if old != new
        ]
        most = _FEW_REASONS if len(unit.cells) > _LARGE else _MOST_REASONS
        for target in targets[:most]:
            gone = own[target] & ~kept[target]

            def proves(domains: Sequence[int], *, target: int = target, gone: int = gone) -> bool:
                trial = [*domains[:target], gone, *domains[target + 1 :]]
                if code == RULE:
                    return unit.filtered(trial) is None
                return search.is_impossible(trial)

            facts = list(own)
            facts[target] = unit.full[target]
            if not proves(facts):
                continue
            if code != RULE:
                facts = list(search.relaxed(facts))
                facts[target] = unit.full[target]
            facts = list(minimal_domains(facts, unit.full, proves, target=target))
            left = unit.filtered(facts) if code == RULE else search.filtered(facts)
            if left is None:
                continue
            left = tuple(
                (old & new) if place != target else (old & new & ~gone)
                for place, (old, new) in enumerate(zip(own, left, strict=True))
            )
            used = sum(one != full for one, full in zip(facts, unit.full, strict=True))
            removed = sum((old & ~new).bit_count() for old, new in zip(own, left, strict=True))
            decided = any(
                not new & (new - 1) and old != new for old, new in zip(own, left, strict=True)
            )
            yield 100 * used - removed - 150 * decided, tuple(facts), left

    def _conclusions(
        self, cells: Sequence[int], before: Sequence[int], after: Sequence[int]
    ) -> Rows:
        """Return the results of a step (see `conclusions`) from the domains before and after it."""
        return conclusions(
            [
                (cell, value)
                for cell, old, new in zip(cells, before, after, strict=True)
                for value in values_in(old & ~new)
            ],
            dict(zip(cells, before, strict=True)),
            self.peers,
        )

    def _required(
        self, number: int, own: tuple[int, ...], domains: Sequence[int]
    ) -> Iterator[Rows]:
        """Yield the steps that use a value that unit `number` must contain.

        Cells that see all places of the value in the unit lose it. Values with more than
        `_MOST_PLACES` places, and those that are placed, are skipped. `own` are the domains of the
        unit's cells, and `domains` those of all cells.
        """
        unit, search = self.units[number], self._searches[number]
        union = 0
        for mask in own:
            union |= mask if mask & (mask - 1) else 0
        for value in values_in(union):
            bit = 1 << value
            places = [place for place, mask in enumerate(own) if mask & bit]
            if len(places) > _MOST_PLACES or any(own[place] == bit for place in places):
                continue
            seen = frozenset.intersection(*[self.peers[unit.cells[place]] for place in places])
            victims = sorted(cell for cell in seen if domains[cell] & bit)
            if not victims:
                continue

            def proves(
                facts: Sequence[int], *, places: Sequence[int] = places, bit: int = bit
            ) -> bool:
                without = [
                    mask & ~bit if place in places else mask for place, mask in enumerate(facts)
                ]
                return search.is_impossible(without)

            if not proves(own):
                continue
            facts = [
                full if place in places else full & ~bit for place, full in enumerate(unit.full)
            ]
            # The simplest reason doesn't depend on the domains: the rule always needs the value.
            if not proves(facts):
                minimal = minimal_domains(own, unit.full, proves)
                facts = list(with_further_values(minimal, unit.full, proves))
            rows = [(tags.TECHNIQUE, REQUIRED, 0)]
            rows += [(tags.REMOVE, cell, value + 1) for cell in victims]
            rows += [(tags.FIN, unit.cells[place], value + 1) for place in places]
            without = [mask & ~bit if place in places else mask for place, mask in enumerate(facts)]
            if unit.filtered(without) is not None:
                rows += [(tags.BASE, house, 0) for house in self._shared_houses(unit)]
            yield rows + _rule_rows(unit, facts)

    def _shared_houses(self, unit: RuleUnit) -> list[int]:
        """Return the houses that contain several cells of a unit, as indices."""
        cells = {*unit.cells}
        return [
            index
            for index, house in enumerate(self.layout.houses)
            if len(cells.intersection(house.cells)) > 1
        ]

    def _common_peers(self, domains: Sequence[int]) -> Iterator[Rows]:
        """Yield the steps that remove a value from all cells that see all its places in a house.

        Only houses that contain every value count, and only values with two to `_MOST_PLACES`
        places that aren't placed yet.
        """
        for index, house in enumerate(self.layout.houses):
            if len(house.cells) != self.layout.size:
                continue
            for value in range(self.layout.size):
                bit = 1 << value
                places = [cell for cell in house.cells if domains[cell] & bit]
                if not 2 <= len(places) <= _MOST_PLACES or any(
                    domains[cell] == bit for cell in places
                ):
                    continue
                seen = frozenset.intersection(*[self.peers[cell] for cell in places])
                victims = sorted(cell for cell in seen if domains[cell] & bit)
                if victims:
                    yield [
                        (tags.TECHNIQUE, COMMON_PEERS, 0),
                        *[(tags.REMOVE, cell, value + 1) for cell in victims],
                        *[(tags.FIN, cell, value + 1) for cell in places],
                        (tags.BASE, index, 0),
                    ]


def conclusions(
    removed: Iterable[tuple[int, int]], domains: Mapping[int, int], peers: Sequence[frozenset[int]]
) -> Rows:
    """Return the results of a step that removes candidates, as rows (see `deduction_rows`).

    A cell in which only one value is left gets a row that places it, and none for its removals. The
    candidates that this placement removes from other cells have no rows either. `removed` are pairs
    of a cell and a value from 0, and `domains` the values that each of these cells has before the
    step.
    """
    left = dict(domains)
    removed = list(removed)
    for cell, value in removed:
        left[cell] &= ~(1 << value)
    placed = {
        cell: left[cell] for cell, _ in removed if left[cell] and not left[cell] & (left[cell] - 1)
    }
    rows = [(tags.PLACE, cell, mask.bit_length()) for cell, mask in placed.items()]
    return rows + [
        (tags.REMOVE, cell, value + 1)
        for cell, value in removed
        if cell not in placed
        and not any(mask >> value & 1 and other in peers[cell] for other, mask in placed.items())
    ]


def with_placements(rows: Ints, domains: Sequence[int], peers: Sequence[frozenset[int]]) -> Ints:
    """Return the rows of a sum's step, with placements instead of some removals.

    Each cell of the sum that keeps one value gets a placement. Removals that follow from the
    placements are left out. `domains` are the values that each cell can have before the step, as
    bits. Cells outside the sum only lose values, because the text of the step gives no reason for
    their last one.
    """
    table: list[list[int]] = rows.reshape(-1, 3).tolist()
    terms = {cell for tag, cell, _ in table if tag == tags.TERM}
    removed = [(cell, value) for tag, cell, value in table if tag == tags.REMOVE]
    inside = [(cell, value - 1) for cell, value in removed if cell in terms]
    found = conclusions(inside, {cell: domains[cell] for cell, _ in inside}, peers)
    placed = [(cell, value) for tag, cell, value in found if tag == tags.PLACE]
    found += [
        (tags.REMOVE, cell, value)
        for cell, value in removed
        if cell not in terms
        and not any(value == other and cell in peers[one] for one, other in placed)
    ]
    first, *others = [row for row in table if row[0] != tags.REMOVE]
    return np.array([first, *found, *others], np.int32).ravel()


def _rule_rows(unit: RuleUnit, facts: Sequence[int]) -> Rows:
    """Return the rows that describe a reason: a unit's constraint, its cells, and excluded values.

    `facts` has a domain for each cell of the unit. The excluded values are those that it lacks.
    """
    rows = [(tags.RULE, unit.constraint, 0)]
    rows += [(tags.CELL, cell, 0) for cell in unit.cells]
    rows += [
        (tags.ABSENT, cell, value + 1)
        for cell, mask, full in zip(unit.cells, facts, unit.full, strict=True)
        for value in values_in(full & ~mask)
    ]
    return rows


@lru_cache(maxsize=32)
def uses_rules(layout: Layout) -> bool:
    """Return whether a layout has rules that logic can filter, see `rule_units`.

    Houses, not-equal pairs, and domains don't count, nor do rules that only engines support, such
    as connected regions.
    """
    return bool(rule_units(layout))
