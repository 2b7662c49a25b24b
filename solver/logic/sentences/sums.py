"""Sentences about the sums of cages, arrows, and the like, and about innies and outies."""

from dataclasses import replace
from functools import lru_cache
from typing import cast

from solver.board.layout import Layout
from solver.board.primitive_constraints import Sum
from solver.logic.deduction import Deduction
from solver.logic.sentences.cell_lists import names_of_cells
from solver.logic.sentences.open_sums import OpenSum
from solver.logic.sentences.places import must_differ
from solver.logic.sentences.rule_names import located_in
from solver.logic.sentences.sum_equations import is_equation, requirement
from solver.logic.sentences.sum_parts import reason_by_parts
from solver.logic.sentences.sum_reasons import contained, reason_of, removed_from
from solver.logic.sentences.wording import Sentence, Wording, listed, paragraph
from solver.logic.sums import covering_cages
from solver.rules.rule import Constraint

_MOST_CAGES = 3  # whose names are listed
_MOST_LISTED = 3  # cells of a sum that are listed instead of its place
_CAGES = ("killer", "multisum")
_PLAIN = (*_CAGES, "littlekiller")  # rules with the sum of all cells of their places


def _sum(deduction: Deduction, words: Wording) -> str:
    open_sum = OpenSum.of(deduction, words)
    placed = {value for _, value in deduction.placements}
    around = tuple(
        one
        for one in deduction.eliminations
        if one.cell not in open_sum.cells and one.value not in placed
    )
    inside = replace(
        deduction, eliminations=tuple(one for one in deduction.eliminations if one not in around)
    )
    source = _source(deduction, words)
    reason = reason_of(open_sum, inside)
    statement = _statement(deduction, open_sum, source, in_order=": in this" in reason.ending)
    sentences = [f"{statement}{reason.ending}", *reason.sentences]
    if reason.is_decided or not around:
        return paragraph(*sentences, words.outcome(deduction))
    needed = sorted({value for _, value in around})
    # A single set of numbers, such as "only 1+5", shows which ones all peers of the cells lose.
    is_one_set = "=" not in reason.ending and reason.ending.count("+") == len(needed) - 1 > 0
    if is_one_set and all(
        must_differ(words.layout, peer, cell) for peer, _ in around for cell in open_sum.cells
    ):
        return paragraph(*sentences, words.outcome(replace(deduction, cells=open_sum.cells)))
    if inside.placements or inside.eliminations:
        sentences.append(words.outcome(inside))
    cells = [cell for cell in open_sum.cells if any(words.can_be(cell, v) for v in needed)]
    outcome = Deduction(deduction.code, eliminations=around, cells=tuple(cells))
    return paragraph(*sentences, *contained(needed, open_sum, inside), words.outcome(outcome))


def sum_text(deduction: Deduction, index: int, words: Wording) -> str:
    """Return the text of a step by a rule as a step by the sum in it, or "".

    `index` is the index of the rule's constraint. The text is "" if the constraint doesn't have
    exactly one sum, or if the sum has no short reason for the step.
    """
    part = _only_sum(words.layout, index)
    changed = {cell for cell, _ in (*deduction.placements, *deduction.eliminations)}
    if words.domains is None or part is None or not changed.issubset(part.cells):
        return ""
    terms = tuple(zip(part.cells, part.factors, strict=True))
    own = replace(deduction, code="3000", terms=terms, total=part.target, cells=())
    open_sum = OpenSum.of(own, words)
    # Only parts prove the result. Combinations can allow more than another kind of step.
    return _sum(own, words) if reason_by_parts(open_sum, removed_from(own, open_sum)) else ""


@lru_cache(maxsize=256)
def _only_sum(layout: Layout, index: int) -> Sum | None:
    """Return the only sum in a constraint, or None if there are several or none.

    The result is also None if the sum repeats a cell or contains a variable.
    """
    parts = cast("Constraint", layout.constraints[index]).parts(layout)
    sums = [part for part in parts if isinstance(part, Sum)]
    if len(sums) != 1:
        return None
    cells = sums[0].cells
    is_simple = len({*cells}) == len(cells) and 0 <= min(cells) <= max(cells) < layout.cells
    return sums[0] if is_simple else None


