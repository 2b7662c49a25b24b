"""Regions that are found while solving, as clauses.

Of each region, a cell is told how many steps through the region it is away from the first cell,
in reading order. A step further needs a cell of the same region a step before, so that all of them
are connected:

    a a b        0 1 0
    c a b        0 2 1        steps: 5 cells of the region a would be 4 steps long at most
    c c b        1 2 2

How far a cell is, is written in unary: a variable says that it is n steps away or more.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from solver.board.branching import Layers
from solver.board.parts import Connected, Partition
from solver.engines.sat.clauses import Clauses

YES = 1  # the second value of an answer, counted from 0


def cut_into_regions(
    made: Clauses, partition: Partition, variable_of: NDArray[np.int64], *, columns: int
) -> list[int]:
    """Add the clauses of a partition; return the variables of pairs of cells in one region.

    `variable_of` (cells, size) are the variables of candidates, 0 for what is none.
    """
    count = len(partition.labels)
    regions = count // partition.size
    labels = variable_of[list(partition.labels), :regions].tolist()
    _share_no_value(made, labels, variable_of[:count], partition.size)
    for region in range(regions):
        inside = [row[region] for row in labels if row[region]]
        made.word([[-own, own] for own in inside], _counting(len(inside), partition.size))
    answers = variable_of[list(partition.answers), YES].tolist()
    same = {
        pair: answer or _never(made) for pair, answer in zip(partition.pairs, answers, strict=True)
    }
    _join(made, labels, same)
    joined = {pair: same[pair] for pair in _pairs(range(count), columns)}
    first = _first_cells(made, labels, numbered=partition.numbered)
    _connect(made, joined, first, partition.size)
    if partition.size > 1:
        for cell in range(count):  # what is near is seen at once so
            made.add(*(same for pair, same in joined.items() if cell in pair))
    return list(joined.values())


def _never(made: Clauses) -> int:
    """Return a variable that is false: of two cells that must be in different regions."""
    variable = made.new()
    made.add(-variable)
    return variable


def connect(made: Clauses, part: Connected, variable_of: NDArray[np.int64]) -> None:
    """Add that the cells with some values are one region, connected by edges."""
    inside = [made.new() for _ in part.cells]
    for own, row in zip(inside, variable_of[list(part.cells)].tolist(), strict=True):
        belonging = [v for bit, v in enumerate(row) if v and part.values >> bit & 1]
        made.add(-own, *belonging)
        made.clauses += [[own, -literal] for literal in belonging]
    made.one_of(inside)
    labels = [[own] for own in inside]
    joined = {pair: made.new() for pair in _pairs(part.places, part.columns)}
    _join(made, labels, joined)
    first = _first_cells(made, labels, numbered=False)
    for own, begins in zip(inside, first, strict=True):
        made.add(own, begins)  # a cell outside is a region by itself
    _connect(made, joined, first, part.most)


def _share_no_value(
    made: Clauses, labels: list[list[int]], variable_of: NDArray[np.int64], size: int
) -> None:
    """Add that no region has a value twice, and each if it has as many cells as there are."""
    for region in range(len(labels[0])):
        for column in variable_of.T.tolist():
            here = [
                made.both(row[region], variable)
                for row, variable in zip(labels, column, strict=True)
                if row[region] and variable
            ]
            made.at_most_one(here)
            if size == variable_of.shape[1]:
                made.one_of(here)


def _counting(length: int, count: int) -> Layers:
    """Return layers of letters, 0 or 1, of which `count` are 1; a state is how many were so far."""
    return [
        [
            (seen, letter, seen + letter)
            for seen in range(min(place, count) + 1)
            for letter in (0, 1)
            if 0 <= count - seen - letter <= length - place - 1
        ]
        for place in range(length)
    ]


def _pairs(places: Sequence[int], columns: int) -> Iterator[tuple[int, int]]:
    """Yield the cells that have an edge in common, counted as the places are."""
    cell_at = {place: cell for cell, place in enumerate(places)}
    for place, cell in cell_at.items():
        if (place + 1) % columns and place + 1 in cell_at:
            yield cell, cell_at[place + 1]
        if place + columns in cell_at:
            yield cell, cell_at[place + columns]


def _join(made: Clauses, labels: list[list[int]], joined: dict[tuple[int, int], int]) -> None:
    """Add that variables say of pairs whether they are in one region."""
    for (one, other), same in joined.items():
        for here, there in zip(labels[one], labels[other], strict=True):
            if here and there:
                made.clauses += [
                    [-here, -there, same],
                    [-same, -here, there],
                    [-same, here, -there],
                ]
            elif here or there:
                made.add(-same, -(here or there))


def _first_cells(made: Clauses, labels: list[list[int]], *, numbered: bool) -> list[int]:
    """Return variables that say of cells whether they are the first ones of their regions.

    Where regions are numbered, a cell of one has a cell of the region before it behind itself.
    """
    first = [made.new() for _ in labels]
    before = [0] * len(labels[0])  # of each region, whether it has begun before a cell
    for cell, row in enumerate(labels):
        begun = list(before)
        for region, here in enumerate(row):
            if here:
                if before[region]:
                    made.clauses += [[-first[cell], -here, -before[region]]]
                    made.clauses += [[first[cell], -here, before[region]]]
                else:
                    made.add(-here, first[cell])
                begun[region] = made.new()
                made.add(-here, begun[region])
                if before[region]:
                    made.clauses += [[-before[region], begun[region]]]
                    made.clauses += [[-begun[region], here, before[region]]]
                else:
                    made.add(-begun[region], here)
            if here and numbered and region:
                made.add(-here, *filter(None, [before[region - 1]]))
        before = begun
    return first


def _connect(
    made: Clauses, joined: dict[tuple[int, int], int], first: list[int], size: int
) -> None:
    """Add that each cell is the first of its region or has a neighbour that is nearer to that."""
    # Whether a cell is n + 1 steps away or more.
    away = [[-own, *(made.new() for _ in range(size - 2))][: size - 1] for own in first]
    around: list[list[tuple[int, int]]] = [[] for _ in first]
    for (one, other), same in joined.items():
        around[one].append((other, same))
        around[other].append((one, same))
    for cell, steps in enumerate(away):
        for near, far in pairwise(steps):
            made.add(-far, near)
        for other, same in around[cell]:
            for near, far in zip(away[other], steps[1:], strict=False):
                made.add(-same, -far, near)
        for place, far in enumerate(steps):
            # Exactly place + 1 steps away: a neighbour is place steps away.
            further = steps[place + 1 : place + 2]
            nearer = [made.both(same, -away[other][place]) for other, same in around[cell]]
            made.add(-far, *further, *nearer)
