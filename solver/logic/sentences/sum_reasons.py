"""Reasons why a sum excludes candidates: possible combinations, bounds, or a case per number."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from solver.logic.deduction import Deduction
from solver.logic.sentences.open_sums import OpenSum
from solver.logic.sentences.sum_bounds import bound_of, subject
from solver.logic.sentences.sum_cases import Reason, added, case_against
from solver.logic.sentences.sum_equations import is_equation, is_long, with_numbers
from solver.logic.sentences.sum_parts import reason_by_parts
from solver.logic.sentences.wording import Wording, connected, count_in_words, listed

_MOST_LIMITS = 3  # different bounds of cells that are listed
_LONG = 6  # cells of sums that are rather divided into parts than compared with each cell
_MOST_CASES = 3  # for which a sentence explains that a cell cannot have some numbers
_FEW_CELLS = 3  # of a sum for which the pairs that the other cells would need are listed
_MOST_SETS = 20  # of which those with a removed number are named
_MOST_WAYS = 8  # combinations that are listed where no shorter reason is found
_TRIED = "trying all combinations rules out "

Numbers = dict[int, list[int]]  # numbers by cell


@dataclass(frozen=True, slots=True)
class SumReason:
    """Why a sum excludes candidates.

    `ending` completes the sentence about the sum, such as ": only 1+6 or 2+5". `sentences` follow.
    `is_decided` means that only one number is possible in each cell.
    """

    ending: str = ""
    sentences: tuple[str, ...] = ()
    is_decided: bool = False


def reason_of(open_sum: OpenSum, deduction: Deduction) -> SumReason:
    """Return why a sum excludes the candidates that a step removes from its cells.

    Sums with fewer than two open cells need no reason.
    """
    if len(open_sum.terms) < 2:
        return SumReason()
    removed = removed_from(deduction, open_sum)
    by_parts = reason_by_parts(open_sum, removed) if len(open_sum.terms) > _LONG else []
    if by_parts:
        return SumReason(sentences=tuple(by_parts))
    arrangements = open_sum.arrangements()
    sets = open_sum.sets_of(arrangements)
    possible = {number for numbers in sets for number in numbers}
    left = {
        cell: kept
        for cell, numbers in removed.items()
        if (kept := [number for number in numbers if not sets or number in possible])
    }
    if sets and not left:
        return SumReason(_sets(sets, open_sum, deduction))
    in_order = open_sum.in_order(arrangements)
    if open_sum.is_equality and len(in_order) > 1:
        in_order = ()  # "only 5 = 5 or 6 = 6" would explain nothing
    if in_order and (len(in_order) == 1 or open_sum.is_plain or not is_long(deduction)):
        ending = _arrangements(in_order, open_sum, deduction)
        return SumReason(ending, is_decided=len(in_order) == 1)
    return _compared(removed, left, sets, open_sum, deduction)


def _compared(
    removed: Numbers,
    left: Numbers,
    sets: Sequence[tuple[int, ...]],
    open_sum: OpenSum,
    deduction: Deduction,
) -> SumReason:
    """Return a reason that compares removed numbers with those that the other cells can have.

    `sets` are the possible sets of numbers, or empty if there are too many. `left` are those of the
    removed numbers that they don't exclude.
    """
    sentences, left = ([], left) if sets else _limits(left, open_sum)
    cases = _cases(left, sets, open_sum)
    if cases is None or len(cases) > _MOST_CASES:
        by_parts = reason_by_parts(open_sum, removed)
        if by_parts:
            return SumReason(sentences=tuple(by_parts))
        ending = _long_list(removed, open_sum, deduction)
        if ending:
            return SumReason(ending)
        cases = [_TRIED + ("the rest" if sentences else "the following")]
    elif len(open_sum.terms) == 2 and left == removed:
        sets = []  # the cases suffice
    return SumReason(_sets(sets, open_sum, deduction) if sets else "", (*sentences, *cases))


def _long_list(removed: Numbers, open_sum: OpenSum, deduction: Deduction) -> str:
    """Return a text with all combinations of a sum without a shorter explanation, or "".

    It is "" if there are too many combinations, if an equation is long, or if the list doesn't show
    why the `removed` numbers are impossible.
    """
    if not open_sum.is_plain and is_long(deduction):
        return ""
    in_order = open_sum.arrangements(most=_MOST_WAYS, most_sets=0)
    if in_order:
        return _arrangements(in_order, open_sum, deduction)
    ways = open_sum.arrangements(most=0, most_sets=_MOST_WAYS) if open_sum.is_plain else []
    possible = {number for numbers in ways for number in numbers}
    if not ways or any(possible.intersection(numbers) for numbers in removed.values()):
        return ""
    return _sets(sorted({tuple(sorted(numbers)) for numbers in ways}), open_sum, deduction)


def _cases(removed: Numbers, sets: Sequence[Sequence[int]], open_sum: OpenSum) -> list[str] | None:
    """Return sentences on why cells can't have the removed numbers.

    A cell has one reason for all of its numbers together if there is one, or if they are many.
    Otherwise, it has a reason for each number. Cells that share a reason are named in one sentence.
    Returns None if a reason takes too many words.
    """
    by_reason: dict[tuple[str, str], list[tuple[int, Reason]]] = {}
    if not sets and open_sum.is_plain and len(open_sum.terms) > _FEW_CELLS:
        ways = open_sum.arrangements(most=0, most_sets=_MOST_SETS)
        sets = sorted({tuple(sorted(numbers)) for numbers in ways})
    for cell, numbers in removed.items():
        together = case_against(cell, numbers, sets, open_sum)
        reasons = [together]
        if together is None and len(numbers) <= _MOST_CASES:
            reasons = [case_against(cell, [number], sets, open_sum) for number in numbers]
        for reason in reasons:
            if reason is None:
                return None
            key = reason.numbers, reason.conclusion
            by_reason.setdefault(key, []).append((cell, reason))
    return [_case(found, open_sum.words) for found in by_reason.values()]


def _case(found: Sequence[tuple[int, Reason]], words: Wording) -> str:
    """Return the sentence on why some cells can't have some numbers, for the same reason."""
    cells = sorted(cell for cell, _ in found)
    reason = found[0][1]
    others = reason.others
    if len({each.others for _, each in found}) > 1:
        others = f"the other {count_in_words(reason.other_count)} cells"
    conclusion = f"{others} {reason.conclusion}" if others else reason.conclusion
    return f"if {words.one_of(cells)} were {reason.numbers}, {conclusion}"


