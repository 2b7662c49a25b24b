"""The number of ways to fill some houses and to satisfy some rules, with a grid's candidates."""

from collections.abc import Sequence
from itertools import chain, combinations
from typing import cast

import numpy as np

from solver.board.layout import Layout
from solver.engines.auxiliary_cells import with_cells_below
from solver.engines.sat.clauses import Clauses, TooManyLiterals
from solver.engines.sat.constraint_encoding import Candidates, add_constraint
from solver.logic.rule_steps.conflict_groups import parts_of
from solver.logic.sentences.links import peers_of_cells
from solver.rules.rule import Constraint

_SOLVER = "glucose4"
_MOST_CELLS = 45  # of the houses and rules
_MOST_CONFLICTS = 500  # in the search for each way


def ways_to_fill(
    layout: Layout,
    domains: Sequence[int],
    *,
    rules: Sequence[int],
    houses: Sequence[int],
    most: int,
) -> int | None:
    """Return in how many ways the cells of some rules and houses can be filled.

    `domains` are the possible values of each cell, as bits. `rules` and `houses` are indices in the
    layout. Cells that see each other differ. Returns `most + 1` if there are more than `most` ways,
    and None if the search is too large.
    """
    from pysat.solvers import Solver  # noqa: PLC0415 (loaded where a board needs it)

    cells = _cells_of(layout, rules, houses)
    if len(cells) > _MOST_CELLS:
        return None
    try:
        made = _clauses(layout, domains, cells, rules=rules, houses=houses)
    except TooManyLiterals:
        return None
    size = layout.size
    own = {cell * size + value + 1 for cell in cells for value in range(size)}
    with Solver(name=_SOLVER, bootstrap_with=list(made.clauses)) as solver:
        for found in range(most + 1):
            solver.conf_budget(_MOST_CONFLICTS)
            answer = solver.solve_limited()
            if answer is None:
                return None
            if not answer:
                return found
            model = solver.get_model()[: layout.cells * size]
            solver.add_clause([-literal for literal in model if literal in own])
    return most + 1


def _cells_of(layout: Layout, rules: Sequence[int], houses: Sequence[int]) -> list[int]:
    """Return the cells of the grid that are in any of the rules and houses, in ascending order.

    A rule without cells is about the whole grid.
    """
    constraints = [cast("Constraint", layout.constraints[index]) for index in rules]
    every = {
        *chain(*(layout.houses[index].cells for index in houses)),
        *chain(*(one.cells or range(layout.cells) for one in constraints)),
    }
    return sorted(cell for cell in every - layout.holes if cell < layout.cells)


def _clauses(
    layout: Layout,
    domains: Sequence[int],
    cells: Sequence[int],
    *,
    rules: Sequence[int],
    houses: Sequence[int],
) -> Clauses:
    """Return the clauses of some rules and houses, given as indices in the layout.

    They are encoded with all of their cells and auxiliary cells. `cells` are the cells that must
    have one of their `domains` (bits by cell of the board), and that must differ from those of them
    that they see. Auxiliary cells have one value, too.
    """
    board, peers = with_cells_below(layout), peers_of_cells(layout)
    variables = np.arange(1, board.cells * board.size + 1).reshape(board.cells, board.size)
    candidates = Candidates(variables, board.numbers, board.columns)
    made = Clauses(int(variables.size))
    for cell in (*cells, *(cell for cell in range(layout.cells, board.cells))):
        if cell not in board.holes:
            made.one_of(candidates.some(cell))
            made.at_most_one(candidates.some(cell))
    for cell in cells:
        for value in range(layout.size):
            if not domains[cell] >> value & 1:
                made.add(-int(variables[cell, value]))
    for one, other in combinations(cells, 2):
        if other in peers[one]:
            for value in range(layout.size):
                made.add(-int(variables[one, value]), -int(variables[other, value]))
    parts = parts_of(layout)
    own = chain([layout.houses[index] for index in houses], *(parts[index] for index in rules))
    for part in (*layout.auxiliary_houses, *own):
        add_constraint(made, part, candidates)
    return made
