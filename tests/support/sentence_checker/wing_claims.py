"""Claims about wings, single-digit patterns such as skyscrapers, remote pairs, and coloring."""

import re
from collections.abc import Iterator
from itertools import pairwise, product

from sentence_checker.chain_claims import remove_from_seers
from sentence_checker.claims import claim
from sentence_checker.context import Context
from sentence_checker.names import LOCATED
from sentence_checker.pattern_claims import Cells, Values, have_no_others, places
from sentence_checker.sub_puzzle import Fact, peers_of
from solver.board.primitive_constraints import House


@claim(
    LOCATED + r" {house}, {value} is in {cells}; (?:in(?! the diagonal)|on(?= the diagonal)) "
    r"{other:house}, in {ends:cells}\."
)
def have_two_places(
    context: Context, *, house: House, value: int, cells: Cells, other: House, ends: Cells
) -> Iterator[str]:
    for one, own in ((house, cells), (other, ends)):
        if len(own) != 2 or places(context, one, value) != {*own}:
            yield f"{one.name} has other places"
    context.places = {(cell, value) for cell in (*cells, *ends)}


@claim(r"{cells} cannot both be {value} \({reason:text}\), so {ends:cells} is {value}\.")
def exclude_each_other(
    context: Context, *, cells: Cells, value: int, reason: str, ends: Cells
) -> Iterator[str]:
    yield from are_linked(context, cells, reason)
    if {(cell, value) for cell in (*cells, *ends)} != context.places:
        yield "these are not the places"
    yield from remove_from_seers(context, ends, value)


def are_linked(context: Context, cells: Cells, reason: str) -> Iterator[str]:
    """Complain unless these are two cells that see each other.

    Also complains if they aren't both in each house that the reason names.
    """
    if len(cells) != 2 or cells[1] not in peers_of(context.step.layout)[cells[0]]:
        yield "these cells don't see each other"
    for house in context.step.names.houses(reason):
        if not set(cells) <= set(house.cells):
            yield f"the cells are not in {house.name}"


@claim(r"{cells} can each only be {values}\.")
def can_each_only_be(context: Context, *, cells: Cells, values: Values) -> Iterator[str]:
    yield from have_no_others(context, cells=cells, values=values)


@claim(r"[Ii]f (?P<first>\S+) is {text}\.")
def leads_to(context: Context, *, first: str, text: str) -> Iterator[str]:
    """Check "if it is 4, r4c9 (4 or 5) must be 5; if it is 6, r3c8 (5 or 6) must be 5".

    Instead of the candidates, the reason why two cells see each other can follow: "if r1c1 is 4,
    r1c9 must be 5 (row 1)". Each assumption must be one of `context.alternatives`. The results, and
    the alternatives without a result, are stored in `context.cases`.
    """
    names = context.step.names
    cell, value, values = (names.patterns[kind] for kind in ("cell", "value", "values"))
    form = re.compile(
        rf"if (it|{cell}) is ({value}), ({cell})(?: \(({values})\))? must be ({value})"
        r"(?: \((.+)\))?"
    )
    subject = context.alternatives[0].cells[0] if context.alternatives else -1
    context.cases = []
    given: list[Fact] = []
    for part in f"if {first} is {text}".split("; "):
        match = form.fullmatch(part)
        if match is None:
            yield f"{part!r} is not understood"
            return
        one = subject if match[1] == "it" else names.cells(match[1])[0]
        case = Fact(one, names.values(match[2])[0])
        result = Fact(names.cells(match[3])[0], names.values(match[5])[0])
        if match[4] is not None:
            stated = sum(1 << (value - 1) for value in {*names.values(match[4])})
            if context.step.domains[result.cell] != stated:
                yield f"{part!r} states other candidates"
        if match[6] is not None:
            yield from are_linked(context, (case.cell, result.cell), match[6])
        if (case.cell, case.value) not in {
            (one.cells[0], one.value) for one in context.alternatives
        }:
            yield f"{part!r} is no alternative"
        if not context.implies([result], given=[case]):
            yield f"{part!r} does not follow"
        given.append(case)
        context.cases.append([result])
    left = {(one.cells[0], one.value) for one in context.alternatives} - {
        (fact.cell, fact.value) for fact in given
    }
    context.cases += [[Fact(*one)] for one in left]


