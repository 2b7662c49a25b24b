"""The open part of a sum: its undecided cells, their total, and the numbers that are possible."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from math import ceil, floor

from solver.logic.deduction import Deduction
from solver.logic.sentences.places import must_differ
from solver.logic.sentences.wording import Wording

_MOST_TRIED = 5_000
_MOST_WAYS = 3  # longer lists of possible number sets aren't worth printing


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
        """The open cells."""
        return tuple(cell for cell, _ in self.terms)

    @property
    def is_plain(self) -> bool:
        """Whether all factors are 1, as in a cage."""
        return {factor for _, factor in self.terms} == {1}

    def ways(self) -> list[tuple[int, ...]]:
        """Return the possible sets of numbers for the cells, or [] if there are too many.

        More than three sets are too many, and the search is limited. Each set is in ascending
        order. If not all factors are 1, the numbers are in the order of the cells instead.
        """
        ways: set[tuple[int, ...]] = set()
        waiting: list[tuple[int, ...]] = [()]
        tried = 0
        while waiting:
            chosen = waiting.pop()
            tried += 1
            if tried > _MOST_TRIED or len(ways) > _MOST_WAYS:
                return []
            if len(chosen) == len(self.terms):
                ways.add(tuple(sorted(chosen)) if self.is_plain else chosen)
            else:
                waiting += [
                    (*chosen, number)
                    for number in self.words.numbers(self.cells[len(chosen)])
                    if self._fits((*chosen, number))
                ]
        return sorted(ways)

    def _fits(self, chosen: tuple[int, ...]) -> bool:
        """Return whether numbers for the first cells can lead to the total.

        The numbers before the last one are known to fit.
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
        least, most = self._extremes(self.terms[len(chosen) :])
        return least <= left <= most

    def bounds(self, cell: int) -> tuple[int, int]:
        """Return the smallest and the largest number that the other cells leave for a cell.

        They follow from the total and from bounds for the sum of the other cells.
        """
        least, most = self._extremes((one, factor) for one, factor in self.terms if one != cell)
        factor = dict(self.terms)[cell]
        low, high = sorted(((self.total - least) / factor, (self.total - most) / factor))
        return ceil(low), floor(high)

    def _extremes(self, terms: Iterable[tuple[int, int]]) -> tuple[int, int]:
        """Return a lower and an upper bound for the sum of some of the terms (cell, factor)."""
        least = most = 0
        by_factor: dict[int, list[int]] = {}
        for cell, factor in terms:
            by_factor.setdefault(factor, []).append(cell)
        for factor, cells in by_factor.items():
            ends = [factor * end for end in self._ends(cells)]
            least, most = least + min(ends), most + max(ends)
        return least, most

    def _ends(self, cells: list[int]) -> tuple[int, int]:
        """Return a lower and an upper bound for the sum of some cells.

        If the cells must all differ, the bounds take this into account.
        """
        numbers = [self.words.numbers(cell) for cell in cells]
        least, most = sum(map(min, numbers)), sum(map(max, numbers))
        if all(must_differ(self.words.layout, *pair) for pair in combinations(cells, 2)):
            distinct = sorted(set().union(*numbers))
            least = max(least, sum(distinct[: len(cells)]))
            most = min(most, sum(distinct[-len(cells) :]))
        return least, most
