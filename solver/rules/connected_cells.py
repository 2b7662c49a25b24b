"""The rule "connected": cells form one orthogonally connected region.

Chaos construction, which divides a grid into several such regions, has its own rule
(`solver/rules/chaos.py`) and propagator (`connected_regions` in the general engine).

An auxiliary answer cell per cell says whether the cell belongs to the region (1 = no, 2 = yes). One
automaton reads the answers in reading order. Its state is the frontier, the most recently read cell
of each column:

    . a a .      a a . b     the parts of the region that reach the frontier, by numbers from 1;
    ─────┐       ───┘        two of them may still meet below
    a a a│b

If the automaton would be too large, as for grids of more than 9×9 cells, the SAT engine enforces
the constraint with clauses instead.

The idea is the transfer-matrix method for counting paths in grids, also called frontier-based
search.
"""

from bisect import bisect

from solver.board.automaton import Automaton, too_large, unroll
from solver.board.budget import charge, kept_table
from solver.board.layout import Layout
from solver.board.primitive_constraints import Connected, Part, Regular, Relation
from solver.rules.reification import NO, YES, answer
from solver.rules.rule import Cells, Constraint, Rule, fault_in
from solver.rules.wording import Wording

_MOST_EDGES = 300_000  # before dead-end states are removed. A 9×9 grid has 235,581 edges afterward.
_NARROW = 9  # columns. Edges take longer to compute the more columns there are.

# the part number (or 0) of each column, and whether the region is complete
Frontier = tuple[tuple[int, ...], bool]


def _passed(frontier: Frontier, column: int, *, inside: bool) -> Frontier | None:
    """Return the frontier after one more cell, which is in the region if `inside`.

    A frontier is (parts, whether the region is complete). `parts` has, for each column, the number
    of the part of the region to which the last cell of the column belongs, or 0 outside of the
    region. `column` is the new cell's column. Returns None if the region would fall into two parts.
    """
    parts, over = frontier
    above, left = parts[column], parts[column - 1] if column else 0
    others = parts[:column] + parts[column + 1 :]
    if inside and over:
        return None
    if inside:
        own, joined = max(parts) + 1, {above, left} - {0}
        parts = tuple(
            own if place == column or part in joined else part for place, part in enumerate(parts)
        )
    else:
        if above and above not in others:
            if any(others):
                return None
            over = True
        parts = (*parts[:column], 0, *parts[column + 1 :])
    names = {0: 0}
    return tuple(names.setdefault(part, len(names)) for part in parts), over


def _fewest_edges(cells: Cells, columns: int) -> int:
    """Return a lower bound for the number of edges of a region's automaton.

    `_one_region` builds the automaton, unless this bound is too large. The edges include those to
    dead-end states. `cells` are the positions of the constraint's cells, in ascending order, in a
    grid that is `columns` wide.
    """
    # Each cell, and each cell since the one above it, can be inside or outside independently.
    return sum([2 << place - bisect(cells, cell - columns) for place, cell in enumerate(cells)])


@kept_table
def _one_region(cells: Cells, columns: int, numbers: range) -> Automaton | str:
    """Return the automaton over answers, one per cell, that accepts one connected region.

    `cells` are the positions of the cells in a grid of the width `columns`, in ascending order.
    Each answer says whether the cell belongs to the region, which isn't empty. All other cells of
    the grid are outside. Returns an error message if the automaton is too large.
    """
    most_edges = _MOST_EDGES * _NARROW // max(columns, _NARROW)
    if _fewest_edges(cells, columns) > most_edges:
        return too_large(most_edges)
    # The position of the previous cell, for each cell. Positions in between are outside.
    before = (-1, *cells)

    def follow(frontier: Frontier, number: int, place: int) -> Frontier | None:
        after: Frontier | None = frontier
        for cell in range(before[place] + 1, cells[place]):
            after = None if after is None else _passed(after, cell % columns, inside=False)
        inside = number - numbers[0] == YES - 1
        return None if after is None else _passed(after, cells[place] % columns, inside=inside)

    return unroll(
        len(cells),
        numbers=numbers[:2],
        start=((0,) * columns, False),
        follow=follow,
        accepts=lambda frontier: frontier[1] or len(set(frontier[0]) - {0}) == 1,
        phase=lambda place: (cells[place] % columns, cells[place] - before[place]),
        most_edges=most_edges,
        work=5,
    )


def _most(constraint: Constraint, layout: Layout) -> int:
    """Return an upper bound for the number of cells of the region.

    The region consists of the cells with one of the constraint's values. Look-and-say constraints
    that contain all of the cells can limit how often these values occur.
    """
    counts = dict.fromkeys(constraint.values, len(constraint.cells))
    for other in layout.constraints:
        said = other.value
        if other.name == "lookandsay" and isinstance(said, tuple) and len(said) % 2 == 0:
            for count, value in zip(said[::2], said[1::2], strict=True):
                if value in counts and {*constraint.cells} <= {*other.cells}:
                    counts[value] = max(1, min(count, counts[value]))
    return min(sum(counts.values()), len(constraint.cells))


def _connected(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    cells = tuple(sorted(constraint.cells))
    charge(len(layout.constraints) // 4)
    are_variables = cells[0] >= layout.cells
    if layout.size < YES:
        return fault_in(constraint, f"needs a board of {YES} values or more", layout)
    if are_variables != (cells[-1] >= layout.cells):
        return fault_in(constraint, "needs cells of the grid or variables, not both", layout)
    # Variables are arranged in rows as long as the grid's, starting with the first variable.
    places = tuple(cell - cells[0] for cell in cells) if are_variables else cells
    automaton = _one_region(places, layout.columns, layout.numbers)
    if isinstance(automaton, str):  # too large
        bits = sum(1 << bit for bit, n in enumerate(layout.numbers) if n in constraint.values)
        most = _most(constraint, layout)
        return (Connected(cells, places, layout.columns, bits, most),)
    answers = tuple(range(-1, -len(cells) - 1, -1))
    belongs = tuple(
        1 << (YES if number in constraint.values else NO) - 1 for number in layout.numbers
    )
    return (
        *map(answer, answers),
        Relation(tuple(zip(cells, answers, strict=True)), belongs),
        Regular(answers, automaton),
    )


CONNECTIVITY_RULES = (
    Rule(
        "connected",
        Wording(
            "Connected digits",
            "The cells that contain {digits} form one region, connected along edges.",
            parameter="one of the listed digits",
            other_names=("Connected values",),
        ),
        '{"type": "connected", "cells": ["r1c1", "r1c2", "r2c1", "r2c2"], "values": [1, 3, 5]}',
        _connected,
        least=1,
        value="values",
        many=True,
        hides=True,
    ),
)
