"""Automata that read the values of cells in order, unrolled: one layer of edges for each cell.

What they accept is all that the cells may hold together. The name of this in the literature is
the regular constraint, and for the unrolled form multi-valued decision diagram (MDD).
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

State = TypeVar("State", bound=Hashable)

MOST_EDGES = 1_000_000  # of one automaton
# Beyond, the sets of values that fill a cage are too many to list.
_MOST_NUMBERS_IN_SETS = 12


@dataclass(frozen=True, slots=True, eq=False)
class Automaton:
    """Layers of edges (n, 3) int32: a state, a value counted from 0, the next state.

    State 0 is the first one, state `states` − 1 the last one; a word is a way between them.
    """

    layers: tuple[NDArray[np.int32], ...]
    states: int


def unroll(
    length: int,
    *,
    numbers: range,
    start: State,
    follow: Callable[[State, int, int], State | None],
    accepts: Callable[[State], bool],
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
        if total > MOST_EDGES:
            return f"needs more than {MOST_EDGES:,} edges of an automaton"
        edges.append(layer)
        states = {after for _, _, after in layer}
    return _merge(edges, start, {state for state in states if accepts(state)})


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


@lru_cache(maxsize=4096)
def adding_up(
    factors: tuple[int, ...], target: int, numbers: range, *, distinct: bool = False
) -> Automaton | str:
    """Return the automaton of values that, times their factors, add up to the target.

    `distinct` wants factors of 1 and values that all differ.
    """
    if distinct and len(numbers) <= _MOST_NUMBERS_IN_SETS:
        return _filling(len(factors), target, numbers)
    bounds = [sorted((factor * numbers[0], factor * numbers[-1])) for factor in factors]
    least, most = ([0], [0])
    for low, high in reversed(bounds):
        least.append(least[-1] + low)
        most.append(most[-1] + high)
    least.reverse()
    most.reverse()

    def follow(total: int, number: int, place: int) -> int | None:
        total += factors[place] * number
        left = target - total
        return total if least[place + 1] <= left <= most[place + 1] else None

    return unroll(
        len(factors), numbers=numbers, start=0, follow=follow, accepts=lambda total: total == target
    )


def _filling(length: int, target: int, numbers: range) -> Automaton | str:
    """Return the automaton of values that differ and add up; its states are sets as bits."""
    sets = {
        sum(1 << number - numbers[0] for number in chosen)
        for chosen in combinations(numbers, length)
        if sum(chosen) == target
    }
    parts = set(sets)  # of such sets: all that is left of them without some of their values
    waiting = list(sets)
    while waiting:
        whole = waiting.pop()
        for value in range(len(numbers)):
            part = whole & ~(1 << value)
            if part not in parts:
                parts.add(part)
                waiting.append(part)

    def follow(taken: int, number: int, place: int) -> int | None:
        del place
        value = 1 << number - numbers[0]
        return taken | value if not taken & value and taken | value in parts else None

    return unroll(length, numbers=numbers, start=0, follow=follow, accepts=sets.__contains__)
