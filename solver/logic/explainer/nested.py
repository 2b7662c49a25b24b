"""Chains nested in chains: what the chains of the state that a walk has led to remove.

Where neither links nor patterns lead a walk on, the outer one, a search in what is left finds the
inner ones. What an inner chain removes has as parents the candidates that the outer walk removed
and without which the inner chain would not hold: those of the cells and houses that it goes by.

    level 2: forcing chains and cycles   3: cell and region chains, too   4: dynamic chains
"""

from typing import Any

from solver.compiling.jit import bare
from solver.engines.engine import ABANDON
from solver.logic.explainer.chained import (
    begin_chains,
    begin_runs,
    finish_chains,
    note_removed,
    number_of_chain,
)
from solver.logic.explainer.findings import ASSERTIONS, forget, sort
from solver.logic.explainer.implications import begin_tree, walk_from
from solver.logic.explainer.links import link
from solver.logic.explainer.patterns import assert_removed, extend
from solver.logic.explainer.reading import read_chains, walk_again
from solver.logic.explainer.search import STATIC, begin_search, search
from solver.logic.explainer.short_chains import offer_forcing

FORCING = -3  # the inner level of what is found without `search`
WITH_CELLS, WITH_DYNAMIC = 3, 4


@bare
def follow_all(memory: Any, level: int, stop: Any) -> bool:
    """Follow all assumptions; return whether that was not abandoned."""
    assertions = 2 * memory.outer.links.count[0]
    begin_runs(memory.chained, assertions)
    for run in range(assertions):
        if stop[0] == ABANDON:
            return False
        follow_nested(memory, level, run)
    return True


@bare
def follow_nested(memory: Any, level: int, run: int) -> None:
    """Follow an assumption; how its consequences came about stays in the tree."""
    state, outer = memory.state, memory.outer
    links, runs, tree = outer.links, outer.runs, outer.tree
    begin_tree(state, links, runs, tree, run)
    begin_chains(memory.chained, run)
    true_begin = false_begin = 0
    while walk_from(state, links, runs, tree, run, False, true_begin, false_begin):
        true_begin, false_begin = runs.counts[run, 1], runs.counts[run, 0]
        if extend(state, links, runs, tree, outer.room, run):
            continue
        if not _extend(memory, level, run):
            break
    finish_chains(memory.chained, runs, tree, run)


@bare
def _extend(memory: Any, level: int, run: int) -> bool:
    """Assert what the first kind of inner chains removes; return whether there was one."""
    outer, inner = memory.outer, memory.inner
    state, links = outer.tree.state, inner.links
    before = outer.runs.counts[run, 0]
    link(state, links)
    if level < WITH_DYNAMIC:
        forget(inner.findings, 2 * links.count[0])
        offer_forcing(state, links, memory.walk, inner.findings)
        _assert_all(memory, FORCING, run)
    if level >= WITH_CELLS and outer.runs.counts[run, 0] == before:
        forget(inner.findings, 2 * links.count[0])
        begin_search(inner)
        inner_level = STATIC if level == WITH_CELLS else level - WITH_DYNAMIC
        search(state, inner, memory.chained, inner_level)
        _assert_all(memory, inner_level, run)
    return bool(outer.runs.counts[run, 0] > before)


@bare
def _assert_all(memory: Any, inner_level: int, run: int) -> None:
    """Assert what the inner chains remove, the easiest first."""
    outer, inner = memory.outer, memory.inner
    chained, runs, tree = memory.chained, outer.runs, outer.tree
    end = sort(inner.findings, 2 * inner.links.count[0])
    for place in range(end):
        slot = inner.findings.order[place]
        if inner_level == FORCING:
            walk_again(memory, slot)
        size = _removed(memory, slot, run)
        if size == 0:
            continue
        from_ = tree.end[0]
        chain = read_chains(memory, inner_level, slot)
        if tree.end[0] == from_:
            continue
        number = number_of_chain(chained, run, chain, inner.findings.key[slot, 0])
        before = runs.counts[run, 0]
        assert_removed(outer.links, runs, tree, outer.room, size, run, from_)
        for asserted in range(before, runs.counts[run, 0]):
            note_removed(chained, 2 * runs.false[run, asserted], number)


@bare
def _removed(memory: Any, slot: int, run: int) -> int:
    """Put down what an inner chain removes; return in how many cells, 0 if all is known."""
    outer, links, walk = memory.outer, memory.inner.links, memory.walk
    room, state = outer.room, outer.tree.state
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
