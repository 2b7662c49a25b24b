"""Propagation of connected regions: a grid that is divided into regions while it is solved.

Cheap steps come first, and later ones run only while nothing is found: which cells are known to
share a region, and which are not; whether there are enough cells and values for each region number;
what is cut off (`articulation_points`); what can be reached (`reachability`). Components that grow
by whole components are an idea of Interactive Sudoku Solver.
"""

import numpy as np

from solver.compiling.bitops import ALL_ONES, ONE, ZERO, at_most_one_bit, ctz, lowest_bit, popcount
from solver.compiling.jit import always_inline, kernel
from solver.engines.general.backtracking.articulation_points import join_pockets
from solver.engines.general.backtracking.reachability import may_join, spread
from solver.engines.general.backtracking.region_tables import NO, YES
from solver.engines.general.backtracking.state import set_domain

_NOBODY = -1  # a component failed


@kernel
def propagate_connectivity(  # type: ignore[no-untyped-def]
    propagator, regions, groups, peer_words, weight, conflict_weights, dependents, work
):
    """Propagate until a domain changes, which schedules the propagator again.

    Returns False on a conflict.

    On a conflict, the cells of the component that failed share the weight.
    """
    cells = regions.labels.shape[0]
    failed = _gather(regions, groups, dependents, work)
    if failed < 0:
        failed = _compare(regions, groups, dependents, work)
    if failed < 0:
        _number(regions, groups, conflict_weights, dependents, work)
    if failed < 0 and not work.in_queue[propagator]:
        failed = _fill(regions, groups, dependents, work)
    if failed < 0 and not work.in_queue[propagator]:
        failed = join_pockets(regions, groups, dependents, work)
    if failed < 0 and not work.in_queue[propagator]:
        for cell in range(cells):
            # Single cells without a region number hardly ever rule anything out.
            is_bound = groups.sizes[cell] > 1 or at_most_one_bit(groups.masks[cell])
            if groups.roots[cell] != cell or not is_bound:
                continue
            if not spread(cell, regions, groups, peer_words, dependents, work):
                failed = np.int64(cell)
                break
    if failed >= 0:
        _blame(groups.roots[failed], regions, groups, weight, conflict_weights)
    return failed < 0


@kernel
def _blame(root, regions, groups, weight, conflict_weights):  # type: ignore[no-untyped-def]
    """Add conflict weight to a component.

    To its region labels and to all cells along its border.
    """
    cells = regions.labels.shape[0]
    members = 0
    for cell in range(cells):
        members += groups.roots[cell] == root
    share = weight / members
    for cell in range(cells):
        if groups.roots[cell] != root:
            continue
        conflict_weights[regions.labels[cell]] += share
        for side in range(regions.near.shape[1]):
            if regions.near[cell, side] >= 0:
                conflict_weights[regions.edges[cell, side]] += share


@kernel
def _number(regions, groups, conflict_weights, dependents, work):  # type: ignore[no-untyped-def]
    """Give the lowest unused region number to a component that has none of the used ones.

    The unused numbers are interchangeable: every label that can have one can have all of them, so a
    guess between them would only repeat the search. The component whose root would be guessed
    soonest is numbered first, because a numbered component shows what is too far away from it.
    """
    free = ALL_ONES >> np.uint64(64 - regions.total)
    for number in range(regions.total):
        if groups.cores[number] >= 0:
            free ^= ONE << np.uint64(number)
    first_one = np.int64(_NOBODY)
    for cell in range(regions.labels.shape[0]):
        word = work.grid[regions.labels[cell]]
        is_new = word & ~free == ZERO and not at_most_one_bit(word)
        is_sooner = first_one < 0 or conflict_weights[cell] > conflict_weights[first_one]
        if groups.roots[cell] == cell and is_new and is_sooner:
            first_one = np.int64(cell)
    if first_one >= 0:
        set_domain(regions.labels[first_one], lowest_bit(free), dependents, work)


@kernel
def _join(one, other, roots):  # type: ignore[no-untyped-def]
    """Merge two components; the lower cell becomes the root."""
    while roots[one] != one:
        one = roots[one]
    while roots[other] != other:
        other = roots[other]
    roots[max(one, other)] = min(one, other)


@kernel
def _gather(regions, groups, dependents, work):  # type: ignore[no-untyped-def]
    """Merge cells that are known to share a region. Returns a cell with a conflict, or −1."""
    grid, labels = work.grid, regions.labels
    roots, cores = groups.roots, groups.cores
    cells = labels.shape[0]
    for cell in range(cells):
        roots[cell] = cell
    for number in range(regions.total):
        cores[number] = -1
    for pair in range(regions.answers.shape[0]):
        if grid[regions.answers[pair]] == YES:
            _join(regions.pairs[pair, 0], regions.pairs[pair, 1], roots)
    for cell in range(cells):
        word = grid[labels[cell]]
        if at_most_one_bit(word):
            number = ctz(word)
            if cores[number] < 0:
                cores[number] = cell
            else:
                _join(cores[number], cell, roots)
    for cell in range(cells):
        if not _enter(cell, roots[roots[cell]], regions, groups, grid):
            return np.int64(cell)
    for number in range(regions.total):
        if cores[number] >= 0:
            cores[number] = roots[cores[number]]
    for root in range(cells):
        if roots[root] == root and groups.sizes[root] > 1 and not _take_up(root, groups, grid):
            return np.int64(root)
    for cell in range(cells):
        root = roots[cell]
        set_domain(labels[cell], groups.masks[root], dependents, work)
        word, taken = grid[cell], groups.taken[root]
        if word & ~taken == ZERO:
            taken = groups.placed[root]
        if not at_most_one_bit(word) and not set_domain(cell, word & ~taken, dependents, work):
            return np.int64(cell)
    return np.int64(_NOBODY)


