"""Tables and working memory for regions that are found during search.

Each cell of the grid has an auxiliary label variable with the number of its region. Each pair of
cells that some constraint asks about, neighbors first, has an auxiliary variable that says whether
the two share a region: 1 for no, 2 for yes.

    cells     0 1 2     labels  a b c     pairs  0│1  1│2  3│4  4│5     next to each other
              3 4 5             d e f            0│3  1│4  2│5          above each other

Cells that are known to share a region form a component (a union–find set), with or without a
number; its first cell is the root.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.parts import Partition
from solver.compiling.array_loops import zero_rows, zeros
from solver.compiling.jit import helper

Ints = NDArray[np.int32]
Words = NDArray[np.uint64]

NO, YES = np.uint64(1), np.uint64(2)  # values of a pair variable

FAR = 1 << 30  # distance of a cell that can't be reached

_SIDES = ((-1, 0), (0, -1), (0, 1), (1, 0))


class Regions(NamedTuple):
    """How a grid is divided into regions; all arrays are empty if it isn't."""

    size: int  # cells per region
    total: int  # number of regions
    has_all: bool  # whether every region contains every value
    labels: Ints  # per cell of the grid: its label variable
    pairs: Ints  # (pairs, 2): cells of the grid, pairs of neighbors first
    neighbours: int  # number of neighbor pairs
    answers: Ints  # per pair: its variable
    near: Ints  # (cells, 4): neighbors, −1 for none
    edges: Ints  # (cells, 4): the pair variables of these neighbors


class Groups(NamedTuple):
    """The components, and working memory for walking between them.

    Nothing is kept between calls.
    """

    roots: Ints  # per cell
    after: Ints  # per cell: the next cell of its component, or −1
    ends: Ints  # per root: the last cell
    sizes: Ints  # per root
    masks: Words  # per root: the region numbers that all of its cells can have
    placed: Words  # per root: the values that it contains
    # per root: these, and the values that two, three, or more of its cells share among them
    taken: Words
    apart: NDArray[np.bool_]  # (roots, roots): whether they are known to be in different regions
    cores: Ints  # per region number: the root of the component that has it, or −1
    steps: Ints  # per cell: its distance, see `reachability`
    buckets: Ints  # (distances, cells): buckets of cells to visit at each distance
    lengths: Ints  # lengths of the buckets
    reached: Ints  # a stack of cells
    order: Ints  # cells in depth-first order, see `articulation_points`
    parents: Ints  # per cell: the parent in the depth-first tree, or −1
    depths: Ints  # per cell: its position in that order, −1 if not visited yet
    lows: Ints  # per cell: the lowest position adjacent to its subtree
    turns: Ints  # per cell: the number of neighbors visited
    weights: Ints  # per cell: the size of its subtree, itself included
    owns: Ints  # per cell: the number of the component's cells in its subtree
    losses: Ints  # per cell: the number of other cells that can't be reached without it


def regions_of(layout: Layout) -> Regions:
    """Return the tables for the regions of a layout."""
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


@helper
def new_groups(regions):  # type: ignore[no-untyped-def]
    """Return memory for the components of a grid."""
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
