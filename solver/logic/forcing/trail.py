"""Paths through a net: from a literal to everything that follows from it.

Each literal on a path is in the net's list of the literal before it.
"""

from typing import Any, NamedTuple

import numpy as np

from solver.compiling.jit import helper, kernel
from solver.logic.board import Ints
from solver.logic.forcing.nets import DISTANCE, Net


class Trail(NamedTuple):
    """All literals that follow from a start literal, with the shortest path to each of them.

    A path leads to a literal directly, or through the lists of other literals in the net.

        order     the literals, beginning with the start. The fields below are indexed like `order`,
                  except `position`.
        position  by literal: 1 + its position in `order`, 0 if it doesn't follow
        direct    1 if the path is direct, i.e. if the literal is in the start's own list
        parent    if `direct`, the literal's entry in the start's list, otherwise the literal whose
                  list contains it
        distance  its distance from the start
        ends      (1,): the length of `order`
    """

    order: Ints
    position: Ints
    parent: Ints
    direct: Ints
    distance: Ints
    ends: Ints


@helper
def new_trail(literals: int) -> Any:
    """Return an empty trail for a net that has this number of literals."""
    return Trail(
        np.empty(literals, np.int32),
        np.zeros(literals, np.int32),
        np.empty(literals, np.int32),
        np.empty(literals, np.int32),
        np.empty(literals, np.int32),
        np.zeros(1, np.int32),
    )


@kernel
def _distance(net: Net, literal: int, entry: int) -> Any:
    """Return the distance of a conclusion from the literal in whose list it is.

    `entry` is the conclusion's position in the net's list for `literal`, from 1. The distance is 1
    for the literal itself, 2 for what follows from it directly, and so on. It is also 2 for
    conclusions without stored reasons (groups).
    """
    if entry < net.lengths[literal] + 1:
        return net.reasons[net.starts[literal] + entry, DISTANCE]
    return 2


@kernel
def expand(net: Net, trail: Trail, start: int) -> None:
    """Write everything that follows from the literal `start` to the trail, with the shortest paths.

    Replaces the previous contents of the trail. The start itself comes first. A literal in the
    start's own list keeps its direct path, even if another one is shorter.
    """
    implications = net.implications
    for at in range(trail.ends[0]):
        trail.position[trail.order[at]] = 0
    trail.order[0] = start
    trail.position[start] = 1
    trail.direct[0] = 1
    trail.distance[0] = 1
    count = 1
    for number in range(implications.counts[start]):
        implied = implications.follows[start, number]
        if trail.position[implied]:
            continue
        trail.order[count] = implied
        trail.position[implied] = count + 1
        trail.direct[count] = 1
        trail.parent[count] = number + 1  # the entry in the start's list
        trail.distance[count] = _distance(net, start, number + 1)
        count += 1
    at = 1
    while at < count:
        literal = trail.order[at]
        base = trail.distance[at]
        at += 1
        for number in range(implications.counts[literal]):
            implied = implications.follows[literal, number]
            far = base + _distance(net, literal, number + 1)
            position = trail.position[implied] - 1
            if position < 0:
                position = count
                trail.order[count] = implied
                trail.position[implied] = count + 1
                count += 1
            elif trail.direct[position] or trail.distance[position] <= far:
                continue
            trail.direct[position] = 0
            trail.parent[position] = literal
            trail.distance[position] = far
    trail.ends[0] = count


@kernel
def derived_in(net: Net, trail: Trail, literal: int) -> Any:
    """Return in which of the net's lists the trail found a literal, and its entry there.

    The result is a pair: the literal to which the list belongs, and the position in the list, from
    1. The trail must contain the literal.
    """
    at = trail.position[literal] - 1
    if trail.direct[at]:
        return trail.order[0], trail.parent[at]
    before, entry = trail.parent[at], 1
    while net.implications.follows[before, entry - 1] != literal:
        entry += 1
    return before, entry


@kernel
def branches(net: Net, trail: Trail, end: int) -> bool:
    """Return whether any conclusion on the trail's path to `end` has several reasons.

    If none has, the path is a simple chain. The trail must contain `end`.
    """
    literal = end
    while literal != trail.order[0]:
        literal, entry = derived_in(net, trail, literal)
        while entry:
            reason = 0
            if entry < net.lengths[literal] + 1:
                row = net.reasons[net.starts[literal] + entry]
                reason = row[0]
                for number in range(1, DISTANCE):
                    if row[number]:
                        return True
            entry = reason
    return False
