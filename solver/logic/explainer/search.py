"""Search for conclusions that hold in all cases, and for contradictions.

Each candidate is assumed true and false, and the consequences are followed once. A conclusion holds
if it follows from all candidates of a cell, from all places of a value in a house, or from a
candidate both true and false. An assumption that leads to a contradiction is wrong.
"""

from typing import Any

import numpy as np

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import kernel
from solver.logic.explainer.breadth_first_search import WALK
from solver.logic.explainer.candidate_steps import FINDINGS, is_useful, keep_chain
from solver.logic.explainer.chain_order import BEST, keep
from solver.logic.explainer.chained import CHAINED, add_chains, begin_union
from solver.logic.explainer.implications import RUNS, TREE, begin_tree, follow, walk_from
from solver.logic.explainer.links import LINKS
from solver.logic.explainer.patterns import extend
from solver.logic.explainer.state import CELL_HOUSES, HOUSE_CELLS, STATE

STATIC, NISHIO = -2, -1  # levels below those of dynamic chains, which begin at 0
FIRST_NESTED = 2  # first level with nested chains
CONTRADICTION, DOUBLE, CELL, REGION = range(4)  # data[0], in the order of the technique codes
_KINDS = (7, 1, 5, 6)  # by type: the order of chains with the same complexity

# Working memory of one search.
SEARCH = np.dtype(
    [
        ("state", STATE),
        ("links", LINKS),
        ("runs", RUNS),
        ("tree", TREE),
        ("best", BEST),
        ("findings", FINDINGS),
        ("room", "i8", (81, 2)),  # eliminations of one pattern
        ("walk", WALK),
        ("chained", CHAINED),
    ],
    align=True,
)


@kernel
def search(memory: Any, level: int) -> None:
    """Offer all chains of a level, in Sudoku Explainer's order."""
    for cell in range(81):
        size = popcount(memory.state.cells[cell])
        if size > 2 or (size == 2 and level != STATIC):
            _search_cell(memory, level, cell, size)


@kernel
def begin_search(memory: Any) -> None:
    """Clear the runs and the best chain."""
    memory.best.rating[0] = 0.0
    memory.best.key[0] = 1 << 30
    memory.best.key[1] = 9
    for run in range(2 * memory.links.count[0]):
        memory.runs.done[run] = 0


@kernel
def _run(memory: Any, level: int, run: int) -> None:
    """Follow an assumption, unless it has been followed (nested chains always have)."""
    if not memory.runs.done[run]:
        follow_flat(memory, level, run)


@kernel
def follow_flat(memory: Any, level: int, run: int) -> None:
    """Follow an assumption without nested chains. The tree then contains the derivations."""
    state, links, runs, tree = memory.state, memory.links, memory.runs, memory.tree
    if level == STATIC:
        follow(links, runs, tree, run)
        return
    begin_tree(state, links, runs, tree, run)
    true_begin = false_begin = 0
    while walk_from(state, links, runs, tree, run, level == NISHIO, true_begin, false_begin):
        true_begin, false_begin = runs.counts[run, 1], runs.counts[run, 0]
        if level < 1 or not extend(state, links, runs, tree, memory.room, run):
            return


@kernel
def _offer(memory: Any, what: int, complexity: int, one: int, other: int, target: int) -> None:
    """Keep a chain if all chains are collected or if it is better than the best one so far."""
    kind = _KINDS[what]
    if memory.findings.is_kept[0]:
        keep_chain(memory.findings, target, 0.0, complexity, kind, what, one, other)
        return
    best = memory.best
    if complexity < best.key[0] or (complexity == best.key[0] and kind < best.key[1]):
        keep(best, 0.0, complexity, kind, 0)
        best.data[0] = what
        best.data[1] = one
        best.data[2] = other
        best.data[3] = target


