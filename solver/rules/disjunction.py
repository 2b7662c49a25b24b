"""Disjunctions: all constraints of at least one option hold.

They compile to the first of these forms that is possible:

one or two primitive constraints, if each option is a single domain or automaton
a `Disjunction`, whose options backtracking search can try
reified options: answer cells and an automaton, see `solver.rules.option_reification`
a `SatDisjunction`: the options unchanged, for the SAT engine

Constraints that all options share become constraints of their own, because they hold anyway.
"""

from collections.abc import Hashable, Sequence
from functools import partial
from typing import TypeVar

from solver.board.automaton import Automaton, too_large, unroll_all
from solver.board.budget import charge, kept_table
from solver.board.layout import Layout
from solver.board.primitive_constraints import (
    Disjunction,
    Domain,
    Part,
    Partition,
    Regular,
    Relation,
    SatDisjunction,
    Searchable,
)
from solver.rules.auxiliary_cells import (
    count_auxiliary,
    lowest_cell,
    renumber_auxiliary,
    replace_cells,
)
from solver.rules.option_reification import OptionReification
from solver.rules.reification import YES, parts_of
from solver.rules.rule import Constraint, Rule, fault_in
from solver.rules.wording import Wording

Shared = TypeVar("Shared", bound=Hashable)

_MOST_OPTIONS = 64
_MOST_MERGED_EDGES = 20_000  # of an automaton for all options
_MOST_JOINED_EDGES = 100_000  # of each automaton to merge


@kept_table
def _or_parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    if not 1 <= len(constraint.options) <= _MOST_OPTIONS:
        fault = f"needs 1 to {_MOST_OPTIONS} options, not {len(constraint.options)}"
        return fault_in(constraint, fault, layout)
    if layout.size < YES:
        return fault_in(constraint, f"needs a board of {YES} values or more", layout)
    if any(not option for option in constraint.options):
        return ()  # An empty option always holds.
    if len(constraint.options) == 1:
        only = _sat_disjunction(constraint, layout)
        return only if isinstance(only, str) else only[0].options[0]
    merged = _merge(_single_parts(constraint, layout), layout)
    if merged:
        return merged
    searchable = _search_disjunction(constraint, layout)
    if searchable is not None:
        return searchable
    reification = OptionReification(layout)
    groups = reification.primitives_of_options(constraint)
    if isinstance(groups, str):
        return _sat_disjunction(constraint, layout)
    common = _common(groups)
    requirement = reification.require_one(
        [[each for each in group if each not in common] for group in groups]
    )
    if isinstance(requirement, str):
        return _sat_disjunction(constraint, layout)
    automaton, answers = requirement
    return (*parts_of([*common], layout), *reification.parts, Regular(answers, automaton))


