"""Forcing chains and bidirectional cycles of three modes: X (one value), Y (bivalue cells), and XY.

A forcing chain leads from an assumption to its negation. The length of the shortest one decides the
rating, so a breadth-first search for distances suffices. The eliminations of a cycle depend on its
path. So cycles are followed exactly as Sudoku Explainer does, but only where one can be short
enough.
"""

from solver.compiling.bitops import popcount
from solver.compiling.jit import kernel
from solver.logic.board import Ints
from solver.logic.deduction_buffer import begin, note, note_cells
from solver.logic.deduction_rows import CHAIN, FIRST, PLACE, REMOVE, STRONG, WEAK
from solver.logic.sudoku_explainer import techniques
from solver.logic.sudoku_explainer.breadth_first_search import (
    XY,
    Bfs,
    X,
    Y,
    cycle,
    limit_to,
    may_close_on,
    measure,
)
from solver.logic.sudoku_explainer.candidate_steps import CandidateSteps, keep_chain, keep_cycle
from solver.logic.sudoku_explainer.chain_order import (
    NO_LIMIT,
    Best,
    is_better,
    keep,
    length_rating,
    most_complex,
)
from solver.logic.sudoku_explainer.links import CANDIDATES, Links
from solver.logic.sudoku_explainer.state import State, is_pair
from solver.logic.sudoku_explainer.techniques import RATINGS

# The type of a chain. `one` is its first candidate, `other` its mode.
CYCLE, CHAIN_OFF, CHAIN_ON = range(3)


@kernel
def find_forcing_x_xy(state: State, links: Links, bfs: Bfs, best: Best, buffer: Ints) -> float:
    """Search for the best forcing chain or bidirectional cycle (X, Y, or XY) and write it.

    Returns its rating, or 0.0 if there is none. Mode XY is searched only if the other modes have
    found nothing easier than its chains and cycles. `links` are the links of the state. `bfs` and
    `best` are overwritten.
    """
    best.rating = 0.0
    _search(state, links, bfs, best, X)
    _search(state, links, bfs, best, Y)
    if best.rating == 0.0 or best.rating >= RATINGS[techniques.XY_CYCLE]:
        _search(state, links, bfs, best, XY)
    if best.rating:
        _write(state, links, bfs, best, buffer)
    return float(best.rating)


@kernel
def _write(state: State, links: Links, bfs: Bfs, best: Best, buffer: Ints) -> None:
    """Search for the best chain or cycle again, and write it to the buffer with its effect.

    `best` describes it. Its nodes are written from the end to the start.
    """
    what, mode, start = best.type, best.other, best.one
    limit_to(links, bfs, mode)
    cell, value = links.cell[start], links.value[start]
    if what == CYCLE:
        cycle(state, links, bfs, start, best.complexity, 0)
        begin(buffer, techniques.X_CYCLE + mode)
        for gone in range(9):
            low, high = bfs.forward[gone, 0], bfs.forward[gone, 1]
            note_cells(buffer, REMOVE, low, high, gone + 1)
    else:
        measure(links, bfs, start, what == CHAIN_OFF, NO_LIMIT)
        begin(buffer, techniques.FORCING_X_CHAIN if mode == X else techniques.FORCING_CHAIN)
        if what == CHAIN_OFF:
            note(buffer, REMOVE, cell, value + 1)
        else:
            note(buffer, PLACE, cell, value + 1)
    note(buffer, CHAIN, 0, 0)
    note(buffer, FIRST, cell, value + 1)
    is_true, place = what == CHAIN_OFF, bfs.end
    while place >= 0:
        candidate = bfs.on[place] if is_true else bfs.off[place]
        tag = WEAK if is_true else STRONG
        note(buffer, tag, links.cell[candidate], links.value[candidate] + 1)
        place = bfs.on_from[place] if is_true else bfs.off_from[place]
        is_true = not is_true


@kernel
def _search(state: State, links: Links, bfs: Bfs, best: Best, mode: int) -> None:
    """Search for chains and cycles of a mode from each candidate, and store the best in `best`.

    Mode X skips the values for which `_is_barren` holds, and mode Y the cells without exactly two
    candidates. The best chain of the modes searched before stays if it is at least as good. If
    mode X comes first and finds nothing, the places of all values are stored in `bfs.barren`, so
    that later X searches skip the values that are unchanged.
    """
    cycles, chains = RATINGS[techniques.X_CYCLE + mode], _chain_rating(mode)
    kind = mode + 2
    cycle_limit, chain_limit = most_complex(best, cycles), most_complex(best, chains)
    had_none = best.rating == 0.0
    limit_to(links, bfs, mode)
    for start in range(links.count):
        cell, value = links.cell[start], links.value[start]
        if mode == X and _is_barren(state, bfs, value):
            continue
        if mode == Y and not is_pair(state.cells[cell]):
            continue
        order = 10 * (mode * CANDIDATES + start)
        limit = max(cycle_limit, chain_limit)
        measure(links, bfs, start, True, limit)
        chain, bound = bfs.shortest_chain, bfs.shortest_cycle
        if bound and bound <= cycle_limit:
            complexity = cycle(state, links, bfs, start, cycle_limit, 0)
            rating = cycles + length_rating(complexity)
            if complexity and is_better(best, rating, complexity, kind, order):
                keep(best, rating, complexity, kind, order)
                best.type, best.one, best.other = CYCLE, start, mode
                cycle_limit, chain_limit = most_complex(best, cycles), most_complex(best, chains)
        if chains == 0.0:
            continue
        bfs.chain[start] = chain
        rating = chains + length_rating(chain)
        if chain and is_better(best, rating, chain, kind, order + CHAIN_OFF):
            keep(best, rating, chain, kind, order + CHAIN_OFF)
            best.type, best.one, best.other = CHAIN_OFF, start, mode
            cycle_limit, chain_limit = most_complex(best, cycles), most_complex(best, chains)
    if chains:
        _search_on(state, links, bfs, best, mode)
    if mode == X and had_none and best.rating == 0.0:
        for value in range(9):
            bfs.barren[value, 0] = state.sets[value, 0]
            bfs.barren[value, 1] = state.sets[value, 1]


