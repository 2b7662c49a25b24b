"""Lines whose numbers, read in order, match a regular expression or an automaton."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache, partial, reduce
from itertools import accumulate, chain
from operator import or_

import numpy as np
from numpy.typing import NDArray

from solver.board.automaton import Automaton, limited, too_large, unroll
from solver.board.branching import Branching, unroll_branching
from solver.board.budget import charge, kept_table
from solver.board.layout import Layout
from solver.board.primitive_constraints import Branched, Part, Regular
from solver.rules.regular_expressions import BETWEEN, Moves, read_moves, read_pattern
from solver.rules.rule import Constraint, Rule, fault_in
from solver.rules.wording import Wording

_Table = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]]  # rows, steps, ends

_MOST_WORK = 1_000_000  # to find the transitions of all sets of one automaton
# of one automaton. Finding an edge takes time proportional to the states in its set.
_MOST_EDGES = 50_000


@kept_table
def _unrolled(
    read: Callable[[str, range], Moves | str], text: str, length: int, numbers: range
) -> Automaton | Branching | str:
    """Return the automaton that a text describes, for words of a length, or an error message.

    read(text, numbers) parses the text, which is a regular expression or a list of transitions. The
    result is nondeterministic if a deterministic automaton would be too large.
    """
    sets = _sets(read, text, numbers)
    if isinstance(sets, str):
        return sets
    lengths = sets.moves.lengths
    if lengths and sum(lengths) != length:
        listed = ", ".join(map(str, lengths))
        return f"has {length} cells, but its pieces ({listed}) have {sum(lengths)} together"
    if not lengths:
        automaton = sets.automaton(length)
        if isinstance(automaton, Automaton):
            return automaton
    return _in_pieces(sets.moves, length, numbers)


@kept_table
def _sets(read: Callable[[str, range], Moves | str], text: str, numbers: range) -> "_Sets | str":
    """Parse a text to an automaton, and return its subset construction or an error message.

    read(text, numbers) parses the text. All word lengths share the result.
    """
    moves = read(text, numbers)
    return moves if isinstance(moves, str) else _Sets(moves, numbers)


class _Sets:
    """The subset construction, which makes a nondeterministic automaton deterministic.

    A state of the result is a set of states of the original, as bits. Original states that neither
    have transitions nor are accepting are left out. `_in_pieces` handles automata that split the
    cells into pieces.
    """

    def __init__(self, moves: Moves, numbers: range) -> None:
        self.moves = moves
        self._numbers = numbers
        moving = {1 << n: moved for n, moved in enumerate(moves.by_number) if moved}
        reads = [tuple([moved.get(number, 0) for moved in moving.values()]) for number in numbers]
        columns = {column: kind for kind, column in enumerate(dict.fromkeys(reads))}
        charge(len(moving) * (len(numbers) + 4) // 4)
        self._moving = sum(moving)
        self._kept = self._moving | moves.last
        self._kinds = np.array([columns[column] for column in reads], np.int32)
        self._nowhere = (0,) * len(columns)
        each = zip(*[[there & self._kept for there in column] for column in columns], strict=True)
        self._leads = dict(zip(moving, each, strict=True))
        # Once all sets are known: the word length that reaches them, their table, and the work.
        self._all: tuple[int, _Table, int] | None = None

    def automaton(self, length: int) -> Automaton | str:
        """Return the deterministic automaton for words of a length.

        Returns an error message if it is too large. What is computed is kept for other lengths.
        """
        if self._all is not None and self._all[0] <= length:
            return self._of_length(length, *self._all[1:])
        start = self.moves.first & self._kept
        leads: dict[int, tuple[int, ...]] = {}
        fresh, places, work = [start], 0, 0
        while fresh and places < length:
            places += 1
            for states in fresh:
                work += self._work(states)
                if work > _MOST_WORK:
                    charge(work)
                    return too_large(_MOST_EDGES)
                leads[states] = self._leads.get(states) or self._find(states)
            after = dict.fromkeys(chain.from_iterable(map(leads.__getitem__, fresh)))
            fresh = [states for states in after if states and states not in leads]
        order = [start, *sorted({*leads, *fresh} - {start})]
        numbered = {states: n for n, states in enumerate(order)} | {0: -1}
        steps = chain.from_iterable([leads.get(states, self._nowhere) for states in order])
        table = (
            np.arange(len(order), dtype=np.int32)[None],
            np.array([*map(numbered.__getitem__, steps)], np.int32).reshape(len(order), -1),
            np.array([states & self.moves.last != 0 for states in order]),
        )
        if not fresh:
            self._all = places, table, work
        return self._of_length(length, table, work)

    def _work(self, states: int) -> int:
        """Return the cost of finding the transitions of a set of states, in units of work.

        The cost is the same whether or not the transitions are cached.
        """
        return 1 + (states.bit_count() + 4) * (len(self._nowhere) + 2) // 12

    def _of_length(self, length: int, table: _Table, work: int) -> Automaton | str:
        """Return the automaton with a table for words of a length, or an error if it is too large.

        `work` is the cost of making the table.
        """
        charge(work)
        edges = length * len(table[2]) * len(self._kinds)
        phases = np.zeros(length, np.int32)
        return limited(Automaton(phases, self._kinds, *table, edges), _MOST_EDGES)

    def _find(self, states: int) -> tuple[int, ...]:
        """Find the transitions of a set of states, cache them, and return them.

        For each kind of number, the result has the next set of states, 0 if there is none. Sets are
        bits.
        """
        each = [self._leads[state] for state in _bits(states & self._moving)]
        found = self._leads[states] = tuple(reduce(partial(map, or_), each, self._nowhere))
        return found


def _in_pieces(moves: Moves, length: int, numbers: range) -> Automaton | Branching | str:
    """Return the automaton for words of a length that are divided into pieces.

    `moves.lengths` has the number of cells of each piece, in order. Pieces can be empty. Between
    two pieces, `moves` reads ``|``. The result is nondeterministic if a deterministic automaton
    would be too large. Without lengths, all cells are one piece, and the result is always
    nondeterministic. Returns an error message if the nondeterministic automaton is too large, too.
    """
    # The number of pieces that end before each cell. Pieces can be empty.
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
    if moves.lengths:
        automaton = unroll(
            length,
            numbers=numbers,
            start=start,
            follow=follow,
            accepts=lambda states: bool(states & moves.last),
            phase=lambda place: ends[place + 1],
            kind=lambda number: tuple([reached.get(number) for reached in moves.by_number]),
            most_edges=_MOST_EDGES,
            work=20,
        )
        if isinstance(automaton, Automaton):
            return automaton
    # Here states are single bits, except for the start, which is the set of all first states.
    return unroll_branching(
        length,
        numbers=numbers,
        start=start,
        follow=lambda states, number, place: _bits(follow(states, number, place) or 0),
        accepts=lambda states: bool(states & moves.last),
    )


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
            return fault_in(constraint, automaton, layout)
        if isinstance(automaton, Branching):
            return (Branched(cells, automaton),)
        return (Regular(cells, automaton),)

    return parts


REGULAR_LINE_RULES = (
    Rule(
        "regex",
        Wording(
            "Regular expression",
            "The digits along the line match {value}.",
            parameter="the regular expression",
        ),
        '{"type": "regex", "cells": ["r1c1", "r1c2", "r1c3"], "pattern": "1[2-5]*.|9+8?7"}',
        _read_by(read_pattern),
        least=1,
        value="pattern",
        text=True,
        repeats=True,
    ),
    Rule(
        "nfa",
        Wording(
            "Automaton",
            "The automaton accepts the digits along the line.",
            other_names=("NFA", "State machine"),
            note="The automaton consists of its start states, its accepting states, "
            "and its transitions.",
        ),
        '{"type": "nfa", "cells": ["r1c1", "r1c2", "r1c3"], '
        '"automaton": "0>1,2: 0-1-1 1-2-1 1-5-2 2-9-2"}',
        _read_by(_automaton),
        least=1,
        value="automaton",
        text=True,
        repeats=True,
    ),
)
