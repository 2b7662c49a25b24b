"""Why a cell of a sum cannot have a number: the other cells would need an impossible sum."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

from solver.logic.sentences.open_sums import OpenSum
from solver.logic.sentences.places import must_differ
from solver.logic.sentences.sum_bounds import computed, total_of
from solver.logic.sentences.wording import listed

_MOST_NEEDED = 4  # sets of numbers that the other cells would need
_MOST_OBSTACLES = 3  # such sets that are impossible for different reasons
_MOST_PARTNERS = 4  # candidates of a cell that decides which number another cell would need
_NONE = {1: "cannot", 2: "can be neither"}
_MOST_NUMBERS = 8  # of the other two cells that are listed


class Reason(NamedTuple):
    """Why a cell of a sum can't have some numbers: what would follow from any of them.

    Together they are the sentence "if r1c1 were `numbers`, `others` `conclusion`". `others` are the
    other cells, or "" if the conclusion has its own subject. `other_count` is their number.
    """

    numbers: str
    conclusion: str
    others: str = ""
    other_count: int = 0


def case_against(
    cell: int, numbers: Sequence[int], sets: Iterable[Sequence[int]], open_sum: OpenSum
) -> Reason | None:
    """Return why a cell of a sum can have none of `numbers`, or None if that takes too many words.

    `sets` are the possible sets of numbers for all cells of the sum, or empty if they aren't known.
    """
    others, factor = open_sum.others(cell), dict(open_sum.terms)[cell]
    rests = [open_sum.total - factor * number for number in numbers]
    if {each for _, each in others.terms} == {-1}:
        others = replace(others, terms=tuple((other, 1) for other in others.cells))
        rests = [-rest for rest in rests]
    values = listed(map(str, numbers), last="or")
    conclusion = None
    if len(others.terms) == 1:
        conclusion = _last_cell(others, rests) or _equal(cell, numbers, others, rests)
    elif open_sum.is_plain and len(others.terms) > 2:
        conclusion = _beyond(cell, numbers, open_sum)
    if conclusion is None and len(others.terms) > 1 and others.is_plain:
        needed = _needed(cell, numbers, sets, others, rests)
        need = _unobtainable(needed, others)
        conclusion = None if need else _unreachable(others, rests)
        need = need or ("" if conclusion else _missing_pair(cell, needed, others))
        if need:
            return Reason(values, need, others.words.cells(others.cells), len(others.terms))
    if conclusion is None and len(numbers) == 1:
        conclusion = _too_far(open_sum.with_value(cell, numbers[0])) or _last_of_two(
            cell, numbers[0], others, rests[0]
        )
    return Reason(values, conclusion) if conclusion else None


def _beyond(cell: int, numbers: Sequence[int], open_sum: OpenSum) -> str | None:
    """Return the reason that the cells of a plain sum can't add up to the total, or None.

    With any of the numbers in `cell`, their least sum is too large, or their greatest one too
    small.
    """
    grids = [open_sum.with_value(cell, number) for number in numbers]
    if not all(grid.words.numbers(one) for grid in grids for one in grid.cells):
        return None
    least, most = (
        sorted((grid.extreme_numbers(is_most=is_most) for grid in grids), key=total_of)
        for is_most in (False, True)
    )
    if total_of(least[0]) > open_sum.total:
        return f"these cells would sum to at least {computed(0, least[0])}"
    if total_of(most[-1]) < open_sum.total:
        return f"these cells would sum to at most {computed(0, most[-1])}"
    return None


def _too_far(open_sum: OpenSum) -> str | None:
    """Return the clause that the two sides of an equation can't be equal, or None if they can.

    The greatest sum of one side would be below the least sum of the other one.
    """
    if not all(map(open_sum.words.numbers, open_sum.cells)):
        return None
    sides = [(open_sum.side(sign), max(0, -sign * open_sum.total)) for sign in (1, -1)]
    if not all(side.terms for side, _ in sides):
        return None
    for (low, low_total), (high, high_total) in (sides, sides[::-1]):
        if low.extremes()[1] + low_total < high.extremes()[0] + high_total:
            most = computed(low_total, low.extreme_numbers(is_most=True))
            least = computed(high_total, high.extreme_numbers(is_most=False))
            return (
                f"{_side(low, low_total)} would be at most {most}, but {_side(high, high_total)} "
                f"at least {least}"
            )
    return None


def _side(side: OpenSum, total: int) -> str:
    """Return one side of an equation, such as "10 × r1c1 + r1c2". `total` is added if not 0."""
    name = side.words.layout.cell_name
    terms = [
        name(cell) if factor == 1 else f"{factor} × {name(cell)}"
        for cell, factor in sorted(side.terms)
    ]
    return (" + " if any("×" in term for term in terms) else "+").join(
        [*terms, *([str(total)] if total else [])]
    )


def added(numbers: Iterable[int]) -> str:
    """Return numbers as a sum, such as "1+5+8"."""
    return "+".join(map(str, numbers))


def _last_cell(others: OpenSum, rests: Sequence[int]) -> str | None:
    """Return the clause that the only other cell can't have any of the needed numbers, or None.

    `rests` are the values that it needs, including its factor. Returns None if it can have one of
    the numbers, or if a value isn't a multiple of the factor.
    """
    ((cell, factor),) = others.terms
    needed = [rest // factor for rest in rests if rest % factor == 0]
    if len(needed) < len(rests) or set(needed) & set(others.words.numbers(cell)):
        return None
    must = listed(map(str, needed), last="or")
    cannot = _NONE.get(len(needed), "cannot be any of these")
    return f"{others.words.cells([cell])} would have to be {must}, but it {cannot}"


def _last_of_two(cell: int, number: int, others: OpenSum, rest: int) -> str | None:
    """Return the reason that one of two other cells has no number, whatever the other one is.

    Returns None if it has one, or if both have many candidates.
    """
    if len(others.terms) != 2:
        return None
    for (last, factor), (first, other_factor) in (others.terms, others.terms[::-1]):
        is_seen = must_differ(others.words.layout, cell, first)
        own = [one for one in others.words.numbers(first) if not (is_seen and one == number)]
        left = [rest - other_factor * one for one in own]
        needed = [one // factor for one in left]
        if 0 < len(own) <= _MOST_PARTNERS and not (
            any(one % factor for one in left) or {*needed} & {*others.words.numbers(last)}
        ):
            must = listed([str(one).replace("-", "−") for one in needed], last="or")
            cannot = _NONE.get(len(needed), "cannot be any of these")
            name = others.words.layout.cell_name
            return (
                f"{name(last)} would have to be {must}, because {name(first)} is "
                f"{listed(map(str, own), last='or')}, but it {cannot}"
            )
    return None


def _equal(cell: int, numbers: Sequence[int], others: OpenSum, rests: Sequence[int]) -> str | None:
    """Return the clause that the only other cell needs the same number, but sees `cell`, or None.

    `numbers` are those of `cell`, and `rests` are the values that the other cell needs, including
    its factor.
    """
    ((other, factor),) = others.terms
    needed = [rest / factor for rest in rests]
    if needed != [*numbers] or not must_differ(others.words.layout, cell, other):
        return None
    must = listed(map(str, numbers), last="or")
    return f"{others.words.cells([other])} would have to be {must}, but they see each other"


def _needed(
    cell: int,
    numbers: Sequence[int],
    sets: Iterable[Sequence[int]],
    others: OpenSum,
    rests: Sequence[int],
) -> list[tuple[int, ...]]:
    """Return the numbers that the other cells would need if `cell` had one of `numbers`.

    Each item of the result is a possible set of numbers for the other cells together, as a tuple.
    The result is [] if there is none, or if the sets can't be listed. `sets` are the possible sets
    for all cells of the sum, including `cell`. If they are empty, the sets are only listed for two
    other cells. `rests` are the sums that the other cells must have, one for each of `numbers`.
    """
    if sets:
        return [_without(one, number) for number in numbers for one in sets if number in one]
    if len(others.terms) != 2:
        return []
    layout = others.words.layout
    differ = must_differ(layout, *others.cells)
    is_used_up = all(must_differ(layout, cell, other) for other in others.cells)
    return [
        pair
        for number, rest in zip(numbers, rests, strict=True)
        for pair in combinations_with_replacement(layout.numbers, 2)
        if sum(pair) == rest
        and not (differ and len({*pair}) == 1)
        and not (is_used_up and number in pair)
    ]


def _without(numbers: Sequence[int], number: int) -> tuple[int, ...]:
    left = list(numbers)
    left.remove(number)
    return tuple(left)


def _unobtainable(needed: Iterable[tuple[int, ...]], others: OpenSum) -> str | None:
    """Return why the other cells can have none of the needed sets of numbers.

    Sets with the same obstacle are listed together. Returns None if the cells can have one of the
    sets, or if the reason takes too many words.
    """
    sets = list(dict.fromkeys(needed))
    if not 0 < len(sets) <= _MOST_NEEDED:
        return None
    missing = _missing(sets, others)
    by_obstacle: dict[str | None, list[str]] = {}
    for numbers in sets:
        by_obstacle.setdefault(missing or _obstacle(numbers, others), []).append(added(numbers))
    if None in by_obstacle or len(by_obstacle) > _MOST_OBSTACLES:
        return None
    if len(by_obstacle) == 1:
        ((obstacle, needs),) = by_obstacle.items()
        return f"would need {listed(needs, last='or')}, but {obstacle}"
    each = [
        f"{listed(needs, last='or')} (but {obstacle})" for obstacle, needs in by_obstacle.items()
    ]
    are_single = all(len(needs) == 1 for needs in by_obstacle.values())
    return f"would need {listed(each, last='or') if are_single else ', or '.join(each)}"


def _missing(needed: Iterable[Sequence[int]], others: OpenSum) -> str | None:
    """Return the clause that each needed set has a number that none of `others` can be, or None.

    For example, "neither can be 3 or 8". It names few of these numbers, at least one of each set.
    """
    possible = {number for cell in others.cells for number in others.words.numbers(cell)}
    left = [[number for number in one if number not in possible] for one in needed]
    chosen: list[int] = []
    while left:
        counts = [number for numbers in left for number in numbers]
        if [] in left:
            return None
        best = max(counts, key=counts.count)
        chosen.append(best)
        left = [numbers for numbers in left if best not in numbers]
    neither = "neither" if len(others.terms) == 2 else "none"
    return f"{neither} can be {listed(map(str, sorted(chosen)), last='or')}"


def _obstacle(needed: Sequence[int], others: OpenSum) -> str | None:
    """Return a simple reason why the cells of `others` cannot share out the numbers `needed`.

    Returns None if there is no simple reason.
    """
    name = others.words.layout.cell_name
    own = {cell: {*others.words.numbers(cell)} & {*needed} for cell in others.cells}
    for cell, numbers in own.items():
        if not numbers:
            return f"{name(cell)} cannot be any of these"
    absent = sorted({*needed}.difference(*own.values()))
    if absent and len(own) == 2:
        return f"neither can be {absent[0]}"
    for pair in combinations(needed, 2):
        places = [cell for cell, numbers in own.items() if numbers & {*pair}]
        if len(places) < 2:
            one, other = pair
            if one == other:
                return f"only {name(places[0])} can be {one}"
            return f"{one} and {other} fit only in {name(places[0])}"
    for first, second in combinations(own, 2):
        numbers = own[first] | own[second]
        if len(numbers) == 1 and needed.count(*numbers) == 1:
            return f"{name(first)} and {name(second)} could both only be {min(numbers)}"
    return None


def _missing_pair(cell: int, needed: Sequence[object], others: OpenSum) -> str | None:
    """Return the clause that no two other digits have the needed sum, or None if some have.

    `needed` are the pairs that have it. Returns None also if there aren't two other cells, or if
    not all three see each other.
    """
    layout, cells = others.words.layout, others.cells
    pairs = combinations((cell, *cells), 2)
    if needed or len(cells) != 2 or not all(must_differ(layout, *pair) for pair in pairs):
        return None
    return "would need two other numbers with that sum, but none have it"


def _unreachable(others: OpenSum, rests: Sequence[int]) -> str | None:
    """Return the clause that the two other cells can't have the needed sums, or None.

    `rests` are these sums. Returns None if they can have one, if there aren't two other cells, or
    if the text would be long.
    """
    if len(others.terms) != 2:
        return None
    first, second = ([*others.words.numbers(cell)] for cell in others.cells)
    differ = must_differ(others.words.layout, *others.cells)
    sums = {one + other for one in first for other in second if not (differ and one == other)}
    if len(first) + len(second) > _MOST_NUMBERS or sums & set(rests):
        return None
    one, other = map(others.words.layout.cell_name, others.cells)
    return (
        f"{one} and {other} would sum to {listed(map(str, dict.fromkeys(rests)), last='or')}, but "
        f"{one} can only be {listed(map(str, first), last='or')} and {other} only "
        f"{listed(map(str, second), last='or')}"
    )
