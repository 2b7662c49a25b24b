"""Paths through a net: from a literal to its conclusions, each in the list of an earlier one."""

from typing import Any, NamedTuple

import numpy as np

from solver.compiling.jit import helper, kernel
from solver.logic.board import Ints


class Trail(NamedTuple):
    """All literals that follow from a start, directly or through the lists of other literals."""

    order: Ints  # literals
    place_of: Ints  # (literals,): 1 + position in `order`, 0 if not in it
    parent: Ints  # by position: the literal whose list contains it, or its entry if `direct`
    direct: Ints  # by position: 1 if it is in the start's list
    distance: Ints  # by position: distance from the start
    ends: Ints  # (1,): length of `order`


@helper
def new_trail(literals: int) -> Any:
    """Return an empty trail for a number of literals."""
    return Trail(
        np.empty(literals, np.int32),
        np.zeros(literals, np.int32),
        np.empty(literals, np.int32),
        np.empty(literals, np.int32),
        np.empty(literals, np.int32),
        np.zeros(1, np.int32),
    )


@kernel
def _distance(net: Any, of: int, entry: int) -> Any:
    """Return the distance of an entry from the literal of its list."""
    if entry < net.lengths[of] + 1:
        return net.reasons[net.starts[of] + entry, 5]
    return 2


@kernel
def expand(net: Any, trail: Any, start: int) -> None:
    """List everything that follows from a literal, directly or not, with the shortest paths."""
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
        trail.parent[count] = number + 1  # the entry in the start's list
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


@kernel
def derived_in(net: Any, trail: Any, of: int) -> Any:
    """Return the literal whose list was used to derive another literal, and the entry there."""
    at = trail.place_of[of] - 1
    if trail.direct[at]:
        return trail.order[0], trail.parent[at]
    before, entry = trail.parent[at], 1
    while net.found.follows[before, entry - 1] != of:
        entry += 1
    return before, entry


@kernel
def branches(net: Any, trail: Any, end: int) -> bool:
    """Return whether any conclusion on the path to a literal has several reasons."""
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
