"""Claims about a cell of a sum that cannot have a number, because the others cannot add up."""

import re
from collections.abc import Iterator
from itertools import combinations_with_replacement

from sentence_checker.claims import claim
from sentence_checker.context import Context
from sentence_checker.sub_puzzle import peers_of
from sentence_checker.sum_equations import is_possible, sets_with_sum

Cells = tuple[int, ...]
_NUMBERS = r"\d+(?:(?:, \d+)*,? or \d+)?"
_SIGNED = _NUMBERS.replace(r"\d+", r"−?\d+")
_ADDED = r"\d+(?:\+\d+)+"
_COUNTS = ("", "one", "two", "three", "four", "five")
_OBSTACLE = (
    r"(?:(?:neither|none) can be [\d, or]+|r\d+c\d+ cannot be any of these"
    r"|\d+ and \d+ fit only in r\d+c\d+|only r\d+c\d+ can be \d+"
    r"|r\d+c\d+ and r\d+c\d+ could both only be \d+)"
)
_NEED = rf"(?:{_ADDED}(?: \(but {_OBSTACLE}\))?)"


@claim(
    rf"If {{cell}} were (?P<numbers>{_NUMBERS}), {{other:cell}} would have to be "
    rf"(?P<needed>{_NUMBERS}), but (?:it (?:cannot|can be neither|cannot be any of these)"
    r"|(?P<they>they) see each other)\."
)
def last_cell_cannot(
    context: Context, *, cell: int, numbers: str, other: int, needed: str, they: str = ""
) -> Iterator[str]:
    terms = open_terms(context)
    if they and (numbers != needed or other not in peers_of(context.step.layout)[cell]):
        yield "they don't exclude each other"
    if {*terms} != {cell, other}:
        yield "these are not the open cells"
        return
    lowest = context.step.layout.lowest
    rest = open_total(context)
    for number, need in zip(numbers_of(numbers), numbers_of(needed), strict=True):
        if terms[cell] * number + terms[other] * need != rest:
            yield f"{need} is not the needed number"
        if 0 < need - lowest + 1 <= context.step.layout.size and is_possible(
            context, {cell: number - lowest + 1, other: need - lowest + 1}
        ):
            yield f"{need} is possible"


@claim(
    rf"If {{cell}} were (?P<numbers>{_NUMBERS}), {{other:cell}} would have to be "
    rf"(?P<needed>{_SIGNED}), because {{first:cell}} is (?P<own>{_NUMBERS}), but it "
    r"(?:cannot|can be neither|cannot be any of these)\."
)
def last_of_two_cannot(
    context: Context, *, cell: int, numbers: str, other: int, needed: str, first: int, own: str
) -> Iterator[str]:
    step, terms = context.step, open_terms(context)
    if {*terms} != {cell, other, first}:
        yield "these are not the open cells"
        return
    (number,), lowest = numbers_of(numbers), step.layout.lowest
    left = [
        one
        for one in step.layout.numbers
        if step.can_be(first, one - lowest + 1)
        and not (one == number and first in peers_of(step.layout)[cell])
    ]
    if left != numbers_of(own):
        yield "the candidates are others"
    for one, need in zip(numbers_of(own), numbers_of(needed), strict=True):
        if terms[cell] * number + terms[first] * one + terms[other] * need != open_total(context):
            yield f"{need} is not the needed number"
        if need in step.layout.numbers and step.can_be(other, need - lowest + 1):
            yield f"{need} is possible"


@claim(
    rf"If (?:one of )?{{some:cells}} were (?P<numbers>{_NUMBERS}), "
    rf"(?:{{cells}}|the other (?P<count>two|three|four|five) cells) would need "
    rf"(?P<needed>{_NEED}(?:(?:, or | or |, ){_NEED})*)(?:, but (?P<obstacle>{_OBSTACLE}))?\."
)
def others_would_need(
    context: Context,
    *,
    some: Cells,
    numbers: str,
    needed: str,
    cells: Cells = (),
    count: str = "",
    obstacle: str = "",
) -> Iterator[str]:
    terms = open_terms(context)
    for cell in some:
        others = cells or tuple(other for other in terms if other != cell)
        is_counted = not count or _COUNTS.index(count) == len(others)
        is_plain = len({terms.get(other) for other in others}) == 1
        if {*terms} != {cell, *others} or not (is_plain and is_counted):
            yield "these are not the open cells"
            return
        sets = {tuple(map(int, one.split("+"))): why for one, why in needs(needed, obstacle)}
        expected = {
            rest
            for number in numbers_of(numbers)
            for rest in rest_of(context, cell, number, others)
        }
        if {*sets} != expected:
            yield "the other cells need other numbers"
        for one, why in sets.items():
            if not is_obstacle(context, why, one, others):
                yield f"{why!r} does not exclude {one}"


