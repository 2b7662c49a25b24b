"""Regions that are found while solving: what plain search knows of them, and room to do so.

Beside the grid there is a cell for each of it, with the number of its region: its label. For pairs
of cells that somebody asks about, neighbours first, there is an unseen cell with the answer:
whether they are in one region, 1 for no and 2 for yes.

    cells     0 1 2     labels  a b c     answers  of 0│1  1│2  3│4  4│5     beside each other
              3 4 5             d e f              of 0│3  1│4  2│5          above each other

Cells that are known to be in one region are a group, whatever its number; the first one of them is
the root of all.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.parts import Partition
from solver.compiling.filling import zero_rows, zeros
from solver.compiling.jit import inner

Ints = NDArray[np.int32]
Words = NDArray[np.uint64]

NO, YES = np.uint64(1), np.uint64(2)  # answers

FAR = 1 << 30  # steps

_SIDES = ((-1, 0), (0, -1), (0, 1), (1, 0))


class Regions(NamedTuple):
    """How a grid is to be cut; all is empty where it is not."""

    size: int  # cells of a region
    total: int  # regions
    has_all: bool  # each value is in each region
    labels: Ints  # of cells of the grid, the cells that number their regions
    pairs: Ints  # (pairs, 2): cells of the grid, those of neighbours first
    neighbours: int  # how many of them
    answers: Ints  # of pairs, the cells with the answers
    near: Ints  # (cells, 4): neighbours, −1 for none
    edges: Ints  # (cells, 4): the cells with the answers of these


class Groups(NamedTuple):
    """The groups, and room to walk from one to the other; nothing in it is kept for later."""

    roots: Ints  # of cells
    after: Ints  # of cells: the next one of the group, or −1
    ends: Ints  # of roots: the last one
    sizes: Ints  # of roots
    masks: Words  # of roots: the numbers that are left to all
    placed: Words  # of roots: the values that are there
    taken: Words  # of roots: those, and what two cells, or three and so on, have between them
    apart: NDArray[np.bool_]  # (roots, roots): are known to be in different regions
    cores: Ints  # of numbers: the root of the group that has it, or −1
    steps: Ints  # of cells: how far away they are, see `reaching`
    buckets: Ints  # (steps, cells): those that are so far away, and still to be looked at
    lengths: Ints  # of the buckets
    reached: Ints  # cells
    order: Ints  # cells in the order of a walk, see `pockets`
    parents: Ints  # of cells: from where the walk came, or −1
    depths: Ints  # of cells: their places in the order, −1 for not yet
    lows: Ints  # of cells: the first place that something behind them is beside
    turns: Ints  # of cells: how many neighbours were looked at
    weights: Ints  # of cells: how many are behind them, with themselves
    owns: Ints  # of cells: how many of a group are behind them
    losses: Ints  # of cells: how many others cannot be reached without them


def regions_of(layout: Layout) -> Regions:
    """Return how a grid is to be cut."""
    nothing = Partition((), 1, numbered=True, pairs=(), answers=())
    (partition,) = layout.partitions or (nothing,)
    cells = len(partition.labels)
    answer_of = dict(zip(partition.pairs, partition.answers, strict=True))
    near = np.full((cells, len(_SIDES)), -1, np.int32)
    edges = np.full((cells, len(_SIDES)), -1, np.int32)
    for cell in range(cells):
        column = cell % layout.columns
        for side, (down, right) in enumerate(_SIDES):
            pair = cell, cell + down * layout.columns + right
            answer = answer_of.get((min(pair), max(pair)))
            if answer is not None and 0 <= column + right < layout.columns:
                near[cell, side], edges[cell, side] = pair[1], answer
    return Regions(
        partition.size,
        cells // partition.size,
        partition.size == layout.size,
        np.array(partition.labels, np.int32),
        np.array(partition.pairs, np.int32).reshape(-1, 2),
        int((near >= 0).sum()) // 2,
        np.array(partition.answers, np.int32),
        near,
        edges,
    )


@inner
def new_groups(regions):  # type: ignore[no-untyped-def]
    """Return room for groups."""
    cells = regions.labels.shape[0]
    places = zero_rows(14, cells, np.int32)
    return Groups(
        places[0],
        places[1],
        places[2],
        places[3],
        zeros(cells, np.uint64),
        zeros(cells, np.uint64),
        zeros(cells, np.uint64),
        zero_rows(cells, cells, np.bool_),
        zeros(regions.total, np.int32),
        places[4],
        zero_rows(regions.size, cells, np.int32),
        zeros(regions.size, np.int32),
        places[5],
        places[6],
        places[7],
        places[8],
        places[9],
        places[10],
        places[11],
        places[12],
        places[13],
    )
