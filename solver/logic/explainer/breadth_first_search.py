"""Breadth-first searches over links: shortest chains from a candidate to its opposite, and cycles.

A search alternates between levels: candidates that are true, candidates that these make false, and
so on. The path to a candidate can be read from the queues, from its end back to the start:

    on[p] ◄ off_from ─ off[q] ◄ on_from ─ on[r] …
"""

from typing import Any

import numpy as np

from solver.compiling.jit import kernel
from solver.logic.explainer.links import CANDIDATES
from solver.logic.explainer.state import PEER_SETS

X, Y, XY = range(3)  # links between equal values, links between bivalue cells, all links

_ENTRIES = 28 * CANDIDATES


# Working memory of the searches. A mark counts only if it equals the current search's number.
WALK = np.dtype(
    [
        ("marks", "i8", (CANDIDATES,)),  # search number, if the candidate opposes the start
        ("returns", "i8", (CANDIDATES,)),  # search number, if the candidate may close a cycle
        ("on_seen", "i8", (CANDIDATES,)),  # search number, if reached as true
        ("off_seen", "i8", (CANDIDATES,)),
        ("walks", "i8", (1,)),  # number of the latest search
        ("on", "i8", (CANDIDATES,)),  # queue of true candidates
        ("off", "i8", (_ENTRIES,)),  # queue of false candidates
        ("on_from", "i8", (CANDIDATES,)),  # position of each one's predecessor in the off queue
        ("off_from", "i8", (_ENTRIES,)),  # position of each one's predecessor in the on queue
        ("weak_from", "i8", (CANDIDATES,)),  # range of links in the current mode (see `links`)
        ("strong_from", "i8", (CANDIDATES,)),
        ("strong_to", "i8", (CANDIDATES,)),
        # 1 if the candidate has strong links in the current mode
        ("leads_on", "i8", (CANDIDATES,)),
        # complexity of the shortest chain, and a lower bound for cycles; 0 for none
        ("shortest", "i8", (2,)),
        ("end", "i8", (1,)),  # queue position of the last candidate before a chain or cycle closes
        ("forward", "i8", (9, 2)),  # by value: cells that the true candidates of a cycle see
        ("backward", "i8", (9, 2)),  # by value: cells that its false candidates see
        ("barren", "i8", (9, 2)),  # by value: its places when it last had no X-chain
    ],
    align=True,
)


@kernel
def limit_to(links: Any, walk: Any, mode: int) -> None:
    """Limit the searches to the links of a mode (X, Y, or XY)."""
    for candidate in range(links.count[0]):
        walk.weak_from[candidate] = links.weak_from[candidate] if mode == X else 0
        walk.strong_from[candidate] = links.strong_from[candidate] if mode == X else 0
        end = links.strong_from[candidate] if mode == Y else links.strong_to[candidate]
        walk.strong_to[candidate] = end
        walk.leads_on[candidate] = end > walk.strong_from[candidate]


@kernel
def measure(links: Any, walk: Any, start: int, is_on: bool, limit: int) -> None:
    """Measure the shortest chain from a candidate to its opposite, and find a bound for cycles."""
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


@kernel
def _mark(links: Any, walk: Any, start: int, now: int) -> None:
    """Mark the candidates that oppose the start, and those that oppose its strong links."""
    for number in range(walk.weak_from[start], links.weak_to[start]):
        walk.marks[links.weak[start, number]] = now
    for number in range(walk.strong_from[start], walk.strong_to[start]):
        end = links.strong[start, number]
        for other in range(walk.weak_from[end], links.weak_to[end]):
            walk.returns[links.weak[end, other]] = now


@kernel
def cycle(state: Any, links: Any, walk: Any, start: int, limit: int, skipped: int) -> int:
    """Return the complexity of a useful cycle from a candidate, or 0 if there is none in the limit.

    The first `skipped` cycles are skipped. The path of the cycle can be read from the queues,
    beginning at position `end[0]` of the off queue.
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
                    if skipped == 0:
                        walk.end[0] = off_begin
                        return length
                    skipped -= 1
                if walk.on_seen[true] != now:
                    walk.on_seen[true] = now
                    walk.on[on_end] = true
                    walk.on_from[on_end] = off_begin
                    on_end += 1
            off_begin += 1
        length += 1
    return 0


@kernel
def _is_on_way(walk: Any, place: int, false: int) -> bool:
    """Return whether the path to a true candidate contains a false one."""
    before = walk.on_from[place]
    while before >= 0:
        if walk.off[before] == false:
            return True
        before = walk.on_from[walk.off_from[before]]
    return False


@kernel
def _is_useful(state: Any, links: Any, walk: Any, end: int) -> bool:
    """Return whether a cycle removes anything.

    Candidates that see true and false ones of the cycle.

    The eliminations are left in `walk.forward`.
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
