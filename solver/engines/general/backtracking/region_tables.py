"""Tables and working memory for regions that are found during search.

Each cell of the grid has an auxiliary label variable with the number of its region. Each pair of
cells that some constraint compares, neighbors first, has an auxiliary variable: 1 if the two are in
different regions, 2 if they are in the same one.

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

DIFFERENT, SAME = np.uint64(1), np.uint64(2)  # values of a pair variable

UNREACHABLE = 1 << 30  # distance of a cell that can't be reached

_SIDES = ((-1, 0), (0, -1), (0, 1), (1, 0))


class Regions(NamedTuple):
    """The tables of a grid that is divided into regions: labels, pairs, and neighbors.

    All arrays are empty if the layout has no such regions.
    """

    size: int  # cells per region
    total: int  # number of regions
    has_all: bool  # whether every region contains every value
    labels: Ints  # per cell of the grid: its label variable
    pairs: Ints  # (pairs, 2): cells of the grid, pairs of neighbors first
    neighbor_pairs: int  # number of pairs of neighbors
    pair_variables: Ints  # per pair
    neighbors: Ints  # (cells, 4), −1 for none
    edge_variables: Ints  # (cells, 4): the pair variables of a cell and these neighbors


class Components(NamedTuple):
    """The components of cells known to share a region, and memory for visiting cells.

    Everything is computed again in each call of the propagator.
    """

    roots: Ints  # per cell
    next_members: Ints  # per cell: the next cell of its component, or −1
    last_members: Ints  # per root: the last cell
    sizes: Ints  # per root
    numbers: Words  # per root: the region numbers that all of its cells can have
    placed: Words  # per root: the values that it contains
    # per root: these, and the values that two, three, or more of its cells share among them
    taken: Words
    apart: NDArray[np.bool_]  # (roots, roots): whether they are known to be in different regions
    roots_by_number: Ints  # per region number: the component that has it, or −1
    distances: Ints  # per cell, see `reachability`
    buckets: Ints  # (distances, cells): cells to visit at each distance
    bucket_lengths: Ints
    reached: Ints  # a stack of cells
    order: Ints  # cells in depth-first order, see `articulation_points`
    parents: Ints  # per cell: the parent in the depth-first tree, or −1
    depths: Ints  # per cell: its position in that order, −1 if not visited yet
    lows: Ints  # per cell: the lowest position adjacent to its subtree
    next_sides: Ints  # per cell: the number of neighbors visited
    subtree_sizes: Ints  # per cell: the number of cells in its subtree, itself included
    subtree_members: Ints  # per cell: the number of the component's cells in its subtree
    losses: Ints  # per cell: the number of other cells that can't be reached without it


def regions_of(layout: Layout) -> Regions:
    """Return the tables for the regions of a layout, which has at most one partition."""
    nothing = Partition((), 1, numbered=True, pairs=(), answers=())
    (partition,) = layout.partitions or (nothing,)
    cells = len(partition.labels)
    variable_of = dict(zip(partition.pairs, partition.answers, strict=True))
    neighbors = np.full((cells, len(_SIDES)), -1, np.int32)
    edge_variables = np.full((cells, len(_SIDES)), -1, np.int32)
    for cell in range(cells):
        column = cell % layout.columns
        for side, (down, right) in enumerate(_SIDES):
            other = cell + down * layout.columns + right
            variable = variable_of.get((min(cell, other), max(cell, other)))
            if variable is not None and 0 <= column + right < layout.columns:
                neighbors[cell, side], edge_variables[cell, side] = other, variable
    return Regions(
        size=partition.size,
        total=cells // partition.size,
        has_all=partition.size == layout.size,
        labels=np.array(partition.labels, np.int32),
        pairs=np.array(partition.pairs, np.int32).reshape(-1, 2),
        neighbor_pairs=int((neighbors >= 0).sum()) // 2,
        pair_variables=np.array(partition.answers, np.int32),
        neighbors=neighbors,
        edge_variables=edge_variables,
    )


@helper
def new_components(regions):  # type: ignore[no-untyped-def]
    """Allocate `Components` for a grid with these regions, filled with zeros."""
    cells = regions.labels.shape[0]
    return Components(
        roots=zeros(cells, np.int32),
        next_members=zeros(cells, np.int32),
        last_members=zeros(cells, np.int32),
        sizes=zeros(cells, np.int32),
        numbers=zeros(cells, np.uint64),
        placed=zeros(cells, np.uint64),
        taken=zeros(cells, np.uint64),
        apart=zero_rows(cells, cells, np.bool_),
        roots_by_number=zeros(regions.total, np.int32),
        distances=zeros(cells, np.int32),
        buckets=zero_rows(regions.size, cells, np.int32),
        bucket_lengths=zeros(regions.size, np.int32),
        reached=zeros(cells, np.int32),
        order=zeros(cells, np.int32),
        parents=zeros(cells, np.int32),
        depths=zeros(cells, np.int32),
        lows=zeros(cells, np.int32),
        next_sides=zeros(cells, np.int32),
        subtree_sizes=zeros(cells, np.int32),
        subtree_members=zeros(cells, np.int32),
        losses=zeros(cells, np.int32),
    )
