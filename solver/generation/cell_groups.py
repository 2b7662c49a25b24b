"""Find the neighbors of cells on a grid, and test whether groups of cells are connected."""

from collections.abc import Collection, Iterable
from functools import lru_cache

from solver.board.layout import Layout

Neighbors = tuple[tuple[int, ...], ...]


@lru_cache(maxsize=32)
def neighbors_of(layout: Layout, *, diagonally: bool = False) -> Neighbors:
    """Return the neighbors of each cell, which share an edge with it.

    If `diagonally` is set, cells that share a corner are neighbors, too. Holes have no neighbors,
    and they don't count as neighbors of other cells.
    """
    steps = [(-1, 0), (0, -1), (0, 1), (1, 0)]
    if diagonally:
        steps += [(-1, -1), (-1, 1), (1, -1), (1, 1)]
    near = []
    for cell in range(layout.cells):
        row, column = divmod(cell, layout.columns)
        others = [layout.cell_at(row + down, column + right) for down, right in steps]
        is_hole = cell in layout.holes
        near.append(() if is_hole else tuple(other for other in others if other is not None))
    return tuple(near)


def is_connected(cells: Collection[int], neighbors: Neighbors) -> bool:
    """Return whether the cells form one group that is connected through neighbors.

    Returns False if there are no cells.
    """
    left = set(cells)
    if not left:
        return False
    reached = [left.pop()]
    while reached:
        near = left.intersection(neighbors[reached.pop()])
        left -= near
        reached += near
    return not left


def around(cells: Iterable[int], neighbors: Neighbors) -> list[int]:
    """Return the neighbors of a group that aren't in it, in ascending order."""
    own = set(cells)
    return sorted({other for cell in own for other in neighbors[cell]} - own)
