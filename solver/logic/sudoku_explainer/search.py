"""Search for conclusions that hold in all cases, and for contradictions.

Each candidate is assumed true and false, and the consequences are followed once. A conclusion holds
if it follows from all candidates of a cell, from all places of a value in a house, or from a
candidate both true and false. An assumption that leads to a contradiction is wrong.

Three numbers describe how a chain proves its conclusion, the assertion `target`:

    type, or `what`  `one`                    `other`
    CONTRADICTION    run of the assumption    0
    DOUBLE           candidate                0
    CELL             cell                     0
    REGION           house                    value (0–8)
"""

from collections.abc import Sequence
from typing import Annotated, Protocol

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import kernel
from solver.compiling.records import record_dtype
from solver.logic.sudoku_explainer.assumptions import (
    FALSE,
    TRUE,
    Runs,
    Tree,
    begin_tree,
    follow,
    follow_queues,
)
from solver.logic.sudoku_explainer.breadth_first_search import Bfs
from solver.logic.sudoku_explainer.candidate_steps import CandidateSteps, is_useful, keep_chain
from solver.logic.sudoku_explainer.chain_dependencies import Dependencies, add_chains, begin_union
from solver.logic.sudoku_explainer.chain_order import Best, keep
from solver.logic.sudoku_explainer.houses import HOUSE_CELLS
from solver.logic.sudoku_explainer.links import Links
from solver.logic.sudoku_explainer.patterns import Elimination, extend
from solver.logic.sudoku_explainer.rules import house_of, kind_count
from solver.logic.sudoku_explainer.state import State

STATIC, NISHIO = -2, -1  # levels below those of dynamic chains, which begin at 0
FIRST_NESTED = 2  # first level with nested chains
CONTRADICTION, DOUBLE, CELL, REGION = range(
    4
)  # type of a chain, in the order of the technique codes
_KINDS = (7, 1, 5, 6)  # by type: the order of chains with the same complexity
NO_KIND = 9  # comes after all kinds


class Search(Protocol):
    """The working memory of one search for forcing chains.

    `state` is the grid that is searched, and `links` are its links. `best` is used if only the best
    chain is kept, `candidate_steps` if all chains are collected. `eliminations` is scratch space
    for the eliminations of one pattern or nested chain. An outer search also uses `dependencies`,
    and `bfs` serves the module `forcing_x_xy`.
    """

    state: State
    links: Links
    runs: Runs
    tree: Tree
    best: Best
    candidate_steps: CandidateSteps
    eliminations: Annotated[Sequence[Elimination], 81]  # of one pattern
    bfs: Bfs
    dependencies: Dependencies


SEARCH = record_dtype(Search)


@kernel
def search_level(search: Search, level: int) -> None:
    """Search for all forcing chains of a level, in Sudoku Explainer's order.

    The level is NISHIO, STATIC, or from 0 on for dynamic chains. `begin_search` must have been
    called. If `search.candidate_steps` is collecting, it gets all chains. Otherwise, only the best
    chain is kept, in `search.best`.
    """
    for cell in range(81):
        size = popcount(search.state.cells[cell])
        if size > 2 or (size == 2 and level != STATIC):
            _search_cell(search, level, cell, size)


@kernel
def begin_search(search: Search) -> None:
    """Forget the best chain found so far, and mark the runs from all starts as not done.

    The list of all chains found so far is kept.
    """
    search.best.rating = 0.0
    search.best.complexity = 1 << 30
    search.best.kind = NO_KIND
    for run in range(2 * search.links.count):
        search.runs.done[run] = 0


@kernel
def _run(search: Search, level: int, run: int) -> None:
    """Follow the assumption of a run without nested chains, unless this has been done.

    If the level uses nested chains, all runs have been done before.
    """
    if not search.runs.done[run]:
        follow_flat(search, level, run)


@kernel
def follow_flat(search: Search, level: int, run: int) -> None:
    """Follow the assumption of a run without nested chains.

    `run` is the number of the assertion that is assumed. `search.runs` then contains the
    consequences, and `search.tree` their derivations. At level STATIC, links don't change. At
    NISHIO, links within cells aren't used. From level 1 on, patterns are used as well.
    """
    state, links, runs, tree = search.state, search.links, search.runs, search.tree
    if level == STATIC:
        follow(links, runs, tree, run)
        return
    begin_tree(state, links, runs, tree, run)
    true_begin = false_begin = 0
    while follow_queues(state, links, runs, tree, run, level == NISHIO, true_begin, false_begin):
        true_begin, false_begin = runs.counts[run, TRUE], runs.counts[run, FALSE]
        if level < 1 or not extend(state, links, runs, tree, search.eliminations, run):
            return


@kernel
def _offer(search: Search, what: int, complexity: int, one: int, other: int, target: int) -> None:
    """Store a chain if all chains are collected or if it is the best one so far.

    `what` is its type. `one` is the run of the assumption for CONTRADICTION, the candidate for
    DOUBLE, the cell for CELL, and the house for REGION. `other` is the value (0–8) for REGION, else
    0. `target` is the assertion that the chain proves.
    """
    kind = _KINDS[what]
    if search.candidate_steps.is_collecting:
        keep_chain(search.candidate_steps, target, 0.0, complexity, kind, what, one, other)
        return
    best = search.best
    if complexity < best.complexity or (complexity == best.complexity and kind < best.kind):
        keep(best, 0.0, complexity, kind, 0)
        best.type, best.one, best.other, best.target = what, one, other, target


