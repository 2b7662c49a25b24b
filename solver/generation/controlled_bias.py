"""Controlled-bias removal of givens, for samples that allow unbiased statistics.

Denis Berthier, "Unbiased statistics of a CSP – a controlled-bias generator", in: Innovations in
Computing Sciences and Software Engineering, Springer, 2010. Givens are removed from a full grid in
a random order, as long as the solution stays unique. Unlike in `solver.generation.removal`, the
first given that can't be removed ends the removal. Then the puzzle is only accepted if it is
minimal.

A full grid of c cells becomes a certain minimal puzzle with n givens if and only if the other c − n
cells come first in the random order. The probability of that is 1 / binomial(c, n). So each puzzle
in a sample represents a number of minimal puzzles that is proportional to binomial(c, n).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.random_streams import RandomStreams, Words
from solver.engines.engine import ABANDON, StopFlag
from solver.generation.full_grids import Grids
from solver.generation.removal import Orbits, are_unique

# Verdicts on puzzles
MINIMAL, REDUNDANT, TOO_MANY = range(3)

_ABOVE_ALL_WORDS = np.uint64(1 << 63)


def remove_until_ambiguous(
    layout: Layout,
    puzzles: Grids,
    streams: RandomStreams,
    *,
    orbits: Orbits,
    most: int | None,
    stop: StopFlag,
) -> tuple[Grids, NDArray[np.uint8]]:
    """Remove givens orbit by orbit, in a random order, until one can't be removed.

    An orbit is a group of cells that symmetry keeps together (see `solver.generation.symmetry`).
    `puzzles` (n, cells) have unique solutions, and at least one given in each orbit. `streams` has
    one random stream per puzzle, which determines the order of the orbits. Removal ends at the
    first orbit without which the solution would be ambiguous. This orbit and all later ones stay.

    Returns the reduced puzzles (n, cells), and a verdict (n,) for each:

    MINIMAL    none of the remaining orbits can be removed
    REDUNDANT  one of the later orbits in the order can still be removed
    TOO_MANY   more than `most` givens remain. Removal ends as soon as this is certain, so orbits
               that could be removed may remain before the first one that can't.

    If `stop` becomes ABANDON, the function returns early, and its results are meaningless.
    """
    removal = _Removal.of(layout, puzzles, streams, orbits)
    verdicts = np.full(len(puzzles), REDUNDANT, np.uint8)
    # The solution is unique after the first `unique` removals, but not after `ambiguous` ones.
    # Uniqueness is never regained, so a binary search finds where it is lost.
    unique = np.zeros(len(puzzles), np.int64)
    ambiguous = np.full(len(puzzles), len(orbits) + 1)
    middle = np.full(len(puzzles), _first_guess(layout, len(orbits), most))
    open_ = np.flatnonzero(ambiguous - unique > 1)
    while len(open_) and stop[0] != ABANDON:
        smaller = removal.puzzles_after(open_, middle[open_])
        is_unique = are_unique(layout, smaller, stop=stop)
        unique[open_[is_unique]] = middle[open_[is_unique]]
        ambiguous[open_[~is_unique]] = middle[open_[~is_unique]]
        if most is not None:
            has_too_many = ~is_unique & (np.count_nonzero(smaller, axis=1) >= most)
            verdicts[open_[has_too_many]] = TOO_MANY
        middle = (unique + ambiguous) // 2
        open_ = open_[(ambiguous - unique > 1)[open_] & (verdicts[open_] != TOO_MANY)]
    result = removal.puzzles_after(np.arange(len(puzzles)), unique)
    # The next orbit in the order can't be removed.
    open_ = np.flatnonzero(verdicts != TOO_MANY)
    rank = unique + 1
    while len(open_) and stop[0] != ABANDON:
        is_minimal = rank[open_] >= len(orbits)
        verdicts[open_[is_minimal]] = MINIMAL
        open_ = open_[~is_minimal]
        smaller = removal.without(result, open_, rank[open_])
        open_ = open_[~are_unique(layout, smaller, stop=stop)]
        rank[open_] += 1
    return result, verdicts


def _first_guess(layout: Layout, orbits: int, most: int | None) -> int:
    """Return the number of orbits to remove before the first test of uniqueness.

    It is at least 1. `orbits` is the number of all orbits. Without `most`, half of them are
    removed. If at most `most` givens are wanted, about `most` givens remain at the first test. Few
    puzzles still have a unique solution then, so this test alone rejects most of them.
    """
    left = orbits // 2 if most is None else most * orbits // layout.cells
    return max(orbits - left, 1)


@dataclass(frozen=True, slots=True)
class _Removal:
    """Random orders in which the orbits are removed from puzzles (n, cells).

    words   (n, cells): the random number of each cell's orbit. Orbits are removed in the order of
            their numbers.
    limits  (n, orbits + 1): the numbers in ascending order, and one above all of them
    """

    puzzles: Grids
    words: Words
    limits: Words

    @classmethod
    def of(
        cls, layout: Layout, puzzles: Grids, streams: RandomStreams, orbits: Orbits
    ) -> "_Removal":
        limits = np.full((len(puzzles), len(orbits) + 1), _ABOVE_ALL_WORDS)
        limits[:, :-1] = streams.words(len(orbits)) >> np.uint64(1)
        orbit_of = np.full(layout.cells, len(orbits))  # of cells that are never given
        for orbit, cells in enumerate(orbits):
            orbit_of[list(cells)] = orbit
        words = limits[:, orbit_of]
        limits[:, :-1].sort(axis=1)
        return cls(puzzles, words, limits)

    def puzzles_after(self, rows: NDArray[np.int64], removals: NDArray[np.int64]) -> Grids:
        """Return the puzzles `rows`, each without its first orbits, as an array (rows, cells).

        removals[i] is the number of orbits to remove from the puzzle rows[i], in its random order.
        """
        limits = self.limits[rows, removals]
        return np.where(self.words[rows] >= limits[:, None], self.puzzles[rows], np.uint8(0))

    def without(self, puzzles: Grids, rows: NDArray[np.int64], ranks: NDArray[np.int64]) -> Grids:
        """Return these rows of `puzzles`, each without one orbit.

        `ranks` are the positions of these orbits, one per row, in the random order, counted from 0.
        """
        numbers = self.limits[rows, ranks]
        return np.where(self.words[rows] == numbers[:, None], np.uint8(0), puzzles[rows])