def needs(text: str, obstacle: str) -> Iterator[tuple[str, str]]:
    """Yield each set of needed numbers in a text, with the reason why it is impossible.

    Both are texts, such as "1+5" and "neither can be 5". A reason in parentheses is that of all
    sets before it that have none. `obstacle` is the reason of all sets without parentheses.
    """
    for group, own in re.findall(rf"([^()]*)(?:\(but ({_OBSTACLE})\)|$)", text):
        for one in re.findall(_ADDED, group):
            yield one, own or obstacle


def rest_of(context: Context, cell: int, number: int, cells: Cells) -> Iterator[tuple[int, ...]]:
    """Yield the sets of numbers that the other cells could need if the cell has the number.

    Two other cells can need any pair of numbers. With more, the sets that the candidates allow for
    all cells count. They also count for two cells if a sentence has listed them.
    """
    step, peers = context.step, peers_of(context.step.layout)
    terms, total = open_terms(context), open_total(context)
    if context.has_sets or len(cells) > 2:
        for numbers in sets_with_sum(step, (cell, *cells), total):
            if number in numbers:
                left = list(numbers)
                left.remove(number)
                yield tuple(left)
        return
    for pair in combinations_with_replacement(step.layout.numbers, 2):
        is_same = pair[0] == pair[1] and cells[1] in peers[cells[0]]
        is_used = number in pair and peers[cell].issuperset(cells)
        if (
            terms[cells[0]] * sum(pair) == total - terms[cell] * number
            and not is_same
            and not is_used
        ):
            yield pair


def is_obstacle(context: Context, why: str, needed: tuple[int, ...], cells: Cells) -> bool:
    """Return whether the reason is true and prevents the cells from having the needed numbers."""
    names, lowest = context.step.names, context.step.layout.lowest
    can = {cell: {n for n in needed if context.step.can_be(cell, n - lowest + 1)} for cell in cells}
    named = names.cells(why)
    values = set(map(int, re.findall(r"\d+", re.sub(r"r\d+c\d+", "", why))))
    places = {cell for cell in cells if can[cell] & values}
    if not set(named) <= set(cells):
        return False
    if re.match("neither|none", why):
        own = {n for n in values if all(not context.step.can_be(c, n - lowest + 1) for c in cells)}
        return own == values and not values.isdisjoint(needed)
    if "any of these" in why:
        return not can[named[0]]
    if "fit only in" in why or why.startswith("only"):
        return places == {*named} and sum(number in values for number in needed) > len(named)
    count = sum(number in values for number in needed)
    return all(can[cell] <= values for cell in named) and count < len(named)


@claim(
    rf"If {{cell}} were (?P<numbers>{_NUMBERS}), {{one:cell}} and {{other:cell}} would sum to "
    rf"(?P<sums>{_NUMBERS}), but {{one:cell}} can only be (?P<first>{_NUMBERS}) and {{other:cell}} "
    rf"only (?P<second>{_NUMBERS})\."
)
def others_cannot_sum(
    context: Context,
    *,
    cell: int,
    numbers: str,
    one: int,
    other: int,
    sums: str,
    first: str,
    second: str,
) -> Iterator[str]:
    terms = open_terms(context)
    if {*terms} != {cell, one, other} or terms[one] != terms[other]:
        yield "these are not the open cells"
        return
    rest = {open_total(context) - terms[cell] * number for number in numbers_of(numbers)}
    if rest != {terms[one] * total for total in numbers_of(sums)}:
        yield "the sums are others"
    lowest = context.step.layout.lowest
    for place, text in ((one, first), (other, second)):
        own = [n for n in context.step.layout.numbers if context.step.can_be(place, n - lowest + 1)]
        if own != numbers_of(text):
            yield "the candidates are others"
    for number in numbers_of(numbers):
        if is_possible(context, {cell: number - lowest + 1}):
            yield f"{number} is possible"


def numbers_of(text: str) -> list[int]:
    """Return the numbers in a list such as "1, 3, or 5". The minus is "−" (U+2212)."""
    return [int(number.replace("−", "-")) for number in re.findall(r"−?\d+", text)]


def open_terms(context: Context) -> dict[int, int]:
    """Return the open cells of a step's sum with their factors.

    Open cells have several candidates, or their value is placed by the step.
    """
    placed = {cell for cell, _ in context.step.deduction.placements}
    return {
        cell: factor
        for cell, factor in context.step.deduction.terms
        if context.step.domains[cell].bit_count() > 1 or cell in placed
    }


def open_total(context: Context) -> int:
    """Return the sum that the open cells of a step's sum must have."""
    deduction, lowest = context.step.deduction, context.step.layout.lowest
    return (deduction.total or 0) - sum(
        factor * (context.step.domains[cell].bit_length() + lowest - 1)
        for cell, factor in deduction.terms
        if cell not in open_terms(context)
    )
