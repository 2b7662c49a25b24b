"""Claims about the sums of cages, arrows, and the like, and about innies and outies."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import cast

from sentence_checker.claims import claim
from sentence_checker.context import Context
from sentence_checker.names import Candidate
from sentence_checker.step import Step
from sentence_checker.sub_puzzle import Fact, Total, peers_of
from solver.board.layout import ConstraintLike
from solver.board.parts import Sum
from solver.rules.rule import Constraint

Cells = tuple[int, ...]
Values = tuple[int, ...]
_CAGES = ("killer", "multisum")
_ADDED = r"(?:(?:\d+ × )?r\d+c\d+(?: \(\d+\))?|\d+)"
_CELLS = r"r\d+c\d+(?:(?:–|, |,? and )r\d+c\d+)*"
_LONG_SIDE = rf"(?:\d+ \(filled\)(?: \+ (?:the sum of )?{_CELLS})?|the sum of {_CELLS})(?: \+ \d+)?"
_SIDE = rf"(?:{_LONG_SIDE}|{_ADDED}(?: \+ {_ADDED})*)"
_EQUATION = (
    rf"(?P<equation>{{cells}} (?:sum to|must be) -?\d+(?: \(-?\d+ [−+] \d+\))?|{_SIDE} = {_SIDE}"
    rf"(?:, so [r\dc–, and]+ sum to \d+)?)"
)
_WAYS = r"(?:: (?P<ways>(?:only|in this order, only) .+))?"
_PLACE = (
    r"(?P<place>(?:In the [a-z ]+ at r\d+c\d+|On the [a-z ]+ from r\d+c\d+ to r\d+c\d+"
    r"|By the (?:weighted )?sum clue|By the rule “(?P<title>[^”]+)”))"
)
_MOST_SUMMED = 4
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


@claim(rf"The cage at (?P<corner>r\d+c\d+) \((?P<cage>[rc\d, ]+)\) sums to (?P<total>\d+){_WAYS}\.")
def is_cage(
    context: Context, *, corner: str, cage: str, total: str, ways: str = ""
) -> Iterator[str]:
    cells = context.step.names.cells(cage)
    known = {frozenset(one.cells) for one in constraints_with(context.step) if one.name in _CAGES}
    if frozenset(cells) not in known or context.step.layout.cell_named(corner) != min(cells):
        yield "there is no such cage"
    yield from use_equation(context, f"{cage} sum to {total}", ways)


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
    """Return whether the step's sum is that of its houses minus that of some cages, or the reverse.

    `total` must be the sum of the cages.
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


@claim(
    r"(?P<since>Because cells that see each other differ, t|T)he other cells leave {limits:text}\."
)
def leave_limits(context: Context, *, limits: str, since: str) -> Iterator[str]:
    del since
    lowest = context.step.layout.lowest
    found = re.findall(
        r"(at least|at most|only) (-?\d+)(?:–(-?\d+))?(?: \((-?\d+) − (-?\d+)\))? for (?:each of )?"
        rf"({context.step.names.patterns['cells']})",
        limits,
    )
    if not found:
        yield "no limit is given"
    for kind, first, second, whole, rest, named in found:
        low = int(first) if kind != "at most" else min(context.step.layout.numbers)
        high = int(second or first) if kind != "at least" else max(context.step.layout.numbers)
        for cell in context.step.names.cells(named):
            for number in context.step.layout.numbers:
                if not low <= number <= high and is_possible(context, {cell: number - lowest + 1}):
                    yield f"{number} is possible in {context.step.layout.cell_name(cell)}"
            if whole and int(whole) - int(rest) != int(first):
                yield f"{whole} − {rest} is another number"
            if whole and not is_extreme(context.step, cell, int(rest), is_most=kind == "at least"):
                yield f"{rest} is not the limit of the other cells"


def is_extreme(step: Step, cell: int, total: int, *, is_most: bool) -> bool:
    """Return whether cells on the same side of a sum as a cell cannot sum to more, or to less.

    More than four other cells may be limited less than they could be.
    """
    peers, lowest = peers_of(step.layout), step.layout.lowest
    terms, placed = dict(step.deduction.terms), {one for one, _ in step.deduction.placements}
    if cell not in terms:
        return False
    is_open = {c: step.domains[c].bit_count() > 1 or c in placed for c in terms}
    same = [c for c in terms if c != cell and terms[c] * terms[cell] > 0 and is_open[c]]
    sums: list[int] = []
    waiting: list[tuple[int, ...]] = [()]
    while waiting and len(same) <= _MOST_SUMMED:
        chosen = waiting.pop()
        if len(chosen) == len(same):
            sums.append(sum(abs(terms[c]) * n for c, n in zip(same, chosen, strict=True)))
            continue
        own = same[len(chosen)]
        equal = {n for c, n in zip(same, chosen, strict=False) if c in peers[own]}
        waiting += [
            (*chosen, number)
            for number in step.layout.numbers
            if step.can_be(own, number - lowest + 1) and number not in equal
        ]
    return len(same) > _MOST_SUMMED or total == (max(sums) if is_most else min(sums))


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
    yield from wrong_numbers(step, equation)
    context.puzzle.add_total(Total(tuple(terms.items()), total))
    if ways:
        yield from wrong_ways(context, ways, equation, tuple(terms))


