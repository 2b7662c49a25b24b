"""Bounds of the cells of a sum, with the numbers of the other cells that they follow from."""

from collections.abc import Sequence

from solver.logic.sentences.open_sums import OpenSum

_MOST_NUMBERS = 8  # in the computation of a bound

Factored = Sequence[tuple[int, int]]  # numbers with their factors


def subject(cell: int, open_sum: OpenSum) -> str:
    """Return the factor of a cell, to be followed by its name, such as "2 × ", or "" for 1.

    The sign of the factor is left out.
    """
    factor = abs(dict(open_sum.terms)[cell])
    return "" if factor == 1 else f"{factor} × "


def bound_of(cell: int, open_sum: OpenSum, *, is_low: bool) -> str:
    """Return the lower or upper bound of a cell with its computation, such as "20−9−8 = 3".

    With `is_low`, it is the lower bound. For a cell with a factor, this is a bound of the value
    times the factor without its sign. After the total come extreme numbers of the other cells. For
    a lower bound, the greatest ones are subtracted and the least ones are added. For an upper
    bound, it is the other way round.
    """
    factor, others = dict(open_sum.terms)[cell], open_sum.others(cell)
    sign = 1 if factor > 0 else -1
    added = others.side(-sign).extreme_numbers(is_most=not is_low)
    subtracted = others.side(sign).extreme_numbers(is_most=is_low)
    return computed(sign * open_sum.total, added, subtracted)


def computed(total: int, added: Factored, subtracted: Factored = ()) -> str:
    """Return `total` plus and minus some numbers as a computation, such as "12+1−9 = 4".

    Both sequences have numbers with factors. They are replaced by their totals if there are many,
    and a computation without any operation is only its result.
    """
    result = total + total_of(added) - total_of(subtracted)
    plus, minus = ([*map(_multiple, own)] for own in (added, subtracted))
    if len(plus) + len(minus) > _MOST_NUMBERS:
        plus, minus = ([str(total_of(own))] if own else [] for own in (added, subtracted))
    if total > 0:
        plus.insert(0, str(total))
    elif total < 0:
        minus.insert(0, str(-total))
    text = "−".join(["+".join(plus) or "0", *minus])
    return str(result) if text == str(result) else f"{text} = {result}"


def total_of(numbers: Factored) -> int:
    """Return the sum of numbers, each multiplied by its factor."""
    return sum(number * factor for number, factor in numbers)


def _multiple(one: tuple[int, int]) -> str:
    number, factor = one
    return str(number) if factor == 1 else f"{factor}×{number}"
