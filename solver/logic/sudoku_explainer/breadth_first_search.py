"""Breadth-first searches over links: shortest chains from a candidate to its opposite, and cycles.

A search alternates between levels: candidates that are true, candidates that these make false, and
so on. The path to a candidate can be read from the queues, from its end back to the start:

    on[p] ◄ off_from ─ off[q] ◄ on_from ─ on[r] …
"""

from typing import Annotated, Protocol

from solver.compiling.jit import kernel
from solver.compiling.records import record_dtype
from solver.logic.board import Words
from solver.logic.sudoku_explainer.links import CANDIDATES, Links
from solver.logic.sudoku_explainer.state import PEER_SETS, State

X, Y, XY = range(3)  # links between equal values, links between bivalue cells, all links

_ENTRIES = 28 * CANDIDATES


class Bfs(Protocol):
    """Working memory of the breadth-first searches for chains and cycles.

    A mark counts only if it equals the current search's number.
    """

    marks: Annotated[Words, CANDIDATES]  # search number, if the candidate opposes the start
    returns: Annotated[Words, CANDIDATES]  # search number, if the candidate may close a cycle
    on_seen: Annotated[Words, CANDIDATES]  # search number, if reached as true
    off_seen: Annotated[Words, CANDIDATES]
    number: int  # number of the latest search
    on: Annotated[Words, CANDIDATES]  # queue of true candidates
    off: Annotated[Words, _ENTRIES]  # queue of false candidates
    on_from: Annotated[Words, CANDIDATES]  # position of each one's predecessor in the off queue
    off_from: Annotated[Words, _ENTRIES]  # position of each one's predecessor in the on queue
    weak_from: Annotated[Words, CANDIDATES]  # range of links in the current mode (see `links`)
    strong_from: Annotated[Words, CANDIDATES]
    strong_to: Annotated[Words, CANDIDATES]
    # 1 if the candidate has strong links in the current mode
    leads_on: Annotated[Words, CANDIDATES]
    shortest_chain: int  # complexity of the shortest chain; 0 for none
    shortest_cycle: int  # lower bound for the complexity of cycles; 0 for none
    end: int  # queue position of the last candidate before a chain or cycle closes
    forward: Annotated[Words, 9, 2]  # by value: cells that the true candidates of a cycle see
    backward: Annotated[Words, 9, 2]  # by value: cells that its false candidates see
    barren: Annotated[Words, 9, 2]  # by value: its places when it last had no X-chain


BFS = record_dtype(Bfs)


@kernel
def limit_to(links: Links, bfs: Bfs, mode: int) -> None:
    """Limit the searches to the links of a mode: X (one value), Y (bivalue cells), or XY (all)."""
    for candidate in range(links.count):
        bfs.weak_from[candidate] = links.weak_from[candidate] if mode == X else 0
        bfs.strong_from[candidate] = links.strong_from[candidate] if mode == X else 0
        end = links.strong_from[candidate] if mode == Y else links.strong_to[candidate]
        bfs.strong_to[candidate] = end
        bfs.leads_on[candidate] = end > bfs.strong_from[candidate]


@kernel
def measure(links: Links, bfs: Bfs, start: int, is_on: bool, limit: int) -> None:
    """Find the length of the shortest chain from a candidate to its opposite, up to a limit.

    `limit_to` must have selected the links. The start is true if `is_on`, else false. Writes:

    bfs.shortest_chain  the chain's complexity (number of assertions), 0 if there is no chain
    bfs.shortest_cycle  from a true start, a lower bound for the complexity of cycles, 0 if there
                        are none
    bfs.end             the chain's last queue position, from which its path can be read
    """
    bfs.shortest_chain = bfs.shortest_cycle = 0
    bfs.number += 1
    now = bfs.number
    if is_on:
        _mark(links, bfs, start, now)
        bfs.on[0] = start
        bfs.on_seen[start] = now
        bfs.on_from[0] = -1
        on_end, off_end, depth, goal = 1, 0, 1, -1
    else:
        bfs.off[0] = start
        bfs.off_seen[start] = now
        bfs.off_from[0] = -1
        on_end, off_end, depth, goal = 0, 1, 0, start
    on_begin = off_begin = 0
    while depth < limit and (on_begin < on_end or off_begin < off_end):
        level = on_end
        while on_begin < level:
            true = bfs.on[on_begin]
            on_begin += 1
            if depth > 1:
                if bfs.marks[true] == now and bfs.shortest_chain == 0:
                    bfs.shortest_chain = depth + 1
                    bfs.end = on_begin - 1
                if bfs.returns[true] == now and bfs.shortest_cycle == 0:
                    bfs.shortest_cycle = depth + 1
            for number in range(bfs.weak_from[true], links.weak_to[true]):
                false = links.weak[true, number]
                if bfs.off_seen[false] != now and bfs.leads_on[false]:
                    bfs.off_seen[false] = now
                    bfs.off[off_end] = false
                    bfs.off_from[off_end] = on_begin - 1
                    off_end += 1
        depth += 1
        level = off_end
        while off_begin < level:
            false = bfs.off[off_begin]
            off_begin += 1
            for number in range(bfs.strong_from[false], bfs.strong_to[false]):
                true = links.strong[false, number]
                if true == goal:
                    bfs.shortest_chain = depth + 1
                    bfs.end = off_begin - 1
                    return
                if bfs.on_seen[true] != now:
                    bfs.on_seen[true] = now
                    bfs.on[on_end] = true
                    bfs.on_from[on_end] = off_begin - 1
                    on_end += 1
        depth += 1
        if bfs.shortest_chain and bfs.shortest_cycle:
            return


