"""Automata that read the values of cells in order and accept the allowed combinations.

In constraint programming this is the regular constraint (G. Pesant, 2004). The engines unroll
automata to one layer of edges per cell: a multi-valued decision diagram (MDD).
"""

from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate, chain, count
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from solver.board.budget import ELEMENTS, charge, kept_table

State = TypeVar("State", bound=Hashable)

MOST_EDGES = 300_000  # edges of one automaton, except for sums
_FEW_EDGES = 100_000  # edges up to which they aren't counted exactly
_MOST_CODES = 4_000_000  # edges if the states are numbers
_MOST_STRICT_EDGES = 40_000  # edges of an automaton that remembers values as well as a sum
# The units in which the work for a puzzle is counted, see `solver.board.budget`.
_ARRAY_CALLS = 20  # units for a few NumPy calls
_CODES = 40  # elements that `unroll_codes` processes per unit
_EDGES = 100  # array elements per unit
_STEPS_LOOKED_UP = 30  # steps through known states per unit


@dataclass(frozen=True, slots=True, eq=False)
class Automaton:
    """A finite automaton that reads one value per cell and accepts some sequences of values.

    A sequence of values is called a word, and the index of a value in it a place. Both values and
    places count from 0. The automaton starts in state 0. Places of the same phase have the same
    transitions, and so do values of the same kind.

    phases[place]       the phase of a place
    kinds[value]        the kind of a value
    rows[phase, state]  the row of `steps` for a state, −1 if no transition leaves it
    steps[row, kind]    the next state, −1 if there is no transition
    ends[state]         whether a word may end in the state
    edges               the number of transitions over all places and values, or an upper bound,
                        including transitions that lead to no accepting state
    is_closed           if set, a word may begin in any state and must end in the same state.
                        `ends` is ignored then, and `rows` contains no −1
    """

    # The arrays are in C order. Another order would be another type for compiled code.
    phases: NDArray[np.int32]
    kinds: NDArray[np.int32]
    rows: NDArray[np.int32]
    steps: NDArray[np.int32]
    ends: NDArray[np.bool_]
    edges: int
    is_closed: bool = False

    def follow(self, state: int, value: int, place: int) -> int | None:
        """Return the state after reading a value at a place, or None without a transition.

        Values and places count from 0. Values without an entry in `kinds` have no transition.
        """
        row = self.rows[self.phases[place], state]
        if row < 0 or value >= len(self.kinds):
            return None
        after = int(self.steps[row, self.kinds[value]])
        return after if after >= 0 else None


