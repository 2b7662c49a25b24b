"""The equation of a sum, with the names of its cells or with numbers in their place."""

from collections.abc import Callable, Sequence
from itertools import chain

from solver.logic.deduction import Deduction
from solver.logic.sentences.cell_lists import in_runs
from solver.logic.sentences.open_sums import OpenSum
from solver.logic.sentences.wording import Wording

_MOST_TERMS = 6  # on one side of an equation that are named one by one


def requirement(open_sum: OpenSum, deduction: Deduction) -> str:
    """Return the requirement for the open cells of a sum.

    For example, "r1c1 and r1c2 sum to 8 (12−4)" or "r2c1 + r2c2 (3) = r1c1 + r1c2". A number
    after a cell is its digit. Equations of plain terms have no spaces, such as "r1c1 = r2c1+r2c2".
    """
    words = open_sum.words
    if is_equation(deduction):
        return _equation(
            deduction,
            lambda cell: _named(cell, open_sum),
            lambda cells: _long_side(cells, open_sum),
        )
    verb = "must be" if len(open_sum.terms) == 1 else "sum to"
    sign = "−" if open_sum.known > 0 else "+"
    given = f" ({deduction.total}{sign}{abs(open_sum.known)})" if open_sum.known else ""
    return f"{words.cells(open_sum.cells)} {verb} {open_sum.total}{given}"


def with_numbers(open_sum: OpenSum, deduction: Deduction, numbers: Sequence[int]) -> str:
    """Return the equation of a sum with numbers instead of its cells, such as "9 = 4+5".

    `numbers` are those of the open cells, in their order.
    """
    known = dict(zip(open_sum.cells, numbers, strict=True))
    return _equation(deduction, lambda cell: str(known.get(cell, open_sum.words.numbers(cell)[0])))


def plain_equation(deduction: Deduction, words: Wording) -> str:
    """Return the sum of a step as an equation of cells, such as "r1c1+r1c2 = 8"."""
    name = words.layout.cell_name
    if is_equation(deduction):
        return _equation(deduction, name)
    cells = sorted(cell for cell, _ in deduction.terms)
    return f"{'+'.join(map(name, cells))} = {deduction.total}"


def is_equation(deduction: Deduction) -> bool:
    """Return whether the text of a sum needs an equation instead of "r1c1 and r1c2 sum to 8".

    That is so if cells are on both sides, or have factors other than 1.
    """
    return {factor for _, factor in deduction.terms} != {1}


def is_long(deduction: Deduction) -> bool:
    """Return whether an equation has a side with too many cells to name each of them."""
    return any(_is_long_side(side) for side in _sides(deduction))


def _equation(
    deduction: Deduction,
    name: Callable[[int], str],
    long_side: Callable[[Sequence[int]], str] | None = None,
) -> str:
    """Return the sum of a step as an equation, with the shorter side first.

    `name` returns the text of a cell. `long_side` returns the text of a side with many cells, given
    these. If it is None, all cells have their own text.
    """
    total = deduction.total or 0
    sides: list[list[str]] = []
    for terms in _sides(deduction):
        if long_side is not None and _is_long_side(terms):
            sides.append([long_side([cell for cell, _ in terms])])
        else:
            sides.append([_multiple(name(cell), factor) for cell, factor in terms])
    lengths = [len(terms) for terms in _sides(deduction)]
    if total:
        sides[total > 0].append(str(abs(total)))
        lengths[total > 0] += 1
    if lengths[1] < lengths[0]:
        sides.reverse()
    plus = "+" if all(" " not in term for term in chain(*sides)) else " + "
    return " = ".join(plus.join(side) or "0" for side in sides)


def _sides(deduction: Deduction) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the terms on both sides of the equation: those with positive factors, the others."""
    terms = sorted(deduction.terms)
    return [one for one in terms if one[1] > 0], [one for one in terms if one[1] < 0]


def _is_long_side(terms: Sequence[tuple[int, int]]) -> bool:
    return len(terms) > _MOST_TERMS and all(abs(factor) == 1 for _, factor in terms)


def _long_side(cells: Sequence[int], open_sum: OpenSum) -> str:
    """Return a side of an equation with many cells, such as "12 (filled) + r4c5".

    It is the total of the filled cells, and "the sum of" the names of the others if there are
    several.
    """
    left = [cell for cell in cells if cell in open_sum.cells]
    filled = sum(open_sum.words.numbers(cell)[0] for cell in cells if cell not in open_sum.cells)
    named = [open_sum.words.cells(in_runs(open_sum.words.layout, left))] if left else []
    if len(left) > 1:
        named = [f"the sum of {named[0]}"]
    return " + ".join([*([f"{filled} (filled)"] if len(left) < len(cells) else []), *named])


def _named(cell: int, open_sum: OpenSum) -> str:
    name = open_sum.words.layout.cell_name(cell)
    return name if cell in open_sum.cells else f"{name} ({open_sum.words.numbers(cell)[0]})"


def _multiple(name: str, factor: int) -> str:
    return name if abs(factor) == 1 else f"{abs(factor)} × {name}"