@kernel
def _search_cell(memory: Any, level: int, cell: int, size: int) -> None:
    """Offer the chains that Sudoku Explainer finds when it visits a cell."""
    state, links, runs = memory.state, memory.links, memory.runs
    values = state.cells[cell]
    while values:
        value = ctz(values)
        values &= values - 1
        candidate = links.number[cell, value]
        _run(memory, level, 2 * candidate + 1)
        if level != STATIC:
            _run(memory, level, 2 * candidate)
            for run in (2 * candidate + 1, 2 * candidate):
                if runs.clash[run, 0]:
                    _offer(memory, CONTRADICTION, runs.clash[run, 0], run, 0, run ^ 1)
            if size > 2 and level != NISHIO:
                _search_double(memory, level, candidate)
        if level != NISHIO:
            for kind in range(3):
                house = CELL_HOUSES[cell, kind]
                places = state.places[house, value]
                if popcount(places) > 1 and HOUSE_CELLS[house, ctz(places)] == cell:
                    _search_house(memory, level, house, value, places)
    if level != NISHIO:
        _search_outcomes(memory, level, CELL, cell, 0, state.cells[cell])


@kernel
def _search_double(memory: Any, level: int, candidate: int) -> None:
    """Offer the conclusions that follow from a candidate both true and false."""
    links, runs, best, chained = memory.links, memory.runs, memory.best, memory.chained
    run, opposite = 2 * candidate + 1, 2 * candidate
    for is_true in range(1, -1, -1):
        for number in range(runs.counts[run, is_true]):
            listed = int(runs.true[run, number] if is_true else runs.false[run, number])
            target = 2 * listed + is_true
            other = runs.complexity[opposite, target]
            complexity = runs.complexity[run, target] + other
            if other and complexity <= best.key[0] and is_useful(memory.state, links, target):
                if level >= FIRST_NESTED:
                    begin_union(chained)
                    add_chains(chained, run, target)
                    complexity += add_chains(chained, opposite, target)
                _offer(memory, DOUBLE, complexity, candidate, 0, target)


@kernel
def _search_house(memory: Any, level: int, house: int, value: int, places: int) -> None:
    rest = places
    while rest:
        cell = HOUSE_CELLS[house, ctz(rest)]
        _run(memory, level, 2 * memory.links.number[cell, value] + 1)
        rest &= rest - 1
    _search_outcomes(memory, level, REGION, house, value, places)


@kernel
def alternative(links: Any, what: int, one: int, other: int, bit: int) -> int:
    """Return the run that assumes a value of a cell, or a place of a value in a house."""
    if what == CELL:
        return int(2 * links.number[one, bit] + 1)
    return int(2 * links.number[HOUSE_CELLS[one, bit], other] + 1)


@kernel
def _search_outcomes(memory: Any, level: int, what: int, one: int, other: int, bits: int) -> None:
    """Offer the common conclusions of all candidates of a cell, or all places of a value."""
    links, runs, best, chained = memory.links, memory.runs, memory.best, memory.chained
    first = alternative(links, what, one, other, ctz(bits))
    for is_true in range(1, -1, -1):
        for number in range(runs.counts[first, is_true]):
            listed = int(runs.true[first, number] if is_true else runs.false[first, number])
            target = 2 * listed + is_true
            complexity = runs.complexity[first, target]
            rest = bits & (bits - 1)
            while rest and complexity <= best.key[0]:
                run = alternative(links, what, one, other, ctz(rest))
                if runs.complexity[run, target] == 0:
                    break
                complexity += runs.complexity[run, target]
                rest &= rest - 1
            if rest or complexity > best.key[0] or not is_useful(memory.state, links, target):
                continue
            if level >= FIRST_NESTED:
                begin_union(chained)
                rest, nested = bits, 0
                while rest:
                    run = alternative(links, what, one, other, ctz(rest))
                    nested = add_chains(chained, run, target)
                    rest &= rest - 1
                complexity += nested
            _offer(memory, what, complexity, one, other, target)
