"""Sentences about the sums of cages, arrows, and the like, and about innies and outies."""

from dataclasses import replace
from functools import lru_cache
from typing import cast

from solver.board.layout import ConstraintLike, Layout
from solver.board.parts import Sum
from solver.logic.deduction import Deduction
from solver.logic.sentences.open_sums import OpenSum
from solver.logic.sentences.wording import Sentence, Wording, listed, paragraph
from solver.logic.sums import covering_cages
from solver.rules.rule import Constraint

_MOST_CAGES = 6  # whose names are listed
_MOST_LIMITS = 2  # of cells that are listed as reasons
_MOST_LISTED = 3  # cells of a sum that are listed instead of its place
_SOURCES = {
    "killer": "in the cage at",
    "multisum": "in the cage at",
    "littlekiller": "on the little killer diagonal from",
    "arrow": "on the arrow at",
    "doublearrow": "on the double arrow at",
    "pillarrow": "on the pill arrow at",
    "zipper": "on the zipper line from",
    "regionsum": "on the region sum line from",
}


def _sum(deduction: Deduction, words: Wording) -> str:
    open_sum = OpenSum.of(deduction, words)
    placed = {value for _, value in deduction.placements}
    around = [
        one
        for one in deduction.eliminations
        if one.cell not in open_sum.cells and one.value not in placed
    ]
    inside = replace(
        deduction, eliminations=tuple(one for one in deduction.eliminations if one not in around)
    )
    sentences = [_statement(deduction, open_sum, words)]
    if inside.placements or inside.eliminations:
        sentences += [*_reasons(inside, open_sum), words.outcome(inside)]
    if around:
        needed = sorted({value for _, value in around})
        cells = [cell for cell in open_sum.cells if any(words.can_be(cell, v) for v in needed)]
        where = f", in {words.cells(cells, last='or')}" if len(needed) == 1 else ""
        outcome = Deduction(deduction.code, eliminations=tuple(around), cells=tuple(cells))
        sentences += [
            f"every combination contains {words.values(needed)}{where}",
            words.outcome(outcome),
        ]
    return paragraph(*sentences)


def _statement(deduction: Deduction, open_sum: OpenSum, words: Wording) -> str:
    """Return the requirement of a cage, an arrow, or the like for its open cells."""
    source = _source(deduction, words)
    requirement = f"{_equation(open_sum, deduction)}{_ways(open_sum, deduction)}"
    if open_sum.is_plain and not open_sum.known and len(open_sum.terms) <= _MOST_LISTED:
        if source is None or source.name not in ("killer", "multisum"):
            return requirement
        names = ", ".join(map(words.layout.cell_name, open_sum.cells))
        return f"the cage {names} sums to {deduction.total}{_ways(open_sum, deduction)}"
    if source is not None and source.name in _SOURCES:
        is_cage = source.name in ("killer", "multisum")
        place = words.layout.cell_name(min(source.cells) if is_cage else source.cells[0])
        return f"{_SOURCES[source.name]} {place}, {requirement}"
    if source is not None and not open_sum.is_plain:
        return f"by the rule “{cast('Constraint', source).rule.title}”, {requirement}"
    if open_sum.is_plain and open_sum.known and len(deduction.terms) <= _MOST_LISTED:
        cells = words.cells(sorted(cell for cell, _ in deduction.terms))
        return f"{cells} sum to {deduction.total}, so {requirement}"
    return requirement


def _equation(open_sum: OpenSum, deduction: Deduction) -> str:
    """Return the requirement for the open cells of a sum.

    For example, "r1c1 and r1c2 sum to 8 (12 − 4)" or "r2c1 + r2c2 (3) = r1c1 + r1c2". A number
    after a cell is its digit.
    """
    words = open_sum.words
    if not _is_equation(deduction):
        verb = "must be" if len(open_sum.terms) == 1 else "sum to"
        cells = words.cells(open_sum.cells)
        sign = "−" if open_sum.known > 0 else "+"
        given = f" ({deduction.total} {sign} {abs(open_sum.known)})" if open_sum.known else ""
        return f"{cells} {verb} {open_sum.total}{given}"
    terms, total = sorted(deduction.terms), deduction.total or 0
    sides = [
        [_term(cell, factor, open_sum) for cell, factor in terms if factor * sign > 0]
        for sign in (1, -1)
    ]
    if total:
        sides[total > 0].append(str(abs(total)))
    return " = ".join(" + ".join(side) or "0" for side in sorted(sides, key=len))


def _is_equation(deduction: Deduction) -> bool:
    """Return whether the sum of a step has cells on both sides, or multiples of cells."""
    return {factor for _, factor in deduction.terms} != {1}


def _term(cell: int, factor: int, open_sum: OpenSum) -> str:
    name = open_sum.words.layout.cell_name(cell)
    if cell not in open_sum.cells:
        name += f" ({open_sum.words.numbers(cell)[0]})"
    return name if abs(factor) == 1 else f"{abs(factor)} × {name}"


def _ways(open_sum: OpenSum, deduction: Deduction) -> str:
    """Return the possible sets of numbers, such as ": only 1+6 or 2+5", or "" if there are many.

    After an equation, the sum of the open cells comes first.
    """
    if not open_sum.is_plain or len(open_sum.terms) < 2:
        return ""
    ways = ["+".join(map(str, numbers)) for numbers in open_sum.ways()]
    if not ways:
        return ""
    sum_of_rest = ""
    if _is_equation(deduction):
        sum_of_rest = f", so {open_sum.words.cells(open_sum.cells)} sum to {open_sum.total}"
    return f"{sum_of_rest}: only {listed(ways, last='or')}"


