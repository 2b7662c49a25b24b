"""Claims about the sums of cages, arrows, and the like, and about innies and outies."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import cast

from sentence_checker.claims import claim
from sentence_checker.context import Context
from sentence_checker.step import Step
from sentence_checker.sub_puzzle import Fact, Total, peers_of
from solver.board.layout import ConstraintLike
from solver.board.parts import Sum
from solver.rules.rule import Constraint

Cells = tuple[int, ...]
Values = tuple[int, ...]
_CAGES = ("killer", "multisum")
_ADDED = r"(?:(?:\d+ × )?r\d+c\d+(?: \(\d+\))?|\d+)"
_SIDE = rf"{_ADDED}(?: \+ {_ADDED})*"
_EQUATION = (
    rf"(?P<equation>{{cells}} (?:sum to|must be) -?\d+(?: \(-?\d+ [−+] \d+\))?|{_SIDE} = {_SIDE}"
    rf"(?:, so [r\dc, and]+ sum to \d+)?)"
)
_WAYS = r"(?:: only (?P<ways>\d+(?:\+\d+)*(?:,? (?:or )?\d+(?:\+\d+)*)*))?"
_PLACE = (
    r"(?P<place>(?:In the cage at|On the [a-z ]+ (?:at|from)) r\d+c\d+|By the rule “(?P<title>.+)”)"
)


@claim(rf"(?:{_PLACE}, )?{_EQUATION}{_WAYS}\.")
def is_sum(
    context: Context,
    *,
    equation: str,
    cells: Cells = (),
    place: str = "",
    title: str = "",
    ways: str = "",
) -> Iterator[str]:
    del cells
    if title and all(title != _title(one) for one in constraints_with(context.step)):
        yield "no such rule requires this sum"
    if (
        place
        and not title
        and not any(
            context.step.layout.cell_named(place.rsplit(maxsplit=1)[-1]) in constraint.cells
            for constraint in constraints_with(context.step)
        )
    ):
        yield "no such sum has a cell there"
    yield from wrong_constraint(context.step)
    yield from use_equation(context, equation, ways)


def _title(constraint: ConstraintLike) -> str:
    return cast("Constraint", constraint).rule.title


@claim(rf"The cage {{cage:text}} sums to (?P<total>\d+){_WAYS}\.")
def is_cage(context: Context, *, cage: str, total: str, ways: str = "") -> Iterator[str]:
    cells = context.step.names.cells(cage)
    known = {frozenset(one.cells) for one in constraints_with(context.step) if one.name in _CAGES}
    if frozenset(cells) not in known:
        yield "there is no such cage"
    yield from use_equation(context, f"{cage} sum to {total}", ways)


@claim(rf"{{all:cells}} sum to (?P<total>\d+), so {_EQUATION}{_WAYS}\.")
def is_sum_of_open_cells(
    context: Context,
    *,
    total: str,
    equation: str,
    ways: str = "",
    cells: Cells = (),
    **every: Cells,
) -> Iterator[str]:
    del cells
    deduction = context.step.deduction
    if {(cell, 1) for cell in every["all"]} != {*deduction.terms} or int(total) != deduction.total:
        yield "this is another sum"
    yield from wrong_constraint(context.step)
    yield from use_equation(context, equation, ways)


@claim(r"(?P<names>(?!The |In |On )[A-Z].*) sums? to (?P<total>\d+)\.")
def have_total(context: Context, *, names: str, total: str) -> Iterator[str]:
    layout = context.step.layout
    houses = context.step.names.houses(names[0].lower() + names[1:])
    if any(len(house.cells) != layout.size for house in houses):
        yield "a house doesn't contain all values"
    if int(total) != len(houses) * sum(layout.numbers):
        yield "the total is another"
    context.base = houses


@claim(
    rf"The (?:(?P<count>\d+) )?cages?(?: at (?P<names>r\d+c\d+(?:,? (?:and )?r\d+c\d+)*))?"
    rf"(?P<where> in (?:it|them)| around (?:it|them)| there that don't contain {{excluded:cells}})?"
    rf" sums? to (?P<total>\d+), "
    rf"so {_EQUATION}{_WAYS}\."
)
def cages_have_total(
    context: Context,
    *,
    total: str,
    equation: str,
    count: str = "",
    names: str = "",
    where: str = "",
    excluded: Cells = (),
    ways: str = "",
    cells: Cells = (),
) -> Iterator[str]:
    del cells
    step = context.step
    cages = [one for one in step.layout.constraints if one.name in _CAGES]
    if names:
        named = {step.layout.cell_named(name) for name in re.findall(r"r\d+c\d+", names)}
        chosen = [[cage for cage in cages if min(cage.cells) in named]]
    else:
        inside = {cell for house in context.base for cell in house.cells}
        chosen = [
            [cage for cage in cages if inside.issuperset(cage.cells)],
            touching := [cage for cage in cages if not inside.isdisjoint(cage.cells)],
            [cage for cage in touching if set(excluded).isdisjoint(cage.cells)],
        ]
        if excluded and {*excluded} != inside.intersection(c for c, _ in step.deduction.terms):
            yield "the cages leave out other cells"
    if not any(
        is_rest(context, some, int(total)) and (not count or len(some) == int(count))
        for some in chosen
    ):
        yield "the houses without this number of cages are not this sum"
    if names and where:
        inside = {cell for house in context.base for cell in house.cells}
        if where.startswith(" in") != all(inside.issuperset(c.cells) for c in chosen[0]):
            yield "the cages are elsewhere"
    yield from use_equation(context, equation, ways)


@claim(rf"(?:It contains|They contain) no complete cage, so {_EQUATION}{_WAYS}\.")
def no_cage(context: Context, *, equation: str, ways: str = "", cells: Cells = ()) -> Iterator[str]:
    del cells
    inside = {cell for house in context.base for cell in house.cells}
    cages = [one for one in context.step.layout.constraints if one.name in _CAGES]
    if any(inside.issuperset(cage.cells) for cage in cages):
        yield "there is a cage inside"
    yield from use_equation(context, equation, ways)


def is_rest(context: Context, cages: Iterable[ConstraintLike], total: int) -> bool:
    """Return whether the houses without some cages, or the reverse, are the sum of the step."""
    layout, deduction = context.step.layout, context.step.deduction
    parts = [part for cage in cages for part in cage.parts(layout) if isinstance(part, Sum)]
    rest = Counter(cell for house in context.base for cell in house.cells)
    for part in parts:
        rest.subtract(dict(zip(part.cells, part.factors, strict=True)))
    houses = len(context.base) * sum(layout.numbers)
    for sign in (1, -1):
        terms = {(cell, sign * factor) for cell, factor in rest.items() if factor}
        if terms == {*deduction.terms} and sign * (houses - total) == deduction.total:
            return sum(part.target for part in parts) == total
    return False


_PAIR = r"(?:both \d+|\d+ and \d+)"


@claim(rf"{{cells}} can only be (?P<ways>{_PAIR}(?:(?:, {_PAIR})*,? or {_PAIR})?)\.")
def can_only_be_pairs(context: Context, *, cells: Cells, ways: str) -> Iterator[str]:
    ways = re.sub(r"both (\d+)", r"\1 and \1", ways)
    pairs = [tuple(map(int, pair)) for pair in re.findall(r"(\d+) and (\d+)", ways)]
    one, other = cells
    lowest = context.step.layout.lowest
    for pair in pairs:
        if not any(
            is_possible(context, {one: first - lowest + 1, other: second - lowest + 1})
            for first, second in (pair, pair[::-1])
        ):
            yield f"{pair} is not possible"
    for number in context.step.layout.numbers:
        listed = any(number in pair for pair in pairs)
        if not listed and is_possible(context, {one: number - lowest + 1}):
            yield f"{number} is not listed"


@claim(r"The candidates of the other cells leave {limits:text}\.")
def leave_limits(context: Context, *, limits: str) -> Iterator[str]:
    lowest = context.step.layout.lowest
    found = re.findall(
        rf"at (least|most) (-?\d+) for (?:each of )?({context.step.names.patterns['cells']})",
        limits,
    )
    if not found:
        yield "no limit is given"
    for kind, limit, named in found:
        for cell in context.step.names.cells(named):
            for number in context.step.layout.numbers:
                outside = number < int(limit) if kind == "least" else number > int(limit)
                if outside and is_possible(context, {cell: number - lowest + 1}):
                    yield f"{number} is possible in {context.step.layout.cell_name(cell)}"


@claim(
    r"No (?:combination with this sum|solution of this equation) uses the (?:other )?removed "
    r"candidates\."
)
def no_combination(context: Context) -> Iterator[str]:
    for cell, value in context.step.deduction.eliminations:
        if is_possible(context, {cell: value}):
            yield "a removed candidate is possible"


@claim(
    r"Every combination contains {values}\.",
    r"Every combination contains {value}, in {cells}\.",
)
def contains(
    context: Context, *, values: Values = (), value: int = 0, cells: Cells = ()
) -> Iterator[str]:
    members = cells or tuple(cell for cell, _ in context.step.deduction.terms)
    for one in values or (value,):
        able = [cell for cell in members if context.step.can_be(cell, one)]
        if not context.implies([Fact(cell, one) for cell in able]):
            yield "a combination doesn't contain this"


def is_possible(context: Context, chosen: dict[int, int]) -> bool:
    """Return whether cells can have values at the same time, given the sum."""
    return not context.implies([Fact(cell, value, is_true=False) for cell, value in chosen.items()])


def constraints_with(step: Step) -> list[ConstraintLike]:
    """Return the constraints of the board that require the sum of a step."""
    terms = {*step.deduction.terms}
    return [
        constraint
        for constraint in step.layout.constraints
        for part in constraint.parts(step.layout)
        if isinstance(part, Sum)
        and part.target == step.deduction.total
        and {*zip(part.cells, part.factors, strict=True)} == terms
    ]


def wrong_constraint(step: Step) -> Iterator[str]:
    """Complain if the sum of a step belongs to no constraint."""
    if not constraints_with(step):
        yield "no rule requires this sum"


def use_equation(context: Context, equation: str, ways: str) -> Iterator[str]:
    """Complain unless an equation is the open part of the step's sum, and check its ways.

    The equation is known from then on.
    """
    step, deduction = context.step, context.step.deduction
    equation, _, rest = equation.partition(", so ")
    terms, total = read_equation(step, equation)
    opposite = {cell: -factor for cell, factor in terms.items()}, -total
    if rest and read_equation(step, rest) not in ((terms, total), opposite):
        yield "the open cells have another sum"
    known = 0
    signs = [
        sign
        for sign in (1, -1)
        if all((cell, sign * factor) in deduction.terms for cell, factor in terms.items())
    ]
    if not signs:
        yield "the cells have other factors"
        return
    for cell, factor in deduction.terms:
        if cell not in terms:
            if step.domains[cell].bit_count() != 1:
                yield f"{step.layout.cell_name(cell)} is missing"
            known += factor * (step.domains[cell].bit_length() + step.layout.lowest - 1)
    if total not in [sign * ((deduction.total or 0) - known) for sign in signs]:
        yield "the total is another"
    minus = re.search(r"\((-?\d+) ([−+]) (\d+)\)", equation)
    if minus and (int(minus[1]), int(minus[3]) * (1 if minus[2] == "−" else -1)) != (
        deduction.total,
        known,
    ):
        yield "the difference is another"
    context.puzzle.add_total(Total(tuple(terms.items()), total))
    if ways:
        found = {tuple(map(int, way.split("+"))) for way in re.findall(r"[\d+]+\d|\d", ways)}
        if found != sets_with_sum(step, tuple(terms), abs(total)):
            yield "the combinations are others"


def read_equation(step: Step, text: str) -> tuple[dict[int, int], int]:
    """Return the factors of the cells in an equation, and their total."""
    if match := re.search(r" (?:sum to|must be) (-?\d+)", text):
        return dict.fromkeys(step.names.cells(text), 1), int(match[1])
    terms: dict[int, int] = {}
    total = 0
    for sign, side in zip((1, -1), text.split(" = "), strict=True):
        for factor, name, known, number in re.findall(
            r"(?:(\d+) × )?(r\d+c\d+)(?: \((\d+)\))?|(\d+)", side
        ):
            if known or number:
                total -= sign * int(factor or 1) * int(known or number)
            else:
                terms[step.layout.cell_named(name) or 0] = sign * int(factor or 1)
    return terms, total


def sets_with_sum(step: Step, cells: Cells, total: int) -> set[tuple[int, ...]]:
    """Return the possible sets of numbers for cells with a sum, each in ascending order."""
    peers, lowest = peers_of(step.layout), step.layout.lowest
    found: set[tuple[int, ...]] = set()

    def fill(chosen: tuple[int, ...]) -> None:
        if len(chosen) == len(cells):
            if sum(chosen) == total:
                found.add(tuple(sorted(chosen)))
            return
        cell = cells[len(chosen)]
        for number in step.layout.numbers:
            used = any(
                one in peers[cell] and number == other
                for one, other in zip(cells, chosen, strict=False)
            )
            if step.can_be(cell, number - lowest + 1) and not used and sum(chosen) < total + 1:
                fill((*chosen, number))

    fill(())
    return found
