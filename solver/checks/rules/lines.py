"""Checks of between and lockout lines, of lines cut into equal sums, and of index lines."""

from collections.abc import Sequence
from itertools import accumulate

from solver.checks.rules.filled import Check, Filled


def _between(filled: Filled) -> bool:
    first, *inner, last = filled.numbers
    low, high = min(first, last), max(first, last)
    return all(low < number < high for number in inner)


def _lockout(filled: Filled) -> bool:
    first, *inner, last = filled.numbers
    low, high = min(first, last), max(first, last)
    apart = high - low >= filled.number
    return apart and all(number < low or number > high for number in inner)


def _falls_into_pieces(numbers: Sequence[int], total: int) -> bool:
    """Return whether the numbers fall into consecutive segments that each add up to `total`."""
    ends = set(accumulate(numbers, initial=0))
    whole = sum(numbers)
    return whole % total == 0 and set(range(0, whole + 1, total)) <= ends


def _sum_loop(filled: Filled) -> bool:
    numbers = list(filled.numbers)
    turned = [numbers[start:] + numbers[:start] for start in range(len(numbers))]
    return sum(numbers) > 0 and any(_falls_into_pieces(line, filled.number) for line in turned)


def _index_line(filled: Filled) -> bool:
    wanted, distance, *others = filled.numbers
    return 0 < distance <= len(others) and others[distance - 1] == wanted


LINE_CHECKS: dict[str, Check] = {
    "between": _between,
    "lockout": _lockout,
    "sumline": lambda filled: _falls_into_pieces(filled.numbers, filled.number),
    "sumloop": _sum_loop,
    "indexline": _index_line,
}