def removed_from(deduction: Deduction, open_sum: OpenSum) -> Numbers:
    """Return {cell: numbers} with the numbers that a step removes from the cells of a sum.

    A placement removes all other numbers of its cell. A step from a sum can remove candidates
    outside it, which are left out, but it places values only in cells of the sum.
    """
    removed: Numbers = {}
    lowest = open_sum.words.layout.lowest
    for cell, value in deduction.eliminations:
        if cell in open_sum.cells:
            removed.setdefault(cell, []).append(value + lowest - 1)
    for cell, value in deduction.placements:
        number = value + lowest - 1
        removed[cell] = [other for other in open_sum.words.numbers(cell) if other != number]
    return removed


def _sets(sets: Iterable[Sequence[int]], open_sum: OpenSum, deduction: Deduction) -> str:
    return f"{_of_open_cells(open_sum, deduction)}: only {listed(map(added, sets), last='or')}"


def _arrangements(
    arrangements: Sequence[Sequence[int]], open_sum: OpenSum, deduction: Deduction
) -> str:
    """Return the possible numbers in the order of the cells, such as ": only 9 = 4+5".

    The text continues the sentence about the sum.
    """
    of_open_cells = _of_open_cells(open_sum, deduction)
    if len(arrangements) == 1:
        values = zip(open_sum.cells, arrangements[0], strict=True)
        cells = [f"{open_sum.words.layout.cell_name(cell)} = {number}" for cell, number in values]
        return f"{of_open_cells}: only {listed(cells)} fit"
    if open_sum.is_plain:
        return f"{of_open_cells}: in this order, only {listed(map(added, arrangements), last='or')}"
    ways = [with_numbers(open_sum, deduction, numbers) for numbers in arrangements]
    return f": only {listed(ways, last='or')}"


def _of_open_cells(open_sum: OpenSum, deduction: Deduction) -> str:
    """Return the sum of the open cells, such as ", so r1c1 and r2c1 sum to 9", or "".

    The text completes an equation with cells on both sides, or with multiples. It is "" for plain
    sums, and if an open cell is subtracted or has a multiple.
    """
    if not open_sum.is_plain or not is_equation(deduction):
        return ""
    return f", so {open_sum.words.cells(open_sum.cells)} sum to {open_sum.total}"


