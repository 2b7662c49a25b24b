"""Nested chains: use chains found in the state that a dynamic search has reached.

When neither links nor patterns extend the outer search, an inner search looks for chains in the
remaining candidates. The eliminations of an inner chain have parents: the candidates that the outer
search removed from the cells and houses of the inner chain, and without whose removal the inner
chain would not hold.

    level 2: forcing chains and cycles   3: cell and region chains, too   4: dynamic chains

`searches[depth]` is the outer search, `searches[depth + 1]` the inner one.
"""

from typing import Any

from solver.compiling.jit import bare
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
from solver.logic.explainer.reading import PRIME, reader, walk_again
from solver.logic.explainer.search import STATIC, begin_search, follow_flat, search
from solver.logic.explainer.state import copy_candidates

FORCING = -3  # inner level of chains that are found without `search`
WITH_CELLS, WITH_DYNAMIC = 3, 4


@bare
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


@bare
def _number_removed(room: Any, size: int) -> int:
    """Return a hash of the eliminations in `room`."""
    number = 0
    for entry in range(size):
        number = (number ^ room[entry, 0] << 9 ^ room[entry, 1]) * PRIME
    return int(number)


@bare
def _is_idle(findings: Any, idle: int, removed: int) -> bool:
    is_idle = False
    for place in range(idle):
        is_idle |= findings.idle[place] == removed
    return is_idle


def asserter(follow: Any) -> Any:
    """Build the function that asserts the eliminations of all inner chains (see `reader`)."""
    read_chains = reader(follow)

    @bare
    def assert_all(searches: Any, depth: int, inner_level: int, run: int) -> None:
        """Assert the eliminations of the inner chains, easiest chain first.

        Of several chains with the same eliminations, only the first one counts. That is true even
        if it is idle, i.e. doesn't depend on anything that the outer search removed.
        """
        outer, inner = searches[depth], searches[depth + 1]
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
            chain = read_chains(searches, depth, inner_level, slot)
            if tree.end[0] == from_:
                inner.findings.idle[idle] = removed
                idle += 1
                continue
            number = number_of_chain(chained, run, chain, inner.findings.key[slot, 0])
            before = runs.counts[run, 0]
            assert_removed(outer.links, runs, tree, outer.room, size, run, from_)
            for asserted in range(before, runs.counts[run, 0]):
                note_removed(chained, 2 * runs.false[run, asserted], number)

    return assert_all


@bare
def _follow_inner(searches: Any, depth: int, level: int, run: int) -> None:
    follow_flat(searches[depth], level, run)


_assert_all = asserter(_follow_inner)


@bare
def follow_nested(searches: Any, depth: int, level: int, run: int) -> None:
    """Follow an assumption. The tree then contains the derivation of each consequence."""
    outer = searches[depth]
    begin_nested(outer, run)
    walk_nested(searches, depth, level, run, 0, 0)
    finish_chains(outer.chained, outer.runs, outer.tree, run)


@bare
def begin_nested(outer: Any, run: int) -> None:
    """Begin a search that inner chains extend."""
    begin_tree(outer.state, outer.links, outer.runs, outer.tree, run)
    begin_chains(outer.chained, run)


@bare
def walk_nested(
    searches: Any, depth: int, level: int, run: int, true_begin: int, false_begin: int
) -> bool:
    """Follow the queues from the given positions, and extend them with patterns and inner chains.

    Returns False if there is a contradiction.
    """
    outer = searches[depth]
    state, links, runs, tree = outer.state, outer.links, outer.runs, outer.tree
    while walk_from(state, links, runs, tree, run, False, true_begin, false_begin):
        true_begin, false_begin = runs.counts[run, 1], runs.counts[run, 0]
        if extend(state, links, runs, tree, outer.room, run):
            continue
        if not _extend(searches, depth, level, run):
            return True
    return False


@bare
def _extend(searches: Any, depth: int, level: int, run: int) -> bool:
    """Assert the eliminations of the first kind of inner chains that has any.

    Returns whether one has.
    """
    runs, inner = searches[depth].runs, searches[depth + 1]
    before = runs.counts[run, 0]
    begin_inner(searches, depth)
    if level < WITH_DYNAMIC:
        offer_forcing(inner.state, inner.links, inner.walk, inner.findings)
        _assert_all(searches, depth, FORCING, run)
    if level >= WITH_CELLS and runs.counts[run, 0] == before:
        forget(inner.findings, 2 * inner.links.count[0])
        inner_level = STATIC if level == WITH_CELLS else level - WITH_DYNAMIC
        search(inner, inner_level)
        _assert_all(searches, depth, inner_level, run)
    return bool(runs.counts[run, 0] > before)


@bare
def begin_inner(searches: Any, depth: int) -> None:
    """Begin an inner search in the state that the outer search has reached."""
    inner = searches[depth + 1]
    copy_candidates(inner.state, searches[depth].tree.state)
    link(inner.state, inner.links)
    forget(inner.findings, 2 * inner.links.count[0])
    begin_search(inner)
