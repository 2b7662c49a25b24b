"""Apply filters to domains in compiled code. The functions of `filters` make them.

A filter is an array of 64-bit words: its kind, the number of words that follow, and these. Several
filters follow each other in one array. "cells" stands for a number of cells and the cells.

RELATION    number of pairs, one, other, …, number of values, the partners of each value as bits
SUM         cells, goal, number of values, shift of each value of each cell (see `sum_filter`)
WORD        cells, whether the automaton is closed, its numbers of states and of kinds, the shapes
            of rows and steps, and its arrays phases, kinds, rows, steps, and ends
SETS        cells, number of sets, each set as bits
SANDWICH    cells, number of fillings, the bits low, high, inside, and outside of each
DIFFERENCE  number of pairs, one, other, …
DOMAIN      cell, its values as bits
NON_EMPTY   cells, none of which may have lost all values
OPTIONS     number of options, and for each the number of its words and its filters

Domains are words, too: bit n is the number with index n on the board.
"""

from typing import Any

import numpy as np

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import compiled, helper
from solver.logic.board import Words
from solver.logic.rule_steps.word_filter import Transitions, filter_word

Totals = Any  # a set of totals: bit t % 64 of word t // 64
(RELATION, SUM, WORD, SETS, SANDWICH, DIFFERENCE, DOMAIN, NON_EMPTY, OPTIONS) = range(9)


@compiled
def propagate_words(filters: Words, domains: Words) -> Any:
    """Apply filters to the domains, which change in place, until none removes anything.

    Returns False if a filter finds that no assignment is left.
    """
    return propagate_all(filters, domains)


@helper
def propagate_all(filters: Words, domains: Words) -> Any:
    """Do the same as `propagate_words`, for compiled callers.

    Options don't contain disjunctions, and have a loop of their own (`_propagate_option`), because
    compiled functions don't call themselves here.
    """
    before = np.empty_like(domains)
    while True:
        before[:] = domains
        at = 0
        while at < len(filters):
            words = filters[at + 2 : at + 2 + filters[at + 1]]
            if filters[at] == OPTIONS:
                if not _keep_options(words, domains):
                    return False
            elif not _keep(filters[at], words, domains):
                return False
            at += 2 + filters[at + 1]
        if (before == domains).all():
            return True


@helper
def _keep_options(words: Words, domains: Words) -> Any:
    """Keep the values that at least one option of a disjunction leaves.

    `words` are the content of an OPTIONS filter. Returns False if a cell has no value left.
    """
    left = np.zeros_like(domains)
    at = 1
    for _ in range(words[0]):
        own = domains.copy()
        if _propagate_option(words[at + 1 : at + 1 + words[at]], own):
            left |= own
        at += 1 + words[at]
    domains[:] = left
    return (left != 0).all()


@helper
def _propagate_option(filters: Words, domains: Words) -> Any:
    """Apply the filters of one option to the domains in place, until none of them changes any.

    None of the filters may be a disjunction. Returns False if a filter finds that no assignment is
    left.
    """
    before = np.empty_like(domains)
    while True:
        before[:] = domains
        at = 0
        while at < len(filters):
            if not _keep(filters[at], filters[at + 2 : at + 2 + filters[at + 1]], domains):
                return False
            at += 2 + filters[at + 1]
        if (before == domains).all():
            return True


@helper
def _keep(kind: int, words: Words, domains: Words) -> Any:
    """Apply one filter that isn't a disjunction to the domains, which change in place.

    `kind` is its first word, and `words` are those after its length. Returns False if it finds that
    no assignment is left.
    """
    if kind == DIFFERENCE:
        return _keep_different(words, domains)
    if kind == RELATION:
        return _keep_related(words, domains)
    if kind == SUM:
        return _keep_sum(words, domains)
    if kind == SETS:
        return _keep_sets(words, domains)
    if kind == WORD:
        return _keep_word(words, domains)
    if kind == SANDWICH:
        return _keep_sandwich(words, domains)
    if kind == DOMAIN:
        domains[words[0]] &= words[1]
        return domains[words[0]] != 0
    return _are_possible(words, domains)


@helper
def _are_possible(words: Words, domains: Words) -> Any:
    """Return whether each of some cells has a value left.

    `words` begins with the number of these cells and the cells.
    """
    is_possible = True
    for place in range(words[0]):
        is_possible = is_possible and domains[words[1 + place]] != 0
    return is_possible


@helper
def _keep_different(words: Words, domains: Words) -> Any:
    for pair in range(words[0]):
        one, other = words[1 + 2 * pair], words[2 + 2 * pair]
        if domains[one] & (domains[one] - 1) == 0:
            domains[other] &= ~domains[one]
        if domains[other] & (domains[other] - 1) == 0:
            domains[one] &= ~domains[other]
        if domains[one] == 0 or domains[other] == 0:
            return False
    return True


@helper
def _keep_related(words: Words, domains: Words) -> Any:
    pairs = words[0]
    allowed = words[2 + 2 * pairs :]
    for pair in range(pairs):
        one, other = words[1 + 2 * pair], words[2 + 2 * pair]
        reached, kept = 0, 0
        rest = domains[one]
        while rest:
            value = ctz(rest)
            rest &= rest - 1
            partners = domains[other] & allowed[value] if value < len(allowed) else 0
            reached |= partners
            if partners:
                kept |= 1 << value
        domains[other] &= reached
        domains[one] &= kept
        if domains[one] == 0:
            return False
    return True


