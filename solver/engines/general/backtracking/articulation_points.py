"""Articulation points: single cells that connect a part of the grid to the rest.

Depth-first search numbers the cells in the order in which it reaches them. A subtree without an
edge to a cell from before its parent is attached to the rest by its parent alone (R. Tarjan,
"Depth-first search and linear graph algorithms", 1972). In this example, `#` are region borders,
and regions have 5 cells:

a b # …      a, b, and c are too few cells, so they belong to the region of d
c # # …      if they were 5, d would be in another region
d e f …      if they were 7, exactly two of them would belong to the region of d
"""

import numpy as np

from solver.compiling.jit import kernel
from solver.engines.general.backtracking.domains import set_domain
from solver.engines.general.backtracking.region_tables import DIFFERENT, SAME, UNREACHABLE


@kernel
def walk_from(start, met, regions, components, grid):  # type: ignore[no-untyped-def]
    """Visit all cells that can be reached from `start`, which hasn't been visited, depth first.

    The walk doesn't cross edges between cells of different regions, or enter cells whose distance
    is `UNREACHABLE`. Writes `order`, `depths`, `parents`, and `lows` of the components (see
    `Components`), and sets `subtree_sizes` to 1. `met` is the number of cells visited by earlier
    calls. Returns the number of cells visited so far, including these.
    """
    depths, lows, parents, turns = (
        components.depths,
        components.lows,
        components.parents,
        components.next_sides,
    )
    cell, parent = np.int64(start), np.int64(-1)
    while cell >= 0:
        if depths[cell] < 0:
            components.order[met] = cell
            components.subtree_sizes[cell] = 1
            depths[cell] = lows[cell] = met
            parents[cell] = parent
            turns[cell] = 0
            met += 1
        side = turns[cell]
        if side == regions.neighbors.shape[1]:
            cell = np.int64(parents[cell])
            continue
        turns[cell] += 1
        other = np.int64(regions.neighbors[cell, side])
        if (
            other < 0
            or components.distances[other] == UNREACHABLE
            or grid[regions.edge_variables[cell, side]] == DIFFERENT
        ):
            continue
        if depths[other] < 0:
            parent, cell = cell, other
        else:
            lows[cell] = min(lows[cell], depths[other])
    return met


@kernel
def propagate_articulation_points(regions, components, dependents, work):  # type: ignore[no-untyped-def]
    """Propagate from all articulation points: cells without which a part of the grid is cut off.

    The part must then be filled by whole regions, apart from cells that share a region with the
    articulation point. Restricts edge variables, and overwrites the distances and the depth-first
    data of `components`. Returns a cell with a conflict, or −1.
    """
    depths, lows, subtree_sizes = components.depths, components.lows, components.subtree_sizes
    cells = regions.labels.shape[0]
    met = np.int64(0)
    for cell in range(cells):
        depths[cell] = -1
        components.distances[cell] = 0
    for cell in range(cells):
        if depths[cell] < 0:
            met = walk_from(cell, met, regions, components, work.grid)
    for place in range(cells - 1, -1, -1):
        cell = components.order[place]
        parent = components.parents[cell]
        if parent < 0:
            if subtree_sizes[cell] % regions.size != 0:
                return np.int64(cell)
            continue
        subtree_sizes[parent] += subtree_sizes[cell]
        lows[parent] = min(lows[parent], lows[cell])
        if lows[cell] < depths[parent]:
            continue
        if subtree_sizes[cell] < regions.size:
            alive = _take_in(cell, parent, regions, components, dependents, work)
        else:
            alive = _divide(cell, parent, regions, components, dependents, work)
        if not alive:
            return np.int64(cell)
    return np.int64(-1)


@kernel
def _take_in(top, parent, regions, components, dependents, work):  # type: ignore[no-untyped-def]
    """Put all cells of a subtree into the region of the cell to which the subtree is attached.

    `top` is the root of the subtree, and `parent` is that cell. The edges between all of them are
    set to SAME. Returns False on a conflict.
    """
    depths = components.depths
    first, last = depths[top], depths[top] + components.subtree_sizes[top] - 1
    for place in range(first, last + 1):
        cell = components.order[place]
        for side in range(regions.neighbors.shape[1]):
            other = regions.neighbors[cell, side]
            if other >= 0 and (other == parent or first <= depths[other] <= last):
                edge = regions.edge_variables[cell, side]
                if not set_domain(edge, work.grid[edge] & SAME, dependents, work):
                    return False
    return True


@kernel
def _divide(top, parent, regions, components, dependents, work):  # type: ignore[no-untyped-def]
    """Propagate whether the cells of a subtree share a region with the cell above it.

    `top` is the root of the subtree, and `parent` is the cell that connects it to the rest. If the
    number of its cells is a multiple of the region size, they are divided into regions of their
    own, so all edges to the parent become DIFFERENT. Otherwise, the parent's region continues in
    the subtree. If only one edge to the parent isn't DIFFERENT, it then becomes SAME. Returns
    False on a conflict.
    """
    depths, grid = components.depths, work.grid
    rest = components.subtree_sizes[top] % regions.size
    ways, last_way = 0, np.int64(-1)
    for side in range(regions.neighbors.shape[1]):
        other = regions.neighbors[parent, side]
        if (
            other < 0
            or not depths[top] <= depths[other] < depths[top] + components.subtree_sizes[top]
        ):
            continue
        edge = np.int64(regions.edge_variables[parent, side])
        if grid[edge] != DIFFERENT:
            ways += 1
            last_way = edge
            if rest == 0 and not set_domain(edge, grid[edge] & DIFFERENT, dependents, work):
                return False
    return rest == 0 or ways != 1 or set_domain(last_way, SAME, dependents, work)
