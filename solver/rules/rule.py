"""Define rules and constraints, and compile constraints to primitive ones such as automata."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np

from solver.board.automaton import Automaton, prolonged, translated, unroll
from solver.board.budget import charge, kept_table
from solver.board.layout import Layout
from solver.board.primitive_constraints import Domain, House, Links, Part, Regular
from solver.board.tuple_automata import Registers
from solver.rules.wording import Wording

Cells = tuple[int, ...]
Value = int | tuple[int, ...] | str

_MOST_SETS = 500  # to enumerate. A constraint with more sets hardly ever eliminates anything.
_FEW = 16  # numbers, for which building all automata is cheap


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A kind of constraint.

    `name` is its type in JSON, `wording` is the text for people, and `example` is a constraint of
    this kind as JSON. `least` and `most` bound the number of cells. With `repeats`, a cell can
    occur more than once. `value` is the JSON key of the constraint's parameter, or None if it has
    no parameter. The parameter is a whole number, a list of numbers with `many`, or a string with
    `text`. `usual` is its default. A rule that `chooses` has options instead of cells.

    `parts` compiles a constraint to primitive constraints or returns an error. With `hides`, these
    contain auxiliary cells, numbered −1, −2, and so on in each constraint. `reified_as` is used
    instead of `parts` in disjunctions, where auxiliary cells and redundant primitives aren't
    allowed. `together` compiles all constraints of the rule at once, if that is faster. Solutions
    are checked by the rule's name in `solver.checks.constraints`, which shares no code with
    `parts`.
    """

    name: str
    wording: Wording
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
    reified_as: Callable[["Constraint", Layout], tuple[Part, ...] | str] | None = None
    together: Callable[[Sequence["Constraint"], Layout], tuple[Part, ...] | str] | None = None

    @property
    def title(self) -> str:
        """The display name."""
        return self.wording.title

    @property
    def description(self) -> str:
        """The sentence that states the rule for a classic board and any parameter."""
        return self.wording.general

    @property
    def is_variant(self) -> bool:
        """Whether the rule is for the whole grid, so that its constraints name no cells."""
        return '"cells"' not in self.example and not self.chooses


class Constraint(NamedTuple):
    """A rule applied to cells.

    `value` is the rule's parameter, 0 if the rule has none. `options` are the options of a
    disjunction, each a group of constraints, and () for other constraints. The cells of a
    disjunction are the cells of all its options.
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
        """The parameter of a rule that takes one number, 0 for other rules."""
        return self.value if isinstance(self.value, int) else 0

    @property
    def values(self) -> tuple[int, ...]:
        """The parameter of a rule that takes several numbers. A single one becomes (number,)."""
        return self.value if isinstance(self.value, tuple) else (self.number,)

    def parts(self, layout: Layout) -> tuple[Part, ...] | str:
        """Return the constraint's primitive constraints for a layout, or an error message."""
        return self.rule.parts(self, layout)


def fault_in(constraint: Constraint, fault: str, layout: Layout) -> str:
    """Return an error message: a constraint's type, its first cell, and its fault.

    `fault` continues a sentence about the constraint, such as "needs a sum of 1 or more". For rules
    for the whole grid, the message contains no cell.
    """
    if constraint.rule.is_variant:
        return f"the variant {constraint.name!r} {fault}"
    place = f" at {layout.cell_name(constraint.cells[0])}" if constraint.cells else ""
    return f"the constraint {constraint.name!r}{place} {fault}"


