"""Nested chains: use chains found in the state that a dynamic search has reached.

When neither links nor patterns extend the outer search, an inner search looks for chains in the
remaining candidates. The eliminations of an inner chain have parents: the candidates that the outer
search removed from the cells and houses of the inner chain, and without whose removal the inner
chain would not hold.

    level 2: forcing chains and cycles   3: cell and region chains, too   4: dynamic chains

`searches[0]` is the outer search, `searches[1]` the inner one.
"""

from typing import Any

from solver.compiling.jit import kernel
from solver.logic.explainer.candidate_steps import ASSERTIONS, forget, sort
from solver.logic.explainer.chained import (
    begin_chains,
    finish_chains,
    note_removed,
    number_of_chain,
)
from solver.logic.explainer.forcing_x_xy import offer_forcing
from solver.logic.explainer.implications import begin_tree, walk_from
from solver.logic.explainer.links import link
from solver.logic.explainer.patterns import assert_removed, extend
from solver.logic.explainer.reading import PRIME, read_chain, walk_again
from solver.logic.explainer.search import STATIC, begin_search, search
from solver.logic.explainer.state import copy_candidates

FORCING = -3  # inner level of chains that are found without `search`
WITH_CELLS, WITH_DYNAMIC = 3, 4


@kernel
def _removed(outer: Any, inner: Any, slot: int, run: int) -> int:
    """Write the eliminations of an inner chain to `room`. Return the number of cells.

    Returns 0 if the outer search already has all of them.
    """
    links, walk, room, state = inner.links, inner.walk, outer.room, inner.state
    size = 0
    if slot < ASSERTIONS:
        room[0, 0] = links.cell[slot >> 1]
        bit = 1 << links.value[slot >> 1]
        room[0, 1] = state.cells[room[0, 0]] & ~bit if slot & 1 else bit
        size = 1
    else:
        for cell in range(81):
            values = 0
            for value in range(9):
                values |= (walk.forward[value, cell >> 6] >> (cell & 63) & 1) << value
            if values:
                room[size, 0] = cell
                room[size, 1] = values
                size += 1
    for entry in range(size):
        for value in range(9):
            if room[entry, 1] >> value & 1:
                removed = 2 * outer.links.number[room[entry, 0], value]
                if outer.runs.complexity[run, removed] == 0:
                    return size
    return 0


@kernel
def _number_removed(room: Any, size: int) -> int:
    """Return a hash of the eliminations in `room`."""
    number = 0
    for entry in range(size):
        number = (number ^ room[entry, 0] << 9 ^ room[entry, 1]) * PRIME
    return int(number)


@kernel
def _is_idle(findings: Any, idle: int, removed: int) -> bool:
    is_idle = False
    for place in range(idle):
        is_idle |= findings.idle[place] == removed
    return is_idle


@kernel
def _assert_all(searches: Any, inner_level: int, run: int) -> None:
    """Assert the eliminations of the inner chains, easiest chain first.

    Of several chains with the same eliminations, only the first one counts. That is true even if it
    is idle, i.e. doesn't depend on anything that the outer search removed.
    """
    outer, inner = searches[0], searches[1]
    chained, runs, tree = outer.chained, outer.runs, outer.tree
    end = sort(inner.findings, 2 * inner.links.count[0])
    idle = 0
    for place in range(end):
        slot = inner.findings.order[place]
        if inner_level == FORCING:
            walk_again(inner, slot)
        size = _removed(outer, inner, slot, run)
        removed = _number_removed(outer.room, size)
        if size == 0 or _is_idle(inner.findings, idle, removed):
            continue
        from_ = tree.end[0]
        chain = read_chain(searches, inner_level, slot)
        if tree.end[0] == from_:
            inner.findings.idle[idle] = removed
            idle += 1
            continue
        number = number_of_chain(chained, run, chain, inner.findings.key[slot, 0])
        before = runs.counts[run, 0]
        assert_removed(outer.links, runs, tree, outer.room, size, run, from_)
        for asserted in range(before, runs.counts[run, 0]):
            note_removed(chained, 2 * runs.false[run, asserted], number)


@kernel
def follow_nested(searches: Any, level: int, run: int) -> None:
    """Follow an assumption. The tree then contains the derivation of each consequence."""
    outer = searches[0]
    state, links, runs, tree = outer.state, outer.links, outer.runs, outer.tree
    begin_tree(state, links, runs, tree, run)
    begin_chains(outer.chained, run)
    true_begin = false_begin = 0
    while walk_from(state, links, runs, tree, run, False, true_begin, false_begin):
        true_begin, false_begin = runs.counts[run, 1], runs.counts[run, 0]
        if not (extend(state, links, runs, tree, outer.room, run) or _extend(searches, level, run)):
            break
    finish_chains(outer.chained, runs, tree, run)


@kernel
def _extend(searches: Any, level: int, run: int) -> bool:
    """Assert the eliminations of the first kind of inner chains that has any.

    Returns whether one has.
    """
    outer, inner = searches[0], searches[1]
    runs = outer.runs
    before = runs.counts[run, 0]
    copy_candidates(inner.state, outer.tree.state)
    link(inner.state, inner.links)
    forget(inner.findings, 2 * inner.links.count[0])
    begin_search(inner)
    if level < WITH_DYNAMIC:
        offer_forcing(inner.state, inner.links, inner.walk, inner.findings)
        _assert_all(searches, FORCING, run)
    if level >= WITH_CELLS and runs.counts[run, 0] == before:
        forget(inner.findings, 2 * inner.links.count[0])
        inner_level = STATIC if level == WITH_CELLS else level - WITH_DYNAMIC
        search(inner, inner_level)
        _assert_all(searches, inner_level, run)
    return bool(runs.counts[run, 0] > before)
