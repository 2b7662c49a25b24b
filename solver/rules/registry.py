"""Rules about some cells of a puzzle; each is an entry in one of the modules here."""

from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from itertools import chain
from typing import Any, cast

from solver.board.automaton import Automaton
from solver.board.layout import (
    Branched,
    Choice,
    Combination,
    Domain,
    House,
    Layout,
    Links,
    Part,
    Partition,
    Ranking,
    Regular,
    Relation,
    Sum,
    Unruly,
)
from solver.rules.cells import CELL_RULES
from solver.rules.chaos import CHAOS_RULES
from solver.rules.choice import CHOICE_RULES, numbered
from solver.rules.connected import CONNECTED_RULES
from solver.rules.counting import COUNTING_RULES
from solver.rules.lines import LINE_RULES
from solver.rules.outside import OUTSIDE_RULES
from solver.rules.pairs import PAIR_RULES
from solver.rules.ranks import RANK_RULES
from solver.rules.rule import Cells, Constraint, Rule, Value
from solver.rules.sets import SET_RULES
from solver.rules.sums import SUM_RULES
from solver.rules.words import WORD_RULES

__all__ = ["RULES", "read_constraint", "with_constraints"]

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
        *WORD_RULES,
        *RANK_RULES,
        *CONNECTED_RULES,
        *CHAOS_RULES,
        *CHOICE_RULES,
    )
}

_LARGEST = 1_000_000  # number in a constraint
# What a puzzle may have, so that no record keeps a worker busy with its tables alone.
_MOST_CONSTRAINTS = 5_000
_MOST_EDGES = 10_000_000  # of all automata together, before those that lead nowhere are dropped
_MOST_UNSEEN = 2_000  # cells
_WITHOUT_EDGES = (Relation, Links, House, Domain)


def read_constraint(description: Mapping[str, object], *, layout: Layout) -> Constraint | str:
    """Read a constraint that JSON describes, or say what is wrong with it."""
    rule = RULES.get(str(description.get("type")))
    if rule is None:
        return f"the constraint {str(description.get('type'))[:40]!r} is not known here"
    if rule.chooses:
        return _read_options(rule, description, layout)
    unknown = [key for key in description if key not in ("type", "cells", rule.value)]
    if unknown:
        return f"the constraint {rule.name!r} takes no {unknown[0][:40]!r}"
    names = description.get("cells")
    if not isinstance(names, list) or not rule.least <= len(names) <= rule.most:
        exactly = rule.least == rule.most
        number = f"{rule.least} cells" if exactly else f"a list of {rule.least} cells or more"
        return f"the constraint {rule.name!r} needs {number}"
    cells = layout.cells_named(names)
    if None in cells:
        name = str(names[cells.index(None)])
        return f"{name[:20]!r} in the constraint {rule.name!r} is no cell of the grid"
    if not rule.repeats and len(set(cells)) < len(cells):
        return f"the constraint {rule.name!r} names a cell twice"
    value = _value(rule, description)
    if value is None:
        number = "a list of whole numbers" if rule.many else "a whole number"
        kind = "a text" if rule.text else number
        return f"the constraint {rule.name!r} needs {kind} as {rule.value!r}"
    return Constraint(rule, cast("Cells", tuple(cells)), value)


def _read_options(
    rule: Rule, description: Mapping[str, object], layout: Layout
) -> Constraint | str:
    """Read a constraint that chooses between lists of others."""
    listed = description.get("options")
    if set(description) != {"type", "options"} or not isinstance(listed, list):
        return f"the constraint {rule.name!r} needs 'options', a list of lists of constraints"
    options: list[tuple[Constraint, ...]] = []
    for option in listed:
        group: list[Constraint] = []
        for each in option if isinstance(option, list) else [option]:
            constraint = (
                read_constraint(each, layout=layout)
                if isinstance(each, dict)
                else f"an option of the constraint {rule.name!r} is no constraint"
            )
            if isinstance(constraint, str):
                return constraint
            group.append(constraint)
        options.append(tuple(group))
    cells = chain.from_iterable(each.cells for option in options for each in option)
    return Constraint(rule, tuple(dict.fromkeys(cells)), 0, tuple(options))