@kernel
def _search_on(state: State, links: Links, bfs: Bfs, best: Best, mode: int) -> None:
    """Search for chains that prove a candidate: if it were false, it would have to be true.

    This complements `_search`. `bfs.chain` must contain the mode's chains from true candidates.
    """
    chains, kind = _chain_rating(mode), mode + 2
    limit = most_complex(best, chains)
    for start in range(links.count):
        if (mode == X and _is_barren(state, bfs, links.value[start])) or not may_close_on(
            bfs, links, start
        ):
            continue
        measure(links, bfs, start, False, limit)
        chain, order = bfs.shortest_chain, 10 * (mode * CANDIDATES + start) + CHAIN_ON
        rating = chains + length_rating(chain)
        if chain and is_better(best, rating, chain, kind, order):
            keep(best, rating, chain, kind, order)
            best.type, best.one, best.other = CHAIN_ON, start, mode
            limit = most_complex(best, chains)


@kernel
def _chain_rating(mode: int) -> float:
    """Return the lowest rating of forcing chains of a mode, or 0.0 if the mode has no chains."""
    if mode == Y:
        return 0.0
    return float(RATINGS[techniques.FORCING_X_CHAIN if mode == X else techniques.FORCING_CHAIN])


@kernel
def _is_barren(state: State, bfs: Bfs, value: int) -> bool:
    """Return whether a value still has the places of the last unsuccessful X search.

    `value` is 0 to 8. A search is unsuccessful if it finds neither a forcing X-chain nor an X cycle
    of any value. A value whose places haven't changed since then needn't be searched again, unless
    links between consecutive values connect it with other values.
    """
    return bool(
        not state.rules.is_nonconsecutive
        and bfs.barren[value, 0] == state.sets[value, 0]
        and bfs.barren[value, 1] == state.sets[value, 1]
    )


@kernel
def collect_forcing_x_xy(
    state: State, links: Links, bfs: Bfs, outer: Bfs, candidate_steps: CandidateSteps
) -> None:
    """Store the chains and cycles of all modes in `candidate_steps`.

    These are all useful cycles through each candidate, and for each assumption, the shortest chain
    that leads to its negation. Searches don't start in cells with a single candidate. X-chains and
    X-cycles aren't searched for values whose places are still those in `outer.barren`, because an
    earlier search with the same places found none.
    """
    for mode in (X, Y, XY):
        limit_to(links, bfs, mode)
        for start in range(links.count):
            bfs.chain[start] = bfs.cycle[start] = 0
            if (mode != X or not _is_barren(state, outer, links.value[start])) and (
                mode != Y or is_pair(state.cells[links.cell[start]])
            ):
                measure(links, bfs, start, True, NO_LIMIT)
                bfs.chain[start] = bfs.shortest_chain
                bfs.cycle[start] = bfs.shortest_cycle
        for start in range(links.count):
            if popcount(state.cells[links.cell[start]]) > 1:
                _collect_from(state, links, bfs, candidate_steps, mode, start)


@kernel
def _collect_from(
    state: State, links: Links, bfs: Bfs, candidate_steps: CandidateSteps, mode: int, start: int
) -> None:
    """Store the useful cycles through candidate `start`, and the chains that decide it.

    `mode` is X, Y, or XY. `bfs.chain` and `bfs.cycle` must contain the measurements for this mode.
    """
    kind = mode + 2
    chain, may_cycle = bfs.chain[start], bfs.cycle[start]
    number = 0
    while may_cycle:
        complexity = cycle(state, links, bfs, start, NO_LIMIT, number)
        if complexity == 0:
            break
        rating = RATINGS[techniques.X_CYCLE + mode] + length_rating(complexity)
        keep_cycle(candidate_steps, rating, complexity, kind, CYCLE, start, mode, number)
        number += 1
    if mode == Y:
        return
    base = _chain_rating(mode)
    if chain:
        rating = base + length_rating(chain)
        keep_chain(candidate_steps, 2 * start, rating, chain, kind, CHAIN_OFF, start, mode)
    if may_close_on(bfs, links, start):
        measure(links, bfs, start, False, NO_LIMIT)
        chain = bfs.shortest_chain
        if chain:
            rating = base + length_rating(chain)
            keep_chain(candidate_steps, 2 * start + 1, rating, chain, kind, CHAIN_ON, start, mode)
