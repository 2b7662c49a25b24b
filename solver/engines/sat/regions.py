"""Regions that are found while solving, as clauses.

Of each region, a cell is told how many steps through the region it is away from the first cell,
in reading order. A step further needs a cell of the same region a step before, so that all of them
are connected:

    a a b        0 1 0
    c a b        0 2 1        steps: 5 cells of the region a would be 4 steps long at most
    c c b        1 2 2

How far a cell is, is written in unary: a variable says that it is n steps away or more.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from solver.board.automaton import Automaton, unroll
from solver.board.layout import Partition
from solver.engines.sat.clauses import Clauses


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
        counted = _counting(len(inside), partition.size)
        if isinstance(counted, Automaton):
            made.word([[-literal, literal] for literal in inside], counted)
    joined = _joined(made, labels, columns)
    first = _first_cells(made, labels, numbered=partition.numbered)
    _connect(made, joined, first, partition.size)
    return list(joined.values())


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


@lru_cache(maxsize=64)
def _counting(length: int, count: int) -> Automaton | str:
    """Return the automaton of so many letters, 0 or 1, of which `count` are 1."""
    return unroll(
        length,
        numbers=range(2),
        start=0,
        follow=lambda seen, letter, _: seen + letter if seen + letter <= count else None,
        accepts=lambda seen: seen == count,
        most_edges=None,
    )


def _pairs(count: int, columns: int) -> Iterator[tuple[int, int]]:
    """Yield the cells that have an edge in common."""
    for cell in range(count):
        if (cell + 1) % columns:
            yield cell, cell + 1
        if cell + columns < count:
            yield cell, cell + columns


def _joined(made: Clauses, labels: list[list[int]], columns: int) -> dict[tuple[int, int], int]:
    """Return variables that say of neighbours whether they are in one region."""
    joined = {pair: made.new() for pair in _pairs(len(labels), columns)}
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
    return joined


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
        if size == 1:
            made.add(first[cell])
        else:
            made.add(*(same for _, same in around[cell]))
