"""Propagation of connected regions: a grid that is divided into regions while it is solved.

The constraint is `Partition`, from the rule for chaos construction (`solver/rules/chaos.py`). The
rule "connected" (`solver/rules/connected_cells.py`) becomes an automaton and never gets here.

A component is a set of cells that are known to be in the same region. The steps, cheap ones first:

1. find out which cells share a region, and which don't
2. check whether there are enough cells and values for each region number
3. find cells that are cut off from the rest (`articulation_points`)
4. find the cells that a component can reach (`reachability`)

Each step from the second on runs only if the steps before it changed nothing. Letting a component
grow by whole components is an idea of Interactive Sudoku Solver.
"""

import numpy as np

from solver.compiling.bitops import ALL_ONES, ONE, ZERO, at_most_one_bit, ctz, lowest_bit, popcount
from solver.compiling.jit import always_inline, kernel
from solver.engines.general.backtracking.articulation_points import propagate_articulation_points
from solver.engines.general.backtracking.domains import set_domain
from solver.engines.general.backtracking.reachability import may_join, spread
from solver.engines.general.backtracking.region_tables import DIFFERENT, SAME

_NO_CELL = -1  # a component failed


@kernel
def propagate_connectivity(  # type: ignore[no-untyped-def]
    propagator, regions, components, peer_words, weight, conflict_weights, dependents, work
):
    """Propagate connected regions, the cheapest steps first. Return False on a conflict.

    `propagator` is the propagator's number. Once a step has changed a domain, the expensive steps
    that follow are skipped, because the propagator runs again anyway. On a conflict, `weight` is
    added to the conflict weights of the component that failed, in equal shares, one per cell.
    """
    cells = regions.labels.shape[0]
    failed = _gather(regions, components, dependents, work)
    if failed < 0:
        failed = _compare(regions, components, dependents, work)
    if failed < 0:
        _number(regions, components, conflict_weights, dependents, work)
    if failed < 0 and not work.in_queue[propagator]:
        failed = _fill(regions, components, dependents, work)
    if failed < 0 and not work.in_queue[propagator]:
        failed = propagate_articulation_points(regions, components, dependents, work)
    if failed < 0 and not work.in_queue[propagator]:
        for cell in range(cells):
            # Single cells without a region number hardly ever rule anything out.
            is_bound = components.sizes[cell] > 1 or at_most_one_bit(components.numbers[cell])
            if components.roots[cell] != cell or not is_bound:
                continue
            if not spread(cell, regions, components, peer_words, dependents, work):
                failed = np.int64(cell)
                break
    if failed >= 0:
        _bump_component(components.roots[failed], regions, components, weight, conflict_weights)
    return failed < 0


@kernel
def _bump_component(root, regions, components, weight, conflict_weights):  # type: ignore[no-untyped-def]
    """Add equal shares of `weight`, one per cell, to the conflict weights of a component.

    The share of a cell is added to the weight of the cell's region label, and to the weight of each
    variable of an edge around the cell. `root` is the component's root cell.
    """
    cells = regions.labels.shape[0]
    members = 0
    for cell in range(cells):
        members += components.roots[cell] == root
    share = weight / members
    for cell in range(cells):
        if components.roots[cell] != root:
            continue
        conflict_weights[regions.labels[cell]] += share
        for side in range(regions.neighbors.shape[1]):
            if regions.neighbors[cell, side] >= 0:
                conflict_weights[regions.edge_variables[cell, side]] += share


