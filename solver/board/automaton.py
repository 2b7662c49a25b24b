"""Automata that read the values of cells in order, unrolled: one layer of edges for each cell.

What they accept is all that the cells may hold together. The name of this in the literature is
the regular constraint, and for the unrolled form multi-valued decision diagram (MDD).
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import accumulate
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

State = TypeVar("State", bound=Hashable)

MOST_EDGES = 300_000  # of one automaton, unless it is a sum
_MOST_STRICT_EDGES = 40_000  # of one that keeps count of values besides a sum


@dataclass(frozen=True, slots=True, eq=False)
class Automaton:
    """Layers of edges (n, 3) int32: a state, a value counted from 0, the next state.

    State 0 is the first one, state `states` − 1 the last one; a word is a way between them. Where
    it `branches`, several edges of a state may have the same value, and a word several ways.
    """

    layers: tuple[NDArray[np.int32], ...]
    states: int
    branches: bool = False


def unroll(
    length: int,
    *,
    numbers: range,
    start: State,
    follow: Callable[[State, int, int], State | None],
    accepts: Callable[[State], bool],
    most_edges: int | None = MOST_EDGES,
) -> Automaton | str:
    """Return the automaton of words of a length, or say that it is too large.

    `follow` gives the state after (state, number, place), None where there is no way on;
    `accepts` tells whether a word may end in a state.
    """
    edges: list[list[tuple[State, int, State]]] = []
    states = {start}
    total = 0
    for place in range(length):
        layer = [
            (state, value, after)
            for state in states
            for value, number in enumerate(numbers)
            if (after := follow(state, number, place)) is not None
        ]
        total += len(layer)
        if most_edges is not None and total > most_edges:
            return f"needs more than {most_edges:,} edges of an automaton"
        edges.append(layer)
        states = {after for _, _, after in layer}
    return _merge(edges, start, {state for state in states if accepts(state)})


def unroll_branching(
    length: int,
    *,
    numbers: range,
    start: State,
    follow: Callable[[State, int, int], Iterable[State]],
    accepts: Callable[[State], bool],
) -> Automaton | str:
    """Return an automaton that branches, or say that it is too large.

    `follow` gives all states after (state, number, place). There are as many states as are
    written, where an automaton that does not branch needs one for each set of them.
    """
    edges: list[list[tuple[State, int, State]]] = []
    states = {start}
    for place in range(length):
        layer = [
            (state, value, after)
            for state in states
            for value, number in enumerate(numbers)
            for after in follow(state, number, place)
        ]
        edges.append(layer)
        if sum(map(len, edges)) > MOST_EDGES:
            return f"needs more than {MOST_EDGES:,} edges of an automaton"
        states = {after for _, _, after in layer}
    merged = _merge(edges, start, {state for state in states if accepts(state)})
    return replace(merged, branches=True)


def _merge(
    edges: list[list[tuple[State, int, State]]], start: State, ends: set[State]
) -> Automaton:
    """Return the edges on the way to an end, states with the same future as one."""
    merged: dict[State, int] = dict.fromkeys(ends, 0)
    merged_edges: list[list[tuple[int, int, int]]] = []
    for layer in reversed(edges):
        futures: dict[State, list[tuple[int, int]]] = {}
        for state, value, after in layer:
            if after in merged:
                futures.setdefault(state, []).append((value, merged[after]))
        classes: dict[tuple[tuple[int, int], ...], int] = {}
        merged = {
            state: classes.setdefault(tuple(sorted(future)), len(classes))
            for state, future in futures.items()
        }
        merged_edges.append(
            [(state, *step) for future, state in classes.items() for step in future]
        )
    if start not in merged:
        return Automaton((np.zeros((0, 3), np.int32),) * len(edges), 2)
    layers = []
    first = 0
    for layer_edges in reversed(merged_edges):
        layer_array = np.array(layer_edges, np.int32).reshape(-1, 3)
        width = int(layer_array[:, 0].max()) + 1
        layer_array[:, 0] += first
        layer_array[:, 2] += first + width
        first += width
        layers.append(layer_array)
    return Automaton(tuple(layers), first + 1)


@lru_cache(maxsize=256)
def adding_up(
    factors: tuple[int, ...], target: int, numbers: range, groups: tuple[int, ...]
) -> Automaton:
    """Return the automaton of numbers that, times their factors, add up to the target.

    `groups` are the lengths of runs of cells that all differ. Where keeping count of their
    values would need too many states, only the sum is kept.
    """
    strict = _unroll_sum(factors, target, numbers, groups, _MOST_STRICT_EDGES)
    if not isinstance(strict, str):
        return strict
    plain = _unroll_sum(factors, target, numbers, (1,) * len(factors), None)
    assert not isinstance(plain, str)  # noqa: S101 (for the type checker: nothing bounds it)
    return plain


def _unroll_sum(
    factors: tuple[int, ...],
    target: int,
    numbers: range,
    groups: tuple[int, ...],
    most_edges: int | None,
) -> Automaton | str:
    """Return the automaton whose states are (the sum, the values of the group as bits)."""
    ends = [
        end for end, length in zip(accumulate(groups), groups, strict=True) for _ in range(length)
    ]  # of the run of each cell

    @cache
    def bounds(place: int, taken: int) -> tuple[int, int]:
        """Return the least and the greatest sum from a place on, after values of its run."""
        if place == len(factors):
            return 0, 0
        rest = factors[place : ends[place]]
        least, most = bounds(ends[place], 0)
        least += _least(rest, taken, numbers)
        return least, most - _least([-factor for factor in rest], taken, numbers)

    def follow(state: tuple[int, int], number: int, place: int) -> tuple[int, int] | None:
        total, taken = state
        bit = 1 << number - numbers[0]
        if taken & bit:
            return None
        taken = taken | bit if place + 1 < ends[place] else 0
        total += factors[place] * number
        least, most = bounds(place + 1, taken)
        return (total, taken) if least <= target - total <= most else None

    return unroll(
        len(factors),
        numbers=numbers,
        start=(0, 0),
        follow=follow,
        accepts=lambda state: state[0] == target,
        most_edges=most_edges,
    )


def _least(factors: Sequence[int], taken: int, numbers: range) -> int:
    """Return a bound, from below, of a sum of numbers that differ and are not yet taken."""
    free = [number for number in numbers if not taken >> number - numbers[0] & 1]
    if len(free) < len(factors):
        return 0
    # Great factors get small numbers, negative ones great numbers: the best of all orders.
    positive = sorted((factor for factor in factors if factor > 0), reverse=True)
    negative = sorted(factor for factor in factors if factor < 0)
    small = zip(positive, free, strict=False)
    great = zip(negative, reversed(free), strict=False)
    return sum(a * b for a, b in small) + sum(a * b for a, b in great)
