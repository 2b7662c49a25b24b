"""Search a unit together with the houses of its cells.

This decides exactly which values its cells can have, if cells that see each other must differ. The
unit's primitive constraints become clauses, and a SAT solver assumes the domains.
"""

from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from solver.board.layout import Layout
from solver.board.primitive_constraints import Links, Sum
from solver.engines.sat.clauses import Clauses
from solver.engines.sat.constraint_encoding import Candidates, add_constraint
from solver.logic.rule_steps.filters import (
    Domains,
    difference_filter,
    joined,
    propagate,
    values_in,
)
from solver.logic.rule_steps.units import RuleUnit

_SOLVER = "glucose4"
_LARGE = 20  # cells
# Conflicts of one search, by whether the unit is large. Without a result, values count as possible.
_MOST_CONFLICTS = {False: 1_000, True: 200}
_MOST_TOTAL = 2_000  # conflicts for all values of a unit
_MOST_SPAN = 20_000  # cells of a sum times the difference between its largest and lowest total


class _UndecidedError(Exception):
    """The search took too many conflicts, or there would be too many clauses."""


class HouseSearch:
    """Finds the values that a unit leaves its cells if those that see each other differ."""

    def __init__(self, unit: RuleUnit, layout: Layout, peers: Sequence[frozenset[int]]) -> None:
        self.unit = unit
        self._layout = layout
        self._pairs = [
            pair for pair in combinations(range(len(unit.cells)), 2) if _sees(pair, unit, peers)
        ]
        self.has_pairs = bool(self._pairs)
        self._filters = joined([difference_filter(self._pairs), unit.filters])
        self._found: list[tuple[int, ...]] = []
        self._core: list[int] = []  # the assumptions that the last search found to be impossible
        self._conflicts = 0

    def is_impossible(self, domains: Sequence[int]) -> bool:
        """Return whether the search proves that no values within the domains fit the unit's cells.

        Returns False if that takes too many conflicts or clauses.
        """
        self._core = []
        if 0 in domains or not propagate(self._filters, [*domains, *self.unit.hidden]):
            return True
        try:
            return self._solution(domains) is None
        except _UndecidedError:
            return False

    def filtered(self, domains: Sequence[int]) -> tuple[int, ...] | None:
        """Return the domains without impossible values, or None if none is left for a cell.

        Values that the search can't decide are kept, as are all that remain once it has had too
        many conflicts.
        """
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
        most = self._conflicts + _MOST_TOTAL
        for cell in range(count):
            for value in values_in(left[cell] & ~kept[cell]):
                if kept[cell] >> value & 1:
                    continue
                solution: tuple[int, ...] | None = None
                try:
                    if self._conflicts > most:
                        raise _UndecidedError
                    solution = self._solution([*left[:cell], 1 << value, *left[cell + 1 : count]])
                except _UndecidedError:
                    kept[cell] |= 1 << value
                if solution is not None:
                    self._found.append(solution)
                    kept = [one | other for one, other in zip(kept, solution, strict=True)]
        return None if 0 in kept else tuple(kept)

    def relaxed(self, domains: Sequence[int]) -> tuple[int, ...]:
        """Return larger domains that the last search also proves to be impossible.

        Call this right after the search found `domains` to be impossible. Cells that its proof
        doesn't use get all their values again. Returns `domains` unchanged if the proof isn't
        known. It also does so for units with few cells, because larger domains don't always lead to
        the simplest reason.
        """
        if len(self.unit.cells) <= _LARGE or not self._core:
            return tuple(domains)
        size = self._layout.size
        used = {(-literal - 1) // size for literal in self._core}
        return tuple(
            mask if cell in used else full
            for cell, (mask, full) in enumerate(zip(domains, self.unit.full, strict=True))
        )

    def _solution(self, domains: Sequence[int]) -> tuple[int, ...] | None:
        """Return a solution within the domains, one bit per cell, or None if there is none.

        If the solver finds that there is none, `self._core` has the assumptions that exclude every
        solution. Raises _UndecidedError if the search takes too many conflicts, or there would be
        too many clauses.
        """
        if len(self.unit.cells) + len(self.unit.hidden) <= 2:
            return self._pair_within(domains)
        self._core = []
        if self._solver is None:
            raise _UndecidedError
        size, count = self._layout.size, len(self.unit.cells)
        assumed = [
            -(cell * size + value + 1)
            for cell, (mask, full) in enumerate(zip(domains, self.unit.full, strict=True))
            for value in values_in(full & ~mask)
        ]
        self._solver.conf_budget(_MOST_CONFLICTS[count > _LARGE])
        found = self._solver.solve_limited(assumptions=assumed)
        self._conflicts = self._solver.accum_stats()["conflicts"]
        if found is None:
            raise _UndecidedError
        if not found:
            self._core = self._solver.get_core() or []
            return None
        true = np.array(self._solver.get_model()[: count * size]).reshape(count, size) > 0
        return tuple(1 << int(value) for value in true.argmax(axis=1))

    def _pair_within(self, domains: Sequence[int]) -> tuple[int, ...] | None:
        """Return a solution within the domains, one bit per cell, or None if there is none.

        This is for units with up to two cells and variables, which need no SAT solver.
        """
        for value in values_in(domains[0]):
            left = [1 << value, *domains[1:], *self.unit.hidden]
            if propagate(self._filters, left):
                return tuple(mask & -mask for mask in left[: len(self.unit.cells)])
        return None

    @cached_property
    def _solver(self) -> Any:
        """The SAT solver with the clauses of the unit and of pairs of cells that see each other.

        It is None if a sum of the unit would have too many clauses.
        """
        from pysat.solvers import Solver  # noqa: PLC0415 (loaded where a board needs it)

        unit, size = self.unit, self._layout.size
        if any(isinstance(part, Sum) and _span(part, size) > _MOST_SPAN for part in unit.parts):
            return None
        count = len(unit.cells) + len(unit.hidden)
        own = np.arange(1, count * size + 1).reshape(count, size)
        for cell, full in enumerate(unit.full):
            own[cell, [value for value in range(size) if not full >> value & 1]] = 0
        numbers = unit.numbers
        variables = np.zeros((self._layout.solution_size - min(0, *numbers), size), np.int64)
        variables[list(numbers)] = own
        board = Candidates(variables, self._layout.numbers, self._layout.columns)
        made = Clauses(count * size)
        for row in own:
            literals = row[row > 0].tolist()
            made.one_of(literals)
            made.at_most_one(literals)
        pairs = tuple((numbers[one], numbers[other]) for one, other in self._pairs)
        for part in (*unit.parts, *([Links("", pairs)] if pairs else [])):
            add_constraint(made, part, board)
        return Solver(name=_SOLVER, bootstrap_with=list(made.clauses))


def _sees(pair: tuple[int, int], unit: RuleUnit, peers: Sequence[frozenset[int]]) -> bool:
    one, other = pair
    return unit.cells[other] in peers[unit.cells[one]]


def _span(part: Sum, size: int) -> int:
    return len(part.cells) * sum(map(abs, part.factors)) * (size - 1)