@kernel
def _mark(links: Links, bfs: Bfs, start: int, now: int) -> None:
    """Mark the candidates that would close a chain, and those that may close a cycle, if true.

    A true candidate closes a chain if it has a weak link to the start. It may close a cycle if it
    has a weak link to a candidate that has a strong link with the start. `now` is the number of the
    search.
    """
    for number in range(bfs.weak_from[start], links.weak_to[start]):
        bfs.marks[links.weak[start, number]] = now
    for number in range(bfs.strong_from[start], bfs.strong_to[start]):
        end = links.strong[start, number]
        for other in range(bfs.weak_from[end], links.weak_to[end]):
            bfs.returns[links.weak[end, other]] = now


@kernel
def cycle(state: State, links: Links, bfs: Bfs, start: int, limit: int, skipped: int) -> int:
    """Search for a useful cycle from a candidate. Return its complexity, or 0 if there is none.

    A cycle is useful if it removes candidates. The first `skipped` useful cycles are skipped.
    Cycles that exceed `limit` are not found. Afterwards, `bfs.forward` contains the removed
    candidates. The path can be read from the queues, beginning at position `bfs.end` of the queue
    of false candidates.
    """
    bfs.number += 1
    now = bfs.number
    bfs.on[0] = start
    bfs.on_seen[start] = now
    bfs.on_from[0] = -1
    on_begin, on_end, off_begin, off_end = 0, 1, 0, 0
    length = 1
    while on_begin < on_end and length < limit:
        level = on_end
        while on_begin < level:
            true = bfs.on[on_begin]
            for number in range(bfs.weak_from[true], links.weak_to[true]):
                false = links.weak[true, number]
                if bfs.leads_on[false] and not _is_on_path(bfs, on_begin, false):
                    bfs.off[off_end] = false
                    bfs.off_from[off_end] = on_begin
                    off_end += 1
            on_begin += 1
        length += 1
        level = off_end
        while off_begin < level:
            false = bfs.off[off_begin]
            for number in range(bfs.strong_from[false], bfs.strong_to[false]):
                true = links.strong[false, number]
                if length >= 4 and true == start and _is_useful(state, links, bfs, off_begin):
                    if skipped == 0:
                        bfs.end = off_begin
                        return length
                    skipped -= 1
                if bfs.on_seen[true] != now:
                    bfs.on_seen[true] = now
                    bfs.on[on_end] = true
                    bfs.on_from[on_end] = off_begin
                    on_end += 1
            off_begin += 1
        length += 1
    return 0


@kernel
def _is_on_path(bfs: Bfs, place: int, false: int) -> bool:
    """Return whether the path to the true candidate `bfs.on[place]` contains candidate `false`."""
    before = bfs.on_from[place]
    while before >= 0:
        if bfs.off[before] == false:
            return True
        before = bfs.on_from[bfs.off_from[before]]
    return False


@kernel
def _is_useful(state: State, links: Links, bfs: Bfs, end: int) -> bool:
    """Return whether a cycle removes any candidates, and leave these in `bfs.forward`.

    The cycle ends at position `end` of the queue of false candidates. In the cells outside the
    cycle, it removes the candidates that see both a true and a false candidate of the cycle with
    the same value.
    """
    bfs.forward[:] = 0
    bfs.backward[:] = 0
    own_low = own_high = 0
    place = end
    while place >= 0:
        false, before = bfs.off[place], bfs.off_from[place]
        true = bfs.on[before]
        for candidate, seen in ((true, bfs.forward), (false, bfs.backward)):
            cell, value = links.cell[candidate], links.value[candidate]
            seen[value, 0] |= PEER_SETS[cell, 0]
            seen[value, 1] |= PEER_SETS[cell, 1]
            if cell < 64:
                own_low |= 1 << cell
            else:
                own_high |= 1 << (cell - 64)
        place = bfs.on_from[before]
    union = 0
    for value in range(9):
        bfs.forward[value, 0] &= bfs.backward[value, 0] & state.sets[value, 0] & ~own_low
        bfs.forward[value, 1] &= bfs.backward[value, 1] & state.sets[value, 1] & ~own_high
        union |= bfs.forward[value, 0] | bfs.forward[value, 1]
    return union != 0
