"""Nishio, cell, region, and dynamic forcing chains, including nested chains."""

from typing import Any

from solver.compiling.bitops import ctz
from solver.compiling.jit import kernel
from solver.engines.engine import ABANDON
from solver.logic.explainer import techniques
from solver.logic.explainer.chain_order import longer
from solver.logic.explainer.chain_reconstruction import write_ways
from solver.logic.explainer.chained import begin_runs
from solver.logic.explainer.implications import CLASH
from solver.logic.explainer.nested import follow_nested
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
from solver.logic.explainer.techniques import RATINGS
from solver.logic.record import BASE, PLACE, REMOVE, ROWS, begin, note


@kernel
def hypotheses(searches: Any, level: int, buffer: Any, stop: Any) -> Any:
    """Find the best chain of a level and return its rating, or 0.0 if none or if stopped."""
    outer = searches[0]
    begin_search(outer)
    if level >= FIRST_NESTED:
        _follow_all(searches, level, stop)
    if stop[0] == ABANDON:
        return 0.0
    search(outer, level)
    if outer.best.key[1] == 9:
        return 0.0
    _write(searches, level, buffer)
    return RATINGS[buffer[ROWS + 1]] + longer(outer.best.key[0])


@kernel
def _follow_all(searches: Any, level: int, stop: Any) -> None:
    assertions = 2 * searches[0].links.count[0]
    begin_runs(searches[0].chained, assertions)
    for run in range(assertions):
        if stop[0] == ABANDON:
            return
        _follow(searches, level, run)


@kernel
def _follow(searches: Any, level: int, run: int) -> None:
    """Follow an assumption. The tree then contains the derivation of each consequence."""
    if level >= FIRST_NESTED:
        follow_nested(searches, level, run)
    else:
        follow_flat(searches[0], level, run)


@kernel
def _write(searches: Any, level: int, buffer: Any) -> None:
    """Write the best chain, with the paths that lead to its conclusion."""
    outer = searches[0]
    best, links, runs, tree = outer.best, outer.links, outer.runs, outer.tree
    what, one, other, target = best.data[0], best.data[1], best.data[2], best.data[3]
    if level == NISHIO:
        begin(buffer, techniques.NISHIO)
    elif level == STATIC:
        begin(buffer, techniques.CELL_CHAINS + what - CELL)
    else:
        begin(buffer, techniques.DYNAMIC_CONTRADICTION + what + 10 * level)
    tag = PLACE if target & 1 else REMOVE
    note(buffer, tag, links.cell[target >> 1], links.value[target >> 1] + 1)
    if what == CONTRADICTION:
        _follow(searches, level, one)
        write_ways(links, tree, buffer, runs.clash[one, 1], runs.clash[one, 1])
        write_ways(links, tree, buffer, CLASH, runs.clash[one, 1] ^ 1)
    elif what == DOUBLE:
        for run in range(2 * one + 1, 2 * one - 1, -1):
            _follow(searches, level, run)
            write_ways(links, tree, buffer, target, target)
    else:
        if what == REGION:
            note(buffer, BASE, one, 0)
        bits = outer.state.cells[one] if what == CELL else outer.state.places[one, other]
        while bits:
            run = alternative(links, what, one, other, ctz(bits))
            _follow(searches, level, run)
            write_ways(links, tree, buffer, target, target)
            bits &= bits - 1
