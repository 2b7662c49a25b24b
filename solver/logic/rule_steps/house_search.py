"""Search a unit together with the houses of its cells.

This decides exactly which values its cells can have, if cells that see each other must differ.
"""

from collections.abc import Sequence

from solver.logic.rule_steps.filters import Domains, difference_filter, propagate, values_in
from solver.logic.rule_steps.units import RuleUnit

# Of one search, and for all values of a unit. Units with more cells get fewer nodes, because each
# takes longer. Without a result, every value counts as possible.
_MOST_NODES, _MOST_TOTAL = 150, 3_000
_USUAL_CELLS = 20  # up to which a unit gets all nodes


class _ExhaustedError(Exception):
    """The search took too many nodes."""


class HouseSearch:
    """A unit whose cells must also differ where they see each other."""

    def __init__(self, unit: RuleUnit, peers: Sequence[frozenset[int]]) -> None:
        self.unit = unit
        pairs = [
            (one, other)
            for one, cell in enumerate(unit.cells)
            for other in range(one)
            if unit.cells[other] in peers[cell]
        ]
        self.has_pairs = bool(pairs)
        self._filters = (difference_filter(pairs), *unit.filters) if pairs else unit.filters
        usual = min(1.0, _USUAL_CELLS / (len(unit.cells) + len(unit.hidden))) ** 2
        self._most_nodes = int(_MOST_NODES * usual)
        self._most_total = int(_MOST_TOTAL * usual)
        self._nodes = 0
        self._found: list[tuple[int, ...]] = []

    def is_impossible(self, domains: Sequence[int]) -> bool:
        """Return whether it is proved that the cells have no values within the domains."""
        if 0 in domains:
            return True
        self._nodes = self._most_nodes
        try:
            return self._solution(domains) is None
        except _ExhaustedError:
            return False

    def filtered(self, domains: Sequence[int]) -> tuple[int, ...] | None:
        """Return the domains without impossible values, or None if none is left for a cell."""
        left: Domains = [*domains, *self.unit.hidden]
        if not propagate(self._filters, left):
            return None
        count = len(self.unit.cells)
        kept = [0] * count
        self._found = [
            found
            for found in self._found
            if all(one & mask for one, mask in zip(found, left, strict=False))
        ]
        for found in self._found:
            kept = [one | other for one, other in zip(kept, found, strict=True)]
        total = self._most_total
        for cell in range(count):
            for value in values_in(left[cell] & ~kept[cell]):
                if kept[cell] >> value & 1:
                    continue
                self._nodes = min(self._most_nodes, total)
                before = self._nodes
                solution: tuple[int, ...] | None = None
                try:
                    solution = self._solution([*left[:cell], 1 << value, *left[cell + 1 : count]])
                except _ExhaustedError:
                    kept[cell] |= 1 << value
                total -= before - self._nodes
                if solution is not None:
                    self._found.append(solution)
                    kept = [one | other for one, other in zip(kept, solution, strict=True)]
        return None if 0 in kept else tuple(kept)

    def _solution(self, domains: Sequence[int]) -> tuple[int, ...] | None:
        found = self._search([*domains, *self.unit.hidden])
        return None if found is None else tuple(found[: len(self.unit.cells)])

    def _search(self, local: Domains) -> Domains | None:
        if self._nodes <= 0:
            raise _ExhaustedError
        self._nodes -= 1
        if not propagate(self._filters, local):
            return None
        several = [cell for cell, mask in enumerate(local) if mask & (mask - 1)]
        if not several:
            return local
        own = [cell for cell in several if cell < len(self.unit.cells)] or several
        cell = min(own, key=lambda each: local[each].bit_count())
        for value in values_in(local[cell]):
            following = local.copy()
            following[cell] = 1 << value
            found = self._search(following)
            if found is not None:
                return found
        return None