@kernel
def _number(regions, components, conflict_weights, dependents, work):  # type: ignore[no-untyped-def]
    """Give the lowest unused region number to a component that can only have unused numbers.

    If there are several such components, the one whose root cell has the highest conflict weight
    gets the number. Does nothing if there is no such component.
    """
    # The unused numbers are interchangeable: every label that can have one can have all of them, so
    # a guess between them would only repeat the search. The most constrained component comes first,
    # because its number then excludes the cells that are too far away from it. The weight of a cell
    # measures better than that of its label how constrained it is, see benchmarks/results/tried.md.
    free = ALL_ONES >> np.uint64(64 - regions.total)
    for number in range(regions.total):
        if components.roots_by_number[number] >= 0:
            free ^= ONE << np.uint64(number)
    first_one = np.int64(_NO_CELL)
    for cell in range(regions.labels.shape[0]):
        word = work.grid[regions.labels[cell]]
        is_new = word & ~free == ZERO and not at_most_one_bit(word)
        is_sooner = first_one < 0 or conflict_weights[cell] > conflict_weights[first_one]
        if components.roots[cell] == cell and is_new and is_sooner:
            first_one = np.int64(cell)
    if first_one >= 0:
        set_domain(regions.labels[first_one], lowest_bit(free), dependents, work)


@kernel
def _join(one, other, roots):  # type: ignore[no-untyped-def]
    """Merge the components of two cells. The lower one of their roots becomes the root.

    `roots` has a cell of the same component for each cell. A root is a cell that refers to itself.
    """
    while roots[one] != one:
        one = roots[one]
    while roots[other] != other:
        other = roots[other]
    roots[max(one, other)] = min(one, other)


@kernel
def _gather(regions, components, dependents, work):  # type: ignore[no-untyped-def]
    """Build the components: sets of cells that are known to be in the same region.

    Then restrict the cells of each component to the region numbers that all of its cells can have,
    and to values that other cells of the component don't use up. Returns a cell of a component with
    a conflict, or −1.
    """
    grid, labels = work.grid, regions.labels
    roots, roots_by_number = components.roots, components.roots_by_number
    cells = labels.shape[0]
    for cell in range(cells):
        roots[cell] = cell
    for number in range(regions.total):
        roots_by_number[number] = -1
    for pair in range(regions.pair_variables.shape[0]):
        if grid[regions.pair_variables[pair]] == SAME:
            _join(regions.pairs[pair, 0], regions.pairs[pair, 1], roots)
    for cell in range(cells):
        word = grid[labels[cell]]
        if at_most_one_bit(word):
            number = ctz(word)
            if roots_by_number[number] < 0:
                roots_by_number[number] = cell
            else:
                _join(roots_by_number[number], cell, roots)
    for cell in range(cells):
        if not _enter(cell, roots[roots[cell]], regions, components, grid):
            return np.int64(cell)
    for number in range(regions.total):
        if roots_by_number[number] >= 0:
            roots_by_number[number] = roots[roots_by_number[number]]
    for root in range(cells):
        if (
            roots[root] == root
            and components.sizes[root] > 1
            and not _take_up(root, components, grid)
        ):
            return np.int64(root)
    for cell in range(cells):
        root = roots[cell]
        set_domain(labels[cell], components.numbers[root], dependents, work)
        word, taken = grid[cell], components.taken[root]
        if word & ~taken == ZERO:
            taken = components.placed[root]
        if not at_most_one_bit(word) and not set_domain(cell, word & ~taken, dependents, work):
            return np.int64(cell)
    return np.int64(_NO_CELL)


@always_inline
def _enter(cell, root, regions, components, grid):  # type: ignore[no-untyped-def]
    """Add a cell to the component with the given root. A root must be added before its other cells.

    If the cell is the root, that starts the component. Returns False if the component now has too
    many cells, a repeated value, or no possible region number.
    """
    components.roots[cell] = root
    components.next_members[cell] = -1
    word = grid[cell]
    if root == cell:
        components.numbers[root] = grid[regions.labels[cell]]
        components.placed[root] = ZERO
        components.sizes[root] = 1
    else:
        components.next_members[components.last_members[root]] = cell
        components.numbers[root] &= grid[regions.labels[cell]]
        components.sizes[root] += 1
    components.last_members[root] = cell
    is_twice = at_most_one_bit(word) and components.placed[root] & word != ZERO
    if at_most_one_bit(word):
        components.placed[root] |= word
    components.taken[root] = components.placed[root]
    return (
        not is_twice and components.numbers[root] != ZERO and components.sizes[root] <= regions.size
    )