def _value(rule: Rule, description: Mapping[str, object]) -> Value | None:
    """Return the number, the numbers or the text of a constraint; None where it is none."""
    if rule.value is None:
        return 0
    value = description.get(rule.value, rule.usual)
    if rule.text and isinstance(value, str):
        return value
    if rule.many and isinstance(value, list) and value and _are_numbers(value):
        return tuple(value)
    if not rule.many and not rule.text and isinstance(value, int) and _are_numbers([value]):
        return value
    return None


def _are_numbers(values: list[Any]) -> bool:
    """Return whether all values are whole numbers, none too large; True and False are none."""
    return {*map(type, values)} == {int} and -_LARGEST <= min(values) <= max(values) <= _LARGEST


@lru_cache(maxsize=16)
def with_constraints(layout: Layout, constraints: tuple[Constraint, ...]) -> Layout | str:
    """Return a layout whose solutions keep the constraints too, or why there is none.

    All of its constraints are compiled again: some depend on others, as those on neighbours
    without a dot do.
    """
    new = layout.changed(
        constraints=(*layout.constraints, *constraints), unseen=0, unseen_houses=()
    )
    if len(new.constraints) > _MOST_CONSTRAINTS:
        return f"{len(new.constraints):,} constraints, {_MOST_CONSTRAINTS:,} at most"
    parts: defaultdict[type[Part], list[Any]] = defaultdict(list)
    unruly: list[Unruly] = []
    edges = unseen = 0
    automata: set[Automaton] = set()
    for constraint in new.constraints:
        compiled = constraint.parts(new)
        if isinstance(compiled, str):
            return compiled
        made, own = numbered(compiled, new.told + unseen)
        unseen += own
        for part in made:
            parts[type(part)].append(part)
            if type(part) in _WITHOUT_EDGES:
                continue
            edges += _edges(part, layout.size)
            if isinstance(part, Unruly):
                unruly.append(part)
            if isinstance(part, Regular) and part.automaton not in automata:
                automata.add(part.automaton)  # its edges are there once
                edges += part.automaton.edges
        if edges > _MOST_EDGES or unseen > _MOST_UNSEEN:
            return "the sums and lines of this puzzle are too large together"
    beside = [house for house in parts[House] if max(house.cells) >= new.cells]
    houses = [house for house in parts[House] if max(house.cells) < new.cells]
    return new.changed(
        unseen=unseen,
        unseen_houses=tuple(dict.fromkeys(beside)),
        houses=tuple(dict.fromkeys((*new.houses, *houses))) if houses else new.houses,
        links=tuple(dict.fromkeys((*new.links, *parts[Links]))) if parts[Links] else new.links,
        relations=tuple(parts[Relation]),
        sums=tuple(parts[Sum]),
        regulars=tuple(parts[Regular]),
        combinations=tuple(parts[Combination]),
        domains=tuple(parts[Domain]),
        partitions=tuple(parts[Partition]),
        rankings=tuple(parts[Ranking]),
        unruly=tuple(unruly),
    )


def _edges(part: Part, size: int) -> int:
    """Return how many edges the automaton of a part has, at most, or literals its clauses."""
    if isinstance(part, Regular):
        return len(part.cells)
    if isinstance(part, Sum):
        sums = sum(map(abs, part.factors)) * (size - 1) + 1
        return len(part.cells) * sums * size
    if isinstance(part, Branched):
        return sum(map(len, part.automaton.layers))
    if isinstance(part, Choice):
        return sum(_edges(each, size) for option in part.options for each in option)
    if isinstance(part, Ranking):
        return len(part.answers) * size**2  # the cells that are compared
    if isinstance(part, Combination):
        return 2 * len(part.cells) * sum(values.bit_count() for values in part.sets)
    return 0
