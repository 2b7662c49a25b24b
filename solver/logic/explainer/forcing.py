"""Forcing chains and bidirectional cycles: X (one value), Y (cells of two values), and both.

A chain from a candidate back to its opposite, breadth first. How long the shortest one is decides
the rating, so that chains need no more than distances. A cycle removes what depends on its way,
so cycles are walked as Sudoku Explainer walks them, but only where one can be short enough.
"""

from typing import Any

import numpy as np

from solver.logic.explainer import codes
from solver.logic.explainer.links import CANDIDATES
from solver.logic.explainer.once import once
from solver.logic.explainer.ranking import NO_LIMIT, is_better, keep, longer, most_complex
from solver.logic.explainer.state import PEER_SETS, is_pair
from solver.logic.record import CHAIN, FIRST, PLACE, REMOVE, STRONG, WEAK, begin, note, note_cells

X, Y, XY = range(3)
CYCLE, CHAIN_OFF, CHAIN_ON = range(3)  # what a chain is: data[0]; data[1] mode, data[2] candidate

_ENTRIES = 28 * CANDIDATES


# Room for walks over links.
WALK = np.dtype(
    [
        ("marks", "i8", (CANDIDATES,)),  # walk number where a candidate opposes the first one
        ("returns", "i8", (CANDIDATES,)),  # walk number where it may close a cycle
        ("on_seen", "i8", (CANDIDATES,)),  # walk number
        ("off_seen", "i8", (CANDIDATES,)),
        ("walks", "i8", (1,)),  # number of the last walk
        ("on", "i8", (CANDIDATES,)),  # queue
        ("off", "i8", (_ENTRIES,)),  # queue
        ("on_from", "i8", (CANDIDATES,)),  # place in the off queue that each came from
        ("off_from", "i8", (_ENTRIES,)),  # place in the on queue
        ("weak_from", "i8", (CANDIDATES,)),  # of the links that are followed, see `links`
        ("strong_from", "i8", (CANDIDATES,)),
        ("strong_to", "i8", (CANDIDATES,)),
        ("leads_on", "i8", (CANDIDATES,)),  # 1 for a candidate with strong links
        (
            "shortest",
            "i8",
            (2,),
        ),  # complexity of a chain, and of a cycle that may be one; 0 for none
        ("end", "i8", (1,)),  # place in a queue of the last candidate but one of a chain or cycle
        ("forward", "i8", (9, 2)),  # cells that the true candidates of a cycle see
        ("backward", "i8", (9, 2)),  # cells that its false ones see
        ("barren", "i8", (9, 2)),  # places of a value that have no X-chain
    ],
    align=True,
)


@once
def _limit_to(links: Any, walk: Any, mode: int) -> None:
    """Limit the links that are followed to those of a mode."""
    for candidate in range(links.count[0]):
        walk.weak_from[candidate] = links.weak_from[candidate] if mode == X else 0
        walk.strong_from[candidate] = links.strong_from[candidate] if mode == X else 0
        end = links.strong_from[candidate] if mode == Y else links.strong_to[candidate]
        walk.strong_to[candidate] = end
        walk.leads_on[candidate] = end > walk.strong_from[candidate]


@once
def measure(links: Any, walk: Any, start: int, is_on: bool, limit: int) -> None:
    """Find the shortest chain from a candidate to its opposite, and a bound for cycles."""
    walk.shortest[0] = walk.shortest[1] = 0
    walk.walks[0] += 1
    now = walk.walks[0]
    if is_on:
        _mark(links, walk, start, now)
        walk.on[0] = start
        walk.on_seen[start] = now
        walk.on_from[0] = -1
        on_end, off_end, depth, goal = 1, 0, 1, -1
    else:
        walk.off[0] = start
        walk.off_seen[start] = now
        walk.off_from[0] = -1
        on_end, off_end, depth, goal = 0, 1, 0, start
    on_begin = off_begin = 0
    while depth < limit and (on_begin < on_end or off_begin < off_end):
        level = on_end
        while on_begin < level:
            true = walk.on[on_begin]
            on_begin += 1
            if depth > 1:
                if walk.marks[true] == now and walk.shortest[0] == 0:
                    walk.shortest[0] = depth + 1
                    walk.end[0] = on_begin - 1
                if walk.returns[true] == now and walk.shortest[1] == 0:
                    walk.shortest[1] = depth + 1
            for number in range(walk.weak_from[true], links.weak_to[true]):
                false = links.weak[true, number]
                if walk.off_seen[false] != now and walk.leads_on[false]:
                    walk.off_seen[false] = now
                    walk.off[off_end] = false
                    walk.off_from[off_end] = on_begin - 1
                    off_end += 1
        depth += 1
        level = off_end
        while off_begin < level:
            false = walk.off[off_begin]
            off_begin += 1
            for number in range(walk.strong_from[false], walk.strong_to[false]):
                true = links.strong[false, number]
                if true == goal:
                    walk.shortest[0] = depth + 1
                    walk.end[0] = off_begin - 1
                    return
                if walk.on_seen[true] != now:
                    walk.on_seen[true] = now
                    walk.on[on_end] = true
                    walk.on_from[on_end] = off_begin - 1
                    on_end += 1
        depth += 1
        if walk.shortest[0] and walk.shortest[1]:
            return


