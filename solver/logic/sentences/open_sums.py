"""The open part of a sum: its undecided cells, their total, and the numbers that are possible."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import ceil, floor

from solver.logic.deduction import Deduction
from solver.logic.sentences.places import must_differ
from solver.logic.sentences.wording import Wording

_MOST_TRIED = 5_000
_MOST_SETS = 3  # longer lists of possible number sets aren't worth printing
_MOST_PAIRS = 4  # sets of two numbers
_MOST_ARRANGEMENTS = 4  # longer lists of numbers in the order of the cells aren't either
_MOST_DIFFERENT = 6  # cells that must all differ and whose sums are computed exactly


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

    @property
    def is_equality(self) -> bool:
        """Whether just two cells are open, which must be equal."""
        return self.total == 0 and sorted(factor for _, factor in self.terms) == [-1, 1]

    @property
    def must_all_differ(self) -> bool:
        """Whether all open cells see each other."""
        return all(must_differ(self.words.layout, *pair) for pair in combinations(self.cells, 2))

    def arrangements(
        self, *, most: int = _MOST_ARRANGEMENTS, most_sets: int | None = None
    ) -> list[tuple[int, ...]]:
        """Return the possible numbers of the cells, in their order, or [] if there are too many.

        Too many are more than `most` arrangements if they also have more than `most_sets` sets, by
        default those that `sets_of` lists. The search is limited.
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
        """Return the sets of numbers in arrangements, or [] if there are too many.

        Each set is in ascending order. More than three sets are too many, or more than four pairs.
        There are none if not all factors are 1.
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

        The numbers before the last one are known to fit. `limits` are the bounds for the sum of the
        other cells.
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

    def bounds(self, cell: int, *, differ: bool = True) -> tuple[int, int]:
        """Return the smallest and the largest number that the other cells leave for a cell.

        They follow from the total and from bounds for the sum of the other cells. If `differ` is
        not set, cells that see each other may be equal.
        """
        least, most = self.others(cell).extremes(differ=differ)
        factor = dict(self.terms)[cell]
        low, high = sorted(((self.total - least) / factor, (self.total - most) / factor))
        return ceil(low), floor(high)

    def difference(self, cell: int, *, is_low: bool) -> tuple[int, int] | None:
        """Return the two numbers whose difference is a bound of a cell, such as 19 and 17.

        The first one is the total, with the cells on the other side of the equation. The second one
        is the sum of the other cells on the cell's own side. Returns None if there are none, or if
        the cell has a multiple.
        """
        factor, others = dict(self.terms)[cell], self.others(cell)
        if abs(factor) != 1 or len(others.terms) < 2:
            return None
        same, opposite = (
            replace(
                self, terms=tuple((one, abs(own)) for one, own in others.terms if own * sign > 0)
            )
            for sign in (factor, -factor)
        )
        if not same.terms:
            return None
        least, most = same.extremes()
        low, high = opposite.extremes()
        total = factor * self.total
        return (total + low, most) if is_low else (total + high, least)

    def others(self, cell: int) -> "OpenSum":
        """Return this sum without a cell, as if its number were 0."""
        return replace(self, terms=tuple(term for term in self.terms if term[0] != cell))

    def extremes(self, *, differ: bool = True) -> tuple[int, int]:
        """Return a lower and an upper bound for the sum of the terms, whatever the total is.

        If `differ` is not set, cells that see each other may be equal.
        """
        least = most = 0
        by_factor: dict[int, list[int]] = {}
        for cell, factor in self.terms:
            by_factor.setdefault(factor, []).append(cell)
        for factor, cells in by_factor.items():
            for group in self._groups(cells) if differ else [[cell] for cell in cells]:
                ends = [factor * end for end in _ends_of([*map(self.words.numbers, group)])]
                least, most = least + min(ends), most + max(ends)
        return least, most

    def _groups(self, cells: Iterable[int]) -> list[list[int]]:
        """Divide cells into groups of at most six, so that all cells of a group must differ."""
        groups: list[list[int]] = []
        for cell in cells:
            for group in groups:
                if len(group) < _MOST_DIFFERENT and all(
                    must_differ(self.words.layout, cell, other) for other in group
                ):
                    group.append(cell)
                    break
            else:
                groups.append([cell])
        return groups


def _ends_of(numbers: Sequence[Sequence[int]]) -> tuple[int, int]:
    """Return the least and the greatest sum of different numbers, one from each list.

    If that is impossible, the numbers may be equal.
    """
    first, *rest = numbers
    if not rest:
        return min(first), max(first)
    base = min(map(min, numbers))
    reached = {1 << (number - base) for number in first}
    for own in rest:
        bits = [1 << (number - base) for number in own]
        reached = {used | bit for used in reached for bit in bits if not used & bit}
    if not reached:  # the cells can't all differ
        return sum(map(min, numbers)), sum(map(max, numbers))
    sums = [sum(bit for bit in range(used.bit_length()) if used >> bit & 1) for used in reached]
    return len(numbers) * base + min(sums), len(numbers) * base + max(sums)