@claim(
    r"{cells} can only be {values}, and each sees the next, so {same:values} alternate along them\."
)
def alternate(context: Context, *, cells: Cells, values: Values, same: Values) -> Iterator[str]:
    yield from have_no_others(context, cells=cells, values=values)
    peers = peers_of(context.step.layout)
    if {*values} != {*same} or len(values) != 2:
        yield "these are other values"
    if any(other not in peers[one] for one, other in pairwise(cells)):
        yield "a cell does not see the next"


@claim(
    r"So one of {cells} is {one:value} and the other is {other:value}; any cell that sees "
    r"both can be neither {one:value} nor {other:value}\."
)
def differ(context: Context, *, cells: Cells, one: int, other: int) -> Iterator[str]:
    context.pair = (one, other)
    yield from have_both_values(context, cells)


@claim(r"The same is true of {cells}\.")
def differ_too(context: Context, *, cells: Cells) -> Iterator[str]:
    yield from have_both_values(context, cells)


def have_both_values(context: Context, cells: Cells) -> Iterator[str]:
    """Complain unless one of two cells has one value of the pair, and the other one the other.

    Also complains if no eliminated candidate with one of the values sees both cells. Those that do
    are added to `context.explained`.
    """
    if len(set(cells)) != 2 or len(set(context.pair)) != 2:
        yield "this is not a pair"
        return
    for value in context.pair:
        both = [Fact(cell, value) for cell in cells]
        if not context.implies(both) or not context.implies([fact.opposite for fact in both]):
            yield "the cells can have the same value"
    peers = peers_of(context.step.layout)
    seen = {one for one in context.eliminations if peers[one.cell].issuperset(cells)}
    if not seen or not {value for _, value in seen} <= set(context.pair):
        yield "no eliminated cell sees both"
    context.explained |= seen


@claim(r"Strong links on {value}: {text}\.")
def are_colors(context: Context, *, value: int, text: str) -> Iterator[str]:
    """Check "either all of A (r1c1, r5c9) or all of B (r1c9, r5c1) are 4, and either …".

    Stores the cells of each color in `context.colors`.
    """
    context.colors, context.value = {}, value
    symbol = context.step.names.symbols.values[value - 1]
    for clause in text.split(", and "):
        match = re.fullmatch(r"either (.*) or (.*) (is|are) (\S+)", clause)
        if match is None or match[4] != symbol:
            yield f"{clause!r} is not understood"
            return
        (one, cells), (other, ends) = (read_color(context, match[side]) for side in (1, 2))
        context.colors |= {one: cells, other: ends}
        if (match[3] == "are") != (len(ends) > 1):
            yield "the number of the verb is wrong"
        yield from is_cluster(context, {*cells}, {*ends}, value)
    if "".join(context.colors) not in ("AB", "ABCD"):
        yield "the names of the colors are wrong"


def read_color(context: Context, text: str) -> tuple[str, Cells]:
    """Return the name and the cells of a color such as "all of A (r1c1, r5c9)" or "r1c9 (B)".

    Returns ("", ()) for any other text.
    """
    if match := re.fullmatch(r"all of ([A-D]) \(([^()]*, [^()]*)\)", text):
        return match[1], context.step.names.cells(match[2])
    match = re.fullmatch(rf"({context.step.names.patterns['cell']}) \(([A-D])\)", text)
    return (match[2], context.step.names.cells(match[1])) if match else ("", ())


def is_cluster(context: Context, one: set[int], other: set[int], value: int) -> Iterator[str]:
    """Complain unless the two sets of cells are the two colors of a whole cluster of strong links.

    The sets must not overlap, and strong links on the value must connect all of their cells. Every
    strong link of one of these cells must lead to a cell of the other set. A strong link is a house
    with every value (such as a row, but not a cage) in which exactly two cells can be `value`.
    """
    links = [
        pair
        for house in context.step.layout.houses
        if len(house.cells) == context.step.layout.size
        if len(pair := places(context, house, value)) == 2 and not pair.isdisjoint(one | other)
    ]
    reached: set[int] = {min(one)}
    for _ in links:
        reached.update(*(pair for pair in links if pair & reached))
    if reached != one | other or one & other:
        yield "the cells are not those of a cluster"
    if any(len(pair & one) != 1 or len(pair & other) != 1 for pair in links):
        yield "a link connects cells of one color"