def _limits(removed: Numbers, open_sum: OpenSum) -> tuple[list[str], Numbers]:
    """Return a list with a clause on the bounds of a sum's cells, and the numbers that need more.

    The bounds follow from the other cells. The numbers that need another reason are the removed
    ones within the bounds. If there are too many different bounds, the list is empty, and these are
    all.
    """
    by_limit: dict[tuple[str, str], list[int]] = {}
    left: Numbers = {}
    for cell, numbers in removed.items():
        low, high = open_sum.bounds(cell)
        within = [number for number in numbers if low <= number <= high]
        if within:
            left[cell] = within
        if len(within) < len(numbers):
            if len(open_sum.terms) == 2:
                limit = "", _limit(low, high, numbers)
            else:
                limit = subject(cell, open_sum), _computed(cell, numbers, open_sum)
            by_limit.setdefault(limit, []).append(cell)
    if not by_limit:
        return [], left
    if len(by_limit) > _MOST_LIMITS:
        return [], removed
    if len(open_sum.terms) == 2:
        bounds = [_bounded(limit, cells, open_sum) for (_, limit), cells in by_limit.items()]
    else:
        bounds = [
            f"{'each of ' if len(cells) > 1 else ''}{factor}{open_sum.words.cells(sorted(cells))} "
            f"is {limit}"
            for (factor, limit), cells in by_limit.items()
        ]
    return [f"so {connected(bounds)}"], left


def _computed(cell: int, removed: Sequence[int], open_sum: OpenSum) -> str:
    """Return the bounds of a cell with their computations, such as "at least 20−9−8 = 3".

    A bound that excludes none of the `removed` numbers is left out. Returns "" if both are left
    out.
    """
    low, high = open_sum.bounds(cell)
    ends: list[str] = []
    if min(removed) < low:
        ends.append(f"at least {bound_of(cell, open_sum, is_low=True)}")
    if max(removed) > high:
        ends.append(f"at most {bound_of(cell, open_sum, is_low=False)}")
    return " and ".join(ends)


def _bounded(limit: str, cells: Sequence[int], open_sum: OpenSum) -> str:
    """Return a clause on cells with the same bounds, such as "r1c1 is at least 3".

    `limit` are the bounds in words, from `_limit`.
    """
    verb = "can" if limit.startswith("only") else "is" if len(cells) == 1 else "are"
    bounds = limit.replace("only", "only be", 1)
    return f"{open_sum.words.cells(sorted(cells))} {verb} {bounds}"


def _limit(low: int, high: int, removed: Sequence[int]) -> str:
    """Return the bounds of a cell: "at least 3", "at most 5", "only 3–5", or "only 3".

    A bound that excludes none of the `removed` numbers is left out, unless both are equal.
    """
    if low == high:
        return f"only {low}"
    if min(removed) < low and max(removed) > high:
        return f"only {low}–{high}"
    return f"at least {low}" if min(removed) < low else f"at most {high}"


def contained(values: Iterable[int], open_sum: OpenSum, deduction: Deduction) -> Iterator[str]:
    """Yield clauses on values that a sum's cells must contain, and on the cells that can have them.

    These are the cells that have the value in every combination, or if there are none, those that
    can have it after the step.
    """
    words = open_sum.words
    gone, placed = {*deduction.eliminations}, dict(deduction.placements)
    by_cells: dict[tuple[int, ...], list[int]] = {}
    columns = [*zip(open_sum.cells, zip(*open_sum.arrangements(), strict=True), strict=False)]
    for value in values:
        number = value + words.layout.lowest - 1
        fixed = [cell for cell, numbers in columns if {*numbers} == {number}]
        for cell in fixed:
            by_cells.setdefault((cell,), []).append(value)
        if fixed:
            continue
        cells = tuple(
            cell
            for cell in open_sum.cells
            if words.can_be(cell, value)
            and (cell, value) not in gone
            and placed.get(cell, value) == value
        )
        by_cells.setdefault(cells, []).append(value)
    several: list[tuple[str, str]] = []  # values that fit in several cells, and these cells
    for cells, own in by_cells.items():
        if len(cells) > 1 and len(own) == len(cells):
            yield f"{words.cells(cells)} must be {words.values(own)}, in some order"
        elif len(cells) > 1:
            several.append((words.values(own), words.places(cells)))
    single = [(own[0], cells) for cells, own in by_cells.items() if len(cells) == 1]
    if single:
        parts = [f"{words.value(value)} in {words.cells(cells)}" for value, cells in single]
        yield f"every combination has {listed(parts)}"
    if len(several) == 1:
        ((values_there, places),) = several
        yield f"every combination contains {values_there}, in {places}"
    elif several:
        found = [f"{values_there} (in {places})" for values_there, places in several]
        yield f"every combination contains {listed(found)}"