@once
def _mark(links: Any, walk: Any, start: int, now: int) -> None:
    """Mark the candidates that oppose the first one, and those that oppose its strong links."""
    for number in range(walk.weak_from[start], links.weak_to[start]):
        walk.marks[links.weak[start, number]] = now
    for number in range(walk.strong_from[start], walk.strong_to[start]):
        end = links.strong[start, number]
        for other in range(walk.weak_from[end], links.weak_to[end]):
            walk.returns[links.weak[end, other]] = now


@once
def cycle(state: Any, links: Any, walk: Any, start: int, limit: int) -> int:
    """Return the complexity of the first useful cycle from a candidate, 0 for none up to a limit.

    Its way can then be read from the queues: from place `end[0]` of the off queue back.
    """
    walk.walks[0] += 1
    now = walk.walks[0]
    walk.on[0] = start
    walk.on_seen[start] = now
    walk.on_from[0] = -1
    on_begin, on_end, off_begin, off_end = 0, 1, 0, 0
    length = 1
    while on_begin < on_end and length < limit:
        level = on_end
        while on_begin < level:
            true = walk.on[on_begin]
            for number in range(walk.weak_from[true], links.weak_to[true]):
                false = links.weak[true, number]
                if walk.leads_on[false] and not _is_on_way(walk, on_begin, false):
                    walk.off[off_end] = false
                    walk.off_from[off_end] = on_begin
                    off_end += 1
            on_begin += 1
        length += 1
        level = off_end
        while off_begin < level:
            false = walk.off[off_begin]
            for number in range(walk.strong_from[false], walk.strong_to[false]):
                true = links.strong[false, number]
                if length >= 4 and true == start and _is_useful(state, links, walk, off_begin):
                    walk.end[0] = off_begin
                    return length
                if walk.on_seen[true] != now:
                    walk.on_seen[true] = now
                    walk.on[on_end] = true
                    walk.on_from[on_end] = off_begin
                    on_end += 1
            off_begin += 1
        length += 1
    return 0


@once
def _is_on_way(walk: Any, place: int, false: int) -> bool:
    """Return whether the way to a true candidate went over a false one."""
    before = walk.on_from[place]
    while before >= 0:
        if walk.off[before] == false:
            return True
        before = walk.on_from[walk.off_from[before]]
    return False


@once
def _is_useful(state: Any, links: Any, walk: Any, end: int) -> bool:
    """Return whether a cycle removes something: what its true and its false candidates both see.

    What it removes is left in `walk.forward`.
    """
    walk.forward[:] = 0
    walk.backward[:] = 0
    own_low = own_high = 0
    place = end
    while place >= 0:
        false, before = walk.off[place], walk.off_from[place]
        true = walk.on[before]
        for candidate, seen in ((true, walk.forward), (false, walk.backward)):
            cell, value = links.cell[candidate], links.value[candidate]
            seen[value, 0] |= PEER_SETS[cell, 0]
            seen[value, 1] |= PEER_SETS[cell, 1]
            if cell < 64:
                own_low |= 1 << cell
            else:
                own_high |= 1 << (cell - 64)
        place = walk.on_from[before]
    union = 0
    for value in range(9):
        walk.forward[value, 0] &= walk.backward[value, 0] & state.sets[value, 0] & ~own_low
        walk.forward[value, 1] &= walk.backward[value, 1] & state.sets[value, 1] & ~own_high
        union |= walk.forward[value, 0] | walk.forward[value, 1]
    return union != 0


