"""Build nondeterministic automata, for constraints whose deterministic automata are too large."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from solver.board.automaton import MOST_EDGES, Automaton, too_large
from solver.board.budget import charge

State = TypeVar("State", bound=Hashable)

Edge = tuple[int, int, int]  # a state, a value from 0, the next state
Layers = Sequence[Sequence[Edge]]  # per place


@dataclass(frozen=True, slots=True, eq=False)
class Branching:
    """A nondeterministic automaton, unrolled to one layer of edges per cell.

    An edge is (state, value from 0, next state). Words begin in state 0. Every edge is on some path
    from state 0 of the first layer to an accepting state after the last one, so each such path is
    an accepted word.
    """

    layers: Layers


def unroll_branching(
    length: int,
    *,
    numbers: range,
    start: State,
    follow: Callable[[State, int, int], Iterable[State]],
    accepts: Callable[[State], bool],
) -> Branching | str:
    """Return the nondeterministic automaton for words of a length, or an error if it is too large.

    Words consist of `length` of the `numbers`. `start` is the first state. `follow` returns all
    states that can come after (state, number, place), with places from 0. `accepts` returns whether
    a word may end in a state. Value v of the result is numbers[v].
    """
    numbered: dict[State, int] = {start: 0}
    layers: list[list[Edge]] = []
    here = {start}
    for place in range(length):
        after: set[State] = set()
        layer: list[Edge] = []
        charge(len(here) * len(numbers))
        for state in here:
            for value, number in enumerate(numbers):
                for reached in follow(state, number, place):
                    after.add(reached)
                    there = numbered.setdefault(reached, len(numbered))
                    layer.append((numbered[state], value, there))
        layers.append(layer)
        charge(len(layer))
        if sum(map(len, layers)) > MOST_EDGES:
            return too_large(MOST_EDGES)
        here = after
    return Branching(_pruned(layers, {numbered[state] for state in here if accepts(state)}))


def layers_of(automaton: Automaton, values: Sequence[Sequence[int]]) -> Layers:
    """Return the edges of an automaton, per place, that are part of an accepted word.

    values[place] are the values (from 0) that the cell at that place can still have. Only words of
    these values count. An edge is (state, value, next state).

    A closed automaton accepts words that end in the state where they begin. Its n states are copied
    for each state b in which a word can begin, and numbered from b · n. At the first place, the
    edges of all copies start in state 0.
    """
    if not automaton.is_closed:
        return _layers_from(0, automaton, values)
    states = len(automaton.ends)
    layers: list[list[Edge]] = [[] for _ in values]
    for begin in range(states):
        own = replace(automaton, ends=np.arange(states) == begin)
        for place, layer in enumerate(_layers_from(begin, own, values)):
            first = begin * states
            layers[place] += [
                (first + here if place else 0, value, first + after) for here, value, after in layer
            ]
    return layers


def _layers_from(first: int, automaton: Automaton, values: Sequence[Sequence[int]]) -> Layers:
    """Return the edges, per place, of all accepted words that begin in the state `first`.

    values[place] are the values (from 0) that the cell at that place can still have. Only words of
    these values count.
    """
    layers: list[list[Edge]] = []
    here = {first}
    kinds = automaton.kinds.tolist()
    for place, left in enumerate(values):
        rows = automaton.rows[automaton.phases[place]].tolist()
        known = [(value, kinds[value]) for value in left if value < len(kinds)]
        edges: list[Edge] = []
        for state in sorted(here):
            if rows[state] >= 0:
                steps = automaton.steps[rows[state]].tolist()
                edges += [(state, value, steps[kind]) for value, kind in known if steps[kind] >= 0]
        layers.append(edges)
        here = {after for _, _, after in layers[-1]}
    return _pruned(layers, {state for state in here if automaton.ends[state]})


def _pruned(layers: Sequence[list[Edge]], ends: set[int]) -> Layers:
    """Return the edges of each layer from which a path leads to one of the states `ends`.

    Such a path goes through all later layers. `ends` are states after the last layer.
    """
    kept: list[list[Edge]] = []
    for layer in reversed(layers):
        kept.append([edge for edge in layer if edge[2] in ends])
        ends = {state for state, _, _ in kept[-1]}
    return kept[::-1]
