"""The order of guesses: the most active open candidate first (VSIDS).

A candidate's activity is the number of conflicts that it took part in, with more weight for recent
ones (M. Moskewicz et al., Chaff, 2001, in the form that MiniSat uses). Open candidates are kept in
a binary heap:

    place         0                 the most active
                1   2               the children of place i are 2i + 1 and 2i + 2,
               3 4 5 6              and neither is more active than its parent
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.compiling.bitops import ONE, ZERO
from solver.compiling.jit import always_inline, kernel


class Order(NamedTuple):
    """The activity of each candidate, and a heap of the open ones, the most active on top.

    The heap's length is among the counters of the state.
    """

    activity: NDArray[np.float64]  # per candidate
    heap: NDArray[np.int32]  # all open candidates, and some that are assigned
    heap_places: NDArray[np.int32]  # per candidate: its place, −1 if it isn't in the heap


def new_order(candidates: int) -> Order:
    """Return the order of a search that hasn't started: no activity and an empty heap."""
    return Order(
        np.zeros(candidates, np.float64),
        np.zeros(candidates, np.int32),
        np.full(candidates, -1, np.int32),
    )


@always_inline
def sift_up(candidate, heap, heap_places, activity):  # type: ignore[no-untyped-def]
    """Move a candidate in the heap up to the place of its activity."""
    i = np.uint64(heap_places[candidate])
    active = activity[candidate]
    while i > ZERO:
        parent = (i - ONE) >> ONE
        above = np.uint64(heap[parent])
        if activity[above] >= active:
            break
        heap[i] = above
        heap_places[above] = i
        i = parent
    heap[i] = candidate
    heap_places[candidate] = i


@always_inline
def push(candidate, heap, heap_places, activity, counters):  # type: ignore[no-untyped-def]
    """Add a candidate to the heap unless it is there already."""
    if heap_places[candidate] < 0:
        heap[counters.heap] = candidate
        heap_places[candidate] = counters.heap
        counters.heap += 1
        sift_up(candidate, heap, heap_places, activity)


@kernel
def pop_open(state, order):  # type: ignore[no-untyped-def]
    """Remove the most active open candidate and return it, or −1 if all are assigned."""
    counters = state.counters[0]
    heap_places = order.heap_places
    activity = order.activity
    truths = state.truths
    heap = order.heap
    while counters.heap > 0:
        top = np.uint64(heap[0])
        heap_places[top] = -1
        counters.heap -= 1
        size = np.uint64(counters.heap)
        if size > ZERO:
            last = np.uint64(heap[size])
            active = activity[last]
            i = ZERO
            while True:
                child = i + i + ONE
                if child >= size:
                    break
                lower = np.uint64(heap[child])
                if child + ONE < size:
                    other = np.uint64(heap[child + ONE])
                    if activity[other] > activity[lower]:
                        child += ONE
                        lower = other
                if activity[lower] <= active:
                    break
                heap[i] = lower
                heap_places[lower] = i
                i = child
            heap[i] = last
            heap_places[last] = i
        if truths[top + top] == 0:
            return np.int64(top)
    return np.int64(-1)
