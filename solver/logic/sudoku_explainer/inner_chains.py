"""Read inner chains: compute their identity and the candidates that they depend on.

An inner chain is a nested chain, found by the inner search of a dynamic search (see `nested`). Only
a few numbers that describe it are stored, so the search for it is repeated to read it. A hash of
its assertions, in order, identifies it. If the chain makes a candidate true because of a cell or a
house, it depends on the candidates that the outer search has removed there. These are recorded as
parents of the chain's eliminations.
"""

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import kernel
from solver.logic.sudoku_explainer.assumptions import ASSUMED, CLASH, IN_CELL
from solver.logic.sudoku_explainer.breadth_first_search import cycle, limit_to, measure
from solver.logic.sudoku_explainer.candidate_steps import ASSERTIONS
from solver.logic.sudoku_explainer.chain_dependencies import begin_reading, is_first_read
from solver.logic.sudoku_explainer.chain_order import NO_LIMIT
from solver.logic.sudoku_explainer.forcing_x_xy import CHAIN_OFF, CYCLE
from solver.logic.sudoku_explainer.houses import CELL_HOUSES, HOUSE_CELLS
from solver.logic.sudoku_explainer.patterns import put_parent
from solver.logic.sudoku_explainer.rules import house_of, kind_count
from solver.logic.sudoku_explainer.search import (
    CELL,
    CONTRADICTION,
    DOUBLE,
    REGION,
    STATIC,
    Search,
    alternative,
    follow_flat,
)

PRIME = 0x100000001B3  # prime of the 64-bit Fowler–Noll–Vo hash
_TARGET = 2000  # separates the chains to each target; larger than any assertion's number


@kernel
def search_again(inner: Search, slot: int) -> None:
    """Repeat the search that found the inner forcing chain or cycle at index `slot`.

    This is an index into `inner.candidate_steps`, which only contains the numbers that describe the
    chain. After this call, it can be read from the queues of `inner.bfs`.
    """
    links, bfs, steps = inner.links, inner.bfs, inner.candidate_steps
    limit_to(links, bfs, steps.other[slot])
    if slot >= ASSERTIONS:
        cycle(inner.state, links, bfs, steps.one[slot], NO_LIMIT, steps.target[slot])
    else:
        measure(links, bfs, steps.one[slot], steps.type[slot] == CHAIN_OFF, NO_LIMIT)


@kernel
def read_chain(outer: Search, inner: Search, level: int, slot: int) -> int:
    """Record which removed candidates an inner chain depends on. Return the chain's hash.

    The candidates that the outer search has removed are recorded as parents, with
    `patterns.put_parent`. The chain is stored at index `slot` of `inner.candidate_steps`. `level`
    is the level with which the module `search` found it. A lower level than STATIC means that the
    module `forcing_x_xy` found it. Then the caller must call `search_again` before.
    """
    begin_reading(outer.dependencies)
    if level < STATIC:
        return int(_read_forcing_chain(outer, inner, slot))
    steps = inner.candidate_steps
    what, one, other = steps.type[slot], steps.one[slot], steps.other[slot]
    target = steps.target[slot]
    state, links, chain = inner.state, inner.links, 0
    if what == CONTRADICTION:
        follow_flat(inner, level, one)
        opposite = inner.runs.clash_assertion[one]
        for is_true in range(1, -1, -1):
            end = opposite if opposite & 1 == is_true else CLASH
            chain = _read_tree(outer, inner, level, what, one, end, opposite ^ 1, chain)
    elif what == DOUBLE:
        for run in range(2 * one + 1, 2 * one - 1, -1):
            follow_flat(inner, level, run)
            chain = _read_tree(outer, inner, level, what, one, target, target, chain)
    else:
        bits = state.cells[one] if what == CELL else state.places[one, other]
        while bits:
            run = alternative(links, what, one, other, ctz(bits))
            follow_flat(inner, level, run)
            chain = _read_tree(outer, inner, level, what, one, target, target, chain)
            bits &= bits - 1
    return int(chain)


@kernel
def _read_tree(
    outer: Search,
    inner: Search,
    level: int,
    what: int,
    one: int,
    end: int,
    clash_shown: int,
    chain: int,
) -> int:
    """Record the removed candidates that a derivation depends on. Return the new hash.

    The derivation is that of assertion `end` in the last run of the inner search, `inner.tree`.

    what, one    the type of the chain, and the first number that describes it (see `search`)
    clash_shown  the assertion that is read in place of CLASH, the end of a contradiction
    chain        the hash to extend by the derivation

    Of the candidates that the outer search has removed, those that the derivation depends on are
    recorded in `outer.tree` as parents.
    """
    links, tree = inner.links, inner.tree
    chain = (chain ^ _TARGET) * PRIME
    for assertion in range(2 * links.count):
        tree.written[assertion] = 0
    tree.written[CLASH] = 0
    tree.written[end] = 1
    tree.path[0] = end
    place, waiting = 0, 1
    while place < waiting:
        assertion = tree.path[place]
        place += 1
        shown = clash_shown if assertion == CLASH else assertion
        first = tree.parents_from[assertion]
        cause = ASSUMED
        if tree.parents_to[assertion] == first:
            cause = IN_CELL if what == CELL else one // 9 if what == REGION else ASSUMED
        elif shown & 1:
            cause = tree.cause[assertion]
            if level == STATIC:
                cause = _strong_cause(inner, tree.parents[first] >> 1, shown >> 1)
        chain = _read(outer, inner, shown, cause, chain)
        for number in range(first, tree.parents_to[assertion]):
            parent = tree.parents[number]
            if not tree.written[parent]:
                tree.written[parent] = 1
                tree.path[waiting] = parent
                waiting += 1
    return chain


