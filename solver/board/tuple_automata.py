"""Unroll automata whose states are tuples of small numbers, for all states at once.

`solver.board.automaton.unroll` calls a function per state and number, which takes some microseconds
but allows states of any kind. Here NumPy arrays hold all states.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from solver.board.automaton import MOST_EDGES, Automaton, limited, too_large
from solver.board.budget import ELEMENTS, charge

Numbers = NDArray[np.int32]
Held = Numbers | NDArray[np.bool_] | int

NOWHERE = -1  # a value that no register holds

_MOST_STEPS = 3_000_000  # of all phases and machines together


@dataclass(frozen=True, slots=True)
class Registers:
    """Description of an automaton whose state consists of registers, each with a small number.

    sizes     register k holds a number from 0 up to, but not including, sizes[k]
    starts    initial values of the registers. Each start makes an automaton of its own.
    follow    follow(place, number, *registers) returns the new values of all registers. All
              arguments but `place` are arrays that broadcast together. A result outside a
              register's range, such as NOWHERE, means that there is no transition.
    accepts   accepts(*registers) returns whether a word may end with these values
    phase     returns equal objects for places that `follow` treats alike
    kind      returns equal objects for numbers that `follow` treats alike
    machines  number of automata that `follow` describes at once. If there are several, they are an
              additional first axis of its results.
    """

    sizes: tuple[int, ...]
    starts: Sequence[tuple[int, ...]]
    follow: Callable[..., tuple[Held, ...]]
    accepts: Callable[..., NDArray[np.bool_] | bool]
    phase: Callable[[int], Hashable] = int
    kind: Callable[[int], Hashable] = int
    machines: int = 1

    def unrolled(self, length: int, numbers: range) -> Automaton | str:
        """Return the automaton for words of a length, or an error message if it is too large.

        If there are several machines or starts, only the first ones are used.
        """
        automata = self.unrolled_each(length, numbers)
        return automata if isinstance(automata, str) else automata[0]

    def unrolled_each(self, length: int, numbers: range) -> list[Automaton] | str:
        """Return an automaton per machine and start, or an error message if one is too large.

        The automata read words of `length` of the `numbers`. Those for all starts of the first
        machine come first. State 0 of an automaton is the start. The other states are all
        combinations of register values.
        """
        numbered: dict[Hashable, int] = {}
        kinds = [numbered.setdefault(self.kind(number), len(numbered)) for number in numbers]
        first_of_kind = np.array(
            [numbers[kinds.index(kind)] for kind in range(len(numbered))], np.int32
        )
        places = [self.phase(place) for place in range(length)]
        phases = {phase: n for n, phase in enumerate(dict.fromkeys(places))}
        states = 1 + prod(self.sizes)
        if self.machines * len(phases) * states * len(first_of_kind) > _MOST_STEPS:
            return too_large(MOST_EDGES)
        charge(100 + self.machines * len(phases) * states * len(first_of_kind) // ELEMENTS)
        registers = self._registers()
        steps = np.empty((self.machines, len(phases), states, len(first_of_kind)), np.int32)
        # never taken: the start state has the same steps as its register values
        steps[:, :, 0] = -1
        for phase, n in phases.items():
            after = steps[:, n, 1:].reshape(self.machines, *self.sizes, -1)
            self._follow(places.index(phase), first_of_kind, registers, after)
        ends = np.empty(states, np.bool_)
        ends[0] = False  # words aren't empty
        ends[1:].reshape(self.sizes)[...] = self.accepts(*[each[..., 0] for each in registers])
        own_phases = np.array([phases[phase] for phase in places], np.int32)
        own_kinds = np.array(kinds, np.int32)
        every = np.arange(len(phases) * states, dtype=np.int32).reshape(-1, states)
        rows_of = [self._beginning(start, every) for start in self.starts]
        edges = length * states * len(numbers)
        automata = []
        for own in steps.reshape(self.machines, -1, len(first_of_kind)):
            for rows in rows_of:
                automaton = Automaton(own_phases, own_kinds, rows, own, ends, edges)
                found = limited(automaton, MOST_EDGES)
                if isinstance(found, str):
                    return found
                automata.append(found)
        return automata

    def _beginning(self, start: Sequence[int], every: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the row numbers of all states, with those of a start for state 0.

        `start` are the initial values of the registers. `every` contains the row of each state in
        each phase (phases, states). The result is a changed copy, in which state 0 has the rows of
        the state with these values.
        """
        state = 0
        for held, size in zip(start, self.sizes, strict=True):
            state = state * size + held
        rows = every.copy()
        rows[:, 0] = every[:, 1 + state]
        return rows

    def _registers(self) -> list[Numbers]:
        """Return an array per register with all of its values along its own axis.

        The last axis, of length 1, is for the numbers that the automaton reads.
        """
        axes = len(self.sizes)
        return [
            np.arange(size, dtype=np.int32).reshape(-1, *(1,) * (axes - axis))
            for axis, size in enumerate(self.sizes)
        ]

    def _follow(
        self, place: int, number: Numbers, registers: Sequence[Held], after: NDArray[np.int32]
    ) -> None:
        """Write the next state for each machine, state, and number to `after`.

        place      index in the word, from 0
        number     (k,) the numbers to read: the first number of each `kind`, for all of that kind
        registers  an array of all values of each register, as `_registers` returns them
        after      (machines, …, k), the result, with one axis per register in place of …

        Each combination of register values is a state. States are numbered from 1, with the value
        of the last register changing fastest. −1 means that there is no transition.
        """
        first, *others = self.follow(place, number, *registers)
        state, is_one = first, _is_held(first, self.sizes[0])
        for held, size in zip(others, self.sizes[1:], strict=True):
            state = state * size + held
            is_one = is_one & _is_held(held, size)
        np.add(np.where(is_one, state, -2), 1, out=after)


def _is_held(number: Held, size: int) -> NDArray[np.bool_]:
    """Return, for each number, whether a register can hold it: 0 ≤ number < size."""
    # Negative numbers are large when viewed as unsigned.
    return np.asarray(number, np.int32).view(np.uint32) < size