def all_differ(cells: Cells, kind: str, layout: Layout) -> House | Links | Domain:
    """Return a primitive constraint that all of the cells differ.

    It is a house if there are as many cells as values, and not-equal pairs if there are fewer. If
    there are more, it is a contradiction: an empty domain. `kind` is a noun such as "cage", from
    which the name of the house or the kind of the pairs is formed.
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
    """Return the sets of `many` different numbers of the board for which `fits` is true, as bits.

    Bit 0 is the lowest number. `fits` gets the numbers in ascending order. Returns None if there
    are too many sets to try.
    """
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
    """The definition of a deterministic automaton as functions, for `unroll`.

    start    the first state; states can be any hashable objects
    follow   follow(state, number, place) returns the next state, or None if there is no transition
    accepts  returns whether a word may end in a state
    phase    returns equal objects for places that `follow` treats alike
    kind     returns equal objects for numbers that `follow` treats alike
    work     cost of a call of `follow`, in units of `solver.board.budget`

    Places count from 0. Fewer phases and kinds make unrolling faster. If states are a few small
    numbers, `solver.board.tuple_automata.Registers` are much faster.
    """

    start: Hashable
    follow: Callable[[Any, int, int], Any]
    accepts: Callable[[Any], bool]
    phase: Callable[[int], Hashable] = int
    kind: Callable[[int], Hashable] = int
    work: int = 2

    def unrolled(self, length: int, numbers: range) -> Automaton | str:
        """Return the automaton for words of a length, or an error message if it is too large."""
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


def one_phase(place: int) -> None:
    """Return None for every place.

    An automaton whose `phase` is this function treats all places of a word alike: its transitions
    depend only on the state and the number.
    """
    del place


# (length, the constraint's parameter, the numbers that cells can hold) → machine
MachineFor = Callable[[int, Any, range], Machine | Registers]
RegistersFor = Callable[[int, Any, range], Registers]


@kept_table
def unrolled(
    machine_for: MachineFor, length: int, value: Hashable, numbers: range
) -> Automaton | str:
    """Return the automaton that a rule's `machine_for` defines, or an error if it is too large.

    machine_for(length, value, numbers) gets the number of cells, the parameter of the constraint,
    and the numbers that cells can hold.
    """
    return machine_for(length, value, numbers).unrolled(length, numbers)


def unrolled_with_letters(
    machine_for: MachineFor, length: int, value: Hashable, letters: tuple[int, ...], most: int
) -> Automaton | str:
    """Return the automaton of a machine that reads letters instead of numbers, or an error.

    Letters are integers from 0 to `most` − 1, and letters[i] is the letter of the board's number
    with index i. Several numbers can have the same letter. Rules that differ only in `letters`
    share one unrolled machine. `length` is the number of cells, and `value` the parameter that
    `machine_for` gets.
    """
    automaton = unrolled(machine_for, length, value, range(most))
    return automaton if isinstance(automaton, str) else translated(automaton, letters)


def read_with_clues(
    machine_for: RegistersFor, constraint: Constraint, more: Hashable, layout: Layout
) -> tuple[Part, ...] | str:
    """Compile a constraint with a number as its clue to an automaton.

    machine_for(length, (clues, more), numbers) defines one automaton for each clue in the array
    `clues`. `more` is any other property of the constraint that the automata depend on, or None.
    All of these automata are built together and cached. If the constraint's clue is one of the
    board's numbers, and there are at most `_FEW` of them, the automata for all of these numbers are
    built, because other constraints can use them. Otherwise, only the automaton for the
    constraint's own clue is built. Returns an error message if an automaton is too large.
    """
    numbers, number = layout.numbers, constraint.number
    clues = numbers if number in numbers and len(numbers) <= _FEW else range(number, number + 1)
    automata = _unrolled_each(machine_for, len(constraint.cells), clues, more, numbers)
    if isinstance(automata, str):
        return fault_in(constraint, automata, layout)
    return (Regular(constraint.cells, automata[clues.index(number)]),)


@kept_table
def _unrolled_each(
    machine_for: RegistersFor, length: int, clues: range, more: Hashable, numbers: range
) -> Sequence[Automaton] | str:
    """Return the automata of `read_with_clues` for all clues, or an error message.

    `length` is the number of cells, and `numbers` are those of the board.
    """
    registers = machine_for(length, (np.array(clues, np.int32), more), numbers)
    return registers.unrolled_each(length, numbers)


def read_by(
    machine_for: MachineFor,
    order: Callable[[Cells], Cells] = tuple,
    *,
    settled: int | None = None,
) -> Callable[[Constraint, Layout], tuple[Part, ...] | str]:
    """Return the function that compiles a rule's constraints to the automaton of a machine.

    The automaton reads the cells in the order that order(cells) returns. The function returns an
    error message if the automaton is too large.

    With `settled`, the machine is unrolled for at most this number of cells. The automaton is
    extended to longer lines by repeating its last place. So the machine must treat all cells alike
    from the cell with the number `settled` (from 1) on, and must not depend on the length.
    """

    def parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
        cells = order(constraint.cells)
        length = len(cells) if settled is None else min(len(cells), settled)
        automaton = unrolled(machine_for, length, constraint.value, layout.numbers)
        if length < len(cells) and isinstance(automaton, Automaton):
            automaton = prolonged(automaton, len(cells))
        if isinstance(automaton, str):
            return fault_in(constraint, automaton, layout)
        return (Regular(cells, automaton),)

    return parts