def wrong_numbers(step: Step, equation: str) -> Iterator[str]:
    """Complain about known cells of an equation, as in "r1c2 (7)", that have another number."""
    terms = dict(step.deduction.terms)
    for name, number in re.findall(r"(r\d+c\d+) \((\d+)\)", equation):
        cell = step.layout.cell_named(name) or 0
        is_known = step.domains[cell] == 1 << (int(number) - step.layout.lowest)
        if cell not in terms or not is_known:
            yield f"{name} is not a known cell of the sum"


def wrong_ways(context: Context, ways: str, equation: str, cells: Cells) -> Iterator[str]:
    """Complain unless a list of the possible numbers for the cells of the step's sum is right.

    It has sets of numbers, or arrangements in the order of the cells, or a number for each cell.
    """
    step = context.step
    listing = ways.removeprefix("in this order, ").removeprefix("only ")
    if listing.endswith(" fit"):
        values = dict(re.findall(r"(r\d+c\d+) = (\d+)", listing))
        named = {step.layout.cell_named(name) or 0: int(number) for name, number in values.items()}
        if [*named] != sorted(cells):
            yield "these are other cells"
        elif arrangements(context, tuple(named)) != {tuple(named.values())}:
            yield "other numbers are possible"
    elif "=" in listing:
        yield from wrong_equations(context, listing, equation, cells)
    elif not re.fullmatch(r"\d+(?:\+\d+)*(?:,? (?:or )?\d+(?:\+\d+)*)*", listing):
        yield "the list is not understood"
    else:
        found = {tuple(map(int, way.split("+"))) for way in re.findall(r"\d+(?:\+\d+)*", listing)}
        is_ordered = ways.startswith("in")
        context.has_sets = not is_ordered
        if is_ordered and list(cells) != sorted(cells):
            yield "the cells have another order"
        possible = arrangements(context, cells)
        if found != (possible if is_ordered else {tuple(sorted(one)) for one in possible}):
            yield "the combinations are others"


def wrong_equations(context: Context, listing: str, equation: str, cells: Cells) -> Iterator[str]:
    """Complain unless a list has all ways for an equation, such as "9 = 4 + 5 or 8 = 3 + 5".

    Their terms have the order of the equation's.
    """
    pattern = re.compile(r"(?:(\d+) × )?(r\d+c\d+|\d+)(?: \((\d+)\))?|(=)")
    wanted = pattern.findall(equation)
    found: set[tuple[int, ...]] = set()
    for way in re.split(r",? or |, ", listing):
        stated, own = pattern.findall(way), dict[int | None, int]()
        if len(stated) != len(wanted):
            yield f"{way!r} has other terms"
            continue
        sides, side = [0, 0], 0
        for (factor, name, known, mark), (own_factor, number, _, own_mark) in zip(
            wanted, stated, strict=True
        ):
            if (factor, mark) != (own_factor, own_mark):
                yield f"{way!r} has other factors"
            elif mark:
                side = 1
            else:
                sides[side] += int(factor or 1) * int(number)
                if name.isdigit() or known:
                    if number != (known or name):
                        yield f"{number} is another number"
                else:
                    own[context.step.layout.cell_named(name)] = int(number)
        if sides[0] != sides[1]:
            yield f"{way!r} is wrong"
        found.add(tuple(own[cell] for cell in cells))
    if found != arrangements(context, cells):
        yield "other numbers are possible"


def arrangements(context: Context, cells: Cells) -> set[tuple[int, ...]]:
    """Return the possible numbers of the cells in their order, given the sum."""
    step, lowest = context.step, context.step.layout.lowest
    chosen: list[dict[int, int]] = [{}]
    for cell in cells:
        chosen = [
            more
            for one in chosen
            for value in range(1, step.layout.size + 1)
            if step.can_be(cell, value) and is_possible(context, more := {**one, cell: value})
        ]
    return {tuple(one[cell] + lowest - 1 for cell in cells) for one in chosen}


def read_equation(step: Step, text: str) -> tuple[dict[int, int], int]:
    """Return the factors of the cells in an equation, and their total."""
    if match := re.search(r" (?:sum to|must be) (-?\d+)", text):
        return dict.fromkeys(step.names.cells(text), 1), int(match[1])
    terms: dict[int, int] = {}
    total = 0
    for sign, side in zip((1, -1), text.split(" = "), strict=True):
        if "(filled)" in side or "the sum of" in side:
            numbers = re.findall(r"^\d+(?= \(filled\))|(?<= \+ )\d+$", side)
            total -= sign * sum(map(int, numbers))
            terms |= dict.fromkeys(step.names.cells(side), sign)
            continue
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
