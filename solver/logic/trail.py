"""A way through a net: from a literal to one of its conclusions, with the reasons on the way."""

from typing import Any, NamedTuple

import numpy as np

from solver.compiling.jit import bare, inner
from solver.logic.board import Ints


class Trail(NamedTuple):
    """One list of conclusions with all that follows from them, and a chain through it."""

    order: Ints  # literals
    place_of: Ints  # (literals,): 1 + place in `order`; 0 for none
    parent: Ints  # by place: the literal whose list it was found in
    direct: Ints  # by place: 1 if it is in the list of the start
    distance: Ints  # by place
    path: Ints  # the chain, from its end
    ends: Ints  # (2,): length of `order`, length of `path`


@inner
def new_trail(literals: int) -> Any:
    """Return room for a trail among so many literals."""
    return Trail(
        np.empty(literals, np.int32),
        np.zeros(literals, np.int32),
        np.empty(literals, np.int32),
        np.empty(literals, np.int32),
        np.empty(literals, np.int32),
        np.empty(literals, np.int32),
        np.zeros(2, np.int32),
    )


@bare
def _distance(net: Any, of: int, entry: int) -> Any:
    """Return how far an entry of a list is from its literal."""
    if entry < net.lengths[of] + 1:
        return net.reasons[net.starts[of] + entry, 5]
    return 2


@bare
def expand(net: Any, trail: Any, start: int) -> None:
    """List what follows from a literal, then what follows from that, each by the nearest way."""
    found = net.found
    for at in range(trail.ends[0]):
        trail.place_of[trail.order[at]] = 0
    trail.order[0] = start
    trail.place_of[start] = 1
    trail.direct[0] = 1
    trail.distance[0] = 1
    count = 1
    for number in range(found.counts[start]):
        then = found.follows[start, number]
        if trail.place_of[then]:
            continue
        trail.order[count] = then
        trail.place_of[then] = count + 1
        trail.direct[count] = 1
        trail.parent[count] = number + 1  # the entry in the list of the start
        trail.distance[count] = _distance(net, start, number + 1)
        count += 1
    at = 1
    while at < count:
        of = trail.order[at]
        base = trail.distance[at]
        at += 1
        for number in range(found.counts[of]):
            then = found.follows[of, number]
            far = base + _distance(net, of, number + 1)
            place_of = trail.place_of[then] - 1
            if place_of < 0:
                place_of = count
                trail.order[count] = then
                trail.place_of[then] = count + 1
                count += 1
            elif trail.direct[place_of] or trail.distance[place_of] <= far:
                continue
            trail.direct[place_of] = 0
            trail.parent[place_of] = of
            trail.distance[place_of] = far
    trail.ends[0] = count


@bare
def walk(net: Any, trail: Any, end: int) -> bool:
    """Write the chain from the start to a literal, backwards; return whether it has branches."""
    found = net.found
    start = trail.order[0]
    trail.path[0] = end
    length = 1
    branches = False
    at = trail.place_of[end] - 1
    while at > 0 and length < len(trail.path) - 1:
        if trail.direct[at]:
            of, entry = start, trail.parent[at]
        else:
            of, entry = trail.parent[at], 0
            for number in range(found.counts[of]):
                if found.follows[of, number] == trail.order[at]:
                    entry = number + 1
        while entry and length < len(trail.path) - 1:
            reason = 0
            if entry < net.lengths[of] + 1:
                row = net.reasons[net.starts[of] + entry]
                reason = row[0]
                for number in range(1, 5):
                    branches |= row[number] != 0
            trail.path[length] = found.follows[of, reason - 1] if reason else of
            length += 1
            entry = reason
        at = trail.place_of[of] - 1
    trail.ends[1] = length
    return branches
