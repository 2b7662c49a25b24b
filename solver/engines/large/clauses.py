"""A board with its givens as clauses: a variable for each candidate that givens leave."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout

Clause = list[int]

# Of so few variables each pair is told apart. Of more, they stand in a rectangle, and its rows and
# columns are told apart: 2n + 4√n clauses about (Chen's product encoding), where pairs are n²/2.
_FEW = 6


@dataclass(slots=True)
class Clauses:
    """What is asked of the variables, which are numbers from 1 on.

    `variable_of` (cells, size) has those of candidates, 0 for what is none. It is `broken` where
    some cell or value has no place left.
    """

    variable_of: NDArray[np.int64]
    clauses: list[Clause]
    variables: int
    broken: bool = False

    def at_most_one(self, literals: Sequence[int]) -> None:
        """Add that no two of the literals hold."""
        if len(literals) <= _FEW:
            self.clauses += [[-one, -other] for one, other in combinations(literals, 2)]
            return
        wide = isqrt(len(literals) - 1) + 1
        rows = [self._new() for _ in range(-(-len(literals) // wide))]
        columns = [self._new() for _ in range(wide)]
        for place, literal in enumerate(literals):
            self.clauses.append([-literal, rows[place // wide]])
            self.clauses.append([-literal, columns[place % wide]])
        self.at_most_one(rows)
        self.at_most_one(columns)

    def one_of(self, literals: Sequence[int]) -> None:
        """Add that one of the literals holds."""
        self.clauses.append(list(literals))
        self.broken |= not literals

    def _new(self) -> int:
        self.variables += 1
        return self.variables


def clauses_of(layout: Layout, givens: NDArray[np.uint8]) -> Clauses:
    """Return the clauses of a puzzle (cells,), 0 = blank."""
    left = _candidates(layout, givens)
    variable_of = np.zeros(left.shape, np.int64)
    variable_of[left] = np.arange(1, int(left.sum()) + 1)
    made = Clauses(variable_of, [], int(left.sum()))
    for cell in range(layout.cells):
        if cell not in layout.absent:
            literals = _some(variable_of[cell])
            made.one_of(literals)
            made.at_most_one(literals)
    for house in layout.houses:
        for column in variable_of[list(house.cells)].T:
            literals = _some(column)
            if len(house.cells) == layout.size:
                made.one_of(literals)
            made.at_most_one(literals)
    made.clauses += _differing(layout, variable_of)
    made.clauses += _related(layout, variable_of)
    return made


def _some(variables: NDArray[np.int64]) -> list[int]:
    chosen: list[int] = variables[variables > 0].tolist()
    return chosen


def _candidates(layout: Layout, givens: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return what may be where (cells, size), once those seen by single candidates are away."""
    left = np.ones((layout.cells, layout.size), np.bool_)
    left[list(layout.absent)] = False
    for domain in layout.domains:
        left[domain.cell] &= [domain.allowed >> value & 1 == 1 for value in range(layout.size)]
    given = np.flatnonzero(givens)
    kept = left[given, givens[given] - 1]
    left[given] = False
    left[given, givens[given] - 1] = kept
    known = np.zeros(layout.cells, np.bool_)
    while len(single := np.flatnonzero((left.sum(axis=1) == 1) & ~known)):
        known[single] = True
        for house in layout.houses:
            cells = np.array(house.cells)
            taken = left[cells[known[cells]]].any(axis=0)
            left[np.ix_(cells[~known[cells]], taken)] = False
    return left


def _differing(layout: Layout, variable_of: NDArray[np.int64]) -> Iterator[Clause]:
    for links in layout.links:
        for first, second in links.pairs:
            for one, other in zip(variable_of[first], variable_of[second], strict=True):
                if one and other:
                    yield [-int(one), -int(other)]


def _related(layout: Layout, variable_of: NDArray[np.int64]) -> Iterator[Clause]:
    """Yield that a value in the first of a pair needs one of those that it allows."""
    for relation in layout.relations:
        for first, second in relation.pairs:
            for value in np.flatnonzero(variable_of[first]).tolist():
                allowed = relation.allowed[value]
                needed = [
                    int(variable)
                    for other, variable in enumerate(variable_of[second].tolist())
                    if variable and allowed >> other & 1
                ]
                yield [-int(variable_of[first, value]), *needed]
