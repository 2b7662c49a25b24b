"""A board with its givens as clauses: a variable for each candidate that givens leave."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.parts import Part
from solver.engines.sat.clauses import Clauses
from solver.engines.sat.parts import Candidates, some, tell


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
    board = Candidates(variable_of, layout.numbers, layout.columns)
    for cell in range(layout.cells):
        if cell not in layout.absent:
            made.one_of(board.some(cell))
            made.at_most_one(board.some(cell))
    borders = [literal for part in _parts(layout) for literal in tell(made, part, board)]
    telling = variable_of[:told].copy()
    for partition in layout.partitions:
        telling[list(partition.labels)] = 0
    tells = np.array([*some(telling), *borders], np.int64)
    return Asked(made, variable_of, tells)


def _parts(layout: Layout) -> tuple[Part, ...]:
    """Return what is told as clauses; what a cell alone may hold is not, but left out before."""
    return (
        *layout.houses,
        *layout.links,
        *layout.relations,
        *layout.regulars,
        *layout.sums,
        *layout.combinations,
        *layout.enclosed,
        *layout.partitions,
        *layout.rankings,
        *layout.choices,
        *layout.unruly,
    )


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
