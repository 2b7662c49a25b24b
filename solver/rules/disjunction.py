"""Disjunctions: all constraints of at least one option hold.

Primitive constraints are reified: an auxiliary answer cell says whether the constraint holds (1 =
no, 2 = yes). An automaton reads the answer before the constraint's cells, or a relation binds it to
a single cell. Answers follow from the grid, so they never add solutions. One more automaton reads
all answers and requires an option whose answers are all yes. Constraints that all options share
aren't reified, because they hold anyway. If all of this grows too large, the options are passed
unchanged to the SAT engine, which supports disjunctions.
"""

from collections.abc import Hashable, Sequence
from functools import partial
from itertools import chain
from typing import TypeVar, get_args

from solver.board.automaton import Automaton, too_large, unroll, unroll_all
from solver.board.budget import charge, kept_table
from solver.board.layout import Layout
from solver.board.parts import (
    Disjunction,
    Domain,
    Part,
    Partition,
    Regular,
    Relation,
    SatDisjunction,
    SatOnly,
    Searchable,
)
from solver.rules.auxiliary_cells import (
    count_auxiliary,
    lowest_cell,
    renumber_auxiliary,
    replace_cells,
)
from solver.rules.reification import NO, YES, Primitive, answer, judged, parts_of, primitives_of
from solver.rules.rule import Cells, Constraint, Rule

Shared = TypeVar("Shared", bound=Hashable)

_BEYOND = (*get_args(SatOnly), Partition)
_MOST_OPTIONS = 64
_MOST_MERGED_EDGES = 20_000  # of an automaton for all options
_MOST_JOINED_EDGES = 100_000  # of each automaton to merge
_MOST_PARTS = 500  # reified constraints, of all options together
_COMPLETE = -1  # state after all answers of some group were yes


def _is_beyond(part: Part) -> bool:
    """Return whether a primitive constraint can't be reified.

    That is so for partitions, for constraints that only the SAT engine supports, and for
    constraints with auxiliary cells.
    """
    return isinstance(part, _BEYOND) or lowest_cell(part) < 0


