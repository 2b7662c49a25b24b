"""Filters: remove the values that a primitive constraint excludes, given the domains of its cells.

A filter is an array of words, which `compiled_filters` describes and interprets. Filters may leave
values that are impossible, but never remove a possible one.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np

from solver.board.automaton import Automaton
from solver.board.primitive_constraints import Filling
from solver.logic.board import Words
from solver.logic.rule_steps.compiled_filters import (
    DIFFERENCE,
    DOMAIN,
    NON_EMPTY,
    OPTIONS,
    RELATION,
    SANDWICH,
    SETS,
    SUM,
    WORD,
    propagate_words,
)

_MOST_GOAL = 100_000  # of a sum; larger ones hardly exclude anything
_WORD = (1 << 64) - 1
Domains = list[int]


@lru_cache(maxsize=65_536)
def values_in(mask: int) -> tuple[int, ...]:
    """Return the values in a bit mask, counted from 0, in ascending order."""
    return tuple([value for value in range(mask.bit_length()) if mask >> value & 1])


def relation_filter(pairs: Sequence[tuple[int, int]], allowed: Sequence[int]) -> Words:
    """Return the filter of a binary relation for pairs of cells.

    allowed[v] are the values, as bits, that the second cell can have if the first one has value v.
    """
    return _filter(RELATION, len(pairs), *chain.from_iterable(pairs), len(allowed), *allowed)


def sum_filter(
    cells: Sequence[int], factors: Sequence[int], target: int, *, lowest: int, size: int
) -> Words:
    """Return the filter of a sum of cells with factors. It ignores that cells may have to differ.

    The board has `size` values, and `lowest` is the number of the first one. If the target exceeds
    the least total by more than `_MOST_GOAL`, the filter only requires that every cell has a value.
    """
    amounts = [[factor * (lowest + value) for value in range(size)] for factor in factors]
    least = [min(each) for each in amounts]
    shifts = [one - low for each, low in zip(amounts, least, strict=True) for one in each]
    goal = target - sum(least)
    if goal > _MOST_GOAL:
        return _filter(NON_EMPTY, len(cells), *cells)
    return _filter(SUM, len(cells), *cells, goal, size, *shifts)


def word_filter(cells: Sequence[int], automaton: Automaton) -> Words:
    """Return the filter of cells whose values, in this order, must be accepted by an automaton."""
    head = [len(cells), *cells, automaton.is_closed, len(automaton.ends), len(automaton.kinds)]
    head += [*automaton.rows.shape[:1], *automaton.steps.shape]
    arrays: list[Any] = [
        np.array(head, np.int64), automaton.phases, automaton.kinds, automaton.rows.ravel(),
        automaton.steps.ravel(), automaton.ends.astype(np.int64),
    ]  # fmt: skip
    words = np.concatenate(arrays).astype(np.int64)
    return np.concatenate([np.array([WORD, len(words)], np.int64), words])


def set_filter(cells: Sequence[int], sets: Sequence[int]) -> Words:
    """Return the filter of cells whose set of values must be one of `sets` (as bits)."""
    return _filter(SETS, len(cells), *cells, len(sets), *sets)


def sandwich_filter(cells: Sequence[int], fillings: Sequence[Filling]) -> Words:
    """Return the filter of a sandwich sum. `fillings` are its possible crusts and fillings."""
    words = chain.from_iterable(
        (each.low, each.high, each.inside, each.outside) for each in fillings
    )
    return _filter(SANDWICH, len(cells), *cells, len(fillings), *words)


def difference_filter(pairs: Sequence[tuple[int, int]]) -> Words:
    """Return the filter of pairs of cells that must differ."""
    return _filter(DIFFERENCE, len(pairs), *chain.from_iterable(pairs))


def domain_filter(cell: int, allowed: int) -> Words:
    """Return the filter of a cell that can only have the values in `allowed` (bits)."""
    return _filter(DOMAIN, cell, allowed)


def options_filter(options: Sequence[Sequence[Words]]) -> Words:
    """Return the filter of a disjunction: a value stays if at least one option leaves it.

    The options must not contain disjunctions.
    """
    words = [word for option in options for word in _with_length(joined(option))]
    return _filter(OPTIONS, len(options), *words)


def joined(filters: Sequence[Words]) -> Words:
    """Concatenate filters. The result is empty if there are none."""
    return np.concatenate([np.zeros(0, np.int64), *filters])


def propagate(filters: Words, domains: Domains) -> bool:
    """Apply filters to the domains, which change in place, until none removes anything.

    The domains are bits, bit 0 = value 1. Returns False if a filter finds that no assignment is
    left.
    """
    words = np.array(domains, np.uint64)
    is_possible: bool = propagate_words(filters, words.view(np.int64))
    domains[:] = words.tolist()
    return is_possible


def _with_length(filters: Words) -> list[int]:
    return [len(filters), *filters.tolist()]


def _filter(kind: int, *words: int) -> Words:
    head = (kind, len(words), *words)
    return np.array([word & _WORD for word in head], np.uint64).view(np.int64)