@always_inline
def _take_up(root, components, grid):  # type: ignore[no-untyped-def]
    """Find the naked subsets of a component, and record the values that they use up.

    A naked subset is n cells of the component that have only n values together. The component's
    other cells can't have these values, because the values in a region differ. The values are added
    to `components.taken[root]`, where `root` is the root cell of the component. Only subsets with a
    cell that can have all n values are found. Returns False on a conflict: more than n cells have
    no other candidates than the n of some cell.
    """
    cell = np.int64(root)
    while cell >= 0:
        word = grid[cell]
        inside = 0
        other = np.int64(root)
        while other >= 0:
            inside += grid[other] & ~word == ZERO
            other = np.int64(components.next_members[other])
        if inside > popcount(word):
            return False
        if inside == popcount(word):
            components.taken[root] |= word
        cell = np.int64(components.next_members[cell])
    return True


@kernel
def _compare(regions, components, dependents, work):  # type: ignore[no-untyped-def]
    """Find out which pairs of components can't be in the same region, and propagate that.

    Pair variables become SAME for two cells of one component, and DIFFERENT for cells of components
    that can't join. Cells lose the region numbers of components that they can't join. Writes
    `components.apart`. Returns a cell with a conflict, or −1.
    """
    grid, labels, roots, apart = work.grid, regions.labels, components.roots, components.apart
    cells = labels.shape[0]
    for one in range(cells):
        if roots[one] == one:
            for other in range(cells):
                apart[one, other] = False
    for pair in range(regions.pair_variables.shape[0]):
        if grid[regions.pair_variables[pair]] == DIFFERENT:
            one, other = roots[regions.pairs[pair, 0]], roots[regions.pairs[pair, 1]]
            if one == other:
                return np.int64(one)
            apart[one, other] = True
            apart[other, one] = True
    for pair in range(regions.pair_variables.shape[0]):
        answer = regions.pair_variables[pair]
        if not at_most_one_bit(grid[answer]):
            one, other = roots[regions.pairs[pair, 0]], roots[regions.pairs[pair, 1]]
            if one == other:
                set_domain(answer, SAME, dependents, work)
            elif not may_join(one, other, regions, components):
                set_domain(answer, DIFFERENT, dependents, work)
    for number in range(regions.total):
        core = components.roots_by_number[number]
        bit = ONE << np.uint64(number)
        for cell in range(cells if core >= 0 else 0):
            root = roots[cell]
            word = grid[labels[cell]]
            if root == core or word & bit == ZERO or may_join(root, core, regions, components):
                continue
            if not set_domain(labels[cell], word ^ bit, dependents, work):
                return np.int64(cell)
    return np.int64(_NO_CELL)


@kernel
def _fill(regions, components, dependents, work):  # type: ignore[no-untyped-def]
    """Check that each region still has enough cells and values, and fill forced cells.

    A cell is open to a region if it can have the region's number. There is a conflict if fewer
    cells are open to a region than a region has (`regions.size`), or if these cells have fewer
    different candidates than that. If exactly as many cells are open to a region as it has, all of
    them get its number. If each region contains every value, and some value is possible in only one
    of the cells that are open to a region, this cell gets the value and the region's number.

    Returns a cell with a conflict, or −1. If the conflict concerns a whole region, the cell is the
    root of the region's component, or 0 if the region has no component yet.
    """
    grid, labels = work.grid, regions.labels
    cells = labels.shape[0]
    for number in range(regions.total):
        bit = ONE << np.uint64(number)
        possible = 0
        some = np.int64(max(0, components.roots_by_number[number]))
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
    return np.int64(_NO_CELL)
