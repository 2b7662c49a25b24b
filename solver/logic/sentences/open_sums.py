"""The open part of a sum: its undecided cells, their total, and the numbers that are possible."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil, floor

from solver.logic.deduction import Deduction
from solver.logic.sentences.places import must_differ
from solver.logic.sentences.wording import Wording

_MOST_TRIED = 5_000
_MOST_SETS = 3  # longer lists of possible number sets aren't worth printing
_MOST_PAIRS = 4  # sets of two numbers
_MOST_ARRANGEMENTS = 4  # longer lists of numbers in the order of the cells aren't either
_MOST_EXACT = 9  # values of boards on which the sums of any cells that differ are computed exactly
_MOST_DIFFERENT = 6  # such cells on larger boards
_MOST_SEARCHED = 5  # cells of which only some must differ, and whose sums are computed exactly


@dataclass(frozen=True, slots=True)
class OpenSum:
    """The cells of a sum that have several candidates, with their factors, and their total.

    `terms` are pairs (cell, factor). `total` is the sum that these cells must have. `known` is the
    contribution of the other cells. Values count from 1, but the numbers in all sums count from
    `layout.lowest`.
    """

    words: Wording
    terms: tuple[tuple[int, int], ...]
    total: int
    known: int = 0

    @classmethod
    def of(cls, deduction: Deduction, words: Wording) -> "OpenSum":
        """Return the open part of the sum of a step.

        Cells in which the step places a value count as open.
        """
        placed = {cell for cell, _ in deduction.placements}
        terms, known = [], 0
        for cell, factor in deduction.terms:
            numbers = words.numbers(cell)
            if len(numbers) == 1 and cell not in placed:
                known += factor * numbers[0]
            else:
                terms.append((cell, factor))
        return cls(words, tuple(sorted(terms)), (deduction.total or 0) - known, known)

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells of the sum that have several candidates, in the order of the terms."""
        return tuple(cell for cell, _ in self.terms)

    @property
    def is_plain(self) -> bool:
        """Whether all factors are 1, as in a cage."""
        return {factor for _, factor in self.terms} == {1}

    @property
    def is_equality(self) -> bool:
        """Whether the sum only states that its two open cells are equal."""
        return self.total == 0 and sorted(factor for _, factor in self.terms) == [-1, 1]

    def arrangements(
        self, *, most: int = _MOST_ARRANGEMENTS, most_sets: int | None = None
    ) -> list[tuple[int, ...]]:
        """Return the possible numbers of the cells, as tuples in their order, or [].

        The result is [] if there are more than `most` arrangements with more than `most_sets` sets
        of numbers (by default those that `sets_of` lists), or if the search for them takes too
        long.
        """
        if most_sets is None:
            most_sets = self._most_sets
        rests = [replace(self, terms=self.terms[place:]) for place in range(1, len(self.terms) + 1)]
        limits = [rest.extremes() for rest in rests]
        found: list[tuple[int, ...]] = []
        sets: set[tuple[int, ...]] = set()
        waiting: list[tuple[int, ...]] = [()]
        tried = 0
        while waiting:
            chosen = waiting.pop()
            tried += 1
            if tried > _MOST_TRIED:
                return []
            if len(chosen) == len(self.terms):
                found.append(chosen)
                sets.add(tuple(sorted(chosen)) if self.is_plain else chosen)
                if len(found) > most and len(sets) > most_sets:
                    return []
            else:
                waiting += [
                    (*chosen, number)
                    for number in self.words.numbers(self.cells[len(chosen)])
                    if self._fits((*chosen, number), limits[len(chosen)])
                ]
        return sorted(found)

    def sets_of(self, arrangements: Iterable[Sequence[int]]) -> list[tuple[int, ...]]:
        """Return the sets of numbers in arrangements, each in ascending order, or [].

        The result is [] if there are more than three sets, or four of two numbers, or if not all
        factors are 1.
        """
        sets = {tuple(sorted(numbers)) for numbers in arrangements}
        return sorted(sets) if self.is_plain and len(sets) <= self._most_sets else []

    @property
    def _most_sets(self) -> int:
        return _MOST_PAIRS if len(self.terms) == 2 else _MOST_SETS

    def in_order(self, arrangements: Sequence[tuple[int, ...]]) -> Sequence[tuple[int, ...]]:
        """Return the arrangements if they are few enough for a list, otherwise ()."""
        return arrangements if len(arrangements) <= _MOST_ARRANGEMENTS else ()

    def _fits(self, chosen: tuple[int, ...], limits: tuple[int, int]) -> bool:
        """Return whether numbers for the first cells can lead to the total.

        Only the last of these numbers is checked, because the others are known to fit. `limits` are
        bounds for the sum of the other cells.
        """
        *before, last = chosen
        cell = self.cells[len(before)]
        if any(
            number == last and must_differ(self.words.layout, one, cell)
            for one, number in zip(self.cells, before, strict=False)
        ):
            return False
        left = self.total - sum(
            factor * number for (_, factor), number in zip(self.terms, chosen, strict=False)
        )
        least, most = limits
        return least <= left <= most

    def bounds(self, cell: int) -> tuple[int, int]:
        """Return the smallest and the largest number that the other cells leave for a cell.

        They follow from the total and from bounds for the sum of the other cells.
        """
        least, most = self.others(cell).extremes()
        factor = dict(self.terms)[cell]
        low, high = sorted(((self.total - least) / factor, (self.total - most) / factor))
        return ceil(low), floor(high)

    def others(self, cell: int) -> "OpenSum":
        """Return this sum without a cell, as if its number were 0."""
        return replace(self, terms=tuple(term for term in self.terms if term[0] != cell))

    def with_value(self, cell: int, number: int) -> "OpenSum":
        """Return this sum in a grid where a cell has a number, so that its peers can't have it."""
        layout = self.words.layout
        bit = 1 << (number - layout.lowest)
        domains = list(self.words.domains or [(1 << layout.size) - 1] * layout.cells)
        for other in self.cells:
            if must_differ(layout, cell, other):
                domains[other] &= ~bit
        domains[cell] = bit
        return replace(self, words=replace(self.words, domains=tuple(domains)))

    def side(self, sign: int) -> "OpenSum":
        """Return the terms whose factors have a sign (1 or -1), with positive factors."""
        terms = tuple((cell, abs(factor)) for cell, factor in self.terms if factor * sign > 0)
        return replace(self, terms=terms)

    def extremes(self) -> tuple[int, int]:
        """Return a lower and an upper bound for the sum of the terms. The total isn't used."""
        least, most = (
            sum(number * factor for number, factor in self._ends(is_most=is_most))
            for is_most in (False, True)
        )
        return least, most

    def extreme_numbers(self, *, is_most: bool) -> list[tuple[int, int]]:
        """Return the numbers that give the upper bound (`is_most`) or the lower one of `extremes`.

        They are pairs with their factors. For the lower bound, the products are in ascending order,
        and otherwise in descending order.
        """
        ends = self._ends(is_most=is_most)
        return sorted(ends, key=lambda one: one[0] * one[1], reverse=is_most)

    def _ends(self, *, is_most: bool) -> Iterator[tuple[int, int]]:
        """Yield (number, factor) for each term, with the numbers of one of the `extremes`.

        It is the upper bound if `is_most`, otherwise the lower one.
        """
        groups = self._groups()
        if len(groups) > 1 and len(self.terms) <= _MOST_SEARCHED:
            numbers = self._exact_end(is_most=is_most)
            if numbers:
                yield from zip(numbers, (factor for _, factor in self.terms), strict=True)
                return
        for group in groups:
            factors = tuple(factor for _, factor in group)
            own = tuple(tuple(self.words.numbers(cell)) for cell, _ in group)
            yield from zip(_end_of(own, factors, is_most=is_most), factors, strict=True)

    def _exact_end(self, *, is_most: bool) -> tuple[int, ...]:
        """Return the number of each cell in a filling with the least or the greatest sum.

        The filling respects which cells must differ. Returns () if there is none.
        """
        layout, sign, best = self.words.layout, 1 if is_most else -1, tuple[int, ...]()
        own = [
            sorted(self.words.numbers(cell), reverse=factor * sign > 0)
            for cell, factor in self.terms
        ]
        ends = [
            sign * factor * numbers[0] for numbers, (_, factor) in zip(own, self.terms, strict=True)
        ]
        most: int | None = None
        waiting: list[tuple[int, tuple[int, ...]]] = [(0, ())]
        while waiting:
            total, chosen = waiting.pop()
            if most is not None and total + sum(ends[len(chosen) :]) <= most:
                continue
            if len(chosen) == len(self.terms):
                most, best = total, chosen
                continue
            cell, factor = self.terms[len(chosen)]
            used = {
                number
                for other, number in zip(self.cells, chosen, strict=False)
                if must_differ(layout, cell, other)
            }
            waiting += [
                (total + sign * factor * number, (*chosen, number))
                for number in reversed(own[len(chosen)])
                if number not in used
            ]
        return best

    def _groups(self) -> list[list[tuple[int, int]]]:
        """Divide the terms (cell, factor) into groups, such that all cells of a group must differ.

        Each term joins the first group that it fits into. On large boards, a group has at most
        `_MOST_DIFFERENT` terms.
        """
        layout, groups = self.words.layout, list[list[tuple[int, int]]]()
        most = layout.size if layout.size <= _MOST_EXACT else _MOST_DIFFERENT
        for term in self.terms:
            for group in groups:
                if len(group) < most and all(
                    must_differ(layout, term[0], other) for other, _ in group
                ):
                    group.append(term)
                    break
            else:
                groups.append([term])
        return groups


@lru_cache(maxsize=1 << 12)  # a sum's text needs the same extremes many times
def _end_of(
    numbers: tuple[tuple[int, ...], ...], factors: tuple[int, ...], *, is_most: bool
) -> tuple[int, ...]:
    """Return different numbers, one from each list, with the least or the greatest sum.

    The sum has the given factors. If the numbers can't all differ, the result is the best without
    this condition.
    """
    sign, base = 1 if is_most else -1, min(map(min, numbers))
    best: dict[int, tuple[int, tuple[int, ...]]] = {0: (0, ())}  # by the set of used numbers
    for own, factor in zip(numbers, factors, strict=True):
        following: dict[int, tuple[int, tuple[int, ...]]] = {}
        for used, (total, chosen) in best.items():
            for number in own:
                bit = 1 << (number - base)
                if not used & bit:
                    found = total + sign * factor * number, (*chosen, number)
                    following[used | bit] = max(following.get(used | bit, found), found)
        best = following
    if not best:
        own_ends = zip(numbers, factors, strict=True)
        return tuple(max(own) if factor * sign > 0 else min(own) for own, factor in own_ends)
    return max(best.values())[1]
