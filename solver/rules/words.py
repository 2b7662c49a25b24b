"""Lines whose numbers, read in order, are words: of a regular expression, or of an automaton."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, lru_cache, partial, reduce
from itertools import accumulate, chain
from operator import or_

import numpy as np

from solver.board.automaton import Automaton, counted, too_large, unroll
from solver.board.branching import Branching, unroll_branching
from solver.board.layout import Branched, Layout, Part, Regular
from solver.rules.patterns import BETWEEN, Moves, read_moves, read_pattern
from solver.rules.rule import Constraint, Rule

_MOST_EDGES = 50_000  # what makes them looks at all states of a set for each


@lru_cache(maxsize=256)
def _unrolled(
    read: Callable[[str, range], Moves | str], text: str, length: int, numbers: range
) -> Automaton | Branching | str:
    """Return the automaton of words of a length; states are sets of the written ones."""
    moves = read(text, numbers)
    if isinstance(moves, str):
        return moves
    if moves.lengths and sum(moves.lengths) != length:
        return f"has {length} cells for pieces of {', '.join(map(str, moves.lengths))}"
    # How many pieces end before each cell; they may be empty.
    counts = Counter(accumulate(moves.lengths[:-1]))
    ends = [counts[place] for place in range(length + 1)]

    def cut(states: int, times: int) -> int:
        for _ in range(times):
            states = moves.follow(states).get(BETWEEN, 0)
        return states

    @cache
    def steps(states: int, times: int) -> dict[int | str, int]:
        after = moves.follow(states)
        return {read: cut(there, times) for read, there in after.items()} if times else after

    def follow(states: int, number: int, place: int) -> int | None:
        return steps(states, ends[place + 1]).get(number) or None

    start = cut(moves.first, ends[0])
    automaton = (
        _of_sets(moves, length, numbers)
        if not moves.lengths
        else unroll(
            length,
            numbers=numbers,
            start=start,
            follow=follow,
            accepts=lambda states: bool(states & moves.last),
            phase=lambda place: ends[place + 1],
            kind=lambda number: tuple([reached.get(number) for reached in moves.by_number]),
            most_edges=_MOST_EDGES,
        )
    )
    if isinstance(automaton, Automaton):
        return automaton
    # Each state stands for itself then, as one bit; the start for all first ones.
    return unroll_branching(
        length,
        numbers=numbers,
        start=start,
        follow=lambda states, number, place: _bits(follow(states, number, place) or 0),
        accepts=lambda state: bool(state & moves.last),
    )


def _of_sets(moves: Moves, length: int, numbers: range) -> Automaton | str:
    """Return the automaton whose states are sets of the written ones, without pieces.

    Of a set those count in which something can be read, and the last ones.
    """
    reads = [tuple([moved.get(number, 0) for moved in moves.by_number]) for number in numbers]
    columns = {column: kind for kind, column in enumerate(dict.fromkeys(reads))}
    kept = moves.last | sum(1 << n for n, moved in enumerate(moves.by_number) if moved)
    reached = {there: moves.reach(there) & kept for there in {*chain(*columns)}}
    by_state = zip(*[map(reached.__getitem__, column) for column in columns], strict=True)
    leads_of = {1 << n: leads for n, leads in enumerate(by_state)}
    nowhere = (0,) * len(columns)
    start = moves.first & kept
    leads: dict[int, tuple[int, ...]] = {}
    fresh = [start]
    for _ in range(length):
        for states in fresh:
            if states not in leads_of:
                each = [leads_of[state] for state in _bits(states)]
                leads_of[states] = tuple(reduce(partial(map, or_), each, nowhere))
            leads[states] = leads_of[states]
        after = dict.fromkeys(chain.from_iterable(map(leads.__getitem__, fresh)))
        fresh = [states for states in after if states and states not in leads]
        if len(leads) > _MOST_EDGES:
            return too_large(_MOST_EDGES)
    order = [start, *sorted({*leads, *fresh} - {start})]
    numbered = {states: n for n, states in enumerate(order)} | {0: -1}
    steps = map(numbered.__getitem__, chain(*[leads.get(states, nowhere) for states in order]))
    automaton = Automaton(
        np.zeros(length, np.int32),
        np.array([columns[column] for column in reads], np.int32),
        np.arange(len(order), dtype=np.int32)[None],
        np.fromiter(steps, np.int32).reshape(len(order), -1),
        np.array([states & moves.last != 0 for states in order]),
        length * len(order) * len(numbers),
    )
    return counted(automaton, _MOST_EDGES)


def _bits(states: int) -> Iterator[int]:
    while states:
        lowest = states & -states
        yield lowest
        states ^= lowest


def _automaton(text: str, numbers: range) -> Moves | str:
    del numbers
    return read_moves(text)


def _read_by(
    read: Callable[[str, range], Moves | str],
) -> Callable[[Constraint, Layout], tuple[Part, ...] | str]:
    def parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
        cells, text = constraint.cells, str(constraint.value)
        automaton = _unrolled(read, text, len(cells), layout.numbers)
        if isinstance(automaton, str):
            return f"the constraint {constraint.name!r}: {automaton}"
        if isinstance(automaton, Branching):
            return (Branched(cells, automaton),)
        return (Regular(cells, automaton),)

    return parts


WORD_RULES = (
    Rule(
        "regex",
        "The digits along the line, in order, match the regular expression.",
        '{"type": "regex", "cells": ["r1c1", "r1c2", "r1c3"], "pattern": "1[2-5]*.|9+8?7"}',
        _read_by(read_pattern),
        least=1,
        value="pattern",
        text=True,
        repeats=True,
    ),
    Rule(
        "nfa",
        "The numbers along the line, in order, lead from a first state of the automaton to a last.",
        '{"type": "nfa", "cells": ["r1c1", "r1c2", "r1c3"], '
        '"automaton": "0>1,2: 0-1-1 1-2-1 1-5-2 2-9-2"}',
        _read_by(_automaton),
        least=1,
        value="automaton",
        text=True,
        repeats=True,
    ),
)
