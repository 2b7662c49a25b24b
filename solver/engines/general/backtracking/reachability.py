"""The cells that a component's region can reach, and the cells that it must include to do so.

A component is a set of cells that are known to be in the same region. The region grows from it by
whole components, through cells that may belong to it. A cell's distance is the number of cells that
the region has to include in order to include that cell, apart from the component itself. If it is
higher than the number of cells that the region still lacks, the cell can't belong to the region. In
this example, `#` are region borders, and the component a has 3 of the 6 cells of a region:

a a b c      distance  0 0 1 2
# a # #                # 0 # #   b and g have the distance 1, and c, f, and h have 2.
f g h i                2 1 2 3   i has 3. All cells to the right of i are too far away.
"""

import numpy as np

from solver.compiling.bitops import ZERO, at_most_one_bit, lowest_bit, popcount
from solver.compiling.jit import always_inline, kernel
from solver.engines.general.backtracking.articulation_points import walk_from
from solver.engines.general.backtracking.domains import set_domain
from solver.engines.general.backtracking.region_tables import DIFFERENT, SAME, UNREACHABLE
from solver.engines.general.backtracking.value_sets import apply_pointing


@always_inline
def may_join(one, other, regions, components):  # type: ignore[no-untyped-def]
    """Return whether two components may belong to the same region.

    `one` and `other` are their root cells. The components must have a possible region number in
    common, but no value. Together, they must not have more cells than a region, and they must not
    be known to be in different regions.
    """
    return (
        components.numbers[one] & components.numbers[other] != ZERO
        and components.taken[one] & components.taken[other] == ZERO
        and components.sizes[one] + components.sizes[other] <= regions.size
        and not components.apart[one, other]
    )


@kernel
def spread(root, regions, components, peer_words, dependents, work):  # type: ignore[no-untyped-def]
    """Propagate which cells the region of a component can reach.

    `root` is the component's root cell. Cells out of reach are excluded from the region. Cells that
    it needs to be connected and large enough are added. If a region contains every value, values
    with a single place in reach are placed, and the others are removed from the cells that see all
    of their places. Returns False on a conflict.
    """
    grid = work.grid
    reached, own = _reach(root, regions, components, grid)
    once, twice = ZERO, ZERO
    for place in range(reached):
        word = grid[components.reached[place]]
        twice |= once & word
        once |= word
    if own < components.sizes[root] or reached < regions.size or popcount(once) < regions.size:
        return False
    if not _leave_out(root, regions, components, dependents, work):
        return False
    if reached == regions.size:
        for place in range(reached):
            if not _take(components.reached[place], root, regions, components, dependents, work):
                return False
    elif not _bridge(root, regions, components, dependents, work):
        return False
    several = twice if regions.has_all else ZERO
    while several != ZERO:
        bit = lowest_bit(several)
        several ^= bit
        if not apply_pointing(0, reached, bit, components.reached, peer_words, dependents, work):
            return False
    hidden = once & ~twice if regions.has_all else ZERO
    for place in range(reached if hidden != ZERO else 0):
        cell = components.reached[place]
        word = grid[cell] & hidden
        if word != ZERO:
            if not at_most_one_bit(word):
                return False
            set_domain(cell, word, dependents, work)
            if not _take(cell, root, regions, components, dependents, work):
                return False
    return True


@kernel
def _reach(root, regions, components, grid):  # type: ignore[no-untyped-def]
    """Compute how far each cell is from a component, and list the cells in reach.

    `root` is the component's root cell. Writes components.distances, with `UNREACHABLE` for cells
    out of reach, and components.reached. The search starts from the root cell, because the
    component itself may not be connected yet. Returns the number of cells in reach, and how many of
    them belong to the component.
    """
    distances, buckets, lengths = (
        components.distances,
        components.buckets,
        components.bucket_lengths,
    )
    most = regions.size - components.sizes[root]
    for cell in range(distances.shape[0]):
        distances[cell] = UNREACHABLE
    for step in range(most + 1):
        lengths[step] = 0
    distances[root] = 0
    buckets[0, 0] = root
    lengths[0] = 1
    reached, own = 0, 0
    for step in range(most + 1):
        while lengths[step] > 0:
            lengths[step] -= 1
            cell = buckets[step, lengths[step]]
            if distances[cell] != step:
                continue  # a shorter path was found
            components.reached[reached] = cell
            reached += 1
            own += components.roots[cell] == root
            for side in range(regions.neighbors.shape[1]):
                other = regions.neighbors[cell, side]
                if (
                    other < 0
                    or distances[other] <= step
                    or grid[regions.edge_variables[cell, side]] == DIFFERENT
                ):
                    continue
                group = components.roots[other]
                if group == root:
                    _meet(other, step, components)
                elif may_join(root, group, regions, components):
                    after = step + components.sizes[group]
                    member = np.int64(group if after <= most else -1)
                    while member >= 0:
                        if after < distances[member]:
                            _meet(member, after, components)
                        member = np.int64(components.next_members[member])
    return reached, own