def _search_disjunction(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | None:
    """Compile a disjunction that backtracking search can try.

    Returns the constraints that all options share, and a `Disjunction` of each option's other
    constraints. If an option has no others, the `Disjunction` is left out, because the shared
    constraints are enough. Returns None if search can't try one of the constraints.
    """
    groups: list[list[Searchable]] = []
    for option in constraint.options:
        group: list[Searchable] = []
        for each in option:
            parts = _searchable_parts(each, layout)
            if parts is None:
                return None
            group += parts
        groups.append(group)
    common = _common(groups)
    options = [tuple([part for part in group if part not in common]) for group in groups]
    if not all(options):
        return tuple(common)
    return *common, Disjunction(tuple(options), partial(_reify, constraint, layout))


def _common(groups: Sequence[Sequence[Shared]]) -> dict[Shared, None]:
    """Return the items that all groups share, as keys in the order of the first group."""
    others = [frozenset(group) for group in groups[1:]]
    return dict.fromkeys(each for each in groups[0] if all(each in group for group in others))


def _reify(constraint: Constraint, layout: Layout, first: int) -> tuple[Sequence[Part], int] | None:
    """Reify a disjunction: return constraints that require at least one option to hold.

    Auxiliary cells, which some of them define, show what holds. They are numbered from `first`.
    Returns the constraints and the number of these cells, or None if an option can't be reified or
    the constraints would be too large. With the first two arguments bound, this is a
    `Disjunction.reify`.
    """
    reification = OptionReification(layout)
    groups = reification.primitives_of_options(constraint)
    requirement = groups if isinstance(groups, str) else reification.require_one(groups)
    if isinstance(requirement, str):
        return None
    automaton, answers = requirement
    return renumber_auxiliary((*reification.parts, Regular(answers, automaton)), first)


def _searchable_parts(constraint: Constraint, layout: Layout) -> Sequence[Searchable] | None:
    """Compile a constraint to primitives that backtracking search can try.

    If search can't try the usual primitives of the rule, those for reification (`reified_as`) are
    returned instead. Returns None if search can't try these either, or if there are none. It can't
    try disjunctions, some types of primitives, and auxiliary cells.
    """
    for parts_of_rule in filter(None, (constraint.rule.parts, constraint.rule.reified_as)):
        parts = () if constraint.options else parts_of_rule(constraint, layout)
        fit = [part for part in parts if isinstance(part, Searchable) and lowest_cell(part) >= 0]
        if fit and len(fit) == len(parts):
            return fit
    return None


def _single_parts(constraint: Constraint, layout: Layout) -> list[Domain | Regular]:
    """Return the primitive constraint of each option, in order, if each option is just one.

    An option is a list of constraints. Returns [] unless each option is a single one that has a
    single primitive constraint: a domain, or an automaton that isn't closed (whose words needn't
    end in the state in which they began).
    """
    singles: list[Domain | Regular] = []
    for option in constraint.options:
        parts = option[0].parts(layout) if len(option) == 1 else ()
        part = parts[0] if len(parts) == 1 else None
        if not isinstance(part, Domain | Regular) or (
            isinstance(part, Regular) and part.automaton.is_closed
        ):
            return []
        singles.append(part)
    return singles


def _merge(options: Sequence[Domain | Regular], layout: Layout) -> tuple[Part, ...]:
    """Merge the options of a disjunction to one or two small primitive constraints.

    Each option is a single domain or automaton. Returns () unless they are two domains, or automata
    that all read the same cells without auxiliary ones. Also returns () if the result is too large.
    """
    domains = [part for part in options if isinstance(part, Domain)]
    if len(domains) == len(options) == 2:
        return _either_domain(domains[0], domains[1], layout.size)
    read = [part for part in options if isinstance(part, Regular)]
    cells = read[0].cells if read else ()
    if len(read) < len(options) or min(cells, default=-1) < 0:
        return ()
    if any(part.cells != cells for part in read):
        return ()
    automata = tuple([part.automaton for part in read])
    automaton = _union(automata, len(cells), layout.numbers)
    return () if isinstance(automaton, str) else (Regular(cells, automaton),)


def _either_domain(one: Domain, other: Domain, size: int) -> tuple[Part, ...]:
    """Return a domain or two relations so that at least one of two domain constraints holds."""
    if one.cell == other.cell:
        return (Domain(one.cell, one.allowed | other.allowed),)
    every = (1 << size) - 1

    def unless(first: Domain, second: Domain) -> Relation:
        allowed = [every if first.allowed >> n & 1 else second.allowed for n in range(size)]
        return Relation(((first.cell, second.cell),), tuple(allowed))

    return unless(one, other), unless(other, one)


@kept_table
def _union(automata: tuple[Automaton, ...], length: int, numbers: range) -> Automaton | str:
    """Return an automaton for the words of a length that at least one of the automata accepts.

    The automata must not be closed, so each begins in state 0. Returns an error message if the
    result is too large. State: the state of each automaton, −1 if it has rejected.
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


def _sat_disjunction(constraint: Constraint, layout: Layout) -> tuple[SatDisjunction] | str:
    """Compile a disjunction for the SAT engine, which decides itself which option holds.

    This is for disjunctions that would be too large to reify, or have just one option. The options'
    constraints are compiled as usual. Then their auxiliary cells get new numbers, because each
    constraint's numbers start at −1 and two constraints mustn't share a cell. Returns an error
    message if a constraint is invalid or isn't supported.
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
                return fault_in(each, "isn't supported inside 'or'", layout)
            own = count_auxiliary(parts)
            moved = {-1 - place: -1 - auxiliary_count - place for place in range(own)}
            group += replace_cells(parts, moved)
            auxiliary_count += own
        options.append(tuple(group))
    return (SatDisjunction(tuple(options)),)


DISJUNCTION_RULES = (
    Rule(
        "or",
        Wording(
            "Alternatives",
            "At least one of the alternatives holds, with all of its rules.",
            other_names=("Or", "Disjunction"),
        ),
        '{"type": "or", "options": [[{"type": "odd", "cells": ["r1c1"]}], '
        '[{"type": "even", "cells": ["r1c2"]}, {"type": "x", "cells": ["r1c2", "r1c3"]}]]}',
        _or_parts,
        least=0,
        chooses=True,
        hides=True,
    ),
)
