"""Breadth-first searches over links: shortest chains from a candidate to its negation, and cycles.

A search alternates between levels: candidates that are true, candidates that these make false,
candidates that those make true, and so on. Two queues contain the candidates: `on` the true ones
and `off` the false ones. The path to a candidate can be read backward, because the queues also
store the position of each entry's predecessor in the other queue:

    q = on_from[r]: off[q] made on[r] true        p = off_from[q]: on[p] made off[q] false

The predecessor of the start is −1.
"""

from typing import Annotated, Protocol

from solver.compiling.jit import kernel
from solver.compiling.records import record_dtype
from solver.logic.board import Words
from solver.logic.sudoku_explainer.links import CANDIDATES, MOST_WEAK, Links
from solver.logic.sudoku_explainer.state import State

X, Y, XY = range(3)  # links between equal values, links between bivalue cells, all links

_ENTRIES = MOST_WEAK * CANDIDATES


class Bfs(Protocol):
    """Working memory of the breadth-first searches for chains and cycles.

    The first four arrays are indexed by candidate. A mark is the number of the search that set it,
    so marks of earlier searches needn't be cleared.

        marks           marks the candidates that close a chain if they are true
        returns         marks the candidates that may close a cycle if they are true
        on_seen         marks the candidates that were reached as true
        off_seen        marks the candidates that were reached as false
        number          the number of the latest search
        on, off         the queues of true and of false candidates
        on_from         by position in `on`: the predecessor's position in `off`
        off_from        by position in `off`: the predecessor's position in `on`
        weak_from       by candidate: the first of its weak links in the mode set by `limit_to`. The
                        last one is before `Links.weak_to`.
        strong_from,    by candidate: the range of its strong links in this mode
        strong_to
        leads_on        by candidate: 1 if it has strong links in this mode
        shortest_chain  the complexity of the shortest chain, 0 for none
        shortest_cycle  a lower bound for the complexity of cycles, 0 if there is no cycle
        end             the queue position of the last candidate before a chain or cycle closes
        forward         by value: the cells that see a cycle's true candidates, then the cells in
                        which the cycle removes the value
        backward        by value: the cells that see a cycle's false candidates
        chain           by candidate: the complexity of the shortest chain from it being true to
                        its negation, 0 for none
        cycle           by candidate: a lower bound for the complexity of cycles from it, 0 for none
        barren          by value: its places when a search last found no X-chain and no X-cycle
    """

    marks: Annotated[Words, CANDIDATES]
    returns: Annotated[Words, CANDIDATES]
    on_seen: Annotated[Words, CANDIDATES]
    off_seen: Annotated[Words, CANDIDATES]
    number: int
    on: Annotated[Words, CANDIDATES]
    off: Annotated[Words, _ENTRIES]
    on_from: Annotated[Words, CANDIDATES]
    off_from: Annotated[Words, _ENTRIES]
    weak_from: Annotated[Words, CANDIDATES]
    strong_from: Annotated[Words, CANDIDATES]
    strong_to: Annotated[Words, CANDIDATES]
    leads_on: Annotated[Words, CANDIDATES]
    shortest_chain: int
    shortest_cycle: int
    end: int
    forward: Annotated[Words, 9, 2]
    backward: Annotated[Words, 9, 2]
    chain: Annotated[Words, CANDIDATES]
    cycle: Annotated[Words, CANDIDATES]
    barren: Annotated[Words, 9, 2]


BFS = record_dtype(Bfs)


@kernel
def limit_to(links: Links, bfs: Bfs, mode: int) -> None:
    """Select the links that the next searches follow.

    In mode X, these are the links between cells, usually with equal values. In mode Y, they are all
    weak links, and the strong links within cells of two candidates. In mode XY, they are all links.
    """
    for candidate in range(links.count):
        bfs.weak_from[candidate] = links.weak_from[candidate] if mode == X else 0
        bfs.strong_from[candidate] = links.strong_from[candidate] if mode == X else 0
        end = links.strong_from[candidate] if mode == Y else links.strong_to[candidate]
        bfs.strong_to[candidate] = end
        bfs.leads_on[candidate] = end > bfs.strong_from[candidate]


@kernel
def measure(links: Links, bfs: Bfs, start: int, is_on: bool, limit: int) -> None:
    """Measure the shortest chain from an assumption to its negation, and look for cycles.

    The assumption is that candidate `start` is true (`is_on`) or false. `limit_to` must have
    selected the links. Chains with a complexity above `limit` may be missed. Writes:

        bfs.shortest_chain  the chain's complexity (number of assertions), 0 if there is no chain
        bfs.shortest_cycle  with `is_on`, a lower bound for the complexity of cycles through the
                            start, 0 if there is none. Without `is_on`, always 0.
        bfs.end             the position of the chain's last candidate before the negation. It is a
                            position in `bfs.on` with `is_on`, otherwise in `bfs.off`.
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
def may_close_on(bfs: Bfs, links: Links, start: int) -> bool:
    """Return whether candidate `start`, if false, may lead to itself being true.

    Such a chain begins with a strong link to a second candidate. Read backward, the chain also
    leads from this second candidate being true to it being false. So the result is False unless
    `bfs.chain` is set for one of the candidates that have a strong link with `start`. Therefore,
    `bfs.chain` must be complete for true candidates.
    """
    for number in range(bfs.strong_from[start], bfs.strong_to[start]):
        if bfs.chain[links.strong[start, number]]:
            return True
    return False


@kernel
def _mark(links: Links, bfs: Bfs, start: int, now: int) -> None:
    """Mark the candidates that would close a chain or may close a cycle if they were true.

    A true candidate closes a chain if it has a weak link to the start (`bfs.marks`). It may close a
    cycle if it has a weak link to a candidate that has a strong link with the start
    (`bfs.returns`). `now` is the number of the search.
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

    A cycle is useful if it removes candidates. The search skips the first `skipped` useful cycles,
    and it doesn't find cycles whose complexity exceeds `limit`. If a cycle was found, `bfs.forward`
    contains the cells in which it removes each value. The path can be read from the queues,
    beginning at position `bfs.end` of the queue of false candidates.
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
    """Return whether the path to the true candidate bfs.on[place] contains `false` as false."""
    before = bfs.on_from[place]
    while before >= 0:
        if bfs.off[before] == false:
            return True
        before = bfs.on_from[bfs.off_from[before]]
    return False


@kernel
def _is_useful(state: State, links: Links, bfs: Bfs, end: int) -> bool:
    """Return whether a cycle removes any candidates, and leave these in `bfs.forward`.

    The cycle ends at position `end` of the queue of false candidates. It removes a candidate
    outside its own cells if the candidate sees a true and a false candidate of the cycle, all with
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
            seen[value, 0] |= state.rules.peer_sets[cell, 0]
            seen[value, 1] |= state.rules.peer_sets[cell, 1]
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
