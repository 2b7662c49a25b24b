"""Cells that are all but cut off from the others: what is behind a cell that all ways go through.

Depth-first search numbers the cells as they are met; a subtree that is beside no cell from before
its parent is joined to the rest by its parent alone (R. Tarjan, "Depth-first search and linear
graph algorithms", 1972). `#` are borders; regions of 5 cells:

    a b # …      a, b and c are too few: they are of the region of d
    c # # …      if they were 5, d would be in another region
    d e f …      if they were 7, two of them, and no more, would be of the region of d
"""

import numpy as np

from solver.compiling.jit import bare
from solver.engines.general.backtracking.region_tables import FAR, NO, YES
from solver.engines.general.backtracking.state import leave


@bare
def walk_from(start, met, regions, groups, grid):  # type: ignore[no-untyped-def]
    """Walk depth first through what is not far away; return how many cells are met now."""
    depths, lows, parents, turns = groups.depths, groups.lows, groups.parents, groups.turns
    cell, parent = np.int64(start), np.int64(-1)
    while cell >= 0:
        if depths[cell] < 0:
            groups.order[met] = cell
            groups.weights[cell] = 1
            depths[cell] = lows[cell] = met
            parents[cell] = parent
            turns[cell] = 0
            met += 1
        side = turns[cell]
        if side == regions.near.shape[1]:
            cell = np.int64(parents[cell])
            continue
        turns[cell] += 1
        other = np.int64(regions.near[cell, side])
        if other < 0 or groups.steps[other] == FAR or grid[regions.edges[cell, side]] == NO:
            continue
        if depths[other] < 0:
            parent, cell = cell, other
        else:
            lows[cell] = min(lows[cell], depths[other])
    return met


@bare
def join_pockets(regions, groups, dependents, work):  # type: ignore[no-untyped-def]
    """See what is behind each cell; return a cell where that is impossible, or −1."""
    depths, lows, weights = groups.depths, groups.lows, groups.weights
    cells = regions.labels.shape[0]
    met = np.int64(0)
    for cell in range(cells):
        depths[cell] = -1
        groups.steps[cell] = 0
    for cell in range(cells):
        if depths[cell] < 0:
            met = walk_from(cell, met, regions, groups, work.grid)
    for place in range(cells - 1, -1, -1):
        cell = groups.order[place]
        parent = groups.parents[cell]
        if parent < 0:
            if weights[cell] % regions.size != 0:
                return np.int64(cell)
            continue
        weights[parent] += weights[cell]
        lows[parent] = min(lows[parent], lows[cell])
        if lows[cell] < depths[parent]:
            continue
        if weights[cell] < regions.size:
            alive = _take_in(cell, parent, regions, groups, dependents, work)
        else:
            alive = _divide(cell, parent, regions, groups, dependents, work)
        if not alive:
            return np.int64(cell)
    return np.int64(-1)


@bare
def _take_in(top, parent, regions, groups, dependents, work):  # type: ignore[no-untyped-def]
    """Add a whole subtree to the region of its parent; False if that is impossible."""
    depths = groups.depths
    first, last = depths[top], depths[top] + groups.weights[top] - 1
    for place in range(first, last + 1):
        cell = groups.order[place]
        for side in range(regions.near.shape[1]):
            other = regions.near[cell, side]
            if other >= 0 and (other == parent or first <= depths[other] <= last):
                edge = regions.edges[cell, side]
                if not leave(edge, work.grid[edge] & YES, dependents, work):
                    return False
    return True


@bare
def _divide(top, parent, regions, groups, dependents, work):  # type: ignore[no-untyped-def]
    """See how many cells of a subtree are of its parent's region; False if that is impossible."""
    depths, grid = groups.depths, work.grid
    rest = groups.weights[top] % regions.size
    ways, last_way = 0, np.int64(-1)
    for side in range(regions.near.shape[1]):
        other = regions.near[parent, side]
        if other < 0 or not depths[top] <= depths[other] < depths[top] + groups.weights[top]:
            continue
        edge = np.int64(regions.edges[parent, side])
        if grid[edge] != NO:
            ways += 1
            last_way = edge
            if rest == 0 and not leave(edge, grid[edge] & NO, dependents, work):
                return False
    return rest == 0 or ways != 1 or leave(last_way, YES, dependents, work)
