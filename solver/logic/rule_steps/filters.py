"""Filters: remove the values that a primitive constraint excludes, given the domains of its cells.

A filter is called with a list of domains (bits, bit 0 = value 1), which it changes in place. It
returns False if it finds that no assignment is left. Filters may leave values that are impossible,
but never remove a possible one.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from solver.board.automaton import Automaton
from solver.board.parts import Filling
from solver.logic.rule_steps.word_filter import Transitions, filter_word

_MOST_GOAL = 100_000  # of a sum; larger ones hardly exclude anything
Domains = list[int]
Filter = Callable[[Domains], bool]


@lru_cache(maxsize=65_536)
def values_in(mask: int) -> tuple[int, ...]:
    """Return the values in a bit mask, counted from 0, in ascending order."""
    return tuple([value for value in range(mask.bit_length()) if mask >> value & 1])


def relation_filter(pairs: Sequence[tuple[int, int]], allowed: Sequence[int]) -> Filter:
    """Return the filter of a binary relation for pairs of cells (see `parts.Relation`)."""
    backward = [
        sum(1 << value for value, mask in enumerate(allowed) if mask >> other & 1)
        for other in range(max(allowed, default=0).bit_length())
    ]
    images: tuple[dict[int, int], dict[int, int]] = {}, {}

    def image(tables: int, table: Sequence[int], mask: int) -> int:
        known = images[tables].get(mask)
        if known is None:
            known = 0
            for value in values_in(mask):
                known |= table[value] if value < len(table) else 0
            images[tables][mask] = known
        return known

    def keep(domains: Domains) -> bool:
        for one, other in pairs:
            second = domains[other] & image(0, allowed, domains[one])
            domains[other] = second
            domains[one] &= image(1, backward, second)
            if not domains[one]:
                return False
        return True

    return keep


def sum_filter(
    cells: Sequence[int], factors: Sequence[int], target: int, *, lowest: int, size: int
) -> Filter:
    """Return the filter of a sum (see `parts.Sum`). It ignores that cells may have to differ."""
    amounts = [[factor * (lowest + value) for value in range(size)] for factor in factors]
    least = [min(each) for each in amounts]
    shifts = [[one - low for one in each] for each, low in zip(amounts, least, strict=True)]
    goal = target - sum(least)
    if goal > _MOST_GOAL:
        return lambda domains: 0 not in [domains[cell] for cell in cells]

    def keep(domains: Domains) -> bool:
        if goal < 0:
            return False
        limit = (1 << (goal + 1)) - 1
        reached = [1]
        for cell, shift in zip(cells, shifts, strict=True):
            before, after = reached[-1], 0
            for value in values_in(domains[cell]):
                after |= before << shift[value]
            reached.append(after & limit)
        wanted = 1 << goal
        if not reached[-1] & wanted:
            return False
        for place in range(len(cells) - 1, -1, -1):
            before, kept, earlier = reached[place], 0, 0
            for value in values_in(domains[cells[place]]):
                move = shifts[place][value]
                if before << move & wanted:
                    kept |= 1 << value
                    earlier |= wanted >> move
            domains[cells[place]] = kept
            wanted = earlier & before
        return True

    return keep


def word_filter_of(cells: Sequence[int], automaton: Automaton) -> Filter:
    """Return the filter of an automaton that reads the cells in order."""
    arrays = Transitions(automaton.phases, automaton.kinds, automaton.rows, automaton.steps)
    closed = int(automaton.is_closed)

    def keep(domains: Domains) -> bool:
        masks = np.array([domains[cell] for cell in cells], np.uint64).view(np.int64)
        kept = filter_word(arrays, automaton.ends, closed, masks).view(np.uint64).tolist()
        for cell, mask in zip(cells, kept, strict=True):
            domains[cell] &= mask
        return all(domains[cell] for cell in cells)

    return keep


def set_filter(cells: Sequence[int], sets: Sequence[int]) -> Filter:
    """Return the filter of cells whose set of values must be one of `sets` (as bits).

    See `parts.Combination`.
    """

    def keep(domains: Domains) -> bool:
        own = [domains[cell] for cell in cells]
        kept = [0] * len(own)
        for values in sets:
            left = [mask & values for mask in own]
            if 0 in left:
                continue
            once = several = 0
            for mask in left:
                several |= once & mask
                once |= mask
            if once != values:
                continue
            single = once & ~several  # values with only one place
            fits = [mask & single or mask for mask in left]
            if any(mask & single and mask & single & (mask & single) - 1 for mask in left):
                continue
            kept = [one | other for one, other in zip(kept, fits, strict=True)]
        for cell, mask in zip(cells, kept, strict=True):
            domains[cell] &= mask
        return all(domains[cell] for cell in cells)

    return keep


def sandwich_filter(cells: Sequence[int], fillings: Sequence[Filling]) -> Filter:
    """Return the filter of a sandwich (see `parts.Sandwich`)."""

    def keep(domains: Domains) -> bool:
        own = [domains[cell] for cell in cells]
        kept = [0] * len(own)
        for filling in fillings:
            gap = filling.inside.bit_count() + 1
            for start in range(len(own) - gap):
                for first, last in ((filling.low, filling.high), (filling.high, filling.low)):
                    if not own[start] & first or not own[start + gap] & last:
                        continue
                    left = [mask & filling.outside for mask in own]
                    left[start : start + gap + 1] = [
                        mask & filling.inside for mask in own[start : start + gap + 1]
                    ]
                    left[start], left[start + gap] = first, last
                    if 0 not in left:
                        kept = [one | other for one, other in zip(kept, left, strict=True)]
        for cell, mask in zip(cells, kept, strict=True):
            domains[cell] &= mask
        return all(domains[cell] for cell in cells)

    return keep


def difference_filter(pairs: Sequence[tuple[int, int]]) -> Filter:
    """Return the filter of pairs of cells that must differ."""
    others: dict[int, list[int]] = {}
    for one, other in pairs:
        others.setdefault(one, []).append(other)
        others.setdefault(other, []).append(one)
    lists = list(others.items())

    def keep(domains: Domains) -> bool:
        for cell, differing in lists:
            mask = domains[cell]
            if mask & (mask - 1):
                continue
            if not mask:
                return False
            for other in differing:
                if domains[other] & mask:
                    domains[other] &= ~mask
                    if not domains[other]:
                        return False
        return True

    return keep


def domain_filter(cell: int, allowed: int) -> Filter:
    """Return the filter of a cell that can only have some values."""

    def keep(domains: Domains) -> bool:
        domains[cell] &= allowed
        return domains[cell] != 0

    return keep


def options_filter(options: Sequence[Sequence[Filter]]) -> Filter:
    """Return the filter of a disjunction: a value stays if at least one option leaves it."""

    def keep(domains: Domains) -> bool:
        left = [0] * len(domains)
        for option in options:
            own = domains.copy()
            if propagate(option, own):
                left = [one | other for one, other in zip(left, own, strict=True)]
        domains[:] = left
        return 0 not in left

    return keep


def propagate(filters: Sequence[Filter], domains: Domains) -> bool:
    """Apply filters to the domains, which change in place, until none removes anything.

    Returns False if a filter finds that no assignment is left.
    """
    while True:
        before = domains.copy()
        for keep in filters:
            if not keep(domains):
                return False
        if domains == before:
            return True