@kept_table
def translated(automaton: Automaton, letters: tuple[int, ...]) -> Automaton | str:
    """Return the automaton that accepts a word if the given one accepts its translation.

    The translation replaces each value n of the word by letters[n], a value of the given automaton.
    All values count from 0. Letters can repeat. The given automaton must not be closed. Returns an
    error message if the result has too many edges.
    """
    charge(_ARRAY_CALLS + automaton.steps.size // ELEMENTS)
    kinds = [*map(automaton.kinds.tolist().__getitem__, letters)]
    used = [*dict.fromkeys(kinds)]  # other values must not get a transition
    translated = Automaton(
        automaton.phases,
        np.array([*map(used.index, kinds)], np.int32),
        automaton.rows,
        automaton.steps.take(used, axis=1),
        automaton.ends,
        len(automaton.phases) * len(automaton.ends) * len(kinds),
    )
    return limited(translated, MOST_EDGES)


@kept_table
def prolonged(automaton: Automaton, length: int) -> Automaton | str:
    """Return the automaton for longer words that results from repeating the last place.

    The words have `length` values. The additional places have the transitions of the automaton's
    last place. The automaton must not be closed, or longer than `length`. Returns an error message
    if the result has too many edges.
    """
    phases = np.full(length, automaton.phases[-1])
    phases[: len(automaton.phases)] = automaton.phases
    kinds, ends = automaton.kinds, automaton.ends
    edges = length * len(ends) * len(kinds)
    longer = Automaton(phases, kinds, automaton.rows, automaton.steps, ends, edges)
    return limited(longer, MOST_EDGES)


def too_large(most_edges: int) -> str:
    """Return the error message for an automaton with more edges than allowed.

    It is the second half of a sentence. The caller puts the name of the constraint in front of it.
    """
    return (
        f"is too large: its automaton needs more than {most_edges:,} transitions. "
        "Use fewer cells or a smaller board"
    )


def limited(automaton: Automaton, most_edges: int) -> Automaton | str:
    """Return the automaton, or an error message if it has more than `most_edges` edges.

    `automaton.edges` may be an upper bound. If it is at most `most_edges` and at most `_FEW_EDGES`,
    the automaton is returned unchanged. Otherwise, even if it is below `most_edges`, this counts
    the edges that can be reached at each place, and returns a copy of the automaton with their
    exact number. Counting is charged to the budget.
    """
    if automaton.edges <= min(_FEW_EDGES, most_edges):
        return automaton
    edges = min(automaton.edges, most_edges)
    charge(_ARRAY_CALLS * len(automaton.phases) + automaton.steps.size // _EDGES + edges // _EDGES)
    leaving = (automaton.steps >= 0) @ np.bincount(automaton.kinds)
    here, edges = np.zeros(1, np.int32), 0
    for phase in automaton.phases:
        rows = automaton.rows[phase, here]
        rows = rows[rows >= 0]
        edges += int(leaving[rows].sum())
        if edges > most_edges:
            return too_large(most_edges)
        after = automaton.steps[rows]
        here = np.unique(after[after >= 0])
    return replace(automaton, edges=edges)


def unroll(
    length: int,
    *,
    numbers: range,
    start: State,
    follow: Callable[[State, int, int], State | None],
    accepts: Callable[[State], bool],
    phase: Callable[[int], Hashable] = int,
    kind: Callable[[int], Hashable] = int,
    most_edges: int | None = MOST_EDGES,
    work: int = 2,
) -> Automaton | str:
    """Return the automaton that accepts the words of a length, or an error if it is too large.

    Words consist of `length` of the `numbers`. The automaton's definition:

    start    the first state; states can be any hashable objects
    follow   returns the state after (state, number, place), or None if there is no transition
    accepts  returns whether a word may end in a state
    phase    returns equal objects for places that `follow` treats alike
    kind     returns equal objects for numbers that `follow` treats alike

    Places count from 0. Value v of the automaton is numbers[v]. If the automaton has more than
    `most_edges` edges, an error message is returned. None means no limit. Each call of `follow`
    counts as `work` units of the budget.
    """
    kinds: dict[Hashable, list[int]] = {}
    for value, number in enumerate(numbers):
        kinds.setdefault(kind(number), []).append(value)
    first_of_kind = [numbers[values[0]] for values in kinds.values()]

    def leads(state: State, place: int) -> list[State | None]:
        return [follow(state, number, place) for number in first_of_kind]

    return unroll_all(
        length,
        kinds=[*kinds.values()],
        start=start,
        leads=leads,
        accepts=accepts,
        phase=phase,
        most_edges=most_edges,
        work=work,
    )


def unroll_all(
    length: int,
    *,
    kinds: Sequence[Sequence[int]],
    start: State,
    leads: Callable[[State, int], list[State | None]],
    accepts: Callable[[State], bool],
    phase: Callable[[int], Hashable],
    most_edges: int | None,
    work: int,
) -> Automaton | str:
    """Return the automaton that accepts the words of a length, given transitions per kind of value.

    This is `unroll` with a function that returns the next states for all kinds of values at once.
    Parameters that aren't explained here are as in `unroll`. kinds[k] lists the values (from 0) of
    kind k. leads(state, place)[k] is the state after any of them, or None without a transition.
    Returns an error message if the automaton is too large.
    """
    values = sum(map(len, kinds))
    times = [*map(len, kinds)]  # the number of values of each kind
    places = [phase(place) for place in range(length)]
    steps_of: dict[Hashable, dict[State, list[State | None]]] = {}
    edges_of: dict[Hashable, dict[State, int]] = {}
    last: dict[Hashable, tuple[dict[State, None], dict[State, None], int]] = {}
    here: dict[State, None] = {start: None}
    states = {start: None}
    total = 0
    for place in range(length):
        charge(1)
        at = places[place]
        steps, edges_from = steps_of.setdefault(at, {}), edges_of.setdefault(at, {})
        before, after, leaving = last.get(at, (None, here, 0))
        if before != here:
            so_far = total  # for new states, because one place can lead to a great many
            charge(1 + len(here) * len(kinds) // _STEPS_LOOKED_UP)
            for state in here:
                if state not in steps:
                    charge(work * len(kinds))
                    after_each = steps[state] = leads(state, place)
                    lost = after_each.count(None)
                    if lost and len(kinds) < values:
                        pairs = zip(times, after_each, strict=True)
                        lost = sum([often for often, to in pairs if to is None])
                    edges_from[state] = values - lost
                    so_far += values - lost
                    if most_edges is not None and so_far > most_edges:
                        return too_large(most_edges)
            reached = dict.fromkeys(chain.from_iterable(map(steps.__getitem__, here)))
            reached.pop(None, None)
            after = cast("dict[State, None]", reached)
            leaving = sum(map(edges_from.__getitem__, here))
            states.update(after)
            last[at] = here, after, leaving
        here = after
        total += leaving
        if most_edges is not None and total > most_edges:
            return too_large(most_edges)
    order = _in_order(states)
    numbered = {state: n for n, state in enumerate(order)}
    targets = cast("dict[State | None, int]", numbered) | {None: -1}  # the first state can be None
    rows: list[list[int]] = []
    table: list[int] = []
    for steps in steps_of.values():
        row_of = dict(zip(steps, count(len(table) // len(kinds)), strict=False))
        rows.append([row_of.get(state, -1) for state in order])
        table += map(targets.__getitem__, chain.from_iterable(steps.values()))
    phases = {at: n for n, at in enumerate(steps_of)}
    kind_of = {value: n for n, alike in enumerate(kinds) for value in alike}
    return Automaton(
        np.array([phases[at] for at in places], np.int32),
        np.array([kind_of[value] for value in range(values)], np.int32),
        np.array(rows, np.int32).reshape(-1, len(order)),
        np.array(table, np.int32).reshape(-1, len(kinds)),
        np.array([state in here and accepts(state) for state in order], np.bool_),
        total,
    )


def unroll_codes(
    length: int,
    *,
    codes: int,
    first: NDArray[np.int64],
    follow: Callable[[NDArray[np.int64]], NDArray[np.int64]],
    accepts: Callable[[NDArray[np.int64]], NDArray[np.bool_]],
) -> Automaton | str:
    """Return the automaton for words of `length` values whose states are integers below `codes`.

    first    (values,) the state after each possible first value
    follow   takes states (n,), and returns the states (n, values) after each value, −1 if there is
             no transition
    accepts  takes states (n,), and returns for each whether a word may end in it

    Every first value leads to a state, so `first` contains no −1. Returns an error message if the
    automaton is too large.
    """
    if codes > _MOST_CODES:
        return too_large(MOST_EDGES)
    charge(_ARRAY_CALLS * length + codes * length // _EDGES)
    known = np.zeros(codes + 1, np.bool_)  # the last entry stands for no transition
    known[first] = True
    fresh = np.flatnonzero(known)
    found = []
    for _ in range(length - 1):
        charge(fresh.size * len(first) // _CODES)
        after = follow(fresh)
        found.append((fresh, after))
        reached = np.zeros_like(known)
        reached[after] = True
        reached[-1] = False
        fresh = np.flatnonzero(reached & ~known)
        known |= reached
        if np.count_nonzero(known) * len(first) > MOST_EDGES:
            return too_large(MOST_EDGES)
    every = np.flatnonzero(known)
    states = len(every) + 1
    numbered = np.full(codes + 1, -1, np.int32)
    numbered[every] = np.arange(1, states)
    steps = np.full((states, len(first)), -1, np.int32)
    steps[0] = numbered[first]
    for here, after in found:
        steps[numbered[here]] = numbered[after]
    rows = np.full((2, states), -1, np.int32)
    rows[0, 0], rows[1, 1:] = 0, np.arange(1, states)
    return Automaton(
        (np.arange(length) > 0).astype(np.int32),
        np.arange(len(first), dtype=np.int32),
        rows,
        steps,
        np.concatenate(([False], accepts(every))),
        length * int(np.count_nonzero(steps >= 0)),
    )


def _in_order(states: dict[State, None]) -> list[State]:
    """Return the states as a list: first the start, then the others, sorted if they are sortable.

    The start is the first key of `states`.
    """
    start, *others = states
    # Sorted states need fewer moves, see `solver.engines.general.automaton_tables.Moves`.
    with suppress(TypeError):
        cast("list[int]", others).sort()
    return [start, *others]


@kept_table
def adding_up(
    factors: tuple[int, ...], target: int, numbers: range, groups: tuple[int, ...]
) -> Automaton:
    """Return the automaton that accepts numbers whose sum, weighted by `factors`, is the target.

    There is a factor per cell. `groups` are the lengths of consecutive groups of cells, which
    together are all cells. The numbers of a group must all differ. If the automaton becomes too
    large with this condition, it is dropped for all groups, and only the sum is checked.
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
    """Return the automaton of a weighted sum, or an error message if it is too large.

    The weighted sum must be `target`. More than `most_edges` edges are too many, None for no limit.
    There is a factor per cell. `groups` are the lengths of consecutive groups of cells, in each of
    which the numbers must all differ. A state is the sum so far, and the numbers that the current
    group has used, as bits.
    """
    ends = [
        end for end, length in zip(accumulate(groups), groups, strict=True) for _ in range(length)
    ]  # per place: the end of its group

    @cache
    def bounds(place: int, taken: int) -> tuple[int, int]:
        """Return a lower and an upper bound for the weighted sum of the numbers from `place` on.

        `taken` are the numbers that the current group has used before, as bits (bit 0 = the first
        of `numbers`).
        """
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
    """Return a lower bound for the sum of different numbers, each multiplied by one of the factors.

    The numbers must not be in `taken` (bit 0 = the first of `numbers`). Returns 0 if fewer numbers
    are left than there are factors.
    """
    free = [number for number in numbers if not taken >> number - numbers[0] & 1]
    if len(free) < len(factors):
        return 0
    # Large factors get small numbers and negative factors large ones, which gives the least sum.
    positive = sorted((factor for factor in factors if factor > 0), reverse=True)
    negative = sorted(factor for factor in factors if factor < 0)
    small = zip(positive, free, strict=False)
    great = zip(negative, reversed(free), strict=False)
    return sum(a * b for a, b in small) + sum(a * b for a, b in great)
