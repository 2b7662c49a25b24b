"""Automata whose states are a few small numbers each: what follows is reckoned for all at once.

`solver.board.automaton.unroll` asks about one number in one state after the other, which takes
some microseconds each, but the states may be anything. Here arrays have all of them.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from solver.board.automaton import MOST_EDGES, Automaton, counted, too_large
from solver.board.budget import ELEMENTS, charge

Numbers = NDArray[np.int32]
Held = Numbers | NDArray[np.bool_] | int

NOWHERE = -1  # what no register holds

_MOST_STEPS = 3_000_000  # of all phases and machines


@dataclass(frozen=True, slots=True)
class Registers:
    """A machine of registers, each of which holds a number from 0 to less than its size.

    `follow` gives what they hold after (place, number, *registers), for arrays of them; where that
    is no number of its register, there is no way on. `accepts` tells from the registers where a
    word may end. What `follow` makes of a place or a number may depend on its `phase` or `kind`
    only. It may be of several machines at once: as many as `machines`, along one more axis before
    those of the registers, each of which begins with any of the `starts`.
    """

    sizes: tuple[int, ...]
    starts: Sequence[tuple[int, ...]]
    follow: Callable[..., tuple[Held, ...]]
    accepts: Callable[..., NDArray[np.bool_] | bool]
    phase: Callable[[int], Hashable] = int
    kind: Callable[[int], Hashable] = int
    machines: int = 1

    def unrolled(self, length: int, numbers: range) -> Automaton | str:
        """Return the automaton of words of a length, or say that it is too large."""
        automata = self.unrolled_each(length, numbers)
        return automata if isinstance(automata, str) else automata[0]

    def unrolled_each(self, length: int, numbers: range) -> list[Automaton] | str:
        """Return the automata of all machines and starts, or say that they are too large.

        State 0 is the start, the others are all that the registers can hold.
        """
        numbered: dict[Hashable, int] = {}
        kinds = [numbered.setdefault(self.kind(number), len(numbered)) for number in numbers]
        asked = np.array([numbers[kinds.index(kind)] for kind in range(len(numbered))], np.int32)
        places = [self.phase(place) for place in range(length)]
        phases = {phase: n for n, phase in enumerate(dict.fromkeys(places))}
        states = 1 + prod(self.sizes)
        if self.machines * len(phases) * states * len(asked) > _MOST_STEPS:
            return too_large(MOST_EDGES)
        charge(100 + self.machines * len(phases) * states * len(asked) // ELEMENTS)
        registers = self._registers()
        steps = np.empty((self.machines, len(phases), states, len(asked)), np.int32)
        steps[:, :, 0] = -1  # never taken: from a start on it goes as from what it is
        for phase, n in phases.items():
            after = steps[:, n, 1:].reshape(self.machines, *self.sizes, -1)
            self._follow(places.index(phase), asked, registers, after)
        ends = np.empty(states, np.bool_)
        ends[0] = False  # no word is empty
        ends[1:].reshape(self.sizes)[...] = self.accepts(*[each[..., 0] for each in registers])
        own_phases = np.array([phases[phase] for phase in places], np.int32)
        own_kinds = np.array(kinds, np.int32)
        every = np.arange(len(phases) * states, dtype=np.int32).reshape(-1, states)
        rows_of = [self._beginning(start, every) for start in self.starts]
        edges = length * states * len(numbers)
        automata = []
        for own in steps.reshape(self.machines, -1, len(asked)):
            for rows in rows_of:
                automaton = Automaton(own_phases, own_kinds, rows, own, ends, edges)
                found = counted(automaton, MOST_EDGES)
                if isinstance(found, str):
                    return found
                automata.append(found)
        return automata

    def _beginning(self, start: Sequence[int], every: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the rows of steps, where state 0 takes those of a start."""
        state = 0
        for held, size in zip(start, self.sizes, strict=True):
            state = state * size + held
        rows = every.copy()
        rows[:, 0] = every[:, 1 + state]
        return rows

    def _registers(self) -> list[Numbers]:
        """Return all that each register can hold, along its own axis; the last is for numbers."""
        axes = len(self.sizes)
        return [
            np.arange(size, dtype=np.int32).reshape(-1, *(1,) * (axes - axis))
            for axis, size in enumerate(self.sizes)
        ]

    def _follow(
        self, place: int, number: Numbers, registers: Sequence[Held], after: NDArray[np.int32]
    ) -> None:
        """Write the states after some numbers and registers, −1 where there is no way on."""
        first, *others = self.follow(place, number, *registers)
        state, is_one = first, _is_held(first, self.sizes[0])
        for held, size in zip(others, self.sizes[1:], strict=True):
            state = state * size + held
            is_one = is_one & _is_held(held, size)
        np.add(np.where(is_one, state, -2), 1, out=after)


def _is_held(number: Held, size: int) -> NDArray[np.bool_]:
    """Return whether a register can hold a number; what is below 0 is a great one without sign."""
    return np.asarray(number, np.int32).view(np.uint32) < size
