"""The constraint that some cells are one region, connected by edges.

Whether a cell belongs to it is the value of an unseen cell, 1 for no and 2 for yes. One automaton
reads these in reading order; its state is the frontier, what was read last in each column:

    . a a .      a a . b     the parts of the region that reach the frontier, by numbers from 1;
    ─────┐       ───┘        two of them may still meet below
    a a a│b

Where that grows too large, as above 9×9 cells, the rule is left to an engine of clauses.

The idea is that of counting paths in grids by transfer matrices (in Japan: frontier-based search).
"""

from bisect import bisect

from solver.board.automaton import Automaton, too_large, unroll
from solver.board.budget import charge, kept_table
from solver.board.layout import Layout
from solver.board.parts import Connected, Part, Regular, Relation
from solver.rules.judging import NO, YES, answer
from solver.rules.rule import Cells, Constraint, Rule

_MOST_EDGES = 300_000  # before those that lead nowhere are dropped: 9×9 cells have 235,581 then
_NARROW = 9  # columns; the more there are, the longer each edge takes

Frontier = tuple[tuple[int, ...], bool]  # of each column, its part or 0; whether the region is over


def _passed(frontier: Frontier, column: int, *, inside: bool) -> Frontier | None:
    """Return the frontier behind one more cell; None where the region would have two parts."""
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
    """Return a bound, from below: each cell, and each one since that above, is inside or not."""
    return sum([2 << place - bisect(cells, cell - columns) for place, cell in enumerate(cells)])


@kept_table
def _one_region(cells: Cells, columns: int, numbers: range) -> Automaton | str:
    """Return the automaton of the answers of cells, in reading order; others are outside."""
    most_edges = _MOST_EDGES * _NARROW // max(columns, _NARROW)
    if _fewest_edges(cells, columns) > most_edges:
        return too_large(most_edges)
    # Where the cell before each one is; those between the two are outside.
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
    """Return how many cells belong to the region at most, where another rule says how many do."""
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
    beside = cells[0] >= layout.cells
    if beside != (cells[-1] >= layout.cells) or layout.size < YES:
        return "the constraint 'connected' needs cells of one grid with 2 values or more"
    # Variables lie in rows as long as those of the grid, from the first one on.
    places = tuple(cell - cells[0] for cell in cells) if beside else cells
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
        "The cells with one of the values, of which there are some, are connected by edges.",
        '{"type": "connected", "cells": ["r1c1", "r1c2", "r2c1", "r2c2"], "values": [1, 3, 5]}',
        _connected,
        least=1,
        value="values",
        many=True,
        hides=True,
    ),
)
