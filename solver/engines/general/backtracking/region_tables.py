"""Tables and working memory for grids that are divided into regions during the search.

`connected_regions` propagates them.

Each cell of the grid has an auxiliary variable for the number of its region: its label. An edge is
a pair of neighboring cells. Each edge, and each other pair of cells that some constraint compares,
has an auxiliary variable: 1 if the two cells are in different regions, 2 if they are in the same
one.

cells     0 1 2     labels  a b c     pairs  0│1  1│2  3│4  4│5     next to each other
          3 4 5             d e f            0│3  1│4  2│5          above each other

Cells that are known to share a region form a component (a union–find set). Its first cell is the
root. The number of its region may be unknown.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.primitive_constraints import Partition
from solver.compiling.array_loops import zero_rows, zeros
from solver.compiling.jit import helper

Ints = NDArray[np.int32]
Words = NDArray[np.uint64]

DIFFERENT, SAME = np.uint64(1), np.uint64(2)  # values of a pair variable

UNREACHABLE = 1 << 30  # distance of a cell that can't be reached

_SIDES = ((-1, 0), (0, -1), (0, 1), (1, 0))


class Regions(NamedTuple):
    """The tables of a grid that is divided into regions during the search.

    All arrays are empty if the layout has no such regions. Cells are cells of the grid, without
    auxiliary variables.

    size            the number of cells per region
    total           the number of regions
    has_all         whether every region contains every value
    labels          per cell: the variable that holds the number of its region
    pairs           (pairs, 2): pairs of cells, pairs of neighbors first
    neighbor_pairs  the number of pairs of neighbors
    pair_variables  per pair: the variable that is DIFFERENT or SAME
    neighbors       (cells, 4): the neighbors of each cell, −1 for none
    edge_variables  (cells, 4): the pair variables of a cell and these neighbors
    """

    size: int
    total: int
    has_all: bool
    labels: Ints
    pairs: Ints
    neighbor_pairs: int
    pair_variables: Ints
    neighbors: Ints
    edge_variables: Ints


class Components(NamedTuple):
    """The components of cells known to share a region, and memory for graph searches.

    Everything is computed again in each call of the propagator.

    roots            per cell: the root of its component
    next_members     per cell: the next cell of its component, or −1
    last_members     per root: the last cell of the component
    sizes            per root: the number of cells
    numbers          per root: the region numbers that all cells can have, as bits
    placed           per root: the values of the component's solved cells, as bits
    taken            per root: these, and the values that two or more of its cells need together
    apart            (cells, cells): whether two roots are known to be in different regions
    roots_by_number  per region number: the root of the component that has it, or −1
    distances        per cell: its distance from a component, see `reachability`
    buckets          (distances, cells): the cells to visit at each distance
    bucket_lengths   per distance: the number of cells in its bucket
    reached          the list of cells in reach of a component

    The others are the data of a depth-first search, see `articulation_points`:

    order            the visited cells in their order
    parents          per cell: its parent in the depth-first tree, or −1
    depths           per cell: its position in `order`, or −1 if it hasn't been visited
    lows             per cell: the lowest position that is adjacent to its subtree
    next_sides       per cell: the number of its neighbors that were examined
    subtree_sizes    per cell: the number of cells in its subtree, itself included
    subtree_members  per cell: how many cells of its subtree belong to the component
    losses           per cell: how many other cells can't be reached without it, or at least the
                     number of cells in reach if one of them is in the component
    """

    roots: Ints
    next_members: Ints
    last_members: Ints
    sizes: Ints
    numbers: Words
    placed: Words
    taken: Words
    apart: NDArray[np.bool_]
    roots_by_number: Ints
    distances: Ints
    buckets: Ints
    bucket_lengths: Ints
    reached: Ints
    order: Ints
    parents: Ints
    depths: Ints
    lows: Ints
    next_sides: Ints
    subtree_sizes: Ints
    subtree_members: Ints
    losses: Ints


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
    """Allocate `Components` filled with zeros for the grid with the tables `regions`."""
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
