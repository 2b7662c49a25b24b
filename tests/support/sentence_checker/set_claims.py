"""Claims about almost locked sets."""

import re
from collections.abc import Iterator
from itertools import product

from sentence_checker.claims import claim
from sentence_checker.context import Context
from sentence_checker.names import CellSet
from sentence_checker.pattern_claims import Values, has_candidates
from sentence_checker.sub_puzzle import Fact, peers_of
from solver.logic.sentences.places import reason_to_differ


@claim(
    r"Almost locked sets have one (?:digit|value) more than cells, so they lack at most one of "
    r"their (?:digits|values): {text}\."
)
def are_almost_locked(context: Context, *, text: str) -> Iterator[str]:
    for name, described in re.findall(r"([A-Z]) = ([^{}]*\{[^}]*\})", text):
        (one,) = context.step.names.sets(described)
        context.sets[name] = one
        yield from is_almost_locked(context, one)


def is_almost_locked(context: Context, one: CellSet) -> Iterator[str]:
    """Complain unless n cells that see each other have n + 1 candidates, which are listed."""
    peers = peers_of(context.step.layout)
    yield from has_candidates(context, one)
    if len(one.values) != len(one.cells) + 1:
        yield "a set has the wrong number of values"
    if any(not peers[cell].issuperset({*one.cells} - {cell}) for cell in one.cells):
        yield "the cells of a set don't all see each other"


def holds(one: CellSet, value: int) -> list[Fact]:
    """Return the facts of which one holds if the set contains the value."""
    return [Fact(cell, value) for cell in one.cells]


def lacks(one: CellSet, value: int) -> list[Fact]:
    """Return the facts that hold if the set doesn't contain the value."""
    return [Fact(cell, value, is_true=False) for cell in one.cells]


@claim(r"If A does not contain {value}, it contains {first:value}(?P<rest>.*)\.")
def lead_from_set_to_set(context: Context, *, value: int, first: int, rest: str) -> Iterator[str]:
    given = lacks(context.sets["A"], value)
    if not context.implies(holds(context.sets["A"], first), given=given):
        yield "A need not contain the value"
    value_name = context.step.names.patterns["value"]
    form = rf"so ([A-Z]) cannot contain (\S+)(?: \(([^()]*)\))? and must contain ({value_name})"
    entered, before = first, context.sets["A"]
    for name, lost, reason, held in re.findall(form, rest):
        one = context.sets[name]
        yield from unrelated_houses(context, reason, context.step.names.values(lost), before, one)
        before = one
        (gone,), (kept,) = context.step.names.values(lost), context.step.names.values(held)
        if gone != entered or not {gone, kept} <= {*one.values}:
            yield f"{lost} is not what links {name}"
        entered = kept
        if not all(context.implies([fact], given=given) for fact in lacks(one, gone)):
            yield f"{name} can contain {lost}"
        if not context.implies(holds(one, kept), given=given):
            yield f"{name} need not contain {held}"
    if entered != value or not {value, first} <= {*context.sets["A"].values}:
        yield "the last set contains another value"


def unrelated_houses(
    context: Context, reason: str, values: Values, one: CellSet, other: CellSet
) -> Iterator[str]:
    """Complain unless the named houses and rules show that two sets can't both have the values.

    Each cell of a set with a value must see the cells of the other one, through a house that the
    reason names, or because of a rule. Without a reason, nothing is checked.
    """
    houses = context.step.names.houses(reason)
    for value in values if reason else ():
        places = [[c for c in each.cells if context.step.can_be(c, value)] for each in (one, other)]
        for pair in product(*places):
            has_rule = reason_to_differ(context.step.layout, *pair) is not None
            if not has_rule and not any({*pair} <= {*house.cells} for house in houses):
                yield f"{reason!r} doesn't connect the cells with {value}"
        for house in houses:
            if {*house.cells}.isdisjoint(places[0]) or {*house.cells}.isdisjoint(places[1]):
                yield f"{house.name} doesn't connect the sets"


@claim(r"Any cell that sees every {value} of A and (?P<end>[A-Z]) cannot be {value}\.")
def sees_every(context: Context, *, value: int, end: str) -> Iterator[str]:
    yield from are_seen(context, value, [context.sets["A"], context.sets[end]])


