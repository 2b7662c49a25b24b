"""The equation of a sum, with the names of its cells or with numbers in their place."""

from collections.abc import Callable, Sequence

from solver.logic.deduction import Deduction
from solver.logic.sentences.open_sums import OpenSum


def requirement(open_sum: OpenSum, deduction: Deduction) -> str:
    """Return the requirement for the open cells of a sum.

    For example, "r1c1 and r1c2 sum to 8 (12 − 4)" or "r2c1 + r2c2 (3) = r1c1 + r1c2". A number
    after a cell is its digit.
    """
    words = open_sum.words
    if is_equation(deduction):
        return _equation(deduction, lambda cell: _named(cell, open_sum))
    verb = "must be" if len(open_sum.terms) == 1 else "sum to"
    sign = "−" if open_sum.known > 0 else "+"
    given = f" ({deduction.total} {sign} {abs(open_sum.known)})" if open_sum.known else ""
    return f"{words.cells(open_sum.cells)} {verb} {open_sum.total}{given}"


def with_numbers(open_sum: OpenSum, deduction: Deduction, numbers: Sequence[int]) -> str:
    """Return the equation of a sum with numbers for its open cells, such as "9 = 4 + 5"."""
    known = dict(zip(open_sum.cells, numbers, strict=True))
    return _equation(deduction, lambda cell: str(known.get(cell, open_sum.words.numbers(cell)[0])))


def is_equation(deduction: Deduction) -> bool:
    """Return whether the sum of a step has cells on both sides, or multiples of cells."""
    return {factor for _, factor in deduction.terms} != {1}


def _equation(deduction: Deduction, name: Callable[[int], str]) -> str:
    """Return the sum of a step as an equation. `name` returns the name of a cell in it."""
    terms, total = sorted(deduction.terms), deduction.total or 0
    sides = [
        [_multiple(name(cell), factor) for cell, factor in terms if factor * sign > 0]
        for sign in (1, -1)
    ]
    if total:
        sides[total > 0].append(str(abs(total)))
    return " = ".join(" + ".join(side) or "0" for side in sorted(sides, key=len))


def _named(cell: int, open_sum: OpenSum) -> str:
    name = open_sum.words.layout.cell_name(cell)
    return name if cell in open_sum.cells else f"{name} ({open_sum.words.numbers(cell)[0]})"


def _multiple(name: str, factor: int) -> str:
    return name if abs(factor) == 1 else f"{abs(factor)} × {name}"
