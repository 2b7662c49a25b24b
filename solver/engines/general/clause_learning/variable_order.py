"""The order of guesses: the most active open candidate first (VSIDS).

A candidate's activity grows with each conflict in which it takes part. Recent conflicts have more
weight (M. Moskewicz et al., Chaff, 2001, in the form that MiniSat uses). Open candidates are kept
in a binary heap:

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

    `heap` contains all open candidates, and some that have been assigned. Its length is
    `Counters.heap`. `heap_places` has the place of each candidate in the heap, −1 for none.
    """

    activity: NDArray[np.float64]
    heap: NDArray[np.int32]
    heap_places: NDArray[np.int32]


def new_order(candidates: int) -> Order:
    """Return the order of a search that hasn't started: no activity and an empty heap."""
    return Order(
        np.zeros(candidates, np.float64),
        np.zeros(candidates, np.int32),
        np.full(candidates, -1, np.int32),
    )


@always_inline
def sift_up(candidate, heap, heap_places, activity):  # type: ignore[no-untyped-def]
    """Move a candidate of the heap toward the top, to the place that its activity allows."""
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
    """Add a candidate to the heap of open candidates, at the place that its activity allows.

    Does nothing if it is there already.
    """
    if heap_places[candidate] < 0:
        heap[counters.heap] = candidate
        heap_places[candidate] = counters.heap
        counters.heap += 1
        sift_up(candidate, heap, heap_places, activity)


@kernel
def pop_open(state, order):  # type: ignore[no-untyped-def]
    """Remove candidates from the top of the heap, up to and including the first open one.

    Returns this candidate, the most active open one, or −1 if all are assigned.
    """
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
