"""What a constraint is: a rule, the cells it is about, and what it compiles to."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np

from solver.board.automaton import Automaton, prolonged, respelt, unroll
from solver.board.budget import charge, kept_table
from solver.board.layout import Layout
from solver.board.parts import Domain, House, Links, Part, Regular
from solver.board.registers import Registers

Cells = tuple[int, ...]
Value = int | tuple[int, ...] | str

_MOST_SETS = 500  # to look at; of more, too little is ever ruled out
_FEW = 16  # numbers, for each of which an automaton is soon made


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A kind of constraint.

    `example` is how JSON writes one. `least` and `most` bound the number of its cells, `repeats`
    says that a cell may come more than once; `value` is the key of the number that it needs, if
    any, of numbers if `many`, of a text if `text`, and `usual` what it is where it is left out. A
    rule that `chooses` has options instead of cells; one that `hides` cells has parts about unseen
    ones, which are −1, −2 and so on in each constraint. `parts` compiles a constraint for the
    engine, or says what is wrong with it; `judged` does so inside a choice, where there may be no
    unseen cells and nothing should be said twice; `together` compiles all constraints of the rule
    at once, where that is sooner done than one by one. Whether the rule is kept is told by its
    name in `solver.checks.constraints`, which shares nothing with `parts`.
    """

    name: str
    description: str
    example: str
    parts: Callable[["Constraint", Layout], tuple[Part, ...] | str]
    least: int = 2
    most: int = 64 * 64
    value: str | None = None
    many: bool = False
    usual: int | None = None
    repeats: bool = False
    text: bool = False
    chooses: bool = False
    hides: bool = False
    judged: Callable[["Constraint", Layout], tuple[Part, ...] | str] | None = None
    together: Callable[[Sequence["Constraint"], Layout], tuple[Part, ...] | str] | None = None


class Constraint(NamedTuple):
    """A rule for some cells; `value` is 0 where the rule needs none.

    The cells of a constraint with `options` are all those of these.
    """

    rule: Rule
    cells: Cells
    value: Value = 0
    options: tuple[tuple["Constraint", ...], ...] = ()

    @property
    def name(self) -> str:
        """The name of the rule."""
        return self.rule.name

    @property
    def number(self) -> int:
        """The value of a rule that takes one number."""
        return self.value if isinstance(self.value, int) else 0

    @property
    def values(self) -> tuple[int, ...]:
        """The value of a rule that takes many numbers."""
        return self.value if isinstance(self.value, tuple) else (self.number,)

    def parts(self, layout: Layout) -> tuple[Part, ...] | str:
        """Return what the engine has to know on a layout, or why it cannot be."""
        return self.rule.parts(self, layout)


def all_differ(cells: Cells, kind: str, layout: Layout) -> House | Links | Domain:
    """Return that all of the cells differ; as many as there are values are a house.

    Of more cells, one has no value left.
    """
    if len(cells) > layout.size:
        return Domain(cells[0], 0)
    charge(len(cells) ** 2 // 2)
    if len(cells) == layout.size:
        return House(f"{kind} at {layout.cell_name(cells[0])}", 0, cells)
    return Links(f"in a {kind}", tuple(combinations(cells, 2)))


def sets_that(
    layout: Layout, many: int, fits: Callable[[tuple[int, ...]], bool]
) -> tuple[int, ...] | None:
    """Return the sets of so many numbers, rising, that fit, as bits; None if they are too many."""
    sets = comb(layout.size, many)
    if sets > _MOST_SETS:
        return None
    charge(3 * sets)
    return tuple(
        sum(1 << number - layout.lowest for number in numbers)
        for numbers in combinations(layout.numbers, many)
        if fits(numbers)
    )


@dataclass(frozen=True, slots=True)
class Machine:
    """A deterministic automaton that reads numbers; see `solver.board.automaton.unroll`.

    Where states are few small numbers, `solver.board.registers.Registers` take far less time.

    The states may be anything that can be hashed. What `follow` makes of a place or a number may
    depend on its `phase` or `kind` only: the fewer there are, the sooner it is unrolled.
    """

    start: Hashable
    follow: Callable[[Any, int, int], Any]  # (state, number, place) → next state or None
    accepts: Callable[[Any], bool]
    phase: Callable[[int], Hashable] = int
    kind: Callable[[int], Hashable] = int
    work: int = 2  # of a call of `follow`, see `solver.board.budget`

    def unrolled(self, length: int, numbers: range) -> Automaton | str:
        """Return the automaton of words of a length, or say that it is too large."""
        return unroll(
            length,
            numbers=numbers,
            start=self.start,
            follow=self.follow,
            accepts=self.accepts,
            phase=self.phase,
            kind=self.kind,
            work=self.work,
        )


def same(place: int) -> None:
    """Return the phase of all places, for machines that do not look at them."""
    del place


# Of a constraint's length, its value, and the numbers that the cells may hold.
MachineFor = Callable[[int, Any, range], Machine | Registers]
RegistersFor = Callable[[int, Any, range], Registers]


@kept_table
def unrolled(
    machine_for: MachineFor, length: int, value: Hashable, numbers: range
) -> Automaton | str:
    """Return the automaton of a rule's machine for so many cells, or that it is too large."""
    return machine_for(length, value, numbers).unrolled(length, numbers)


def spelt(
    machine_for: MachineFor, length: int, value: Hashable, letters: tuple[int, ...], most: int
) -> Automaton | str:
    """Return the automaton of a machine that reads a letter, below `most`, for each number.

    Machines of rules that differ in letters only are unrolled once.
    """
    automaton = unrolled(machine_for, length, value, range(most))
    return automaton if isinstance(automaton, str) else respelt(automaton, letters)


def told_by(
    machine_for: RegistersFor, constraint: Constraint, more: Hashable, layout: Layout
) -> tuple[Part, ...] | str:
    """Return the automaton of a constraint that is told one of the numbers.

    Those of all numbers are made at once, which takes little more time than one.
    """
    numbers, number = layout.numbers, constraint.number
    told = numbers if number in numbers and len(numbers) <= _FEW else range(number, number + 1)
    automata = _unrolled_each(machine_for, len(constraint.cells), told, more, numbers)
    if isinstance(automata, str):
        return f"the constraint {constraint.name!r} {automata}"
    return (Regular(constraint.cells, automata[told.index(number)]),)


@kept_table
def _unrolled_each(
    machine_for: RegistersFor, length: int, told: range, more: Hashable, numbers: range
) -> Sequence[Automaton] | str:
    registers = machine_for(length, (np.array(told, np.int32), more), numbers)
    return registers.unrolled_each(length, numbers)


def read_by(
    machine_for: MachineFor,
    order: Callable[[Cells], Cells] = tuple,
    *,
    settled: int | None = None,
) -> Callable[[Constraint, Layout], tuple[Part, ...] | str]:
    """Return the `parts` of a rule that is an automaton, which reads the cells in an order.

    A machine that does not look at its length, and to which all cells from the last of so many on
    are alike, has `settled`: it is unrolled for so many cells once.
    """

    def parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
        cells = order(constraint.cells)
        length = len(cells) if settled is None else min(len(cells), settled)
        automaton = unrolled(machine_for, length, constraint.value, layout.numbers)
        if length < len(cells) and isinstance(automaton, Automaton):
            automaton = prolonged(automaton, len(cells))
        if isinstance(automaton, str):
            return f"the constraint {constraint.name!r} {automaton}"
        return (Regular(cells, automaton),)

    return parts
