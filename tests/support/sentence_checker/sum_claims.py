"""Claims about the sums of cages, arrows, and the like, and about innies and outies."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from sentence_checker.claims import claim
from sentence_checker.context import Context
from sentence_checker.names import Candidate
from sentence_checker.step import Step
from sentence_checker.sub_puzzle import Fact
from sentence_checker.sum_cases import open_terms
from sentence_checker.sum_equations import Cells, is_possible, use_equation
from solver.board.layout import ConstraintLike
from solver.board.primitive_constraints import Sum
from solver.rules.rule import Constraint

Values = tuple[int, ...]
_CAGES = ("killer", "multisum")
_ADDED = r"(?:(?:\d+ × )?r\d+c\d+(?: \(\d+\))?|\d+)"
_CELLS = r"r\d+c\d+(?:(?:–|, |,? and )r\d+c\d+)*"
_LONG_SIDE = rf"(?:\d+ \(filled\)(?: \+ (?:the sum of )?{_CELLS})?|the sum of {_CELLS})(?: \+ \d+)?"
_SIDE = rf"(?:{_LONG_SIDE}|{_ADDED}(?: ?\+ ?{_ADDED})*)"
_EQUATION = (
    rf"(?P<equation>{{cells}} (?:sum to|must be) -?\d+(?: \(-?\d+[−+]\d+\))?|{_SIDE} = {_SIDE}"
    rf"(?:, so [r\dc–, and]+ sum to \d+)?)"
)
_WAYS = r"(?:: (?P<ways>(?:only|in this order, only) .+))?"
_PLACE = (
    r"(?P<place>(?:In the [a-z ]+ at r\d+c\d+|On the [a-z ]+ r\d+c\d+–r\d+c\d+"
    r"|By the (?:weighted )?sum clue|By the rule “(?P<title>[^”]+)”))"
)
_SUM_CLUES = ("sum", "weightedsum")


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
    yield from wrong_place(context.step, place, title)
    yield from wrong_constraint(context.step)
    yield from use_equation(context, equation, ways)


def wrong_place(step: Step, place: str, title: str) -> Iterator[str]:
    """Complain if no constraint with the sum of a step has this place or title."""
    known = constraints_with(step)
    ends = [step.layout.cell_named(name) for name in re.findall(r"r\d+c\d+", place)]
    if title and all(title != _title(one) for one in known):
        yield "no such rule requires this sum"
    if place.endswith("clue") and all(one.name not in _SUM_CLUES for one in known):
        yield "no such clue requires this sum"
    if len(ends) == 1 and all(min(one.cells) not in ends for one in known):
        yield "no such sum has a cell there"
    if len(ends) == 2 and all(ends != [one.cells[0], one.cells[-1]] for one in known):
        yield "no such line has these ends"


def _title(constraint: ConstraintLike) -> str:
    return cast("Constraint", constraint).rule.title


@claim(rf"The cage \((?P<cage>[rc\d, –]+)\) sums to (?P<total>\d+){_WAYS}\.")
def is_cage(context: Context, *, cage: str, total: str, ways: str = "") -> Iterator[str]:
    cells = context.step.names.cells(cage)
    known = {frozenset(one.cells) for one in constraints_with(context.step) if one.name in _CAGES}
    if frozenset(cells) not in known:
        yield "there is no such cage"
    yield from use_equation(context, f"{cage} sum to {total}", ways)


@claim(
    r"(?P<place>The (?:[a-z ]+ at r\d+c\d+|[a-z ]+ r\d+c\d+–r\d+c\d+)) "
    rf"sums to (?P<total>\d+){_WAYS}\.",
    rf"{_PLACE}, the undecided cells (?P<sum>sum to \d+(?: \(\d+[−+]\d+\))?){_WAYS}\.",
)
def is_sum_of_place(
    context: Context,
    *,
    place: str,
    title: str = "",
    total: str = "",
    sum: str = "",
    ways: str = "",
) -> Iterator[str]:
    step = context.step
    yield from wrong_place(step, place, title)
    yield from wrong_constraint(step)
    cells = sorted(cell for cell, _ in step.deduction.terms if total or not step.is_decided(cell))
    names = ", ".join(map(step.layout.cell_name, cells))
    yield from use_equation(context, f"{names} {sum or f'sum to {total}'}", ways)


@claim(rf"(?:{_PLACE}, )?{{all:cells}} sum to (?P<total>\d+), so {_EQUATION}{_WAYS}\.")
def is_sum_of_open_cells(
    context: Context,
    *,
    total: str,
    equation: str,
    place: str = "",
    title: str = "",
    ways: str = "",
    cells: Cells = (),
    **every: Cells,
) -> Iterator[str]:
    del cells
    yield from wrong_place(context.step, place, title)
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
    rf"The (?:(?P<count>\d+) )?(?P<noun>cage|group)s?"
    rf"(?: at (?P<names>r\d+c\d+(?:,? (?:and )?r\d+c\d+)*))?"
    rf"(?P<where> in (?:it|them)| that covers? (?:it|them)"
    rf"|(?: that|, which) covers? all of (?:it|them) except {{excluded:cells}},?)?"
    rf" sums? to (?P<total>\d+), "
    rf"so {_EQUATION}{_WAYS}\."
)
def cages_have_total(
    context: Context,
    *,
    noun: str,
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
    cages = [
        one
        for one in step.layout.constraints
        if one.name in _CAGES or (noun == "group" and one.name == "sum")
    ]
    inside = {cell for house in context.base for cell in house.cells}
    if names:
        named = {step.layout.cell_named(name) for name in re.findall(r"r\d+c\d+", names)}
        chosen = [[cage for cage in cages if min(cage.cells) in named]]
    else:
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
    is_inside = all(inside.issuperset(cage.cells) for cage in chosen[0])
    if names and where and where.startswith(" in") != is_inside:
        yield "the cages are elsewhere"
    yield from use_equation(context, equation, ways)


def is_rest(context: Context, cages: Iterable[ConstraintLike], total: int) -> bool:
    """Return whether the sum of some cages is `total`, and explains the equation of the step.

    It does if subtracting the cages from the houses of the step gives the cells and the sum of the
    equation. The houses may also be subtracted from the cages.
    """
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


@claim(r"So (?P<limits>r\d+c\d+[^.]* (?:(?:is|are) at (?:least|most)|can only be) \d+(?:–\d+)?)\.")
def have_limits(context: Context, *, limits: str) -> Iterator[str]:
    if len(open_terms(context)) != 2:
        yield "there are other open cells"
    cells = context.step.names.patterns["cells"]
    form = (
        rf"(?P<named>{cells}) (?:(?:is|are) (?P<end>at least|at most)|can only be) "
        r"(?P<low>-?\d+)(?:–(?P<high>-?\d+))?"
    )
    found = [
        (match["end"] or "only", match["low"], match["high"] or "", match["named"])
        for match in re.finditer(form, limits)
    ]
    if not found:
        yield "no limit is given"
    yield from wrong_limits(context, found)


def wrong_limits(context: Context, found: Iterable[Sequence[str]]) -> Iterator[str]:
    """Complain about false limits of cells in the step's sum.

    A limit is (kind, bound, second bound, names of the cells), all of them texts. The kind is "at
    least", "at most", or another text. The second bound can be "".
    """
    lowest = context.step.layout.lowest
    for kind, first, second, named in found:
        low = int(first) if kind != "at most" else min(context.step.layout.numbers)
        high = int(second or first) if kind != "at least" else max(context.step.layout.numbers)
        for cell in context.step.names.cells(named):
            for number in context.step.layout.numbers:
                if not low <= number <= high and is_possible(context, {cell: number - lowest + 1}):
                    yield f"{number} is possible in {context.step.layout.cell_name(cell)}"


@claim(r"Trying all combinations rules out the (?:following|rest)\.")
def none_fits(context: Context) -> Iterator[str]:
    members = {cell for cell, _ in context.step.deduction.terms}
    for cell, value in context.step.deduction.eliminations:
        if cell in members and is_possible(context, {cell: value}):
            yield "a removed candidate is possible"


@claim(
    r"Every combination contains {values}, in {cells}\.",
    r"{cells} must be {values}(?P<order>, in some order)\.",
)
def contains(
    context: Context, *, values: Values, cells: Cells, order: str | None = None
) -> Iterator[str]:
    for one in values:
        able = [cell for cell in cells if context.step.can_be(cell, one)]
        if not context.implies([Fact(cell, one) for cell in able]):
            yield "a combination doesn't contain this"
        if len(able) < len(cells):
            yield "a cell cannot have the value"
    if order is not None and len(cells) != len(values):
        yield "the numbers of cells and values differ"
    if len(cells) == 1 and len(values) > 1:
        yield "a cell has several values"


@claim(r"Every combination has {candidates}\.")
def has(context: Context, *, candidates: Iterable[Candidate]) -> Iterator[str]:
    for cell, value in candidates:
        yield from contains(context, values=(value,), cells=(cell,))


@claim(
    r"Every combination contains "
    r"(?P<found>{values} \(in {cells}\)(?:,? (?:and )?[^()]* \([^()]*\))+)\."
)
def contains_several(
    context: Context, *, found: str, values: Values, cells: Cells
) -> Iterator[str]:
    del values, cells
    names = context.step.names
    for values_there, places in re.findall(r"([^()]+) \(in ([^()]*)\)", found):
        yield from contains(context, values=names.values(values_there), cells=names.cells(places))


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
