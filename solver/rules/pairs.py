"""Constraints on pairs of cells: dots, signs, extremes, clones, and lines that relate cells."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations, islice, pairwise
from operator import eq

from solver.board.budget import charge
from solver.board.layout import Layout
from solver.board.primitive_constraints import Combination, Part
from solver.rules.relations import Allows, relate
from solver.rules.rule import Constraint, Rule, Value, all_differ, fault_in
from solver.rules.wording import Wording, thirds

_MOST_PAIRS = 1_000_000  # of cells, over all constraints of a rule

Pairs = Callable[[Sequence[int]], Iterable[tuple[int, int]]]


def _everyone(cells: Sequence[int]) -> Iterator[tuple[int, int]]:
    return combinations(cells, 2)


def _within_three(cells: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of cells that are at most two places apart on a line."""
    return _within(cells, 3)


def _within(cells: Sequence[int], reach: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs of cells that are less than `reach` places apart on a line."""
    for distance in range(1, min(reach, len(cells))):
        yield from zip(cells, cells[distance:], strict=False)


def _mirrored(cells: Sequence[int]) -> Iterator[tuple[int, int]]:
    return zip(cells[: len(cells) // 2], reversed(cells), strict=False)


def _halves(cells: Sequence[int]) -> Iterator[tuple[int, int]]:
    half = len(cells) // 2
    return zip(cells[:half], cells[half:], strict=True)


def _first_with_rest(cells: Sequence[int]) -> Iterator[tuple[int, int]]:
    return ((cells[0], other) for other in cells[1:])


def _bound(
    name: str,
    wording: Wording,
    example: str,
    allows: Allows,
    pairs: Pairs = pairwise,
    *,
    most: int = 64 * 64,
    value: str | None = None,
    usual: int | None = None,
    halves: bool = False,
) -> Rule:
    """Return a rule that relates pairs of its cells.

    `pairs` returns the pairs of a constraint's cells, and allows(first number, second number,
    parameter) whether their numbers are valid. `example` is a constraint as JSON. `most` is the
    largest number of cells. If it is above 2, a cell can occur repeatedly, but not twice in a row.
    `value` is the JSON key of the parameter, and `usual` its default. With `halves`, the number of
    cells must be even.
    """

    def parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
        return together([constraint], layout)

    def together(constraints: Sequence[Constraint], layout: Layout) -> tuple[Part, ...] | str:
        bound: dict[Value, list[tuple[int, int]]] = {}
        for constraint in constraints:
            cells = constraint.cells
            if any(map(eq, cells, cells[1:])):
                twice = next(one for one, other in pairwise(cells) if one == other)
                fault = f"lists {layout.cell_name(twice)} twice in a row; list it once"
                return fault_in(constraint, fault, layout)
            if halves and len(cells) % 2:
                return fault_in(
                    constraint, f"needs an even number of cells, not {len(cells)}", layout
                )
            few = _few(name, pairs(cells), there=sum(map(len, bound.values())))
            if isinstance(few, str):
                return few
            bound.setdefault(constraint.value, []).extend(few)
        related = [relate(own, allows, value, layout) for value, own in bound.items()]
        return related[0] if len(related) == 1 else tuple(chain(*related))

    return Rule(
        name, wording, example, parts, most=most, value=value, usual=usual, repeats=most > 2,
        together=together,
    )  # fmt: skip


def _few(
    name: str, pairs: Iterable[tuple[int, int]], *, there: int = 0
) -> tuple[tuple[int, int], ...] | str:
    """Return a constraint's pairs of cells as a tuple, or an error message if there are too many.

    `there` is the number of pairs of earlier constraints of the rule, which count toward the limit.
    `name` is the name of the rule, for the message.
    """
    few = tuple(islice(pairs, _MOST_PAIRS - there + 1))
    charge(len(few))
    if there + len(few) > _MOST_PAIRS:
        return (
            f"The constraints of type {name!r} compare more than {_MOST_PAIRS:,} pairs of cells, "
            "the limit. Use fewer or shorter ones."
        )
    return few


def _line(name: str, more: str = "") -> str:
    return f'{{"type": "{name}", "cells": ["r2c2", "r2c3", "r3c4", "r4c4"]{more}}}'


def _cross(name: str) -> str:
    return f'{{"type": "{name}", "cells": ["r3c3", "r2c3", "r3c2", "r3c4", "r4c3"]}}'


def _dot(name: str, more: str = "") -> str:
    return f'{{"type": "{name}", "cells": ["r2c2", "r2c3"]{more}}}'


def _renban_parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...]:
    span = len(constraint.cells)
    neighbors = (1 << span) - 1
    sets = tuple(neighbors << least for least in range(layout.size - span + 1))
    differ = all_differ(constraint.cells, "renban", layout)
    return (differ, Combination(constraint.cells, sets))


def _differ_modulo(a: int, b: int, modulus: int) -> bool:
    return a % modulus != b % modulus


def _modular_parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
    modulus = constraint.number
    if modulus < 1:
        return fault_in(constraint, f"needs a 'modulus' of 1 or more, not {modulus}", layout)
    pairs = _few("modular", _within(constraint.cells, modulus))
    return pairs if isinstance(pairs, str) else relate(pairs, _differ_modulo, modulus, layout)


def _differ_in_third(a: int, b: int, numbers: range) -> bool:
    """Return whether one number is in another third of the numbers: low, middle, or high."""
    return third(a, numbers) != third(b, numbers)


def _entropic_parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...]:
    return relate(_within_three(constraint.cells), _differ_in_third, layout.numbers, layout)


def _is_listed(a: int, b: int, listed: frozenset[tuple[int, int]]) -> bool:
    return (a, b) in listed


def _listed(name: str, wording: Wording, pairs: Pairs) -> Rule:
    """Return a rule whose parameter lists the allowed pairs of numbers one after another.

    For example, [1, 2, 2, 4] allows (1, 2) and (2, 4). `pairs` returns the pairs of a constraint's
    cells that must hold them.
    """

    def parts(constraint: Constraint, layout: Layout) -> tuple[Part, ...] | str:
        numbers = constraint.values
        if len(numbers) % 2:
            fault = "needs pairs of numbers as 'values', such as [1, 2, 2, 4]"
            return fault_in(constraint, f"{fault}, not an odd count ({len(numbers)})", layout)
        allowed = frozenset(zip(numbers[::2], numbers[1::2], strict=True))
        few = _few(name, pairs(constraint.cells))
        return few if isinstance(few, str) else relate(few, _is_listed, allowed, layout)

    example = (
        f'{{"type": "{name}", "cells": ["r2c2", "r2c3", "r3c4"], "values": [1, 2, 2, 4, 1, 4]}}'
    )
    return Rule(name, wording, example, parts, value="values", many=True, repeats=True)


def third(number: int, numbers: range) -> int:
    """Return 0, 1, or 2 if a number is low, in the middle, or high among the board's `numbers`.

    See `solver.rules.wording.thirds` for boards whose number of values isn't a multiple of 3.
    """
    low, _, high = thirds(numbers)
    return 0 if number in low else 2 if number in high else 1


PAIR_RULES = (
    _bound(
        "thermo",
        Wording(
            "Thermometer",
            "Digits strictly increase from the bulb to the tip.",
            other_names=("Thermo",),
        ),
        _line("thermo"),
        lambda a, b, _: a < b,
        _everyone,
    ),
    _bound(
        "slowthermo",
        Wording(
            "Slow thermometer",
            "Digits increase or stay the same from the bulb to the tip.",
            other_names=("Slow thermo",),
        ),
        _line("slowthermo"),
        lambda a, b, _: a <= b,
        _everyone,
    ),
    _bound(
        "whisper",
        Wording(
            "German whispers",
            "Adjacent digits on the line differ by at least {value}.",
            parameter="N (5 unless stated)",
            other_names=("Whispers line",),
        ),
        _line("whisper"),
        lambda a, b, number: abs(a - b) >= number,
        value="value",
        usual=5,
    ),
    _bound(
        "dutchwhisper",
        Wording("Dutch whispers", "Adjacent digits on the line differ by at least 4."),
        _line("dutchwhisper"),
        lambda a, b, _: abs(a - b) >= 4,
    ),
    _bound(
        "palindrome",
        Wording("Palindrome", "The line reads the same in both directions."),
        _line("palindrome"),
        lambda a, b, _: a == b,
        _mirrored,
    ),
    Rule(
        "renban",
        Wording(
            "Renban",
            "The line contains a set of consecutive, non-repeating digits in any order.",
            other_names=("Renban line",),
        ),
        _line("renban"),
        _renban_parts,
    ),
    _bound(
        "nabner",
        Wording(
            "Nabner",
            "No two digits on the line are equal or consecutive.",
            other_names=("Nabner line",),
        ),
        _line("nabner"),
        lambda a, b, _: abs(a - b) >= 2,
        _everyone,
    ),
    Rule(
        "modular",
        Wording(
            "Modular line",
            "Any {number} adjacent digits on the line have different "
            "remainders when divided by {value}.",
            parameter="N (3 unless stated)",
        ),
        _line("modular"),
        _modular_parts,
        value="modulus",
        usual=3,
        repeats=True,
    ),
    Rule(
        "entropic",
        Wording(
            "Entropic line",
            "Any three adjacent digits on the line are a low, a middle, and a "
            "high digit ({thirds}).",
            other_names=("Entropy line",),
        ),
        _line("entropic"),
        _entropic_parts,
        repeats=True,
    ),
    _listed(
        "pairs",
        Wording(
            "Adjacent pairs",
            "Adjacent digits, read along the line, form {pairs}.",
            parameter="one of the listed pairs",
            other_names=("Pair line",),
            note="The list contains the two digits of the first pair, then those of "
            "the second pair, and so on.",
        ),
        pairwise,
    ),
    _listed(
        "allpairs",
        Wording(
            "All pairs",
            "Any two digits of the group, in the order of its cells, form {pairs}.",
            parameter="one of the listed pairs",
            note="The list contains the two digits of the first pair, then those of "
            "the second pair, and so on.",
        ),
        _everyone,
    ),
    _bound(
        "white",
        Wording("Kropki white dot", "The two digits are consecutive.", other_names=("White dot",)),
        _dot("white"),
        lambda a, b, _: abs(a - b) == 1,
        most=2,
    ),
    _bound(
        "black",
        Wording(
            "Kropki black dot",
            "One of the two digits is twice the other.",
            other_names=("Black dot",),
        ),
        _dot("black"),
        lambda a, b, _: a == 2 * b or b == 2 * a,
        most=2,
    ),
    _bound(
        "x",
        Wording("X", "The two digits sum to 10."),
        _dot("x"),
        lambda a, b, _: a + b == 10,
        most=2,
    ),
    _bound(
        "v", Wording("V", "The two digits sum to 5."), _dot("v"), lambda a, b, _: a + b == 5, most=2
    ),
    _bound(
        "greater",
        Wording(
            "Greater than",
            "The sign points to the smaller of the two digits.",
            other_names=("Inequality",),
            note="The first cell contains the greater digit.",
        ),
        _dot("greater"),
        lambda a, b, _: a > b,
        most=2,
    ),
    _bound(
        "difference",
        Wording("Difference dot", "The two digits differ by {value}.", parameter="N"),
        _dot("difference", ', "value": 2'),
        lambda a, b, number: abs(a - b) == number,
        most=2,
        value="value",
    ),
    _bound(
        "ratio",
        Wording("Ratio dot", "One of the two digits is {value} times the other.", parameter="N"),
        _dot("ratio", ', "value": 3'),
        lambda a, b, number: a == number * b or b == number * a,
        most=2,
        value="value",
    ),
    _bound(
        "minimum",
        Wording(
            "Minimum",
            "The digit in the shaded cell is smaller than each digit that a sign compares with it.",
            note="The first cell is the shaded one.",
        ),
        _cross("minimum"),
        lambda a, b, _: a < b,
        _first_with_rest,
    ),
    _bound(
        "maximum",
        Wording(
            "Maximum",
            "The digit in the shaded cell is greater than each digit that a sign compares with it.",
            note="The first cell is the shaded one.",
        ),
        _cross("maximum"),
        lambda a, b, _: a > b,
        _first_with_rest,
    ),
    _bound(
        "clone",
        Wording(
            "Clone",
            "The two groups contain the same digits in the same positions.",
            other_names=("Clones",),
            note="The cells of the first group come first, then those of the second "
            "group in the same order.",
        ),
        '{"type": "clone", "cells": ["r1c1", "r1c2", "r5c5", "r5c6"]}',
        lambda a, b, _: a == b,
        _halves,
        halves=True,
    ),
)