@kernel
def _read_forcing_chain(outer: Search, inner: Search, slot: int) -> int:
    """Record the removed candidates that an inner forcing chain or cycle depends on.

    Returns the chain's hash. The chain is stored at index `slot` of `inner.candidate_steps`, and
    `inner.bfs` must contain its repeated search (see `search_again`). It is read from its end to
    its start. Of the candidates that the outer search has removed, those that the chain depends on
    are recorded in `outer.tree` as parents.
    """
    bfs = inner.bfs
    what, start = inner.candidate_steps.type[slot], inner.candidate_steps.one[slot]
    place, is_true, chain = bfs.end, what == CHAIN_OFF, 0
    if is_true:
        chain = _read(outer, inner, 2 * start, ASSUMED, chain)
    else:
        cause = _strong_cause(inner, bfs.off[place], start)
        chain = _read(outer, inner, 2 * start + 1, cause, chain)
    while place >= 0:
        before = bfs.on_from[place] if is_true else bfs.off_from[place]
        if is_true:
            true, cause = bfs.on[place], ASSUMED
            if before >= 0:
                cause = _strong_cause(inner, bfs.off[before], true)
            elif what == CYCLE:
                break
            chain = _read(outer, inner, 2 * true + 1, cause, chain)
        else:
            chain = _read(outer, inner, 2 * bfs.off[place], ASSUMED, chain)
            if what == CYCLE:  # in the other direction, its weak links act as strong ones
                false = bfs.off[place]
                cause = _weak_cause(inner, bfs.on[before], false)
                chain = _read(outer, inner, 2 * false + 1, cause, chain)
        place, is_true = before, not is_true
    return int(chain)


@kernel
def _read(outer: Search, inner: Search, assertion: int, cause: int, chain: int) -> int:
    """Extend the hash `chain` by an assertion, and record the assertion's dependencies.

    `cause` is the reason why the assertion's candidate is true: IN_CELL, a kind of house, or
    ASSUMED for no reason. With a reason, it depends on the candidates that the outer search has
    removed from its cell, or from its house of that kind. A false candidate depends on none.
    Returns the new hash.
    """
    links = inner.links
    cell, value = links.cell[assertion >> 1], links.value[assertion >> 1]
    if assertion & 1 and cause != ASSUMED:
        _put_lost(outer, cell, value, cause)
    return int((chain ^ (2 * (9 * cell + value) + (assertion & 1))) * PRIME)


@kernel
def _put_lost(outer: Search, cell: int, value: int, cause: int) -> None:
    """Record the candidates that the outer search removed from a cell or from one of its houses.

    If `cause` is IN_CELL, these are all removed candidates of the cell. Otherwise, `cause` is a
    kind of house, and they are the removed places of `value` in the cell's house of that kind. Each
    one becomes a parent, unless it was recorded for the same chain before.
    """
    state, work, links = outer.state, outer.tree.state, outer.links
    if cause == IN_CELL:
        gone = state.cells[cell] & ~work.cells[cell]
        while gone:
            _put_once(outer, links.number[cell, ctz(gone)])
            gone &= gone - 1
        return
    house = CELL_HOUSES[cell, cause]
    gone = state.places[house, value] & ~work.places[house, value]
    while gone:
        _put_once(outer, links.number[HOUSE_CELLS[house, ctz(gone)], value])
        gone &= gone - 1


@kernel
def _put_once(outer: Search, candidate: int) -> None:
    if is_first_read(outer.dependencies, candidate):
        put_parent(outer.tree, 2 * candidate)


@kernel
def _strong_cause(inner: Search, false: int, true: int) -> int:
    """Return why candidate `true` must be true if candidate `false` is false.

    Returns IN_CELL if both are in one cell, or the kind of a house that contains both cells and in
    which the value of `true` has two places, else ASSUMED. It isn't checked whether the cell has
    only two candidates or whether the values are equal.
    """
    state, links = inner.state, inner.links
    cell, other = links.cell[true], links.cell[false]
    if cell == other:
        return IN_CELL
    for kind in range(kind_count(state.rules)):
        house = house_of(state.rules, cell, kind)
        if (
            house >= 0
            and house == CELL_HOUSES[other, kind]
            and popcount(state.places[house, links.value[true]]) == 2
        ):
            return kind
    return ASSUMED


@kernel
def _weak_cause(inner: Search, true: int, false: int) -> int:
    """Return why candidate `false` must be false if candidate `true` is true.

    If the values are equal and the cells share a house, returns the kind of the first such house.
    Otherwise, returns IN_CELL, as SukakuExplainer does even for rules that link two cells.
    """
    links, rules = inner.links, inner.state.rules
    cell, other = links.cell[true], links.cell[false]
    if links.value[true] != links.value[false]:
        return IN_CELL
    for kind in range(kind_count(rules)):
        house = house_of(rules, cell, kind)
        if house >= 0 and house == CELL_HOUSES[other, kind]:
            return kind
    return IN_CELL
