"""Sentences about aligned pair and triplet exclusion.

A combination of candidates for the aligned cells is impossible if it repeats a value in cells that
see each other, or if it leaves an excluder (a cell that sees all of them) without a candidate.
"""

from collections.abc import Iterator
from itertools import combinations, product

from solver.logic.deduction import Deduction
from solver.logic.sentences.places import must_differ
from solver.logic.sentences.wording import Sentence, Wording, listed, paragraph

_MOST_LISTED = 4  # combinations whose reasons are listed one by one


def _aligned(deduction: Deduction, words: Wording) -> str:
    reasons = [
        _reason(deduction, cell, value, words)
        for cell, value in deduction.eliminations
        if words.domains is not None
    ]
    cells = words.cells(deduction.cells)
    generic = f"some combinations for {cells} would leave a cell that sees them without a candidate"
    return paragraph(*(reasons or [generic]), words.outcome(deduction))


def _reason(deduction: Deduction, cell: int, value: int, words: Wording) -> str:
    """Return why no possible combination of the aligned cells gives `value` to `cell`.

    Every combination repeats a value, or leaves another cell without a candidate.
    """
    assumed = f"{words.layout.cell_name(cell)} = {words.value(value)}"
    others = [one for one in deduction.cells if one != cell]
    if len(others) == 1:
        (other,) = others
        blocked = {
            choice: next(_emptied(deduction, {cell: value, other: choice}, words), None)
            for choice in words.candidates_of(other)
        }
        emptied = [
            f"{words.value(choice)} leaves {words.layout.cell_name(excluder)} without a candidate"
            for choice, excluder in blocked.items()
            if excluder is not None
        ]
        if len(emptied) <= _MOST_LISTED:
            repeated = [f"{words.value(c)} is used" for c, e in blocked.items() if e is None]
            name = words.layout.cell_name(other)
            return f"with {assumed}, {name} has no value: {listed([*emptied, *repeated])}"
    excluders: dict[int, None] = {}
    for choices in product(*map(words.candidates_of, others)):
        chosen = {cell: value, **dict(zip(others, choices, strict=True))}
        if not _repeats(chosen, words):
            excluders.setdefault(next(_emptied(deduction, chosen, words)))
    sets = [
        f"{words.layout.cell_name(one)} {{{words.compact(words.candidates_of(one))}}}"
        for one in excluders
    ]
    return (
        f"with {assumed}, each choice for {words.cells(others)} repeats a value or leaves "
        f"{listed(sets, last='or')} without a candidate"
    )


def _repeats(chosen: dict[int, int], words: Wording) -> bool:
    """Return whether two of the chosen cells see each other and have the same value.

    `chosen` maps cells to values.
    """
    return any(
        chosen[one] == chosen[other] and must_differ(words.layout, one, other)
        for one, other in combinations(chosen, 2)
    )


def _emptied(deduction: Deduction, chosen: dict[int, int], words: Wording) -> Iterator[int]:
    """Yield the cells that see all aligned cells and would have no candidate left.

    `chosen` maps the aligned cells (the cells of the deduction) to values. Nothing is yielded if
    two of these cells that must differ have the same value. Cells with a single candidate are left
    out, and so are cells with more candidates than there are aligned cells.
    """
    if _repeats(chosen, words):
        return
    for cell in range(words.layout.cells):
        left = set(words.candidates_of(cell))
        is_emptied = 1 < len(left) <= len(deduction.cells) and left <= set(chosen.values())
        if is_emptied and all(must_differ(words.layout, cell, one) for one in deduction.cells):
            yield cell


EXCLUSION: dict[str, Sentence] = {"2030": _aligned, "2031": _aligned}