def _statement(
    deduction: Deduction, open_sum: OpenSum, source: Constraint | None, *, in_order: bool
) -> str:
    """Return the clause on the sum that open cells must have, with the cage, arrow, or the like.

    `source` is the constraint of the sum, or None for a derived sum. With `in_order`, numbers in
    the order of the cells follow, so these cells are named.
    """
    words, required = open_sum.words, requirement(open_sum, deduction)
    place = "" if source is None else located_in(source, words)
    cells = sorted(cell for cell, _ in deduction.terms)
    if source is not None and source.name in _PLAIN:
        names = names_of_cells(words.layout, cells)
        is_long = len(names_of_cells(words.layout, open_sum.cells)) > _MOST_LISTED
        is_whole = len(open_sum.terms) == len(cells)  # a filled cell can be 0
        if is_whole and (_is_cage(source) or not in_order):
            if _is_cage(source) and (in_order or len(names) <= _MOST_LISTED):
                return f"the cage ({', '.join(names)}) sums to {deduction.total}"
            return f"{place.partition(' ')[2]} sums to {deduction.total}"
        if is_long and not in_order:
            required = required.replace(words.cells(open_sum.cells), "the undecided cells", 1)
    elif not is_equation(deduction) and len(cells) <= _MOST_LISTED and open_sum.known:
        required = f"{words.cells(cells)} sum to {deduction.total}, so {required}"
    return f"{place}, {required}" if place else required


def _is_cage(source: Constraint | None) -> bool:
    return source is not None and source.name in _CAGES


def _innies(deduction: Deduction, words: Wording) -> str:
    inside = _house_total(deduction, words) - (deduction.total or 0)
    cages, verb = _cages(deduction, words)
    return _derived(deduction, words, f"{cages} in {_pronoun(deduction)} {verb} to {inside}")


def _outies(deduction: Deduction, words: Wording) -> str:
    outside = _house_total(deduction, words) + (deduction.total or 0)
    cages, verb = _cages(deduction, words)
    cover = "covers" if verb == "sums" else "cover"
    text = f"{cages} that {cover} {_pronoun(deduction)} {verb} to {outside}"
    return _derived(deduction, words, text)


def _both(deduction: Deduction, words: Wording) -> str:
    inside = {cell for house in deduction.base for cell in words.layout.houses[house].cells}
    left_out = sorted(inside.intersection(cell for cell, _ in deduction.terms))
    covered = f"all of {_pronoun(deduction)} except {words.cells(left_out)}"
    cages, verb = _cages(deduction, words, place=f" that cover {covered}")
    total = _house_total(deduction, words) - (deduction.total or 0)
    return _derived(deduction, words, f"{cages} {verb} to {total}")


def _derived(deduction: Deduction, words: Wording, cages: str) -> str:
    """Return the sentences of a sum that follows from houses and cages.

    `cages` is a clause about the cages, such as "the cages at r1c1 and r1c4 in it sum to 30".
    """
    houses, open_sum = words.houses(deduction.base), OpenSum.of(deduction, words)
    verb = "sums" if len(deduction.base) == 1 else "sum"
    reason = reason_of(open_sum, deduction)
    return paragraph(
        f"{houses} {verb} to {_house_total(deduction, words)}",
        f"{cages}, so {requirement(open_sum, deduction)}{reason.ending}",
        *reason.sentences,
        words.outcome(deduction),
    )


def _pronoun(deduction: Deduction) -> str:
    return "it" if len(deduction.base) == 1 else "them"


def _house_total(deduction: Deduction, words: Wording) -> int:
    return len(deduction.base) * sum(words.layout.numbers)


def _cages(deduction: Deduction, words: Wording, *, place: str = "") -> tuple[str, str]:
    """Return the names of the cages that a sum was derived from, and the verb for them.

    They are called groups if one of them isn't drawn as a cage. `place` is a clause that follows,
    such as " that cover all of it except r1c1".
    """
    cages = covering_cages(words.layout, deduction.base, deduction.terms)
    sources = _sources(words.layout)
    are_drawn = all(
        _is_cage(sources.get((frozenset(zip(cage.cells, cage.factors, strict=True)), cage.target)))
        for cage in cages
    )
    noun = "cage" if are_drawn else "group"
    if not 0 < len(cages) <= _MOST_CAGES:
        return f"the {len(cages) or 'known'} {noun}s{place}", "sum"
    places = listed(map(words.layout.cell_name, sorted(min(cage.cells) for cage in cages)))
    if len(cages) == 1:
        own = place.replace(" that cover", ", which covers")
        return f"the {noun} at {places}{own}{',' if own else ''}", "sums"
    own = place.replace(" that", ", which")
    return f"the {noun}s at {places}{own}{',' if own else ''}", "sum"


def _source(deduction: Deduction, words: Wording) -> Constraint | None:
    """Return the constraint that has exactly the sum of a step, or None for a derived sum."""
    return _sources(words.layout).get((frozenset(deduction.terms), deduction.total or 0))


@lru_cache(maxsize=32)
def _sources(
    layout: Layout,
) -> dict[tuple[frozenset[tuple[int, int]], int], Constraint]:
    """Return the constraint of each sum in a layout, by its terms (cell, factor) and its total."""
    return {
        (frozenset(zip(part.cells, part.factors, strict=True)), part.target): constraint
        for constraint in cast("tuple[Constraint, ...]", layout.constraints)
        for part in constraint.parts(layout)
        if isinstance(part, Sum)
    }


SUMS: dict[str, Sentence] = {"3000": _sum, "3001": _innies, "3002": _outies, "3003": _both}
