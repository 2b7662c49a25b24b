"""Encode regions that are found while solving as clauses.

Each cell has a distance: the number of steps through its region from the region's first cell in
reading order. A cell at distance n + 1 needs a neighbor in the same region at distance n, so the
region is connected:

a a b        0 1 0
c a b        0 2 1        a region of 5 cells would have a distance of at most 4
c c b        1 2 2

Distances are encoded in unary: for each n, a variable states whether a cell is at least n steps
away.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from solver.board.branching import Layers
from solver.board.primitive_constraints import Connected, Partition
from solver.engines.sat.clauses import Clauses

SAME = 1  # the second value of a pair variable, counted from 0


def add_partition(
    made: Clauses, partition: Partition, variable_of: NDArray[np.int64], *, columns: int
) -> list[int]:
    """Add the clauses of a partition of the grid into connected regions.

    `variable_of` (cells, size) are the variables of candidates, 0 for excluded ones. `columns` is
    the number of the grid's columns. Returns the variables for whether two neighboring cells share
    a region.
    """
    count = len(partition.labels)
    regions = count // partition.size
    labels = variable_of[list(partition.labels), :regions].tolist()
    _share_no_value(made, labels, variable_of[:count], partition.size)
    for region in range(regions):
        inside = [row[region] for row in labels if row[region]]
        made.word([[-own, own] for own in inside], _counting(len(inside), partition.size))
    answers = variable_of[list(partition.answers), SAME].tolist()
    same = {
        pair: answer or _never(made) for pair, answer in zip(partition.pairs, answers, strict=True)
    }
    _join(made, labels, same)
    joined = {pair: same[pair] for pair in _pairs(range(count), columns)}
    first = _first_cells(made, labels, numbered=partition.numbered)
    _connect(made, joined, first, partition.size)
    if partition.size > 1:
        for cell in range(count):  # propagates directly to adjacent cells
            made.add(*(same for pair, same in joined.items() if cell in pair))
    return list(joined.values())


def _never(made: Clauses) -> int:
    """Return a new variable that is always false. Adds its clause."""
    variable = made.new()
    made.add(-variable)
    return variable


def connect(made: Clauses, part: Connected, variable_of: NDArray[np.int64]) -> None:
    """Add clauses so that the cells with one of the part's values form one connected region.

    The region isn't empty, and has at most `part.most` cells. `variable_of` (cells, size) are the
    variables of candidates, 0 for excluded ones.
    """
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
    """Add clauses so that no region repeats a value, and regions of full size have all values.

    labels[cell][region] is the variable for whether the cell is in the region, 0 if it can't be.
    `variable_of` (cells, size) are the variables of candidates, and `size` is the number of cells
    per region.
    """
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
    """Return the layers of an automaton for words of `length` 0s and 1s with exactly `count` 1s.

    A state is the number of 1s so far. Each layer has edges (state, letter, next state).
    """
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
    """Yield the pairs of neighboring cells, as indices into `places`.

    `places` are the positions of the cells, in reading order, in a grid with this many columns.
    """
    cell_at = {place: cell for cell, place in enumerate(places)}
    for place, cell in cell_at.items():
        if (place + 1) % columns and place + 1 in cell_at:
            yield cell, cell_at[place + 1]
        if place + columns in cell_at:
            yield cell, cell_at[place + columns]


def _join(made: Clauses, labels: list[list[int]], joined: dict[tuple[int, int], int]) -> None:
    """Add clauses so that the variable of each pair is true exactly if both cells share a region.

    `joined` maps pairs of cells to these variables. labels[cell][region] is the variable for
    whether the cell is in the region, 0 if it can't be.
    """
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
    """Return a new variable per cell for whether the cell is the first of its region.

    The order is the reading order. Adds the clauses for these variables. labels[cell][region] is
    the variable for whether the cell is in the region, 0 if it can't be. If regions are `numbered`,
    each one must begin after the one with the preceding number.
    """
    first = [made.new() for _ in labels]
    before = [0] * len(labels[0])  # per region: whether it began before a cell
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
    """Add clauses so that each cell is the first of its region or has a neighbor nearer to it.

    The neighbor must be in the same region. `joined` maps pairs of neighbors to the variables for
    whether they share a region. `first` has, per cell, the variable for whether it is the first of
    its region. `size` is the largest number of cells of a region.
    """
    # Whether a cell is at least n + 1 steps away.
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
            # Exactly place + 1 steps away: some neighbor is exactly place steps away.
            further = steps[place + 1 : place + 2]
            nearer = [made.both(same, -away[other][place]) for other, same in around[cell]]
            made.add(-far, *further, *nearer)
