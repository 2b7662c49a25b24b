"""Ways through a net: from a literal to its conclusions, each in the list of one before."""

from typing import Any, NamedTuple

import numpy as np

from solver.compiling.jit import bare, inner
from solver.logic.board import Ints


class Trail(NamedTuple):
    """One list of conclusions with all that follows from them."""

    order: Ints  # literals
    place_of: Ints  # (literals,): 1 + place in `order`; 0 for none
    parent: Ints  # by place: the literal whose list it was found in
    direct: Ints  # by place: 1 if it is in the list of the start
    distance: Ints  # by place
    ends: Ints  # (1,): length of `order`


@inner
def new_trail(literals: int) -> Any:
    """Return room for a trail among so many literals."""
    return Trail(
        np.empty(literals, np.int32),
        np.zeros(literals, np.int32),
        np.empty(literals, np.int32),
        np.empty(literals, np.int32),
        np.empty(literals, np.int32),
        np.zeros(1, np.int32),
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
def derived_in(net: Any, trail: Any, of: int) -> Any:
    """Return the literal in whose list another one was found, and its entry there."""
    at = trail.place_of[of] - 1
    if trail.direct[at]:
        return trail.order[0], trail.parent[at]
    before, entry = trail.parent[at], 1
    while net.found.follows[before, entry - 1] != of:
        entry += 1
    return before, entry


@bare
def branches(net: Any, trail: Any, end: int) -> bool:
    """Return whether anything on the way from the start to a literal has several reasons."""
    of = end
    while of != trail.order[0]:
        of, entry = derived_in(net, trail, of)
        while entry:
            reason = 0
            if entry < net.lengths[of] + 1:
                row = net.reasons[net.starts[of] + entry]
                reason = row[0]
                for number in range(1, 5):
                    if row[number]:
                        return True
            entry = reason
    return False
