"""A board with its givens as clauses: a variable for each candidate that givens leave."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.board.automaton import adding_up
from solver.board.layout import Combination, Layout
from solver.engines.sat.clauses import Clauses
from solver.engines.sat.regions import cut_into_regions


@dataclass(frozen=True, slots=True)
class Asked:
    """The clauses of a puzzle.

    `variable_of` (cells, size) has the variables of candidates, 0 for what is none. What `tells`
    solutions apart are some of these, and borders between regions that are found while solving.
    """

    clauses: Clauses
    variable_of: NDArray[np.int64]
    tells: NDArray[np.int64]


def asked_by(
    layout: Layout,
    givens: NDArray[np.uint8],
    candidates: NDArray[np.uint64] | None,
    *,
    told: int,
) -> Asked:
    """Return the clauses of a puzzle (cells,), 0 = blank, whose solutions `told` cells tell apart.

    `candidates` are the values left to the first cells, as bits, bit 0 for 1.
    """
    left = _candidates(layout, givens, candidates)
    variable_of = np.zeros(left.shape, np.int64)
    variable_of[left] = np.arange(1, int(left.sum()) + 1)
    made = Clauses(int(left.sum()))
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
    _differ(made, layout, variable_of)
    _relate(made, layout, variable_of)
    _read(made, layout, variable_of)
    telling = variable_of[:told].copy()
    borders: list[int] = []
    for partition in layout.partitions:
        borders += cut_into_regions(made, partition, variable_of, columns=layout.columns)
        telling[list(partition.labels)] = 0
    tells = np.array([*_some(telling), *borders], np.int64)
    return Asked(made, variable_of, tells)


def _some(variables: NDArray[np.int64]) -> list[int]:
    chosen: list[int] = variables[variables > 0].tolist()
    return chosen


def _candidates(
    layout: Layout, givens: NDArray[np.uint8], candidates: NDArray[np.uint64] | None
) -> NDArray[np.bool_]:
    """Return what may be where (cells, size), once those seen by single candidates are away."""
    left = np.ones((layout.cells, layout.size), np.bool_)
    left[list(layout.absent)] = False
    for domain in layout.domains:
        left[domain.cell] &= [domain.allowed >> value & 1 == 1 for value in range(layout.size)]
    if candidates is not None:
        values = np.arange(layout.size, dtype=np.uint64)
        left[: len(candidates)] &= (candidates[:, None] >> values & np.uint64(1)) > 0
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


def _differ(made: Clauses, layout: Layout, variable_of: NDArray[np.int64]) -> None:
    for links in layout.links:
        for first, second in links.pairs:
            for one, other in zip(variable_of[first], variable_of[second], strict=True):
                if one and other:
                    made.add(-int(one), -int(other))


def _relate(made: Clauses, layout: Layout, variable_of: NDArray[np.int64]) -> None:
    """Add that a value in the first of a pair needs one of those that it allows."""
    for relation in layout.relations:
        for first, second in relation.pairs:
            for value in np.flatnonzero(variable_of[first]).tolist():
                allowed = relation.allowed[value]
                needed = [
                    int(variable)
                    for other, variable in enumerate(variable_of[second].tolist())
                    if variable and allowed >> other & 1
                ]
                made.add(-int(variable_of[first, value]), *needed)


def _read(made: Clauses, layout: Layout, variable_of: NDArray[np.int64]) -> None:
    """Add what automata read, what sums add up to, and which sets of values there may be."""
    for regular in layout.regulars:
        made.word(variable_of[list(regular.cells)].tolist(), regular.automaton)
    for total in layout.sums:
        groups = (1,) * len(total.cells)
        automaton = adding_up(total.factors, total.target, layout.numbers, groups)
        made.word(variable_of[list(total.cells)].tolist(), automaton)
    for combination in layout.combinations:
        _combine(made, combination, variable_of)


def _combine(made: Clauses, combination: Combination, variable_of: NDArray[np.int64]) -> None:
    """Add that the values of cells are one of the sets: a variable for each of these."""
    chosen = [made.new() for _ in combination.sets]
    made.one_of(chosen)
    for value, column in enumerate(variable_of[list(combination.cells)].T):
        literals = _some(column)
        for variable, values in zip(chosen, combination.sets, strict=True):
            if values >> value & 1:
                made.add(-variable, *literals)
            else:
                made.clauses += [[-variable, -literal] for literal in literals]
