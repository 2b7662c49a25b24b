"""Exhaustive search in the part of a puzzle that a sentence names."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple, Self

from pysat.solvers import Solver

from solver.board.layout import Layout
from solver.board.primitive_constraints import House


class Fact(NamedTuple):
    """The statement that a cell has a value (`is_true`), or that it doesn't have it."""

    cell: int
    value: int
    is_true: bool = True

    @property
    def opposite(self) -> "Fact":
        """The negated statement."""
        return Fact(self.cell, self.value, not self.is_true)


class Total(NamedTuple):
    """A sum: the numbers of the cells, multiplied by their factors, add up to the target."""

    terms: tuple[tuple[int, int], ...]  # (cell, factor)
    target: int


@lru_cache(maxsize=64)
def peers_of(layout: Layout) -> tuple[frozenset[int], ...]:
    """Return, for each cell, the cells that it must differ from by a house or a not-equal pair."""
    peers: list[set[int]] = [set() for _ in range(layout.cells)]
    for house in layout.houses:
        for cell in house.cells:
            peers[cell].update(house.cells)
    for links in layout.links:
        for one, other in links.pairs_in_grid(layout.cells):
            peers[one].add(other)
            peers[other].add(one)
    return tuple(frozenset(own - {cell}) for cell, own in enumerate(peers))


class SubPuzzle:
    """Some cells and houses of a puzzle, with their candidates, as clauses for a SAT solver.

    The cells of the houses and totals are included. Cells that see each other differ, and each
    complete house contains every value. Nothing else is known, in particular nothing about other
    cells. About the `targets`, only the cells that they see are known, not their candidates.
    """

    def __init__(
        self,
        layout: Layout,
        domains: Sequence[int],
        *,
        cells: Iterable[int],
        targets: Iterable[int] = (),
        houses: Iterable[House] = (),
        totals: Iterable[Total] = (),
    ) -> None:
        self._layout = layout
        houses, totals = list(houses), list(totals)
        members = set(cells).union(*(house.cells for house in houses))
        members.update(cell for total in totals for cell, _ in total.terms)
        self._domains = {cell: domains[cell] for cell in sorted(members)}
        self._targets = set(targets) - members
        self._last_variable = layout.cells * layout.size
        self._unique = self._new_variable()
        self._solver = Solver("minisat22")
        self._add_cells()
        for house in houses:
            if len(house.cells) == layout.size:
                self._add_complete_house(house)
        for total in totals:
            self.add_total(total)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    def add(self, clause: Iterable[Fact]) -> None:
        """Add the knowledge that at least one of the facts holds."""
        self._solver.add_clause([self._literal(fact) for fact in clause])

    def add_if_unique(self, clause: Iterable[Fact]) -> None:
        """Add that at least one of the facts holds if the puzzle has exactly one solution."""
        self._solver.add_clause([-self._unique, *map(self._literal, clause)])

    def implies(
        self, conclusion: Iterable[Fact], *, given: Iterable[Fact] = (), unique: bool = True
    ) -> bool:
        """Return whether at least one fact of the conclusion must hold if the given facts do.

        If `unique`, the puzzle is known to have exactly one solution.
        """
        assumptions = [self._literal(fact) for fact in given]
        assumptions += [self._literal(fact.opposite) for fact in conclusion]
        assumptions.append(self._unique if unique else -self._unique)
        return not self._solver.solve(assumptions=assumptions)

    def is_possible(self) -> bool:
        """Return whether there is an assignment at all."""
        return bool(self._solver.solve())

    def _literal(self, fact: Fact) -> int:
        variable = fact.cell * self._layout.size + fact.value  # from 1
        return variable if fact.is_true else -variable

    def _values(self, cell: int) -> list[int]:
        mask = self._domains[cell]
        return [value for value in range(1, self._layout.size + 1) if mask >> (value - 1) & 1]

    def _add_cells(self) -> None:
        peers = peers_of(self._layout)
        for cell in self._domains:
            values = self._values(cell)
            self.add([Fact(cell, value) for value in values])
            for one, other in combinations(values, 2):
                self._add_not_both(Fact(cell, one), Fact(cell, other))
            for value in set(range(1, self._layout.size + 1)).difference(values):
                self.add([Fact(cell, value, is_true=False)])
            for peer in peers[cell]:
                if peer in self._targets or (peer > cell and peer in self._domains):
                    for value in values:
                        self._add_not_both(Fact(cell, value), Fact(peer, value))

    def _add_not_both(self, one: Fact, other: Fact) -> None:
        self.add([one.opposite, other.opposite])

    def _add_complete_house(self, house: House) -> None:
        for value in range(1, self._layout.size + 1):
            self.add([Fact(cell, value) for cell in house.cells])

    def add_total(self, total: Total) -> None:
        """Add a sum, with one auxiliary variable per reachable subtotal after each cell."""
        sums = {0: self._new_variable()}
        self._solver.add_clause([sums[0]])
        for cell, factor in total.terms:
            following: defaultdict[int, int] = defaultdict(self._new_variable)
            for subtotal, variable in sums.items():
                for value in self._values(cell):
                    number = value + self._layout.lowest - 1
                    reached = following[subtotal + factor * number]
                    literal = self._literal(Fact(cell, value))
                    self._solver.add_clause([-variable, -literal, reached])
            sums = dict(following)
        for subtotal, variable in sums.items():
            if subtotal != total.target:
                self._solver.add_clause([-variable])

    def _new_variable(self) -> int:
        self._last_variable += 1
        return self._last_variable
