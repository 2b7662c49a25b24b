"""The registry of constraint rules. Each rule is defined in one of the modules in this package."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, cast

from solver.board.automaton import Automaton
from solver.board.budget import OverBudget, charge, kept_table, spending
from solver.board.closest import unknown
from solver.board.display import how_many, shown
from solver.board.layout import Layout
from solver.board.primitive_constraints import (
    FIELDS,
    Branched,
    Combination,
    Connected,
    Disjunction,
    Domain,
    FullRank,
    House,
    Links,
    Part,
    Partition,
    Regular,
    Relation,
    SatDisjunction,
    Sum,
)
from solver.rules.auxiliary_cells import renumber_auxiliary
from solver.rules.cells import CELL_RULES
from solver.rules.chaos import CHAOS_RULES
from solver.rules.connected_cells import CONNECTIVITY_RULES
from solver.rules.counting import COUNTING_RULES
from solver.rules.disjunction import DISJUNCTION_RULES
from solver.rules.full_rank import FULL_RANK_RULES
from solver.rules.lines import LINE_RULES
from solver.rules.outside import OUTSIDE_RULES
from solver.rules.pairs import PAIR_RULES
from solver.rules.regular_lines import REGULAR_LINE_RULES
from solver.rules.rule import Cells, Constraint, Rule, Value, fault_in
from solver.rules.sets import SET_RULES
from solver.rules.sums import SUM_RULES

__all__ = ["RULES", "compile_constraints", "constraint_of", "read_constraint", "with_constraints"]

RULES = {
    rule.name: rule
    for rule in (
        *PAIR_RULES,
        *LINE_RULES,
        *SUM_RULES,
        *OUTSIDE_RULES,
        *COUNTING_RULES,
        *CELL_RULES,
        *SET_RULES,
        *REGULAR_LINE_RULES,
        *FULL_RANK_RULES,
        *CONNECTIVITY_RULES,
        *CHAOS_RULES,
        *DISJUNCTION_RULES,
    )
}

LARGEST = 1_000_000  # the largest number in a constraint
# Limits per puzzle, so that no record can keep a worker busy with building tables.
_MOST_CONSTRAINTS = 5_000
MOST_WORK = 2_000_000  # to compile all constraints. A unit is about a microsecond.
_MOST_EDGES = 10_000_000  # of all automata together, before dead-end states are removed
_MOST_AUXILIARY = 2_000  # auxiliary cells
_MOST_DEEP = 20  # nested disjunctions
# Clauses per cell of a region, for each possible distance from the region's first cell and for each
# possible label.
_CLAUSES_OF_A_STEP = 60
_EDGES_OF_A_PAIR = 4  # edges that use as much memory as a pair of cells
# Types that compile quickly and are not counted.
_SMALL = {House, Sum, Domain}


def constraint_of(rule: Rule, cells: Cells, value: object) -> Constraint | None:
    """Return a constraint, or None if its rule doesn't accept the cells or the value.

    `value` is ignored if the rule takes none.
    """
    count = len(cells)
    if not rule.least <= count <= rule.most or (not rule.repeats and len({*cells}) < count):
        return None
    taken = 0 if rule.value is None else _taken(rule, value)
    return None if taken is None else Constraint(rule, cells, taken)


def read_constraint(
    description: Mapping[str, object], *, layout: Layout, deep: int = 0
) -> Constraint | str:
    """Read a constraint from a JSON object, or return an error message.

    The object names cells, such as "r1c1", or variables of the layout. `deep` is the number of
    disjunctions that contain the constraint.
    """
    if "type" not in description:
        return f"a constraint needs a 'type', such as {RULES['killer'].example}"
    rule = RULES.get(str(description["type"]))
    if rule is None:
        return unknown("constraint", description["type"], RULES)
    if rule.chooses:
        return _read_options(rule, description, layout, deep + 1)
    names = description.get("cells")
    if len(description) > 2 + (rule.value in description) or names is None:
        keys = [key for key in ("type", "cells", rule.value) if key is not None]
        strange = next((key for key in description if key not in keys), None)
        if strange is not None:
            return unknown("key", strange, keys, place=f" in the constraint {rule.name!r}")
    if not isinstance(names, list) or not rule.least <= len(names) <= rule.most:
        return _wrong_cells(rule, names)
    cells = layout.cells_named(names)
    if cells is None:
        name = next(name for name in names if layout.cell_named(name) is None)
        return f"{shown(name)} in the constraint {rule.name!r} isn't a cell of the grid"
    value = description.get(rule.value or "", rule.usual)
    constraint = constraint_of(rule, cells, value)
    if constraint is not None:
        return constraint
    return fault_in(Constraint(rule, cells), _wrong_value(rule, cells, value, layout), layout)


def _wrong_cells(rule: Rule, names: object) -> str:
    """Return the error message for a constraint whose cells aren't a list of the right length.

    `names` is the JSON value of "cells", None if it is missing.
    """
    least = how_many(rule.least, "cell")
    if rule.least == rule.most:
        needed = least
    elif isinstance(names, list) and len(names) > rule.most:
        needed = f"at most {rule.most:,} cells"
    else:
        needed = f"{least} or more"
    count = len(names) if isinstance(names, list) else shown(names)
    got = "" if names is None else f", not {count}"
    return f"the constraint {rule.name!r} needs a list of {needed} as 'cells'{got}"


def _wrong_value(rule: Rule, cells: Cells, value: object, layout: Layout) -> str:
    """Return the fault of a constraint that repeats a cell or has an invalid parameter.

    The result continues a sentence about the constraint. `value` is the parameter as JSON, None if
    it is missing.
    """
    if not rule.repeats and len({*cells}) < len(cells):
        twice = next(cell for cell, count in Counter(cells).items() if count > 1)
        return f"lists {layout.cell_name(twice)} more than once"
    number = "a list of whole numbers" if rule.many else "a whole number"
    needed = f"needs {'a string' if rule.text else number} as {rule.value!r}"
    numbers = value if isinstance(value, list) else [value]
    if any(type(each) is int and abs(each) > LARGEST for each in numbers):
        return f"{needed}, from -{LARGEST:,} to {LARGEST:,}"
    return needed if value is None else f"{needed}, not {shown(value)}"


def _read_options(
    rule: Rule, description: Mapping[str, object], layout: Layout, deep: int
) -> Constraint | str:
    """Read a disjunction from a JSON object, or return an error message.

    In place of a JSON object, an option can contain a `Constraint` that was read before. `deep` is
    the number of nested disjunctions, including this one.
    """
    if deep > _MOST_DEEP:
        return f"{rule.name!r} constraints are nested more than {_MOST_DEEP} levels deep"
    listed = description.get("options")
    strange = next((key for key in description if key not in ("type", "options")), None)
    if strange is not None:
        place = f" in the constraint {rule.name!r}"
        return unknown("key", strange, ("type", "options"), place=place)
    if not isinstance(listed, list):
        return f"the constraint {rule.name!r} needs a list of lists of constraints as 'options'"
    options: list[tuple[Constraint, ...]] = []
    for option in listed:
        group: list[Constraint] = []
        for each in option if isinstance(option, list) else [option]:
            constraint = (
                each
                if isinstance(each, Constraint)
                else read_constraint(each, layout=layout, deep=deep)
                if isinstance(each, dict)
                else f"an option of 'or' must be a list of constraints, not {shown(each)}"
            )
            if isinstance(constraint, str):
                return constraint
            group.append(constraint)
        options.append(tuple(group))
    cells = chain.from_iterable(each.cells for option in options for each in option)
    return Constraint(rule, tuple(dict.fromkeys(cells)), 0, tuple(options))


def _taken(rule: Rule, value: object) -> Value | None:
    """Return a parameter in the form that the rule requires, or None if it is invalid.

    The form is a number, a tuple of numbers, or a text. `value` is the parameter as JSON. Numbers
    beyond ±LARGEST, booleans, and an empty list are invalid.
    """
    if type(value) is int and not (rule.many or rule.text):  # a bool isn't a number
        return value if -LARGEST <= value <= LARGEST else None
    if rule.text:
        return value if isinstance(value, str) else None
    if not rule.many or not isinstance(value, list) or {*map(type, value)} != {int}:
        return None
    return tuple(value) if -LARGEST <= min(value) <= max(value) <= LARGEST else None


@kept_table
def with_constraints(layout: Layout, constraints: tuple[Constraint, ...]) -> Layout | str:
    """Return a layout whose solutions must satisfy the constraints too, or an error message.

    The result is cached, so that equal arguments give the same layout.
    """
    return compile_constraints(layout, constraints)


def compile_constraints(layout: Layout, constraints: tuple[Constraint, ...]) -> Layout | str:
    """Return a new layout whose solutions must satisfy the constraints too, or an error message.

    The layout's own constraints are compiled again, because some depend on others. For example,
    rules about adjacent cells without a dot depend on the dots. The total work is limited.
    """
    new = layout.changed(
        constraints=(*layout.constraints, *constraints), auxiliary_count=0, auxiliary_houses=()
    )
    if len(new.constraints) > _MOST_CONSTRAINTS:
        count = len(new.constraints)
        return f"the puzzle has {count:,} constraints; the limit is {_MOST_CONSTRAINTS:,}"
    with spending(MOST_WORK) as budget:
        try:
            made = _compile(layout, new)
        except OverBudget as error:
            made = _too_much("units of work", error.spent, MOST_WORK)
    charge(budget.spent)
    return made


def _compile(layout: Layout, new: Layout) -> Layout | str:
    """Compile the constraints of `new`; return it with their primitives, or an error message.

    `layout` is the layout before the newest constraints were added, so `new` contains all
    constraints of `layout` and more.
    """
    parts: defaultdict[type[Part], list[Any]] = defaultdict(list)
    edges = auxiliary_count = 0
    automata: set[Automaton] = set()
    for rule, compiled in compiled_parts(cast("Sequence[Constraint]", new.constraints), new):
        if isinstance(compiled, str):
            return compiled
        made: Sequence[Part] = compiled
        if rule.hides:
            made, own = renumber_auxiliary(compiled, new.solution_size + auxiliary_count)
            auxiliary_count += own
        for part in made:
            kind = type(part)
            parts[kind].append(part)
            if kind not in _SMALL:
                edges += _edges(part, layout.size)
            if isinstance(part, Regular | Disjunction):
                edges += _edges_of_automata(part, automata)
        if auxiliary_count > _MOST_AUXILIARY:
            return _too_much("auxiliary variables", auxiliary_count, _MOST_AUXILIARY)
        if edges > _MOST_EDGES:
            return _too_much("table entries", edges, _MOST_EDGES)
    edges += _edges_of_sums(parts[Sum], layout.size)
    if edges > _MOST_EDGES:
        return _too_much("table entries", edges, _MOST_EDGES)
    auxiliary_houses = [house for house in parts[House] if max(house.cells) >= new.cells]
    houses = [house for house in parts[House] if max(house.cells) < new.cells]
    links = (*new.links, *parts[Links])
    return new.changed(
        auxiliary_count=auxiliary_count,
        auxiliary_houses=tuple(dict.fromkeys(auxiliary_houses)),
        houses=tuple(dict.fromkeys((*new.houses, *houses))) if houses else new.houses,
        # The links already include those of the layout's earlier constraints.
        links=tuple(dict.fromkeys(links)) if layout.constraints else links,
        **{name: tuple(chain(*[parts[kind] for kind in kinds])) for name, kinds in FIELDS.items()},
    )


def _too_much(what: str, needed: int, limit: int) -> str:
    """Return the error message for constraints of a puzzle that together exceed a limit.

    `what` is a noun in the plural, such as "auxiliary variables", and `needed` is how many they
    need.
    """
    detail = f"Together, the constraints of this puzzle need at least {needed:,} {what}, but the"
    return f"{detail} limit is {limit:,}. Use fewer or shorter constraints."


def compiled_parts(
    constraints: Sequence[Constraint], layout: Layout
) -> Iterator[tuple[Rule, tuple[Part, ...] | str]]:
    """Compile constraints: yield each rule with its primitive constraints or an error.

    The error is a message. Some rules compile all of their constraints together (see
    `Rule.together`). They come last, once each. The other rules come first, once per constraint.
    """
    alike: dict[Rule, list[Constraint]] = {}
    for constraint in constraints:
        rule = constraint.rule
        charge(10 + len(constraint.cells) // 4)
        if rule.together is None:
            yield rule, rule.parts(constraint, layout)
        elif rule in alike:
            alike[rule].append(constraint)
        else:
            alike[rule] = [constraint]
    for rule, some in alike.items():
        if rule.together is not None:
            yield rule, rule.together(some, layout)


def _edges_of_sums(sums: Sequence[Sum], size: int) -> int:
    """Return an upper bound for the number of edges that automata for the sums would have."""
    return sum(
        [
            len(cells) * (sum(map(abs, factors)) * (size - 1) + 1) * size
            for cells, factors, _ in sums
        ]
    )


def _edges_of_automata(part: Regular | Disjunction, known: set[Automaton]) -> int:
    """Return the number of edges of automata that aren't `known` yet, and add these to `known`."""
    parts = chain(*part.options) if isinstance(part, Disjunction) else (part,)
    new = {each.automaton for each in parts if isinstance(each, Regular)} - known
    known |= new
    return sum([automaton.edges for automaton in new])


def _edges(part: Part, size: int) -> int:
    """Estimate the size of a primitive constraint, in automaton edges or clause literals.

    Of an automaton, only the cells count here, because `_edges_of_automata` counts its edges. Sums
    are also counted elsewhere, except for those in the options of disjunctions.
    """
    if type(part) is Regular:  # the most common type
        return len(part.cells)
    match part:
        case Links() | Relation():
            return _EDGES_OF_A_PAIR * len(part.pairs)
        case Branched():
            return sum(map(len, part.automaton.layers))
        case SatDisjunction() | Disjunction():
            each = [*chain(*part.options)]
            sums = [own for own in each if isinstance(own, Sum)]
            return sum([_edges(own, size) for own in each]) + _edges_of_sums(sums, size)
        case FullRank():
            return len(part.answers) * size**2  # the cells of the lines that are compared
        case Connected():
            return _CLAUSES_OF_A_STEP * len(part.cells) * part.most
        case Partition():
            count = len(part.labels)
            return _CLAUSES_OF_A_STEP * count * (part.size + count // part.size)
        case Combination():
            return 2 * len(part.cells) * sum(map(int.bit_count, part.sets))
    return 0
