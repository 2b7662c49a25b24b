"""Constraints between two cells at a time: dots, signs, and lines whose neighbours are bound."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from math import isqrt

from solver.constraints.constraint import Cells, Part, Rule
from solver.layout import Relation

Allows = Callable[[int, int, int], bool]  # of two values and the constraint's number
Pairs = Callable[[Sequence[int]], Iterable[tuple[int, int]]]


def _everyone(cells: Sequence[int]) -> Iterator[tuple[int, int]]:
    return combinations(cells, 2)


def _within_three(cells: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Return the pairs that stand together in some three neighbours of a line."""
    yield from pairwise(cells)
    yield from zip(cells, cells[2:], strict=False)


def _mirrored(cells: Sequence[int]) -> Iterator[tuple[int, int]]:
    return zip(cells[: len(cells) // 2], reversed(cells), strict=False)


def _halves(cells: Sequence[int]) -> Iterator[tuple[int, int]]:
    half = len(cells) // 2
    return zip(cells[:half], cells[half:], strict=False)


def _side_by_side(cells: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Return the neighbours in a row or a column, of all cells of a grid in reading order."""
    size = isqrt(len(cells))
    for row in range(size):
        yield from pairwise(cells[row * size : (row + 1) * size])
        yield from pairwise(cells[row::size])


def _first_with_rest(cells: Sequence[int]) -> Iterator[tuple[int, int]]:
    return ((cells[0], other) for other in cells[1:])


def _bound(
    name: str,
    description: str,
    example: str,
    allows: Allows,
    pairs: Pairs = pairwise,
    *,
    most: int = 64 * 64,
    value: str | None = None,
) -> Rule:
    """Return the rule that binds pairs of its cells."""

    def parts(cells: Cells, number: int, size: int) -> tuple[Part, ...]:
        values = range(1, size + 1)
        forth = tuple(sum(1 << b - 1 for b in values if allows(a, b, number)) for a in values)
        back = tuple(sum(1 << a - 1 for a in values if allows(a, b, number)) for b in values)
        return tuple(
            relation
            for one, other in pairs(cells)
            for relation in (Relation(one, other, forth), Relation(other, one, back))
        )

    def holds(values: Sequence[int], number: int) -> bool:
        return all(allows(a, b, number) for a, b in pairs(values))

    return Rule(name, description, example, parts, holds, most=most, value=value)


def _line(name: str, more: str = "") -> str:
    return f'{{"type": "{name}", "cells": ["r1c1", "r1c2", "r2c3"]{more}}}'


def _dot(name: str, more: str = "") -> str:
    return f'{{"type": "{name}", "cells": ["r1c1", "r1c2"]{more}}}'


def _renban() -> Rule:
    """Return the rule of renban lines, whose span depends on how many cells there are."""

    def parts(cells: Cells, number: int, size: int) -> tuple[Part, ...]:
        del number
        span = _bound("", "", "", lambda a, b, _: 0 < abs(a - b) < len(cells), _everyone)
        return span.parts(cells, 0, size)

    def holds(values: Sequence[int], number: int) -> bool:
        del number
        return sorted(values) == list(range(min(values), min(values) + len(values)))

    description = "The line holds neighbouring values in any order, none twice."
    return Rule("renban", description, _line("renban"), parts, holds)


# Of whole grids; a variant.
NONCONSECUTIVE = _bound(
    "nonconsecutive",
    "Neighbours in a row or a column do not differ by 1.",
    '{"type": "nonconsecutive"}',
    lambda a, b, _: abs(a - b) != 1,
    _side_by_side,
)

PAIR_RULES = (
    _bound(
        "thermo", "Values rise from the bulb on.", _line("thermo"), lambda a, b, _: a < b, _everyone
    ),
    _bound(
        "slowthermo",
        "Values rise or stay from the bulb on.",
        _line("slowthermo"),
        lambda a, b, _: a <= b,
        _everyone,
    ),
    _bound(
        "whisper",
        "Neighbours on the line differ by 5 or more (German).",
        _line("whisper"),
        lambda a, b, _: abs(a - b) >= 5,
    ),
    _bound(
        "dutchwhisper",
        "Neighbours on the line differ by 4 or more.",
        _line("dutchwhisper"),
        lambda a, b, _: abs(a - b) >= 4,
    ),
    _bound(
        "palindrome",
        "The line reads the same from both ends.",
        _line("palindrome"),
        lambda a, b, _: a == b,
        _mirrored,
    ),
    _renban(),
    _bound(
        "nabner",
        "No two values on the line are equal or neighbours.",
        _line("nabner"),
        lambda a, b, _: abs(a - b) >= 2,
        _everyone,
    ),
    _bound(
        "modular",
        "Three neighbours on the line have three remainders by 3.",
        _line("modular"),
        lambda a, b, _: a % 3 != b % 3,
        _within_three,
    ),
    _bound(
        "entropic",
        "Three neighbours on the line are a low, a middle and a high one (1-3, 4-6, 7-9).",
        _line("entropic"),
        lambda a, b, _: (a - 1) // 3 != (b - 1) // 3,
        _within_three,
    ),
    _bound("white", "The two differ by 1.", _dot("white"), lambda a, b, _: abs(a - b) == 1, most=2),
    _bound(
        "black",
        "One of the two is twice the other.",
        _dot("black"),
        lambda a, b, _: a == 2 * b or b == 2 * a,
        most=2,
    ),
    _bound("x", "The two add up to 10.", _dot("x"), lambda a, b, _: a + b == 10, most=2),
    _bound("v", "The two add up to 5.", _dot("v"), lambda a, b, _: a + b == 5, most=2),
    _bound(
        "greater", "The first is the greater one.", _dot("greater"), lambda a, b, _: a > b, most=2
    ),
    _bound(
        "difference",
        "The two differ by the number.",
        _dot("difference", ', "value": 2'),
        lambda a, b, number: abs(a - b) == number,
        most=2,
        value="value",
    ),
    _bound(
        "ratio",
        "One of the two is so many times the other.",
        _dot("ratio", ', "value": 3'),
        lambda a, b, number: a == number * b or b == number * a,
        most=2,
        value="value",
    ),
    _bound(
        "minimum",
        "The first is less than each of the others.",
        _line("minimum"),
        lambda a, b, _: a < b,
        _first_with_rest,
    ),
    _bound(
        "maximum",
        "The first is greater than each of the others.",
        _line("maximum"),
        lambda a, b, _: a > b,
        _first_with_rest,
    ),
    _bound(
        "clone",
        "The second half of the cells repeats the first.",
        '{"type": "clone", "cells": ["r1c1", "r1c2", "r5c5", "r5c6"]}',
        lambda a, b, _: a == b,
        _halves,
    ),
)