@once
def forcing(state: Any, links: Any, walk: Any, best: Any, buffer: Any) -> float:
    """Find the best forcing chain or cycle."""
    best.rating[0] = 0.0
    _search(state, links, walk, best, X, 6.5, 6.6)
    _search(state, links, walk, best, Y, 6.5, 0.0)
    if best.rating[0] == 0.0 or best.rating[0] >= 7.0:
        _search(state, links, walk, best, XY, 7.0, 7.0)
    if best.rating[0]:
        _write(state, links, walk, best, buffer)
    return float(best.rating[0])


@once
def _write(state: Any, links: Any, walk: Any, best: Any, buffer: Any) -> None:
    """Walk the best chain or cycle again, and write it down from its end to its start."""
    what, mode, start = best.data[0], best.data[1], best.data[2]
    _limit_to(links, walk, mode)
    cell, value = links.cell[start], links.value[start]
    if what == CYCLE:
        cycle(state, links, walk, start, best.key[0])
        begin(buffer, codes.X_CYCLE + mode)
        for gone in range(9):
            low, high = walk.forward[gone, 0], walk.forward[gone, 1]
            note_cells(buffer, REMOVE, low, high, gone + 1)
    else:
        measure(links, walk, start, what == CHAIN_OFF, NO_LIMIT)
        begin(buffer, codes.FORCING_X_CHAIN if mode == X else codes.FORCING_CHAIN)
        if what == CHAIN_OFF:
            note(buffer, REMOVE, cell, value + 1)
        else:
            note(buffer, PLACE, cell, value + 1)
    note(buffer, CHAIN, 0, 0)
    note(buffer, FIRST, cell, value + 1)
    is_true, place = what == CHAIN_OFF, walk.end[0]
    while place >= 0:
        candidate = walk.on[place] if is_true else walk.off[place]
        tag = WEAK if is_true else STRONG
        note(buffer, tag, links.cell[candidate], links.value[candidate] + 1)
        place = walk.on_from[place] if is_true else walk.off_from[place]
        is_true = not is_true


@once
def _search(
    state: Any, links: Any, walk: Any, best: Any, mode: int, cycles: float, chains: float
) -> None:
    """Search chains and cycles from all candidates; base ratings of both, 0.0: no such chains."""
    kind = 2 if mode == X else 3 if mode == Y else 4
    cycle_limit, chain_limit = most_complex(best, cycles), most_complex(best, chains)
    had_none = best.rating[0] == 0.0
    _limit_to(links, walk, mode)
    for start in range(links.count[0]):
        cell, value = links.cell[start], links.value[start]
        if mode == X and _is_barren(state, walk, value):
            continue
        if mode == Y and not is_pair(state.cells[cell]):
            continue
        order = 10 * (mode * CANDIDATES + start)
        limit = max(cycle_limit, chain_limit)
        measure(links, walk, start, True, limit)
        chain, bound = walk.shortest[0], walk.shortest[1]
        if bound and bound <= cycle_limit:
            complexity = cycle(state, links, walk, start, cycle_limit)
            rating = cycles + longer(complexity)
            if complexity and is_better(best, rating, complexity, kind, order):
                keep(best, rating, complexity, kind, order)
                best.data[0], best.data[1], best.data[2] = CYCLE, mode, start
                cycle_limit, chain_limit = most_complex(best, cycles), most_complex(best, chains)
        if chains == 0.0:
            continue
        what = CHAIN_OFF
        while what <= CHAIN_ON:
            rating = chains + longer(chain)
            if chain and is_better(best, rating, chain, kind, order + what):
                keep(best, rating, chain, kind, order + what)
                best.data[0], best.data[1], best.data[2] = what, mode, start
                cycle_limit, chain_limit = most_complex(best, cycles), most_complex(best, chains)
            what += 1
            if what == CHAIN_ON and walk.leads_on[start]:
                measure(links, walk, start, False, chain_limit)
                chain = walk.shortest[0]
            else:
                chain = 0
    if mode == X and had_none and best.rating[0] == 0.0:
        for value in range(9):
            walk.barren[value, 0] = state.sets[value, 0]
            walk.barren[value, 1] = state.sets[value, 1]


@once
def _is_barren(state: Any, walk: Any, value: int) -> bool:
    """Return whether a value has kept all its places since it had no X-chain."""
    return bool(
        walk.barren[value, 0] == state.sets[value, 0]
        and walk.barren[value, 1] == state.sets[value, 1]
    )