@always_inline
def _enter(cell, root, regions, groups, grid):  # type: ignore[no-untyped-def]
    """Add a cell to the component of a root that precedes it; return False on a conflict."""
    groups.roots[cell] = root
    groups.after[cell] = -1
    word = grid[cell]
    if root == cell:
        groups.masks[root] = grid[regions.labels[cell]]
        groups.placed[root] = ZERO
        groups.sizes[root] = 1
    else:
        groups.after[groups.ends[root]] = cell
        groups.masks[root] &= grid[regions.labels[cell]]
        groups.sizes[root] += 1
    groups.ends[root] = cell
    is_twice = at_most_one_bit(word) and groups.placed[root] & word != ZERO
    if at_most_one_bit(word):
        groups.placed[root] |= word
    groups.taken[root] = groups.placed[root]
    return not is_twice and groups.masks[root] != ZERO and groups.sizes[root] <= regions.size


@always_inline
def _take_up(root, groups, grid):  # type: ignore[no-untyped-def]
    """Find the values that subsets of a component's cells use up.

    Returns False if they are too few.
    """
    cell = np.int64(root)
    while cell >= 0:
        word = grid[cell]
        inside = 0
        other = np.int64(root)
        while other >= 0:
            inside += grid[other] & ~word == ZERO
            other = np.int64(groups.after[other])
        if inside > popcount(word):
            return False
        if inside == popcount(word):
            groups.taken[root] |= word
        cell = np.int64(groups.after[cell])
    return True


@kernel
def _compare(regions, groups, dependents, work):  # type: ignore[no-untyped-def]
    """Propagate between pairs of components and their border cells.

    Returns a failing cell, or −1.
    """
    grid, labels, roots, apart = work.grid, regions.labels, groups.roots, groups.apart
    cells = labels.shape[0]
    for one in range(cells):
        if roots[one] == one:
            for other in range(cells):
                apart[one, other] = False
    for pair in range(regions.answers.shape[0]):
        if grid[regions.answers[pair]] == NO:
            one, other = roots[regions.pairs[pair, 0]], roots[regions.pairs[pair, 1]]
            if one == other:
                return np.int64(one)
            apart[one, other] = True
            apart[other, one] = True
    for pair in range(regions.answers.shape[0]):
        answer = regions.answers[pair]
        if not at_most_one_bit(grid[answer]):
            one, other = roots[regions.pairs[pair, 0]], roots[regions.pairs[pair, 1]]
            if one == other:
                set_domain(answer, YES, dependents, work)
            elif not may_join(one, other, regions, groups):
                set_domain(answer, NO, dependents, work)
    for number in range(regions.total):
        core = groups.cores[number]
        bit = ONE << np.uint64(number)
        for cell in range(cells if core >= 0 else 0):
            root = roots[cell]
            word = grid[labels[cell]]
            if root == core or word & bit == ZERO or may_join(root, core, regions, groups):
                continue
            if not set_domain(labels[cell], word ^ bit, dependents, work):
                return np.int64(cell)
    return np.int64(_NOBODY)


@kernel
def _fill(regions, groups, dependents, work):  # type: ignore[no-untyped-def]
    """Check that each region number has enough cells and values. Returns a failing cell, or −1."""
    grid, labels = work.grid, regions.labels
    cells = labels.shape[0]
    for number in range(regions.total):
        bit = ONE << np.uint64(number)
        possible = 0
        some = np.int64(max(0, groups.cores[number]))
        once, twice = ZERO, ZERO
        for cell in range(cells):
            if grid[labels[cell]] & bit != ZERO:
                possible += 1
                twice |= once & grid[cell]
                once |= grid[cell]
        if possible < regions.size or popcount(once) < regions.size:
            return some
        hidden = once & ~twice if regions.has_all else ZERO
        if possible > regions.size and hidden == ZERO:
            continue
        for cell in range(cells):
            if grid[labels[cell]] & bit == ZERO:
                continue
            only_here = grid[cell] & hidden
            if not at_most_one_bit(only_here):
                return np.int64(cell)
            if only_here != ZERO:
                set_domain(cell, only_here, dependents, work)
            if only_here != ZERO or possible == regions.size:
                set_domain(labels[cell], bit, dependents, work)
    return np.int64(_NOBODY)
