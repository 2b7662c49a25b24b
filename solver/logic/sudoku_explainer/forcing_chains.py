"""Nishio, cell, region, and dynamic forcing chains, including nested chains."""

from typing import Any

from solver.compiling.bitops import ctz
from solver.compiling.jit import kernel
from solver.engines.engine import ABANDON, StopFlag
from solver.logic.board import Ints
from solver.logic.deduction_buffer import FIRST_CODE, begin, note
from solver.logic.deduction_rows import BASE, PLACE, REMOVE
from solver.logic.sudoku_explainer import techniques
from solver.logic.sudoku_explainer.assumptions import CLASH
from solver.logic.sudoku_explainer.chain_dependencies import begin_runs
from solver.logic.sudoku_explainer.chain_order import length_rating
from solver.logic.sudoku_explainer.chain_reconstruction import write_chains
from solver.logic.sudoku_explainer.nested import follow_nested
from solver.logic.sudoku_explainer.search import (
    CELL,
    CONTRADICTION,
    DOUBLE,
    FIRST_NESTED,
    NISHIO,
    NO_KIND,
    REGION,
    STATIC,
    Search,
    alternative,
    begin_search,
    follow_flat,
    search_level,
)
from solver.logic.sudoku_explainer.techniques import RATINGS


@kernel
def find_forcing_chain(
    outer: Search, inner: Search, level: int, buffer: Ints, stop: StopFlag
) -> Any:
    """Search for the best forcing chain of a level, write it to the buffer, and return its rating.

    The level is NISHIO, STATIC, or 0 to 4 for dynamic chains, of which those from FIRST_NESTED on
    use nested chains. `outer.state` is the grid, and `outer.links` must be its links. `inner` is
    used to find nested chains. Returns 0.0 if there is no chain or if `stop` is ABANDON.
    """
    begin_search(outer)
    if level >= FIRST_NESTED:
        _follow_all(outer, inner, level, stop)
    if stop[0] == ABANDON:
        return 0.0
    search_level(outer, level)
    if outer.best.kind == NO_KIND:
        return 0.0
    _write(outer, inner, level, buffer)
    return RATINGS[buffer[FIRST_CODE]] + length_rating(outer.best.complexity)


@kernel
def _follow_all(outer: Search, inner: Search, level: int, stop: StopFlag) -> None:
    """Follow the assumptions that each candidate is true, and that it is false.

    Ends early if `stop` becomes ABANDON.
    """
    assertions = 2 * outer.links.count
    begin_runs(outer.dependencies, assertions)
    for run in range(assertions):
        if stop[0] == ABANDON:
            return
        _follow(outer, inner, level, run)


@kernel
def _follow(outer: Search, inner: Search, level: int, run: int) -> None:
    """Derive the consequences of assuming the assertion with the number `run`.

    `outer.runs` then contains them, and `outer.tree` their derivations. `inner` finds nested
    chains, which only levels from FIRST_NESTED on have.
    """
    if level >= FIRST_NESTED:
        follow_nested(outer, inner, level, run)
    else:
        follow_flat(outer, level, run)


@kernel
def _write(outer: Search, inner: Search, level: int, buffer: Ints) -> None:
    """Write the best forcing chain of a level to the buffer.

    The entry has the technique, the effect (the candidate that is placed or removed), the house of
    a region chain, and the chains that prove the effect. A contradiction is proved by the chains
    from the assumption to an assertion and to its opposite. Other types are proved by the chains
    from each case to the same conclusion. The cases are a candidate true and false, or all
    candidates of a cell, or all places of a value in a house.

    `outer.best` only describes the chain, and `outer.tree` has only the derivations of the last
    run. The assumptions are therefore followed again, with the help of `inner` if the level uses
    nested chains.
    """
    best, links, runs, tree = outer.best, outer.links, outer.runs, outer.tree
    what, one, other, target = best.type, best.one, best.other, best.target
    if level == NISHIO:
        begin(buffer, techniques.NISHIO)
    elif level == STATIC:
        begin(buffer, techniques.CELL_CHAINS + what - CELL)
    else:
        begin(buffer, techniques.DYNAMIC_CONTRADICTION + what + 10 * level)
    tag = PLACE if target & 1 else REMOVE
    note(buffer, tag, links.cell[target >> 1], links.value[target >> 1] + 1)
    if what == CONTRADICTION:
        _follow(outer, inner, level, one)
        write_chains(links, tree, buffer, runs.clash_assertion[one], runs.clash_assertion[one])
        write_chains(links, tree, buffer, CLASH, runs.clash_assertion[one] ^ 1)
    elif what == DOUBLE:
        for run in range(2 * one + 1, 2 * one - 1, -1):
            _follow(outer, inner, level, run)
            write_chains(links, tree, buffer, target, target)
    else:
        if what == REGION:
            note(buffer, BASE, one, 0)
        bits = outer.state.cells[one] if what == CELL else outer.state.places[one, other]
        while bits:
            run = alternative(links, what, one, other, ctz(bits))
            _follow(outer, inner, level, run)
            write_chains(links, tree, buffer, target, target)
            bits &= bits - 1