@helper
def _keep_sum(words: Words, domains: Words) -> Any:
    count = words[0]
    goal, size = words[1 + count], words[2 + count]
    shifts = words[3 + count :]
    if goal < 0:
        return False
    # reached[n] has a bit for each total of the first n cells.
    length = (goal >> 6) + 1
    reached = np.zeros((count + 1, length), np.uint64)
    reached[0, 0] = np.uint64(1)
    for place in range(count):
        rest = domains[words[1 + place]]
        while rest:
            value = ctz(rest)
            rest &= rest - 1
            _add_shifted(reached[place], shifts[place * size + value], reached[place + 1])
    useful = np.zeros(length, np.uint64)
    useful[-1] = np.uint64(1) << np.uint64(goal & 63)
    if reached[count, length - 1] & useful[-1] == 0:
        return False
    earlier = np.zeros(length, np.uint64)
    for back in range(count):
        place = count - 1 - back
        kept = 0
        earlier[:] = np.uint64(0)
        rest = domains[words[1 + place]]
        while rest:
            value = ctz(rest)
            rest &= rest - 1
            if _add_sources(useful, shifts[place * size + value], reached[place], earlier):
                kept |= 1 << value
        domains[words[1 + place]] = kept
        useful[:] = earlier
    return True


@helper
def _add_shifted(totals: Totals, shift: int, after: Totals) -> None:
    """Add to the set `after` each of `totals`, increased by `shift`.

    Totals that are too large for the set are left out.
    """
    skip, up = shift >> 6, np.uint64(shift & 63)
    for word in range(len(totals) - skip):
        after[word + skip] |= totals[word] << up
        if up and word + skip + 1 < len(totals):
            after[word + skip + 1] |= totals[word] >> (np.uint64(64) - up)


@helper
def _add_sources(useful: Totals, shift: int, reached: Totals, sources: Totals) -> Any:
    """Add to `sources` the totals in `reached` whose sum with `shift` is in `useful`.

    Returns whether there is one.
    """
    skip, down = shift >> 6, np.uint64(shift & 63)
    is_found = False
    for word in range(len(useful) - skip):
        totals = useful[word + skip] >> down
        if down and word + skip + 1 < len(useful):
            totals |= useful[word + skip + 1] << (np.uint64(64) - down)
        totals &= reached[word]
        sources[word] |= totals
        is_found = is_found or totals != 0
    return is_found


@helper
def _keep_sets(words: Words, domains: Words) -> Any:
    count = words[0]
    cells, sets = words[1 : 1 + count], words[2 + count :]
    kept = np.zeros(count, np.int64)
    for values in sets:
        once, several, is_possible = 0, 0, True
        for cell in cells:
            mask = domains[cell] & values
            is_possible = is_possible and mask != 0
            several |= once & mask
            once |= mask
        if not is_possible or once != values:
            continue
        single = once & ~several  # values with only one place
        for cell in cells:
            own = domains[cell] & single & values
            is_possible = is_possible and own & (own - 1) == 0
        if is_possible:
            for place in range(count):
                mask = domains[cells[place]] & values
                kept[place] |= mask & single if mask & single else mask
    return _restrict(words, domains, kept)


@helper
def _keep_word(words: Words, domains: Words) -> Any:
    count = words[0]
    closed, states, kinds = words[1 + count], words[2 + count], words[3 + count]
    layers, rows, columns = words[4 + count], words[5 + count], words[6 + count]
    at = 7 + count
    automaton = Transitions(
        words[at : at + count],
        words[at + count : at + count + kinds],
        words[at + count + kinds : at + count + kinds + layers * states].reshape(layers, states),
        words[at + count + kinds + layers * states : len(words) - states].reshape(rows, columns),
    )
    own = np.empty(count, np.int64)
    for place in range(count):
        own[place] = domains[words[1 + place]]
    kept = filter_word(automaton, words[len(words) - states :], closed, own)
    return _restrict(words, domains, kept)


@helper
def _keep_sandwich(words: Words, domains: Words) -> Any:
    count = words[0]
    cells, fillings = words[1 : 1 + count], words[2 + count :]
    kept = np.zeros(count, np.int64)
    left = np.empty(count, np.int64)
    for filling in range(words[1 + count]):
        low, high, inside, outside = fillings[4 * filling : 4 * filling + 4]
        gap = popcount(inside) + 1
        for start in range(count - gap):
            for first, last in ((low, high), (high, low)):
                if not domains[cells[start]] & first or not domains[cells[start + gap]] & last:
                    continue
                for place in range(count):
                    is_inside = start < place < start + gap
                    left[place] = domains[cells[place]] & (inside if is_inside else outside)
                left[start], left[start + gap] = first, last
                if (left != 0).all():
                    kept |= left
    return _restrict(words, domains, kept)


@helper
def _restrict(words: Words, domains: Words, kept: Words) -> Any:
    """Remove all values from some cells, except `kept`. Return False if a cell then has none.

    `words` begins with the number of these cells and the cells. `kept` has the values of each, as
    bits.
    """
    for place in range(words[0]):
        domains[words[1 + place]] &= kept[place]
    return _are_possible(words, domains)
