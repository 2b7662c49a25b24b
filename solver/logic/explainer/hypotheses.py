"""Nishio, cell, region, and dynamic forcing chains, and chains nested in chains."""

from typing import Any

from solver.compiling.jit import bare
from solver.compiling.words import lowest
from solver.logic.explainer import codes
from solver.logic.explainer.implications import CLASH
from solver.logic.explainer.nested import follow_all, follow_nested
from solver.logic.explainer.ranking import longer
from solver.logic.explainer.search import (
    CELL,
    CONTRADICTION,
    DOUBLE,
    FIRST_NESTED,
    NISHIO,
    REGION,
    STATIC,
    alternative,
    begin_search,
    follow_flat,
    search,
)
from solver.logic.explainer.ways import write_ways
from solver.logic.record import BASE, PLACE, REMOVE, begin, note


@bare
def hypotheses(memory: Any, level: int, buffer: Any, stop: Any) -> Any:
    """Find the best chain of a level; none where `stop` says ABANDON meanwhile."""
    best = memory.outer.best
    begin_search(memory.outer)
    if level >= FIRST_NESTED and not follow_all(memory, level, stop):
        return 0.0
    search(memory.state, memory.outer, memory.chained, level)
    if best.key[1] == 9:
        return 0.0
    base = 8.0 if level == STATIC else 7.5 if level == NISHIO else 8.5 + 0.5 * level
    _write(memory, level, buffer)
    return base + longer(best.key[0])


@bare
def _follow(memory: Any, level: int, run: int) -> None:
    """Follow an assumption; how its consequences came about stays in the tree."""
    if level >= FIRST_NESTED:
        follow_nested(memory, level, run)
    else:
        follow_flat(memory.state, memory.outer, level, run)


@bare
def _write(memory: Any, level: int, buffer: Any) -> None:
    """Write the best chain down, and the ways to its end."""
    outer = memory.outer
    best, links, runs, tree = outer.best, outer.links, outer.runs, outer.tree
    what, one, other, target = best.data[0], best.data[1], best.data[2], best.data[3]
    if level == NISHIO:
        begin(buffer, codes.NISHIO)
    elif level == STATIC:
        begin(buffer, codes.CELL_CHAINS + what - CELL)
    else:
        begin(buffer, codes.DYNAMIC_CONTRADICTION + what + 10 * level)
    tag = PLACE if target & 1 else REMOVE
    note(buffer, tag, links.cell[target >> 1], links.value[target >> 1] + 1)
    if what == CONTRADICTION:
        _follow(memory, level, one)
        write_ways(links, tree, buffer, runs.clash[one, 1], runs.clash[one, 1])
        write_ways(links, tree, buffer, CLASH, runs.clash[one, 1] ^ 1)
    elif what == DOUBLE:
        for run in range(2 * one + 1, 2 * one - 1, -1):
            _follow(memory, level, run)
            write_ways(links, tree, buffer, target, target)
    else:
        if what == REGION:
            note(buffer, BASE, one, 0)
        bits = memory.state.cells[one] if what == CELL else memory.state.places[one, other]
        while bits:
            _follow(memory, level, alternative(links, what, one, other, lowest(bits)))
            write_ways(links, tree, buffer, target, target)
            bits &= bits - 1