@kernel
def _search_cell(search: Search, level: int, cell: int, size: int) -> None:
    """Pass to `_offer` the chains that Sudoku Explainer finds when it visits a cell.

    `size` is the number of the cell's candidates. The level is NISHIO, STATIC, or from 0 on for
    dynamic chains. Region chains are searched only for the values whose first place in a house is
    this cell.
    """
    state, links, runs = search.state, search.links, search.runs
    values = state.cells[cell]
    while values:
        value = ctz(values)
        values &= values - 1
        candidate = links.number[cell, value]
        _run(search, level, 2 * candidate + 1)
        if level != STATIC:
            _run(search, level, 2 * candidate)
            for run in (2 * candidate + 1, 2 * candidate):
                if runs.clash_complexity[run]:
                    _offer(search, CONTRADICTION, runs.clash_complexity[run], run, 0, run ^ 1)
            if size > 2 and level != NISHIO:
                _search_double(search, level, candidate)
        if level != NISHIO:
            for kind in range(kind_count(state.rules)):
                house = house_of(state.rules, cell, kind)
                if house < 0:
                    continue
                places = state.places[house, value]
                if popcount(places) > 1 and HOUSE_CELLS[house, ctz(places)] == cell:
                    _search_house(search, level, house, value, places)
    if level != NISHIO:
        _search_outcomes(search, level, CELL, cell, 0, state.cells[cell])


@kernel
def _search_double(search: Search, level: int, candidate: int) -> None:
    """Pass to `_offer` the conclusions that a candidate leads to in both cases, true and false.

    Conclusions that change nothing or are more complex than the best one so far are left out. From
    level FIRST_NESTED on, the complexity of nested chains is added after this comparison. Both runs
    must have been done.
    """
    links, runs, best, dependencies = search.links, search.runs, search.best, search.dependencies
    run, opposite = 2 * candidate + 1, 2 * candidate
    for is_true in range(1, -1, -1):
        for number in range(runs.counts[run, is_true]):
            listed = int(runs.true[run, number] if is_true else runs.false[run, number])
            target = 2 * listed + is_true
            other = runs.complexity[opposite, target]
            complexity = runs.complexity[run, target] + other
            if other and complexity <= best.complexity and is_useful(search.state, links, target):
                if level >= FIRST_NESTED:
                    begin_union(dependencies)
                    add_chains(dependencies, run, target)
                    complexity += add_chains(dependencies, opposite, target)
                _offer(search, DOUBLE, complexity, candidate, 0, target)


@kernel
def _search_house(search: Search, level: int, house: int, value: int, places: int) -> None:
    """Pass to `_offer` the conclusions that all places of a value in a house lead to.

    `places` are these places, as bits. Their runs are made if they haven't been done.
    """
    rest = places
    while rest:
        cell = HOUSE_CELLS[house, ctz(rest)]
        _run(search, level, 2 * search.links.number[cell, value] + 1)
        rest &= rest - 1
    _search_outcomes(search, level, REGION, house, value, places)


@kernel
def alternative(links: Links, what: int, one: int, other: int, bit: int) -> int:
    """Return the number of the run that assumes one of the alternatives of a cell or house.

    If `what` is CELL, the run assumes that cell `one` has the value `bit`. If it is REGION, it
    assumes that the cell at position `bit` of house `one` has the value `other`. Values and
    positions are 0–8.
    """
    if what == CELL:
        return int(2 * links.number[one, bit] + 1)
    return int(2 * links.number[HOUSE_CELLS[one, bit], other] + 1)


@kernel
def _search_outcomes(
    search: Search, level: int, what: int, one: int, other: int, bits: int
) -> None:
    """Pass to `_offer` the conclusions that all alternatives of a cell or house share.

    Conclusions that change nothing or are more complex than the best one so far are left out. From
    level FIRST_NESTED on, the complexity of nested chains is added after this comparison.

    If `what` is CELL, the alternatives are the values of cell `one`. If it is REGION, they are the
    positions of the value `other` (0–8) in house `one`. `bits` are the alternatives as bits.
    """
    links, runs, best, dependencies = search.links, search.runs, search.best, search.dependencies
    first = alternative(links, what, one, other, ctz(bits))
    for is_true in range(1, -1, -1):
        for number in range(runs.counts[first, is_true]):
            listed = int(runs.true[first, number] if is_true else runs.false[first, number])
            target = 2 * listed + is_true
            complexity = runs.complexity[first, target]
            rest = bits & (bits - 1)
            while rest and complexity <= best.complexity:
                run = alternative(links, what, one, other, ctz(rest))
                if runs.complexity[run, target] == 0:
                    break
                complexity += runs.complexity[run, target]
                rest &= rest - 1
            if rest or complexity > best.complexity or not is_useful(search.state, links, target):
                continue
            if level >= FIRST_NESTED:
                begin_union(dependencies)
                rest, nested = bits, 0
                while rest:
                    run = alternative(links, what, one, other, ctz(rest))
                    nested = add_chains(dependencies, run, target)
                    rest &= rest - 1
                complexity += nested
            _offer(search, what, complexity, one, other, target)
