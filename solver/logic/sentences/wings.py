"""Sentences about wings, remote pairs, and single-digit patterns such as skyscrapers."""

from collections.abc import Sequence
from itertools import combinations

from solver.logic.deduction import Deduction, Node
from solver.logic.sentences.chains import chain_text
from solver.logic.sentences.links import common_houses, see_each_other, seen_through
from solver.logic.sentences.places import located
from solver.logic.sentences.wording import Sentence, Wording, paragraph

_XYZ_WING = "0801"


def _one_is(cells: Sequence[int], value: str, words: Wording) -> str:
    """Return the clause that one of the cells has a value, such as "r1c2 or r3c4 is 5"."""
    return f"{words.cells(sorted(cells), last='or')} is {value}"


def _two_places(deduction: Deduction, cells: Sequence[int], words: Wording) -> str:
    """Return the clause that the value has two places in each of the first two base houses.

    For example, "in row 1, 5 is in r1c2 or r1c8; in row 4, in r4c2 or r4c7". The places are among
    `cells`.
    """
    houses = deduction.base[:2]
    first, second = (
        words.cells((c for c in sorted(cells) if c in words.layout.houses[house].cells), last="or")
        for house in houses
    )
    one, other = (located(words.house(house)) for house in houses)
    return f"{one}, {words.value(deduction.values[0])} is in {first}; {other}, in {second}"


def _skyscraper(deduction: Deduction, words: Wording) -> str:
    one, other, near, far = deduction.cells
    value = words.value(deduction.values[0])
    return paragraph(
        _two_places(deduction, deduction.cells, words),
        f"{words.cells(sorted((near, far)))} cannot both be {value} "
        f"({seen_through(words.layout, [near], [far])}), so {_one_is((one, other), value, words)}",
        words.outcome_in_sight(deduction, 2),
    )


def _kite(deduction: Deduction, words: Wording) -> str:
    value = words.value(deduction.values[0])
    near, far = (cell for cell, _ in deduction.fins[:2])
    box = words.house(
        next(
            house
            for house in common_houses(words.layout, (near, far))
            if house not in deduction.base
        )
    )
    return paragraph(
        _two_places(deduction, (*deduction.cells[:2], near, far), words),
        f"{words.cells(sorted((near, far)))} cannot both be {value} ({box}), so "
        f"{_one_is(deduction.cells[:2], value, words)}",
        words.outcome_in_sight(deduction, 2),
    )


def _empty_rectangle(deduction: Deduction, words: Wording) -> str:
    near, far = deduction.cells[:2]
    ((cell, value),) = deduction.eliminations
    houses = words.layout.houses
    line = {
        place
        for house in common_houses(words.layout, [near])
        if houses[house].kind in ("row", "column")
        for place in houses[house].cells
    }
    places = sorted({place for place, _ in deduction.fins})
    lost = [place for place in places if place in line]
    kept = [place for place in places if place not in line]
    through_box = (
        Node(value, (near,)),
        Node(value, tuple(lost), "weak"),
        Node(value, tuple(kept), "strong"),
        Node(value, (cell,), "weak"),
    )
    return paragraph(
        f"{located(seen_through(words.layout, [near], [far]) or '')}, {words.value(value)} is in "
        f"{words.cells(sorted((near, far)), last='or')}",
        chain_text(through_box, words),
        chain_text((Node(value, (far,)), Node(value, (cell,), "weak")), words),
        words.outcome(deduction, is_either_way=True),
    )


def _w_wing(deduction: Deduction, words: Wording) -> str:
    value, linked = map(words.value, deduction.values[:2])
    one, near, far, other = (cell for cell, _ in deduction.fins)
    ways = [
        f"if {words.cells([cell])} is {linked}, {words.cells([end])} must be {value} "
        f"({seen_through(words.layout, [cell], [end])})"
        for cell, end in sorted(((near, one), (far, other)))
    ]
    return paragraph(
        f"{words.cells(sorted(deduction.cells))} can each only be "
        f"{words.values(sorted(deduction.values[:2]), last='or')}",
        f"{located(words.house(deduction.base[0]))}, only {words.cells(sorted((near, far)))} can "
        f"be {linked}",
        "; ".join(ways),
        f"so {_one_is(deduction.cells, value, words)}",
        words.outcome_in_sight(deduction, len(deduction.cells)),
    )


def _wing(deduction: Deduction, words: Wording) -> str:
    hinge, *pincers = deduction.cells
    gone = deduction.eliminations[0].value
    value, pivot = words.value(gone), words.cells([hinge])
    ways = [
        f"if it is {words.value(other)}, {words.cells([pincer])} "
        f"({words.values(sorted((gone, other)), last='or')}) must be {value}"
        for other in sorted(deduction.values)
        for pincer in pincers
        if other != gone and words.can_be(pincer, other) and words.can_be(hinge, other)
    ]
    values = [other for other in sorted(deduction.values) if words.can_be(hinge, other)]
    ends = deduction.cells if deduction.code == _XYZ_WING else pincers
    return paragraph(
        f"{pivot} is {words.values(values, last='or')}",
        "; ".join(ways),
        f"so {_one_is(ends, value, words)}",
        words.outcome_in_sight(deduction, len(ends)),
    )


def _remote_pair(deduction: Deduction, words: Wording) -> str:
    (chain,) = deduction.chains
    cells = list(dict.fromkeys(cell for node in chain for cell in node.cells))
    values = sorted(deduction.values)
    one, other = map(words.value, values)
    first, *more = dict.fromkeys(
        _differing_pair(cells, cell, words) for cell, _ in deduction.eliminations
    )
    return paragraph(
        f"{words.cells(cells)} can only be {words.values(values, last='or')}, and each sees the "
        f"next, so {words.values(values)} alternate along them",
        f"so one of {words.cells(first)} is {one} and the other is {other}; any cell that "
        f"sees both can be neither {one} nor {other}",
        *(f"the same is true of {words.cells(pair)}" for pair in more),
        words.outcome(deduction),
    )


def _differing_pair(cells: Sequence[int], seeing: int, words: Wording) -> tuple[int, int]:
    """Return two cells of a remote pair that have different values and both see the cell `seeing`.

    `cells` are all cells of the remote pair in order. Of several such pairs, it is the one whose
    cells are farthest apart in this order.
    """
    pairs = combinations(range(len(cells)), 2)
    one, other = max(
        (
            pair
            for pair in pairs
            if (pair[1] - pair[0]) % 2
            and see_each_other(words.layout, [seeing], [cells[number] for number in pair])
        ),
        key=lambda pair: pair[1] - pair[0],
    )
    return cells[one], cells[other]


WINGS: dict[str, Sentence] = {
    "0400": _skyscraper,
    "0401": _kite,
    "0402": _empty_rectangle,
    "0703": _remote_pair,
    "0800": _wing,
    "0801": _wing,
    "0803": _w_wing,
}