@always_inline
def _meet(cell, step, components):  # type: ignore[no-untyped-def]
    """Set a cell's distance to `step`, and add the cell to the cells to visit at this distance."""
    components.distances[cell] = step
    components.buckets[step, components.bucket_lengths[step]] = cell
    components.bucket_lengths[step] += 1


@kernel
def _leave_out(root, regions, components, dependents, work):  # type: ignore[no-untyped-def]
    """Exclude from a component's region all cells that the component can't reach.

    `root` is the component's root cell, and `_reach` has computed the distances. If the component's
    region number is known, cells out of reach lose this number. Otherwise, the component loses the
    known region numbers of these cells, and the pair variables of a cell of the component and a
    cell out of reach become DIFFERENT. Pairs of neighbors are skipped. Returns False on a conflict.
    """
    grid, labels, distances = work.grid, regions.labels, components.distances
    mask = components.numbers[root]
    if at_most_one_bit(mask):
        for cell in range(distances.shape[0]):
            left = grid[labels[cell]] & ~mask
            if distances[cell] == UNREACHABLE and not set_domain(
                labels[cell], left, dependents, work
            ):
                return False
        return True
    for cell in range(distances.shape[0]):
        word = grid[labels[cell]]
        if distances[cell] == UNREACHABLE and at_most_one_bit(word):
            own = labels[root]
            if not set_domain(own, grid[own] & ~word, dependents, work):
                return False
    # Neighbors that are out of reach can't join, which is known already.
    for pair in range(regions.neighbor_pairs, regions.pair_variables.shape[0]):
        answer = regions.pair_variables[pair]
        one, other = regions.pairs[pair, 0], regions.pairs[pair, 1]
        if components.roots[other] == root:
            one, other = other, one
        is_out = components.roots[one] == root and distances[other] == UNREACHABLE
        if is_out and not set_domain(answer, grid[answer] & DIFFERENT, dependents, work):
            return False
    return True


@kernel
def _take(cell, root, regions, components, dependents, work):  # type: ignore[no-untyped-def]
    """Add a cell to a component's region by restricting the domains of its variables.

    `root` is the component's root cell. The cell's label keeps only the region numbers that the
    component can have. The variables of the edges between the cell and its neighbors in the
    component are set to SAME. `components` isn't changed. The next call of the propagator computes
    it again. Returns False on a conflict.
    """
    grid = work.grid
    label = regions.labels[cell]
    if not set_domain(label, grid[label] & components.numbers[root], dependents, work):
        return False
    for side in range(regions.neighbors.shape[1]):
        other = regions.neighbors[cell, side]
        if other >= 0 and components.roots[other] == root:
            edge = regions.edge_variables[cell, side]
            if not set_domain(edge, grid[edge] & SAME, dependents, work):
                return False
    return True


@kernel
def _bridge(root, regions, components, dependents, work):  # type: ignore[no-untyped-def]
    """Add to a component's region all cells that it needs to be connected and large enough.

    `root` is the component's root cell, and `_reach` has computed the distances. Overwrites the
    depth-first data of `components`. Returns False on a conflict.
    """
    depths, lows, subtree_sizes = components.depths, components.lows, components.subtree_sizes
    members, losses = components.subtree_members, components.losses
    for cell in range(depths.shape[0]):
        depths[cell] = -1
        members[cell] = components.roots[cell] == root
        losses[cell] = 0
    met = walk_from(root, np.int64(0), regions, components, work.grid)
    for place in range(met - 1, 0, -1):
        cell = components.order[place]
        parent = components.parents[cell]
        subtree_sizes[parent] += subtree_sizes[cell]
        members[parent] += members[cell]
        lows[parent] = min(lows[parent], lows[cell])
        if lows[cell] >= depths[parent]:
            losses[parent] += met if members[cell] > 0 else subtree_sizes[cell]
    if met < regions.size or members[root] < components.sizes[root]:
        return False
    for place in range(1, met):
        cell = components.order[place]
        is_needed = met - 1 - losses[cell] < regions.size
        if is_needed and not _take(cell, root, regions, components, dependents, work):
            return False
    return True
