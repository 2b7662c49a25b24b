"""Encode a puzzle as clauses, with one variable per candidate that isn't excluded at the start."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.primitive_constraints import Part
from solver.engines.sat.clauses import Clauses
from solver.engines.sat.constraint_encoding import Candidates, add_constraint, some


@dataclass(frozen=True, slots=True)
class Encoding:
    """A puzzle as clauses.

    `variable_of` (cells, size) has the variable of each candidate, 0 for excluded ones.
    `identifying` are variables such that any two solutions differ in at least one of them. These
    are variables of candidates. If regions are found while solving, there are also variables for
    whether two neighboring cells are in the same region.
    """

    clauses: Clauses
    variable_of: NDArray[np.int64]
    identifying: NDArray[np.int64]


def encode(
    layout: Layout,
    givens: NDArray[np.uint8],
    candidates: NDArray[np.uint64] | None,
    *,
    solution_size: int,
) -> Encoding:
    """Return a puzzle as clauses.

    `layout` has its auxiliary cells below the grid, see `with_cells_below`. `givens` (cells,) are
    the puzzle's givens, 0 = empty. `candidates` are the values allowed in the first cells as bit
    masks (bit 0 = value 1), or None. Solutions are distinguished by their first `solution_size`
    cells.
    """
    left = _candidates(layout, givens, candidates)
    variable_of = np.zeros(left.shape, np.int64)
    variable_of[left] = np.arange(1, int(left.sum()) + 1)
    made = Clauses(int(left.sum()))
    board = Candidates(variable_of, layout.numbers, layout.columns)
    for cell in range(layout.cells):
        if cell not in layout.holes:
            made.one_of(board.some(cell))
            made.at_most_one(board.some(cell))
    borders = [literal for part in _parts(layout) for literal in add_constraint(made, part, board)]
    identifying_candidates = variable_of[:solution_size].copy()
    for partition in layout.partitions:
        identifying_candidates[list(partition.labels)] = 0
    identifying = np.array([*some(identifying_candidates), *borders], np.int64)
    return Encoding(made, variable_of, identifying)


def _parts(layout: Layout) -> tuple[Part, ...]:
    """Return the constraints of a layout that are encoded as clauses: all but domains.

    Domains are applied to the candidates instead.
    """
    return (
        *layout.houses,
        *layout.links,
        *layout.relations,
        *layout.regulars,
        *layout.sums,
        *layout.combinations,
        *layout.sandwiches,
        *layout.partitions,
        *layout.full_ranks,
        *layout.disjunctions,
        *layout.sat_only,
    )


def _candidates(
    layout: Layout, givens: NDArray[np.uint8], candidates: NDArray[np.uint64] | None
) -> NDArray[np.bool_]:
    """Return a mask (cells, size) of the candidates that aren't excluded.

    Domains, pencil marks, and givens exclude candidates. A cell with a single candidate excludes
    this value from the other cells of its houses.
    """
    left = np.ones((layout.cells, layout.size), np.bool_)
    left[list(layout.holes)] = False
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