def are_seen(context: Context, value: int, sets: list[CellSet]) -> Iterator[str]:
    """Complain unless the cells that lose the value see all cells of the sets that can have it."""
    peers = peers_of(context.step.layout)
    places = {cell for one in sets for cell in one.cells if context.step.can_be(cell, value)}
    for cell, removed in context.eliminations:
        if removed == value and not peers[cell] >= places:
            yield f"{context.step.layout.cell_name(cell)} does not see every cell"


@claim(r"The same is true of {values}\.")
def same_of_values(context: Context, *, values: Values) -> Iterator[str]:
    sets = [context.sets["A"], context.sets[max(context.sets)]]
    for value in values:
        if not context.implies([*holds(sets[0], value), *holds(sets[1], value)]):
            yield "neither set must contain the value"
        yield from are_seen(context, value, sets)


@claim(
    r"Neither {values} can be in both(?: \((?P<reason>[^()]*)\))?, so each set lacks one of them "
    r"and contains all of its other (?:digits|values)\."
)
def contain_all_others(context: Context, *, values: Values, reason: str = "") -> Iterator[str]:
    yield from unrelated_houses(context, reason, values, *context.sets.values())
    for one in context.sets.values():
        for value in {*one.values} - {*values}:
            if not context.implies(holds(one, value)):
                yield "a set can lack another value"


@claim(
    r"One of the sets contains {value}, so any cell that sees every {value} of both cannot be "
    r"{value}\."
)
def one_set_contains(context: Context, *, value: int) -> Iterator[str]:
    one, other = context.sets.values()
    if not context.implies([*holds(one, value), *holds(other, value)]):
        yield "neither set must contain the value"
    yield from are_seen(context, value, [one, other])


@claim(
    r"Any cell that sees every {value} of (?P<first>[A-Z]) cannot be {value}\.",
    r"Any cell that sees every {value} of (?P<first>[A-Z]) or every {value} of (?P<second>[A-Z]) "
    r"cannot be {value}\.",
)
def sees_every_of_one(
    context: Context, *, value: int, first: str, second: str | None = None
) -> Iterator[str]:
    peers = peers_of(context.step.layout)
    removed = {cell for cell, gone in context.eliminations if gone == value}
    seen: set[int] = set()
    for one in (context.sets[name] for name in (first, second) if name):
        if not context.implies(holds(one, value)):
            yield "a set need not contain the value"
        places = {cell for cell in one.cells if context.step.can_be(cell, value)}
        here = {cell for cell in removed if peers[cell] >= places}
        if not here:
            yield "a set is not needed"
        seen |= here
    if seen != removed:
        yield "a cell does not see every cell of a set"


@claim(r"If it is {value}, (?=.* loses? ){text}\.")
def sets_lose(context: Context, *, value: int, text: str) -> Iterator[str]:
    """Check "if it is 1, r2c6 {1 9} loses 1; if it is 4, r4c46 {4 5 9} loses 4"."""
    symbol = context.step.names.symbols.values[value - 1]
    (subject,) = {one.cells[0] for one in context.alternatives}
    stated: set[int] = set()
    for part in f"if it is {symbol}, {text}".split("; "):
        match = re.fullmatch(r"if it is (\S+), (.*\}) loses? (\S+)", part)
        if match is None or match[1] != match[3]:
            yield f"{part!r} is not understood"
            return
        (lost,) = context.step.names.values(match[1])
        (one,) = context.step.names.sets(match[2])
        context.sets[match[1]] = one
        stated.add(lost)
        yield from is_almost_locked(context, one)
        given = [Fact(subject, lost)]
        if not all(context.implies([fact], given=given) for fact in lacks(one, lost)):
            yield f"{part!r} does not follow"
    if stated != {one.value for one in context.alternatives}:
        yield "a value has no set"


@claim(r"Each set that loses a value contains all of its others, {values} among them\.")
def contain_the_others(context: Context, *, values: Values) -> Iterator[str]:
    for one in context.sets.values():
        if not set(values) <= set(one.values):
            yield "a set does not have the value"


@claim(r"Any cell that sees every {values} of the sets cannot be {same:values}\.")
def sees_every_of_sets(context: Context, *, values: Values, same: Values) -> Iterator[str]:
    if values != same:
        yield "these are other values"
    for value in values:
        yield from are_seen(context, value, list(context.sets.values()))
