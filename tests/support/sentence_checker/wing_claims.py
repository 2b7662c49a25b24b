"""Claims about wings, single-digit patterns such as skyscrapers, remote pairs, and coloring."""

import re
from collections.abc import Iterator
from itertools import pairwise, product

from sentence_checker.chain_claims import remove_from_seers
from sentence_checker.claims import claim
from sentence_checker.context import Context
from sentence_checker.pattern_claims import Cells, Houses, Values, have_no_others, places
from sentence_checker.sub_puzzle import Fact, peers_of
from solver.board.parts import House


@claim(r"In {houses}, {value} has only two places each\.")
def have_two_places(context: Context, *, houses: Houses, value: int) -> Iterator[str]:
    if any(len(places(context, house, value)) != 2 for house in houses):
        yield "a house has more places"
    context.places = {(cell, value) for house in houses for cell in places(context, house, value)}


@claim(
    r"{cells} cannot both be {value} \({reason:text}\), so {ends:cells} is {value}; any other cell "
    r"that sees both cannot be {value}\."
)
def exclude_each_other(
    context: Context, *, cells: Cells, value: int, reason: str, ends: Cells
) -> Iterator[str]:
    yield from are_linked(context, cells, reason)
    if {(cell, value) for cell in (*cells, *ends)} != context.places:
        yield "these are not the places"
    yield from remove_from_seers(context, ends, value)


def are_linked(context: Context, cells: Cells, reason: str) -> Iterator[str]:
    """Complain if two cells don't see each other, or not in the house that the reason names."""
    if len(cells) != 2 or cells[1] not in peers_of(context.step.layout)[cells[0]]:
        yield "these cells don't see each other"
    for house in context.step.names.houses(reason):
        if not set(cells) <= set(house.cells):
            yield f"the cells are not in {house.name}"


@claim(
    r"So {cells} is {value}; any other cell that sees (?P<every>both|all three) cannot be {value}\."
)
def one_of_them_is(context: Context, *, cells: Cells, value: int, every: str) -> Iterator[str]:
    if {Fact(cell, value) for cell in cells} != {fact for case in context.cases for fact in case}:
        yield "these are not the cells of the cases"
    if len(cells) != {"both": 2, "all three": 3}[every]:
        yield "this is not the number of cells"
    yield from remove_from_seers(context, cells, value)


@claim(r"If {cell} is {value}, the {value} of {house} must be in {arm:house}\.")
def must_be_in_arm(
    context: Context, *, cell: int, value: int, house: House, arm: House
) -> Iterator[str]:
    if not is_alternative(context, cell, value):
        yield "this is no alternative"
    for place in places(context, house, value) - set(arm.cells):
        if not context.implies([Fact(place, value, is_true=False)], given=[Fact(cell, value)]):
            yield "it could be elsewhere"


@claim(r"If {cell} is {value}, {other:cell} sees it \({reason:text}\)\.")
def sees_it(context: Context, *, cell: int, value: int, other: int, reason: str) -> Iterator[str]:
    if not is_alternative(context, cell, value):
        yield "this is no alternative"
    if (other, value) not in context.eliminations:
        yield "the cell is not eliminated"
    yield from are_linked(context, (cell, other), reason)


def is_alternative(context: Context, cell: int, value: int) -> bool:
    """Return whether an earlier sentence stated a candidate among those of which one is true."""
    return (cell, value) in {(one.cells[0], one.value) for one in context.alternatives}


@claim(r"{cells} can each only be {values}\.")
def can_each_only_be(context: Context, *, cells: Cells, values: Values) -> Iterator[str]:
    yield from have_no_others(context, cells=cells, values=values)


@claim(r"[Ii]f (?P<first>\S+) is {text}\.")
def leads_to(context: Context, *, first: str, text: str) -> Iterator[str]:
    """Check "if it is 4, r4c9 (4 or 5) must be 5; if it is 6, r3c8 (5 or 6) must be 5".

    Instead of the candidates, the reason why two cells see each other can follow: "if r1c1 is 4,
    r1c9 must be 5 (row 1)".
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


@claim(r"Any cell that sees two of them with different digits cannot be either digit\.")
def sees_two_different(context: Context) -> Iterator[str]:
    peers = peers_of(context.step.layout)
    ends = (set(context.cells[::2]), set(context.cells[1::2]))
    for cell, _ in context.eliminations:
        if any(peers[cell].isdisjoint(kind) for kind in ends):
            yield f"{context.step.layout.cell_name(cell)} does not see two of them"


@claim(r"Strong links on {value}: {text}\.")
def are_colors(context: Context, *, value: int, text: str) -> Iterator[str]:
    named = re.findall(r"all of ([A-D]) \(([^()]*)\)", text)
    context.colors = {name: context.step.names.cells(cells) for name, cells in named}
    context.value = value
    stated = re.findall(r"are (\S+?)[;.]", f"{text}.")
    if {*stated} != {context.step.names.symbols.values[value - 1]}:
        yield "the values differ"
    for one, other in (("A", "B"), ("C", "D")):
        if one in context.colors:
            yield from is_cluster(context, {*context.colors[one]}, {*context.colors[other]}, value)


def is_cluster(context: Context, one: set[int], other: set[int], value: int) -> Iterator[str]:
    """Complain unless strong links connect all cells, always between the two colors."""
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


@claim(r"So no cell of (?P<color>[A-D]) is {value}\.")
def has_no_cell(context: Context, *, color: str, value: int) -> Iterator[str]:
    for cell in context.colors.get(color, ()):
        if not context.implies([Fact(cell, value, is_true=False)]):
            yield f"{context.step.layout.cell_name(cell)} can have the value"


@claim(
    r"{cells} \({reason:text}\) cannot both be {value}, so the cells of (?P<one>[A-D]) or those of "
    r"(?P<other>[A-D]) are {value}\."
)
def one_color_is_true(
    context: Context, *, cells: Cells, reason: str, value: int, one: str, other: str
) -> Iterator[str]:
    yield from are_linked(context, cells, reason)
    for cell, end in product(context.colors.get(one, ()), context.colors.get(other, ())):
        if not context.implies([Fact(cell, value), Fact(end, value)]):
            yield "neither color must be true"


@claim(r"Any cell that sees cells of both (?P<one>[A-D]) and (?P<other>[A-D]) cannot be {value}\.")
def sees_both_colors(context: Context, *, one: str, other: str, value: int) -> Iterator[str]:
    peers = peers_of(context.step.layout)
    colors = [context.colors.get(name, ()) for name in (one, other)]
    if not any(
        removed == value and not any(peers[cell].isdisjoint(color) for color in colors)
        for cell, removed in context.eliminations
    ):
        yield "no eliminated cell sees both"


@claim(
    r"(?P<color>[A-D]) sees both (?P<one>[A-D]) and (?P<other>[A-D]): {first:cells} "
    r"\({reason:text}\), and {second:cells} \({why:text}\)\."
)
def color_sees_both(
    context: Context,
    *,
    color: str,
    one: str,
    other: str,
    first: Cells,
    reason: str,
    second: Cells,
    why: str,
) -> Iterator[str]:
    for cells, house, name in ((first, reason, one), (second, why, other)):
        yield from are_linked(context, cells, house)
        ends = set(context.colors.get(color, ())), set(context.colors.get(name, ()))
        if any(end.isdisjoint(cells) for end in ends):
            yield f"the cells don't belong to {color} and {name}"
