"""The cells that a component of a region can reach, and the cells that it must include to do so.

A region grows by whole components, through cells that may belong to it. A cell's distance is the
number of cells that the region has to include before it reaches that cell. A cell farther away than
the region's remaining size cannot belong to it. `#` are region borders; regions of 6 cells, of
which the component a has 3:

    a a b c      distance  0 0 1 2
    # a # #                # 0 # #   b has the distance 1, c 2, f 1, g 2, h 3;
    f g h …                2 1 2 3   everything behind h is too far away
"""

import numpy as np

from solver.compiling.bitops import ZERO, at_most_one_bit, lowest_bit, popcount
from solver.compiling.jit import always_inline, kernel
from solver.engines.general.backtracking.articulation_points import walk_from
from solver.engines.general.backtracking.region_tables import FAR, NO, YES
from solver.engines.general.backtracking.state import set_domain
from solver.engines.general.backtracking.value_sets import apply_pointing


@always_inline
def may_join(one, other, regions, groups):  # type: ignore[no-untyped-def]
    """Return whether two components, given by their roots, may belong to the same region."""
    return (
        groups.masks[one] & groups.masks[other] != ZERO
        and groups.taken[one] & groups.taken[other] == ZERO
        and groups.sizes[one] + groups.sizes[other] <= regions.size
        and not groups.apart[one, other]
    )


@kernel
def spread(root, regions, groups, peer_words, dependents, work):  # type: ignore[no-untyped-def]
    """Propagate from the cells that a component can reach; return False if they are too few."""
    grid = work.grid
    reached, own = _reach(root, regions, groups, grid)
    once, twice = ZERO, ZERO
    for place in range(reached):
        word = grid[groups.reached[place]]
        twice |= once & word
        once |= word
    if own < groups.sizes[root] or reached < regions.size or popcount(once) < regions.size:
        return False
    if not _leave_out(root, regions, groups, dependents, work):
        return False
    if reached == regions.size:
        for place in range(reached):
            if not _take(groups.reached[place], root, regions, groups, dependents, work):
                return False
    elif not _bridge(root, regions, groups, dependents, work):
        return False
    several = twice if regions.has_all else ZERO
    while several != ZERO:
        bit = lowest_bit(several)
        several ^= bit
        if not apply_pointing(0, reached, bit, groups.reached, peer_words, dependents, work):
            return False
    hidden = once & ~twice if regions.has_all else ZERO
    for place in range(reached if hidden != ZERO else 0):
        cell = groups.reached[place]
        word = grid[cell] & hidden
        if word != ZERO:
            if not at_most_one_bit(word):
                return False
            set_domain(cell, word, dependents, work)
            if not _take(cell, root, regions, groups, dependents, work):
                return False
    return True


@kernel
def _reach(root, regions, groups, grid):  # type: ignore[no-untyped-def]
    """Compute the distance of all cells; return the number of cells in reach, and of the component.

    Cells out of reach have the distance `FAR`. The search starts from a single cell of the
    component, because the component itself may not be connected yet.
    """
    steps, buckets, lengths = groups.steps, groups.buckets, groups.lengths
    most = regions.size - groups.sizes[root]
    for cell in range(steps.shape[0]):
        steps[cell] = FAR
    for step in range(most + 1):
        lengths[step] = 0
    steps[root] = 0
    buckets[0, 0] = root
    lengths[0] = 1
    reached, own = 0, 0
    for step in range(most + 1):
        while lengths[step] > 0:
            lengths[step] -= 1
            cell = buckets[step, lengths[step]]
            if steps[cell] != step:
                continue  # a shorter path was found
            groups.reached[reached] = cell
            reached += 1
            own += groups.roots[cell] == root
            for side in range(regions.near.shape[1]):
                other = regions.near[cell, side]
                if other < 0 or steps[other] <= step or grid[regions.edges[cell, side]] == NO:
                    continue
                group = groups.roots[other]
                if group == root:
                    _meet(other, step, groups)
                elif may_join(root, group, regions, groups):
                    after = step + groups.sizes[group]
                    member = np.int64(group if after <= most else -1)
                    while member >= 0:
                        if after < steps[member]:
                            _meet(member, after, groups)
                        member = np.int64(groups.after[member])
    return reached, own


@always_inline
def _meet(cell, step, groups):  # type: ignore[no-untyped-def]
    groups.steps[cell] = step
    groups.buckets[step, groups.lengths[step]] = cell
    groups.lengths[step] += 1


@kernel
def _leave_out(root, regions, groups, dependents, work):  # type: ignore[no-untyped-def]
    """Exclude all cells out of reach from the region; return False if one of them belongs to it."""
    grid, labels, steps = work.grid, regions.labels, groups.steps
    mask = groups.masks[root]
    if at_most_one_bit(mask):
        for cell in range(steps.shape[0]):
            left = grid[labels[cell]] & ~mask
            if steps[cell] == FAR and not set_domain(labels[cell], left, dependents, work):
                return False
        return True
    for cell in range(steps.shape[0]):
        word = grid[labels[cell]]
        if steps[cell] == FAR and at_most_one_bit(word):
            own = labels[root]
            if not set_domain(own, grid[own] & ~word, dependents, work):
                return False
    # Neighbors that are out of reach can't join, which is known already.
    for pair in range(regions.neighbours, regions.answers.shape[0]):
        answer = regions.answers[pair]
        one, other = regions.pairs[pair, 0], regions.pairs[pair, 1]
        if groups.roots[other] == root:
            one, other = other, one
        is_out = groups.roots[one] == root and steps[other] == FAR
        if is_out and not set_domain(answer, grid[answer] & NO, dependents, work):
            return False
    return True


@kernel
def _take(cell, root, regions, groups, dependents, work):  # type: ignore[no-untyped-def]
    """Add a cell to the region of a component; return False on a conflict."""
    grid = work.grid
    label = regions.labels[cell]
    if not set_domain(label, grid[label] & groups.masks[root], dependents, work):
        return False
    for side in range(regions.near.shape[1]):
        other = regions.near[cell, side]
        if other >= 0 and groups.roots[other] == root:
            edge = regions.edges[cell, side]
            if not set_domain(edge, grid[edge] & YES, dependents, work):
                return False
    return True


@kernel
def _bridge(root, regions, groups, dependents, work):  # type: ignore[no-untyped-def]
    """Include every cell without which the component stays disconnected or too small.

    Returns False on a conflict.
    """
    depths, lows, weights = groups.depths, groups.lows, groups.weights
    owns, losses = groups.owns, groups.losses
    for cell in range(depths.shape[0]):
        depths[cell] = -1
        owns[cell] = groups.roots[cell] == root
        losses[cell] = 0
    met = walk_from(root, np.int64(0), regions, groups, work.grid)
    for place in range(met - 1, 0, -1):
        cell = groups.order[place]
        parent = groups.parents[cell]
        weights[parent] += weights[cell]
        owns[parent] += owns[cell]
        lows[parent] = min(lows[parent], lows[cell])
        if lows[cell] >= depths[parent]:
            losses[parent] += met if owns[cell] > 0 else weights[cell]
    if met < regions.size or owns[root] < groups.sizes[root]:
        return False
    for place in range(1, met):
        cell = groups.order[place]
        is_needed = met - 1 - losses[cell] < regions.size
        if is_needed and not _take(cell, root, regions, groups, dependents, work):
            return False
    return True
