"""Sentences about the sums of cages and arrows, and about innies and outies."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from solver.logic.deduction import Deduction
from solver.logic.sentences.wording import Sentence, Wording, listed

_MOST_WAYS = 3  # Longer lists of possible number sets aren't worth printing.
_MOST_TRIED = 10_000


def _sum(deduction: Deduction, words: Wording) -> str:
    said = f"{_equation(deduction, words)}{_ways(deduction, words)}"
    cells = {cell for cell, _ in deduction.terms}
    placed = {value for _, value in deduction.placements}
    around = [
        one for one in deduction.eliminations if one.cell not in cells and one.value not in placed
    ]
    inside = replace(
        deduction, eliminations=tuple(one for one in deduction.eliminations if one not in around)
    )
    if inside.placements or inside.eliminations:
        said += f". {words.outcome(inside)}"
    if around:
        needed = words.values(sorted({value for _, value in around}))
        outcome = words.outcome(Deduction(deduction.code, eliminations=tuple(around)))
        said = f"{said.removesuffix('.')}. Every way needs {needed} there. {outcome}"
    return said


def _innies(deduction: Deduction, words: Wording) -> str:
    houses, total = words.houses(deduction.base), _house_total(deduction, words)
    adds = "adds" if len(deduction.base) == 1 else "add"
    inside = total - (deduction.total or 0)
    reason = f"{houses} {adds} up to {total}, the sums inside to {inside}"
    return f"{reason}: {_conclusion(deduction, words)}"


def _outies(deduction: Deduction, words: Wording) -> str:
    houses, total = words.houses(deduction.base), _house_total(deduction, words)
    adds = "adds" if len(deduction.base) == 1 else "add"
    outside = total + (deduction.total or 0)
    reason = f"{houses} {adds} up to {total}, the sums around to {outside}"
    return f"{reason}: {_conclusion(deduction, words)}"


def _both(deduction: Deduction, words: Wording) -> str:
    houses, total = words.houses(deduction.base), _house_total(deduction, words)
    adds = "adds" if len(deduction.base) == 1 else "add"
    return (
        f"{houses} {adds} up to {total}; by the sums there, {_equation(deduction, words)}. "
        f"{words.outcome(deduction)}"
    )


def _house_total(deduction: Deduction, words: Wording) -> int:
    return len(deduction.base) * sum(words.layout.numbers)


def _conclusion(deduction: Deduction, words: Wording) -> str:
    """Return the equation and its result, or just the result if the equation has a single cell.

    The equation is kept if no value is placed.
    """
    outcome = words.outcome(deduction)
    if len(deduction.terms) == 1 and deduction.placements:
        return outcome
    return f"{_equation(deduction, words)}. {outcome}"


def _equation(deduction: Deduction, words: Wording) -> str:
    """Return the equation, such as "r1c1 and r1c2 add up to 8" or "r1c1 + r1c2 = r2c1 + 3"."""
    total = deduction.total or 0
    if {factor for _, factor in deduction.terms} == {1}:
        cells = words.cells(cell for cell, _ in deduction.terms)
        return f"{cells} {'is' if len(deduction.terms) == 1 else 'add up to'} {total}"
    left = [_term(cell, factor, words) for cell, factor in deduction.terms if factor > 0]
    right = [_term(cell, -factor, words) for cell, factor in deduction.terms if factor < 0]
    if total:
        (right if total > 0 else left).append(str(abs(total)))
    return f"{' + '.join(left) or 0} = {' + '.join(right) or 0}"


def _term(cell: int, factor: int, words: Wording) -> str:
    name = words.layout.cell_name(cell)
    return name if factor == 1 else f"{factor} × {name}"


def _ways(deduction: Deduction, words: Wording) -> str:
    """Return the possible sets of numbers for a sum as words, if there are only a few.

    For example, ", which is 1 2 5 or 1 3 4". The cells of the sum must all differ. Otherwise, the
    result is empty.
    """
    cells = [cell for cell, factor in deduction.terms if factor == 1]
    if len(cells) < max(2, len(deduction.terms)) or not words.differ(cells):
        return ""
    ways: list[str] = []
    for tried, numbers in enumerate(combinations(words.layout.numbers, len(cells))):
        if tried == _MOST_TRIED or len(ways) > _MOST_WAYS:
            return ""
        if sum(numbers) == deduction.total and _fits(cells, numbers, words):
            ways.append(" ".join(map(str, numbers)))
    return f", which is {listed(ways, last='or')}" if 0 < len(ways) <= _MOST_WAYS else ""


def _fits(cells: Sequence[int], numbers: tuple[int, ...], words: Wording) -> bool:
    """Return whether the cells can contain the numbers in some order, one number per cell."""
    if not cells:
        return True
    first, *rest = cells
    return any(
        words.can_be(first, number - words.layout.lowest + 1)
        and _fits(rest, numbers[:place] + numbers[place + 1 :], words)
        for place, number in enumerate(numbers)
    )


SUMS: dict[str, Sentence] = {"3000": _sum, "3001": _innies, "3002": _outies, "3003": _both}
