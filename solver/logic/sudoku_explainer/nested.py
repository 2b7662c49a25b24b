"""Nested chains: use chains found in the state that a dynamic search has reached.

When neither links nor patterns extend the outer search, an inner search looks for chains in the
remaining candidates. These inner chains are nested in the chain of the outer search. The
eliminations of an inner chain have parents: the candidates that the outer search removed from the
cells and houses of the inner chain, and without whose removal the inner chain would not hold.

    level 2: forcing chains and cycles   3: cell and region chains, too   4: dynamic chains
"""

from collections.abc import Sequence

from solver.compiling.jit import kernel
from solver.logic.sudoku_explainer.assumptions import FALSE, TRUE, begin_tree, follow_queues
from solver.logic.sudoku_explainer.candidate_steps import ASSERTIONS, CandidateSteps, clear, sort
from solver.logic.sudoku_explainer.chain_dependencies import (
    begin_chains,
    finish_chains,
    note_removed,
    number_of_chain,
)
from solver.logic.sudoku_explainer.forcing_x_xy import collect_forcing_x_xy
from solver.logic.sudoku_explainer.inner_chains import PRIME, read_chain, search_again
from solver.logic.sudoku_explainer.links import link
from solver.logic.sudoku_explainer.patterns import Elimination, assert_removed, extend
from solver.logic.sudoku_explainer.search import STATIC, Search, begin_search, search_level
from solver.logic.sudoku_explainer.state import copy_candidates

FORCING = -3  # inner level of chains that are found without `search`
WITH_CELLS, WITH_DYNAMIC = 3, 4


@kernel
def _removed(outer: Search, inner: Search, slot: int, run: int) -> int:
    """Write the eliminations of the inner chain at index `slot` to `outer.eliminations`.

    For a cycle, they are read from `inner.bfs`, which must contain its search. Returns the number
    of cells that lose candidates, or 0 if `run`, the outer run, already contains all of these
    eliminations.
    """
    links, bfs, eliminations, state = inner.links, inner.bfs, outer.eliminations, inner.state
    size = 0
    if slot < ASSERTIONS:
        eliminations[0].cell = links.cell[slot >> 1]
        bit = 1 << links.value[slot >> 1]
        eliminations[0].values = state.cells[eliminations[0].cell] & ~bit if slot & 1 else bit
        size = 1
    else:
        for cell in range(81):
            values = 0
            for value in range(9):
                values |= (bfs.forward[value, cell >> 6] >> (cell & 63) & 1) << value
            if values:
                eliminations[size].cell = cell
                eliminations[size].values = values
                size += 1
    for entry in range(size):
        for value in range(9):
            if eliminations[entry].values >> value & 1:
                removed = 2 * outer.links.number[eliminations[entry].cell, value]
                if outer.runs.complexity[run, removed] == 0:
                    return size
    return 0


@kernel
def _hash_of(eliminations: Sequence[Elimination], size: int) -> int:
    """Return a hash of the first `size` entries of `eliminations`, by which they are recognized."""
    number = 0
    for entry in range(size):
        number = (number ^ eliminations[entry].cell << 9 ^ eliminations[entry].values) * PRIME
    return int(number)


@kernel
def _is_idle(candidate_steps: CandidateSteps, idle: int, removed: int) -> bool:
    """Return whether `removed` is among the first `idle` hashes of eliminations of idle chains."""
    is_idle = False
    for place in range(idle):
        is_idle |= candidate_steps.idle[place] == removed
    return is_idle


@kernel
def _assert_all(outer: Search, inner: Search, inner_level: int, run: int) -> None:
    """Add the eliminations of all collected inner chains to the outer run, easiest chain first.

    `inner_level` is the level of the inner search, FORCING for forcing chains and cycles. A chain
    is idle if it doesn't depend on anything that the outer search removed. Idle chains add nothing,
    and chains with the same eliminations as an earlier idle chain are skipped. Also records which
    eliminations depend on which chain.
    """
    dependencies, runs, tree = outer.dependencies, outer.runs, outer.tree
    end = sort(inner.candidate_steps, 2 * inner.links.count)
    idle = 0
    for place in range(end):
        slot = inner.candidate_steps.order[place]
        if inner_level == FORCING:
            search_again(inner, slot)
        size = _removed(outer, inner, slot, run)
        removed = _hash_of(outer.eliminations, size)
        if size == 0 or _is_idle(inner.candidate_steps, idle, removed):
            continue
        from_ = tree.parent_count
        chain = read_chain(outer, inner, inner_level, slot)
        if tree.parent_count == from_:
            inner.candidate_steps.idle[idle] = removed
            idle += 1
            continue
        number = number_of_chain(dependencies, run, chain, inner.candidate_steps.complexity[slot])
        before = runs.counts[run, FALSE]
        assert_removed(outer.links, runs, tree, outer.eliminations, size, run, from_)
        for asserted in range(before, runs.counts[run, FALSE]):
            note_removed(dependencies, 2 * runs.false[run, asserted], number)


@kernel
def follow_nested(outer: Search, inner: Search, level: int, run: int) -> None:
    """Follow the assumption of a run, using links, patterns, and nested chains.

    `run` is the number of the assertion that is assumed. The nested chains of level 2 are forcing
    chains and cycles. Level 3 adds cell and region chains, and from level 4 on they are dynamic
    chains. `outer.runs` then contains the consequences, and `outer.tree` the derivation of each.
    """
    state, links, runs, tree = outer.state, outer.links, outer.runs, outer.tree
    begin_tree(state, links, runs, tree, run)
    begin_chains(outer.dependencies, run)
    true_begin = false_begin = 0
    while follow_queues(state, links, runs, tree, run, False, true_begin, false_begin):
        true_begin, false_begin = runs.counts[run, TRUE], runs.counts[run, FALSE]
        if not (
            extend(state, links, runs, tree, outer.eliminations, run)
            or _extend(outer, inner, level, run)
        ):
            break
    finish_chains(outer.dependencies, runs, tree, run)


@kernel
def _extend(outer: Search, inner: Search, level: int, run: int) -> bool:
    """Add the eliminations of nested chains to a run of the outer search.

    The search `inner` finds these chains in the state that `outer` has reached in this run, which
    is `outer.tree.state`. `run` is the number of the run. `level` determines the chains:

    2            forcing chains and cycles
    3            the same, and if they add nothing, cell and region chains
    4 and above  dynamic chains of the level `level` − 4

    Returns whether any elimination was added.
    """
    runs = outer.runs
    before = runs.counts[run, FALSE]
    copy_candidates(inner.state, outer.tree.state)
    link(inner.state, inner.links)
    clear(inner.candidate_steps, 2 * inner.links.count)
    begin_search(inner)
    if level < WITH_DYNAMIC:
        collect_forcing_x_xy(inner.state, inner.links, inner.bfs, outer.bfs, inner.candidate_steps)
        _assert_all(outer, inner, FORCING, run)
    if level >= WITH_CELLS and runs.counts[run, FALSE] == before:
        clear(inner.candidate_steps, 2 * inner.links.count)
        inner_level = STATIC if level == WITH_CELLS else level - WITH_DYNAMIC
        search_level(inner, inner_level)
        _assert_all(outer, inner, inner_level, run)
    return bool(runs.counts[run, FALSE] > before)