def _reasons(deduction: Deduction, open_sum: OpenSum) -> list[str]:
    """Return why the sum excludes the eliminated candidates.

    No reasons are needed if the step places a value or if `_ways` lists the possible sets.
    """
    words, lowest = open_sum.words, open_sum.words.layout.lowest
    none = (
        "no solution of this equation"
        if _is_equation(deduction)
        else "no combination with this sum"
    )
    if deduction.placements or _ways(open_sum, deduction):
        return []
    if len(open_sum.terms) == 2 and open_sum.ways():
        pairs = [
            f"both {one}" if one == other else f"{one} and {other}"
            for one, other in open_sum.ways()
        ]
        return [f"{words.cells(open_sum.cells)} can only be {listed(pairs, last='or')}"]
    limits: dict[str, list[int]] = {}
    is_complete = True
    for cell in dict.fromkeys(cell for cell, _ in deduction.eliminations):
        numbers = [value + lowest - 1 for one, value in deduction.eliminations if one == cell]
        low, high = open_sum.bounds(cell)
        if min(numbers) < low:
            limits.setdefault(f"at least {low}", []).append(cell)
        if max(numbers) > high:
            limits.setdefault(f"at most {high}", []).append(cell)
        is_complete &= not any(low <= number <= high for number in numbers)
    if 0 < len(limits) <= _MOST_LIMITS:
        known = listed(
            f"{limit} for {'each of ' if len(cells) > 1 else ''}{words.cells(sorted(cells))}"
            for limit, cells in limits.items()
        )
        reasons = [f"the candidates of the other cells leave {known}"]
        if is_complete:
            return reasons
        return [*reasons, f"{none} uses the other removed candidates"]
    return [f"{none} uses the removed candidates"]


def _innies(deduction: Deduction, words: Wording) -> str:
    inside = _house_total(deduction, words) - (deduction.total or 0)
    if not inside:
        verb = "contains" if len(deduction.base) == 1 else "contain"
        subject = "it" if len(deduction.base) == 1 else "they"
        return _derived(deduction, words, f"{subject} {verb} no complete cage")
    cages, verb = _cages(deduction, words)
    return _derived(deduction, words, f"{cages} in {_pronoun(deduction)} {verb} to {inside}")


def _outies(deduction: Deduction, words: Wording) -> str:
    outside = _house_total(deduction, words) + (deduction.total or 0)
    cages, verb = _cages(deduction, words)
    return _derived(deduction, words, f"{cages} around {_pronoun(deduction)} {verb} to {outside}")


def _both(deduction: Deduction, words: Wording) -> str:
    inside = {cell for house in deduction.base for cell in words.layout.houses[house].cells}
    left_out = sorted(inside.intersection(cell for cell, _ in deduction.terms))
    cages, verb = _cages(
        deduction, words, place=f" there that don't contain {words.cells(left_out, last='or')}"
    )
    total = _house_total(deduction, words) - (deduction.total or 0)
    return _derived(deduction, words, f"{cages} {verb} to {total}")


def _derived(deduction: Deduction, words: Wording, cages: str) -> str:
    """Return the sentences of a sum that follows from houses and cages.

    `cages` is a clause about the cages, such as "the cages at r1c1 and r1c4 in it sum to 30".
    """
    houses, open_sum = words.houses(deduction.base), OpenSum.of(deduction, words)
    verb = "sums" if len(deduction.base) == 1 else "sum"
    return paragraph(
        f"{houses} {verb} to {_house_total(deduction, words)}",
        f"{cages}, so {_equation(open_sum, deduction)}{_ways(open_sum, deduction)}",
        *_reasons(deduction, open_sum),
        words.outcome(deduction),
    )


def _pronoun(deduction: Deduction) -> str:
    return "it" if len(deduction.base) == 1 else "them"


def _house_total(deduction: Deduction, words: Wording) -> int:
    return len(deduction.base) * sum(words.layout.numbers)


def _cages(deduction: Deduction, words: Wording, *, place: str = "") -> tuple[str, str]:
    """Return the names of the cages that a sum was derived from, and the verb for them.

    `place` is added to the number of cages if there are too many for their names.
    """
    cages = covering_cages(words.layout, deduction.base, deduction.terms)
    if not 0 < len(cages) <= _MOST_CAGES:
        return f"the {len(cages) or 'known'} cages{place}", "sum"
    places = words.cells(min(cage.cells) for cage in cages)
    if len(cages) == 1:
        return f"the cage at {places}", "sums"
    return f"the cages at {places}", "sum"


def _source(deduction: Deduction, words: Wording) -> ConstraintLike | None:
    """Return the constraint that a sum belongs to, or None for a derived sum."""
    return _sources(words.layout).get((frozenset(deduction.terms), deduction.total or 0))


@lru_cache(maxsize=32)
def _sources(
    layout: Layout,
) -> dict[tuple[frozenset[tuple[int, int]], int], ConstraintLike]:
    """Return the constraint that each sum of a layout belongs to, by its terms and its total."""
    return {
        (frozenset(zip(part.cells, part.factors, strict=True)), part.target): constraint
        for constraint in layout.constraints
        for part in constraint.parts(layout)
        if isinstance(part, Sum)
    }


SUMS: dict[str, Sentence] = {"3000": _sum, "3001": _innies, "3002": _outies, "3003": _both}
