"""Checks of clues outside the grid; the numbers are in the order seen from the clue."""

from solver.checks.rules.filled import Check, Filled


def _sandwich(filled: Filled) -> bool:
    """Return whether the numbers between the crusts add up to the clue.

    The crusts are the least and the greatest number of the board; both must be in the line.
    """
    numbers = list(filled.numbers)
    least, greatest = filled.layout.numbers[0], filled.layout.numbers[-1]
    if least not in numbers or greatest not in numbers:
        return False
    begin, end = sorted((numbers.index(least), numbers.index(greatest)))
    return sum(numbers[begin + 1 : end]) == filled.number


def _x_sum(filled: Filled) -> bool:
    first = filled.numbers[0]
    return 0 <= first <= len(filled.numbers) and sum(filled.numbers[:first]) == filled.number


def _skyscraper(filled: Filled) -> bool:
    numbers = filled.numbers
    seen = [n for place, n in enumerate(numbers) if n > max(numbers[:place], default=0)]
    return sum(n > 0 for n in seen) == filled.number


def _hidden_skyscraper(filled: Filled) -> bool:
    numbers = filled.numbers
    hidden = [n for place, n in enumerate(numbers) if any(n < other for other in numbers[:place])]
    return hidden[:1] == [filled.number]


def _numbered_room(filled: Filled) -> bool:
    first = filled.numbers[0]
    return 0 < first <= len(filled.numbers) and filled.numbers[first - 1] == filled.number


OUTSIDE_CHECKS: dict[str, Check] = {
    "sandwich": _sandwich,
    "xsum": _x_sum,
    "skyscraper": _skyscraper,
    "hiddenskyscraper": _hidden_skyscraper,
    "numberedroom": _numbered_room,
}