@claim(
    r"{cells} \({reason:text}\) both belong to (?P<color>[A-D]) and cannot both be {value}, so no "
    r"cell of (?P=color) is {value}\."
)
def wraps(context: Context, *, cells: Cells, reason: str, color: str, value: int) -> Iterator[str]:
    yield from are_linked(context, cells, reason)
    if not set(cells) <= set(context.colors.get(color, ())):
        yield f"the cells don't belong to {color}"
    yield from has_no_cell(context, color=color, value=value)


def has_no_cell(context: Context, *, color: str, value: int) -> Iterator[str]:
    """Complain if a cell of a color can have the value."""
    for cell in context.colors.get(color, ()):
        if not context.implies([Fact(cell, value, is_true=False)]):
            yield f"{context.step.layout.cell_name(cell)} can have the value"


@claim(
    r"{first:cell} \((?P<left>[A-D])\) and {second:cell} \((?P<right>[A-D])\) cannot both be "
    r"{value} \({reason:text}\), so (?P<one>[A-D]) or (?P<other>[A-D]) is {value}\."
)
def colors_exclude_each_other(
    context: Context,
    *,
    first: int,
    left: str,
    second: int,
    right: str,
    value: int,
    reason: str,
    one: str,
    other: str,
) -> Iterator[str]:
    yield from are_linked(context, (first, second), reason)
    yield from belong(context, {first: left, second: right})
    if {*map(frozenset, (left + one, right + other))} != {frozenset("AB"), frozenset("CD")}:
        yield "these are not the opposite colors"
    yield from one_color_is_true(context, one, other, value)


def belong(context: Context, colors: dict[int, str]) -> Iterator[str]:
    """Complain if a cell doesn't belong to its color."""
    for cell, name in colors.items():
        if cell not in context.colors.get(name, ()):
            yield f"{context.step.layout.cell_name(cell)} does not belong to {name}"


def one_color_is_true(context: Context, one: str, other: str, value: int) -> Iterator[str]:
    """Complain if both colors can be false."""
    for cell, end in product(context.colors.get(one, ()), context.colors.get(other, ())):
        if not context.implies([Fact(cell, value), Fact(end, value)]):
            yield "neither color must be true"


@claim(
    r"{cells} (?P<verb>sees?) {first:cell} \((?P<one>[A-D])\) and {second:cell} "
    r"\((?P<other>[A-D])\), so (?P<they>it|they) cannot be {value}\."
)
def see_both_colors(
    context: Context,
    *,
    cells: Cells,
    verb: str,
    first: int,
    one: str,
    second: int,
    other: str,
    they: str,
    value: int,
) -> Iterator[str]:
    if (verb, they) != (("sees", "it") if len(cells) == 1 else ("see", "they")):
        yield "the number of the verb is wrong"
    yield from belong(context, {first: one, second: other})
    yield from one_color_is_true(context, one, other, value)
    for cell in cells:
        if not peers_of(context.step.layout)[cell].issuperset((first, second)):
            yield f"{context.step.layout.cell_name(cell)} does not see both"
        if (cell, value) not in context.eliminations:
            yield f"{context.step.layout.cell_name(cell)} is not eliminated"
        context.explained.add((cell, value))


@claim(
    r"(?P<color>[A-D]) sees both (?P<one>[A-D]) and (?P<other>[A-D]): {first:cell} sees "
    r"{second:cell} \({reason:text}\), and {third:cell} sees {fourth:cell} \({why:text}\)\."
)
def color_sees_both(
    context: Context,
    *,
    color: str,
    one: str,
    other: str,
    first: int,
    second: int,
    reason: str,
    third: int,
    fourth: int,
    why: str,
) -> Iterator[str]:
    context.seeing = (color, one, other)
    for cell, seen, house, name in ((first, second, reason, one), (third, fourth, why, other)):
        yield from are_linked(context, (cell, seen), house)
        yield from belong(context, {cell: color, seen: name})


@claim(
    r"(?P<one>[A-D]) or (?P<other>[A-D]) is {value}, so no cell of (?P<color>[A-D]) is {value}\.",
    r"(?P<one>[A-D]) or (?P<other>[A-D]) is {value}, so {cell} cannot be {value}\.",
)
def excludes_color(
    context: Context, *, one: str, other: str, value: int, color: str = "", cell: int = -1
) -> Iterator[str]:
    names = [color] if color else [n for n, cells in context.colors.items() if cells == (cell,)]
    if context.seeing not in [(name, one, other) for name in names]:
        yield "these are other colors"
    yield from one_color_is_true(context, one, other, value)
    for name in names:
        yield from has_no_cell(context, color=name, value=value)
