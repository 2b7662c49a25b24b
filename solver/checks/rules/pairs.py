"""Checks of rules that compare cells: dots, signs, thermometers and similar lines, and clones."""

from collections.abc import Sequence
from itertools import combinations, pairwise

from solver.checks.rules.filled import Check, Filled, all_differ, third_of


def _neighbors_differ(kinds: Sequence[int], length: int) -> bool:
    """Return whether each run of `length` consecutive items of `kinds` has no repeats.

    If there are fewer than `length` items, all of them must differ.
    """
    starts = range(max(len(kinds) - length, 0) + 1)
    return all(all_differ(kinds[start : start + length]) for start in starts)


def _modular(filled: Filled) -> bool:
    remainders = [number % filled.number for number in filled.numbers]
    return _neighbors_differ(remainders, filled.number)


def _entropic(filled: Filled) -> bool:
    thirds = [third_of(number, filled.layout.numbers) for number in filled.numbers]
    return _neighbors_differ(thirds, 3)


def _renban(filled: Filled) -> bool:
    numbers = filled.numbers
    return all_differ(numbers) and max(numbers) - min(numbers) == len(numbers) - 1


def _listed(filled: Filled) -> set[tuple[int, int]]:
    """Return the allowed pairs of numbers. The constraint's value is a flat list of them."""
    values = filled.values
    return {(values[place], values[place + 1]) for place in range(0, len(values), 2)}


def _clone(filled: Filled) -> bool:
    half = len(filled.numbers) // 2
    return filled.numbers[:half] == filled.numbers[half : 2 * half]


def _differ_by(filled: Filled, least: int) -> bool:
    return all(abs(here - there) >= least for here, there in pairwise(filled.numbers))


def _times(filled: Filled, factor: int) -> bool:
    """Return whether one of two numbers is `factor` times the other."""
    first, second = filled.numbers
    return first == factor * second or second == factor * first


def _gap(filled: Filled) -> int:
    first, second = filled.numbers
    return abs(first - second)


PAIR_CHECKS: dict[str, Check] = {
    "thermo": lambda filled: all(low < high for low, high in pairwise(filled.numbers)),
    "slowthermo": lambda filled: list(filled.numbers) == sorted(filled.numbers),
    "whisper": lambda filled: _differ_by(filled, filled.number),
    "dutchwhisper": lambda filled: _differ_by(filled, 4),
    "palindrome": lambda filled: filled.numbers == filled.numbers[::-1],
    "renban": _renban,
    "nabner": lambda filled: all(b - a > 1 for a, b in pairwise(sorted(filled.numbers))),
    "modular": _modular,
    "entropic": _entropic,
    "pairs": lambda filled: set(pairwise(filled.numbers)) <= _listed(filled),
    "allpairs": lambda filled: set(combinations(filled.numbers, 2)) <= _listed(filled),
    "white": lambda filled: _gap(filled) == 1,
    "black": lambda filled: _times(filled, 2),
    "x": lambda filled: sum(filled.numbers) == 10,
    "v": lambda filled: sum(filled.numbers) == 5,
    "greater": lambda filled: filled.numbers[0] > filled.numbers[1],
    "difference": lambda filled: _gap(filled) == filled.number,
    "ratio": lambda filled: _times(filled, filled.number),
    "minimum": lambda filled: filled.numbers[0] < min(filled.numbers[1:]),
    "maximum": lambda filled: filled.numbers[0] > max(filled.numbers[1:]),
    "clone": _clone,
}