class _Reification:
    """Reified primitive constraints, and the auxiliary answer cells that say whether they hold.

    The same constraint on the same cells is reified only once. `parts` collects the constraints
    that define the answers, and `cells` is the number of answer cells, −1, −2, and so on.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.parts: list[Part] = []
        self.cells = 0
        self._answers: dict[tuple[Hashable, Cells], int] = {}

    def _add_cell(self) -> int:
        """Return a new auxiliary cell."""
        self.cells += 1
        return -self.cells

    def reify(self, primitive: Hashable, cells: Cells) -> int | str:
        """Reify a primitive constraint on some cells; return its answer cell, a negative number.

        `primitive` is the constraint without its cells, see `primitives_of`. The constraints that
        define a new answer are added to `parts`. Returns an error message if that would be too
        large.
        """
        charge(10)
        known = self._answers.get((primitive, cells))
        if known is not None:
            return known
        # a domain: a relation between the answer and the cell is enough
        if isinstance(primitive, int):
            cell = self._answers[primitive, cells] = self._add_cell()
            self.parts += [answer(cell), *_whether(cell, cells[0], primitive, self.layout.size)]
            return cell
        automaton = judged(primitive, len(cells), self.layout.numbers)
        if isinstance(automaton, str):
            return automaton
        cell = self._answers[primitive, cells] = self._add_cell()
        self.parts += [answer(cell), Regular((cell, *cells), automaton)]
        return cell

    def primitives_of(self, constraint: Constraint) -> list[Primitive] | str:
        """Return the primitive constraints to reify for a constraint, or an error message.

        The constraint holds if all of their answers are yes. A nested disjunction is reified at
        once, and becomes a single primitive over its answers.
        """
        if constraint.options:
            groups = self.primitives_of_options(constraint)
            choice = groups if isinstance(groups, str) else self.choose(groups)
            return choice if isinstance(choice, str) else [choice]
        parts = (constraint.rule.judged or constraint.rule.parts)(constraint, self.layout)
        if isinstance(parts, str):
            return parts
        if any(_is_beyond(part) for part in parts):
            return f"the constraint {constraint.name!r} isn't supported inside 'or'"
        return [*primitives_of(parts, self.layout)]

    def primitives_of_options(self, constraint: Constraint) -> list[list[Primitive]] | str:
        """Return the primitive constraints to reify for each option, or an error message."""
        groups: list[list[Primitive]] = []
        for option in constraint.options:
            group: list[Primitive] = []
            for each in option:
                primitives = self.primitives_of(each)
                if isinstance(primitives, str):
                    return primitives
                group += primitives
            groups.append(group)
        return groups

    def choose(self, groups: Sequence[Sequence[Primitive]]) -> tuple[Automaton, Cells] | str:
        """Reify all constraints of all groups; return an automaton and the answers that it reads.

        It accepts if all answers of at least one group are yes. Returns an error message if this is
        too large.
        """
        answers: list[list[int]] = []
        for group in groups:
            own = [self.reify(*primitive) for primitive in group]
            wrong = next((each for each in own if isinstance(each, str)), None)
            if wrong is not None:
                return f"a constraint inside 'or' {wrong}"
            answers.append([each for each in own if isinstance(each, int)])
        cells = tuple(dict.fromkeys(chain.from_iterable(answers)))
        if self.cells > _MOST_PARTS:
            return "the constraint 'or' has too many parts"
        wanted = tuple(frozenset(cells.index(cell) for cell in group) for group in answers)
        choice = _some_group(wanted, len(cells), self.layout.numbers)
        return f"the constraint 'or' {choice}" if isinstance(choice, str) else (choice, cells)


def _whether(answer: int, cell: int, allowed: int, size: int) -> tuple[Relation, Relation]:
    """Return relations so that an answer cell says whether a cell has one of the values `allowed`.

    `allowed` is a bit mask (bit 0 = value 1), and `size` the number of values of the board.
    """
    every = (1 << size) - 1
    forth = (every & ~allowed, allowed, *[0] * (size - YES))
    back = tuple([1 << (YES if allowed >> value & 1 else NO) - 1 for value in range(size)])
    return Relation(((answer, cell),), forth), Relation(((cell, answer),), back)


@kept_table
def _some_group(groups: tuple[frozenset[int], ...], length: int, numbers: range) -> Automaton | str:
    """Return an automaton that accepts `length` answers if those of at least one group are all yes.

    A group is a set of indices of answers. State: the groups that have begun and had no "no" so
    far, as bits, or −1 after a complete group. Returns an error message if the automaton is too
    large.
    """
    begun, over, members = ([0] * length for _ in range(3))  # groups by place, as bits
    for number, group in enumerate(filter(None, groups)):
        begun[min(group)] |= 1 << number
        over[max(group)] |= 1 << number
        for place in group:
            members[place] |= 1 << number

    def follow(state: int, number: int, place: int) -> int | None:
        if state == _COMPLETE:
            return state
        open_ = state | begun[place]
        if number - numbers[0] != YES - 1:
            return open_ & ~members[place]
        return _COMPLETE if open_ & over[place] else open_

    return unroll(
        length,
        numbers=numbers[:2],
        start=0 if all(groups) else _COMPLETE,
        follow=follow,
        accepts=lambda state: state == _COMPLETE,
    )


@kept_table
def _or_parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    if not 1 <= len(constraint.options) <= _MOST_OPTIONS:
        return f"the constraint 'or' needs 1 to {_MOST_OPTIONS} options"
    if layout.size < YES:
        return "the constraint 'or' needs a board of 2 values or more"
    if any(not option for option in constraint.options):
        return ()  # An empty option always holds.
    if len(constraint.options) == 1:
        chosen = _chosen(constraint, layout)
        return chosen if isinstance(chosen, str) else chosen[0].options[0]
    merged = _merged(_alone(constraint, layout), layout)
    if merged:
        return merged
    known = _either(constraint, layout)
    if known is not None:
        return known
    reification = _Reification(layout)
    groups = reification.primitives_of_options(constraint)
    if isinstance(groups, str):
        return _chosen(constraint, layout)
    common = _common(groups)
    choice = reification.choose(
        [[each for each in group if each not in common] for group in groups]
    )
    if isinstance(choice, str):
        return _chosen(constraint, layout)
    automaton, cells = choice
    return (*parts_of([*common], layout), *reification.parts, Regular(cells, automaton))


def _either(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | None:
    """Compile a disjunction that backtracking search can try.

    Returns the constraints that all options share, and a `Disjunction` of what is left of each
    option. If nothing is left of an option, the shared constraints are enough. Returns None if
    search can't try one of the constraints.
    """
    groups: list[list[Searchable]] = []
    for option in constraint.options:
        group: list[Searchable] = []
        for each in option:
            parts = _tried(each, layout)
            if parts is None:
                return None
            group += parts
        groups.append(group)
    common = _common(groups)
    options = [tuple([part for part in group if part not in common]) for group in groups]
    if not all(options):
        return tuple(common)
    return *common, Disjunction(tuple(options), partial(_reified, constraint, layout))


def _common(groups: Sequence[Sequence[Shared]]) -> dict[Shared, None]:
    """Return the items that all groups share, in the order of the first group."""
    others = [frozenset(group) for group in groups[1:]]
    return dict.fromkeys(each for each in groups[0] if all(each in group for group in others))


def _reified(
    constraint: Constraint, layout: Layout, first: int
) -> tuple[Sequence[Part], int] | None:
    """Reify a disjunction. With the first two arguments bound, this is a `Disjunction.reify`.

    The auxiliary cells are numbered from `first`. Returns the constraints and the number of these
    cells, or None if that would be too large.
    """
    reification = _Reification(layout)
    groups = reification.primitives_of_options(constraint)
    choice = groups if isinstance(groups, str) else reification.choose(groups)
    if isinstance(choice, str):
        return None
    automaton, cells = choice
    return renumber_auxiliary((*reification.parts, Regular(cells, automaton)), first)


def _tried(constraint: Constraint, layout: Layout) -> Sequence[Searchable] | None:
    """Compile a constraint to primitives that backtracking search can try.

    Returns None if that isn't possible: for disjunctions, for types of primitives that search can't
    try, and if there are auxiliary cells.
    """
    for parts_of_rule in filter(None, (constraint.rule.parts, constraint.rule.judged)):
        parts = () if constraint.options else parts_of_rule(constraint, layout)
        tried = [part for part in parts if isinstance(part, Searchable) and lowest_cell(part) >= 0]
        if tried and len(tried) == len(parts):
            return tried
    return None


def _alone(constraint: Constraint, layout: Layout) -> list[Domain | Regular]:
    """Return the only primitive constraint of each option.

    Returns [] unless each option has just one, which is a domain or an automaton that isn't closed.
    """
    alone: list[Domain | Regular] = []
    for option in constraint.options:
        parts = option[0].parts(layout) if len(option) == 1 else ()
        part = parts[0] if len(parts) == 1 else None
        if not isinstance(part, Domain | Regular) or (
            isinstance(part, Regular) and part.automaton.is_closed
        ):
            return []
        alone.append(part)
    return alone


def _merged(options: Sequence[Domain | Regular], layout: Layout) -> tuple[Part, ...]:
    """Merge the options of a disjunction to one or two small primitive constraints.

    Each option is a single domain or automaton. Returns () unless they are two domains, or automata
    that all read the same cells, or if the result is too large.
    """
    domains = [part for part in options if isinstance(part, Domain)]
    if len(domains) == len(options) == 2:
        return _one_or_other(domains[0], domains[1], layout.size)
    read = [part for part in options if isinstance(part, Regular)]
    cells = read[0].cells if read else ()
    if len(read) < len(options) or min(cells, default=-1) < 0:
        return ()
    if any(part.cells != cells for part in read):
        return ()
    automata = tuple([part.automaton for part in read])
    automaton = _some_word(automata, len(cells), layout.numbers)
    return () if isinstance(automaton, str) else (Regular(cells, automaton),)


def _one_or_other(one: Domain, other: Domain, size: int) -> tuple[Part, ...]:
    """Return a domain or two relations so that at least one of two domain constraints holds."""
    if one.cell == other.cell:
        return (Domain(one.cell, one.allowed | other.allowed),)
    every = (1 << size) - 1

    def unless(first: Domain, second: Domain) -> Relation:
        allowed = [every if first.allowed >> n & 1 else second.allowed for n in range(size)]
        return Relation(((first.cell, second.cell),), tuple(allowed))

    return unless(one, other), unless(other, one)


@kept_table
def _some_word(automata: tuple[Automaton, ...], length: int, numbers: range) -> Automaton | str:
    """Return an automaton for the words of a length that at least one of some automata accepts.

    Returns an error message if it is too large. State: the state of each automaton, −1 if it has
    rejected.
    """
    if any(automaton.edges > _MOST_JOINED_EDGES for automaton in automata):
        return too_large(_MOST_MERGED_EDGES)
    phases = [automaton.phases.tolist() for automaton in automata]
    rows = [automaton.rows.tolist() for automaton in automata]
    charge(sum([automaton.steps.size for automaton in automata]) // 8)
    # The transitions by value. The additional last row is for automata that have rejected.
    steps = [
        [*automaton.steps.take(automaton.kinds, axis=1).tolist(), [-1] * len(numbers)]
        for automaton in automata
    ]
    dead = (-1,) * len(automata)

    def leads(states: tuple[int, ...], place: int) -> list[tuple[int, ...] | None]:
        each = [
            after[own[phase[place]][state] if state >= 0 else -1]
            for after, own, phase, state in zip(steps, rows, phases, states, strict=True)
        ]
        return [None if after == dead else after for after in zip(*each, strict=True)]

    def accepts(states: tuple[int, ...]) -> bool:
        pairs = zip(automata, states, strict=True)
        return any(state >= 0 and automaton.ends[state] for automaton, state in pairs)

    return unroll_all(
        length,
        kinds=[[value] for value in range(len(numbers))],
        start=(0,) * len(automata),
        leads=leads,
        accepts=accepts,
        phase=lambda place: tuple([phase[place] for phase in phases]),
        most_edges=_MOST_MERGED_EDGES,
        work=1 + len(automata) // 3,
    )


def _chosen(constraint: Constraint, layout: Layout) -> tuple[SatDisjunction] | str:
    """Compile a disjunction for the SAT engine, with the constraints of the options unchanged.

    Only their auxiliary cells are renumbered, so that options don't share any. This is for
    disjunctions that would be too large to reify. Returns an error message if a constraint isn't
    supported.
    """
    options: list[tuple[Part, ...]] = []
    auxiliary_count = 0
    for option in constraint.options:
        group: list[Part] = []
        for each in option:
            parts = each.parts(layout)
            if isinstance(parts, str):
                return parts
            if any(isinstance(part, Partition) for part in parts):
                return f"the constraint {each.name!r} isn't supported inside 'or'"
            own = count_auxiliary(parts)
            moved = {-1 - place: -1 - auxiliary_count - place for place in range(own)}
            group += replace_cells(parts, moved)
            auxiliary_count += own
        options.append(tuple(group))
    return (SatDisjunction(tuple(options)),)


DISJUNCTION_RULES = (
    Rule(
        "or",
        "At least one of the options holds: all constraints that it lists are satisfied.",
        '{"type": "or", "options": [[{"type": "odd", "cells": ["r1c1"]}], '
        '[{"type": "even", "cells": ["r1c2"]}, {"type": "x", "cells": ["r1c2", "r1c3"]}]]}',
        _or_parts,
        least=0,
        chooses=True,
        hides=True,
    ),
)
