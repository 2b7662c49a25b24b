"""Nishio, cell, region, and dynamic forcing chains.

What follows from each candidate being true (and false) is walked once; what follows from all
candidates of a cell, all places of a value in a house, or both states of a candidate, must be so;
what leads to a contradiction cannot be.
"""

from typing import Any

from solver.compiling.words import lowest, ones
from solver.logic.explainer import codes
from solver.logic.explainer.implications import CLASH, begin_tree, follow, walk_from
from solver.logic.explainer.once import once
from solver.logic.explainer.patterns import extend
from solver.logic.explainer.ranking import keep, longer
from solver.logic.explainer.state import CELL_HOUSES, HOUSE_CELLS
from solver.logic.explainer.ways import write_ways
from solver.logic.record import BASE, PLACE, REMOVE, begin, note

STATIC, NISHIO = -2, -1  # besides the levels of dynamic chains, from 0 on
CONTRADICTION, DOUBLE, CELL, REGION = range(4)  # data[0]; the order of the codes
_KINDS = (7, 1, 5, 6)  # what decides between chains of the same complexity


@once
def hypotheses(memory: Any, level: int, buffer: Any) -> Any:
    """Find the best chain of a level."""
    links, runs, best = memory.links, memory.runs, memory.best
    best.rating[0] = 0.0
    best.key[0] = 1 << 30
    best.key[1] = 9
    for run in range(2 * links.count[0]):
        runs.done[run] = 0
    for cell in range(81):
        size = ones(memory.state.cells[cell])
        if size > 2 or (size == 2 and level != STATIC):
            _search_cell(memory, level, cell, size)
    if best.key[1] == 9:
        return 0.0
    base = 8.0 if level == STATIC else 7.5 if level == NISHIO else 8.5 + 0.5 * level
    _write(memory, level, buffer)
    return base + longer(best.key[0])


@once
def _run(memory: Any, level: int, run: int) -> None:
    """Follow an assumption, unless that has been done."""
    if not memory.runs.done[run]:
        _follow(memory, level, run)


@once
def _follow(memory: Any, level: int, run: int) -> None:
    """Follow an assumption; how its consequences came about stays in the tree."""
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


@once
def _offer(best: Any, what: int, complexity: int, one: int, other: int, target: int) -> None:
    """Keep a chain if it comes before the best one so far."""
    kind = _KINDS[what]
    if complexity < best.key[0] or (complexity == best.key[0] and kind < best.key[1]):
        keep(best, 0.0, complexity, kind, 0)
        best.data[0] = what
        best.data[1] = one
        best.data[2] = other
        best.data[3] = target


@once
def _search_cell(memory: Any, level: int, cell: int, size: int) -> None:
    """Search the chains that Sudoku Explainer comes upon at a cell."""
    state, links, runs, best = memory.state, memory.links, memory.runs, memory.best
    values = state.cells[cell]
    while values:
        value = lowest(values)
        values &= values - 1
        candidate = links.number[cell, value]
        _run(memory, level, 2 * candidate + 1)
        if level != STATIC:
            _run(memory, level, 2 * candidate)
            for run in (2 * candidate + 1, 2 * candidate):
                if runs.clash[run, 0]:
                    _offer(best, CONTRADICTION, runs.clash[run, 0], run, 0, run ^ 1)
            if size > 2 and level != NISHIO:
                _search_double(memory, candidate)
        if level != NISHIO:
            for kind in range(3):
                house = CELL_HOUSES[cell, kind]
                places = state.places[house, value]
                if ones(places) > 1 and HOUSE_CELLS[house, lowest(places)] == cell:
                    _search_house(memory, level, house, value, places)
    if level != NISHIO:
        _search_outcomes(memory, CELL, cell, 0, state.cells[cell])


@once
def _search_double(memory: Any, candidate: int) -> None:
    """Offer what follows from a candidate and from its opposite."""
    runs, best = memory.runs, memory.best
    run, opposite = 2 * candidate + 1, 2 * candidate
    for is_true in range(1, -1, -1):
        for number in range(runs.counts[run, is_true]):
            listed = int(runs.true[run, number] if is_true else runs.false[run, number])
            target = 2 * listed + is_true
            other = runs.complexity[opposite, target]
            if other:
                complexity = runs.complexity[run, target] + other
                if complexity <= best.key[0] and _is_useful(memory, target):
                    _offer(best, DOUBLE, complexity, candidate, 0, target)


@once
def _is_useful(memory: Any, target: int) -> bool:
    """Return whether an assertion removes anything."""
    return not target & 1 or ones(memory.state.cells[memory.links.cell[target >> 1]]) > 1


@once
def _search_house(memory: Any, level: int, house: int, value: int, places: int) -> None:
    rest = places
    while rest:
        cell = HOUSE_CELLS[house, lowest(rest)]
        _run(memory, level, 2 * memory.links.number[cell, value] + 1)
        rest &= rest - 1
    _search_outcomes(memory, REGION, house, value, places)


@once
def _alternative(memory: Any, what: int, one: int, other: int, bit: int) -> int:
    """Return the run of a value of a cell, or of a place of a house for a value."""
    if what == CELL:
        return int(2 * memory.links.number[one, bit] + 1)
    return int(2 * memory.links.number[HOUSE_CELLS[one, bit], other] + 1)


@once
def _search_outcomes(memory: Any, what: int, one: int, other: int, bits: int) -> None:
    """Offer what follows from all candidates of a cell, or all places of a value in a house."""
    runs, best = memory.runs, memory.best
    first = _alternative(memory, what, one, other, lowest(bits))
    for is_true in range(1, -1, -1):
        for number in range(runs.counts[first, is_true]):
            listed = int(runs.true[first, number] if is_true else runs.false[first, number])
            target = 2 * listed + is_true
            complexity = runs.complexity[first, target]
            rest = bits & (bits - 1)
            while rest and complexity <= best.key[0]:
                run = _alternative(memory, what, one, other, lowest(rest))
                if runs.complexity[run, target] == 0:
                    break
                complexity += runs.complexity[run, target]
                rest &= rest - 1
            if rest == 0 and complexity <= best.key[0] and _is_useful(memory, target):
                _offer(best, what, complexity, one, other, target)


@once
def _write(memory: Any, level: int, buffer: Any) -> None:
    """Write the best chain down, and the ways to its end."""
    best, links, runs = memory.best, memory.links, memory.runs
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
        write_ways(links, memory.tree, buffer, runs.clash[one, 1], runs.clash[one, 1])
        write_ways(links, memory.tree, buffer, CLASH, runs.clash[one, 1] ^ 1)
    elif what == DOUBLE:
        for run in range(2 * one + 1, 2 * one - 1, -1):
            _follow(memory, level, run)
            write_ways(links, memory.tree, buffer, target, target)
    else:
        if what == REGION:
            note(buffer, BASE, one, 0)
        bits = memory.state.cells[one] if what == CELL else memory.state.places[one, other]
        while bits:
            _follow(memory, level, _alternative(memory, what, one, other, lowest(bits)))
            write_ways(links, memory.tree, buffer, target, target)
            bits &= bits - 1
