"""Estimate the number of solutions of a puzzle that has too many to count.

This is the method of random probing (D. E. Knuth, "Estimating the efficiency of backtrack
programs", Mathematics of Computation 29, 1975). A probe walks down a search tree. At each node, it
selects an empty cell, and a short search counts the solutions with each value of this cell. If a
count is complete, it is added to the sum of the probe, multiplied by the weight of the node. The
probe continues with a random one of the k values whose count is incomplete, and the weight below it
is k times as high. The mean of the sums is an unbiased estimate, because every solution is counted
with the inverse of the probability of its path. The short searches also find most values that have
no solution, so few probes end in a conflict, which keeps the error small.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import MOST_IN_A_WORD, Layout
from solver.board.puzzle import Puzzle
from solver.board.result import Outcome
from solver.engines.engine import ABANDON, StopFlag
from solver.logic.explanation import start_position
from solver.logic.sentences.links import peers_of_cells
from solver.solving import solve_many

_MOST_COUNTED = 32  # solutions after which the short search at a node ends
_MOST_GUESSES = 200  # after which the short search at a node ends
_FEWEST_PROBES = 8  # that run together at first; their number doubles up to _MOST_PROBES
_MOST_PROBES = 128

_Bools = NDArray[np.bool_]
_Floats = NDArray[np.float64]
_Ints = NDArray[np.int64]
_Values = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimated number of solutions, with its standard error.

    `probes` is the number of probes so far. It is 0 for an exact number, which has no error.
    """

    mean: float
    standard_error: float
    probes: int

    @property
    def is_exact(self) -> bool:
        """Whether a search has counted all solutions."""
        return self.probes == 0

    @property
    def relative_error(self) -> float:
        """The standard error as a fraction of the estimate.

        It is 0 for an exact number, and infinite if no probe met a solution.
        """
        if self.is_exact:
            return 0.0
        return self.standard_error / self.mean if self.mean else inf


def estimates(puzzle: Puzzle, *, stop: StopFlag, seed: int = 0) -> Iterator[Estimate]:
    """Yield better and better estimates of a puzzle's number of solutions.

    If a short search finds all solutions, there is one estimate, which is exact. Otherwise, the
    estimates continue until the caller ends the iteration, or `stop` becomes ABANDON. There is one
    after each random probe, and the same `seed` gives the same probes. The standard error is an
    estimate, too. It is too small if no probe has met a rare part of the tree with many solutions.
    """
    probing = _Probing(puzzle, stop=stop, random=np.random.default_rng(seed))
    exact = probing.exact_count()
    if exact is not None:
        yield Estimate(float(exact), 0.0, 0)
        return
    probes, mean, squares, together = 0, 0.0, 0.0, _FEWEST_PROBES
    while stop[0] != ABANDON:
        sums = probing.sums(together)
        if sums is None:
            return
        # Welford's algorithm: the difference of two huge sums of squares would be inaccurate.
        for each in sums.tolist():
            probes += 1
            difference = each - mean
            mean += difference / probes
            squares += difference * (each - mean)
        error = sqrt(squares / (probes - 1) / probes) if probes > 1 else inf
        yield Estimate(mean, error, probes)
        together = min(2 * together, _MOST_PROBES)


class _Probing:
    """Runs the random probes of one puzzle together, so that they share calls of the solver."""

    def __init__(self, puzzle: Puzzle, *, stop: StopFlag, random: np.random.Generator) -> None:
        self._layout, self._stop, self._random = puzzle.layout, stop, random
        self._givens = np.array([puzzle.givens], np.uint8)
        self._marks = None
        if puzzle.candidates is not None:
            self._marks = np.array([puzzle.candidates], np.uint64)
        self._allowed = _allowed(puzzle)
        self._peers = _peers(puzzle.layout)

    def exact_count(self) -> int | None:
        """Return the number of solutions if a short search finds all of them, else None."""
        counts, complete = self._counts(self._givens)
        return int(counts[0]) if len(counts) and complete[0] else None

    def sums(self, number: int) -> _Floats | None:
        """Run `number` probes, and return the sum of each, or None if they were abandoned.

        The sum of a probe is its estimate of the number of solutions.
        """
        givens = np.repeat(self._givens, number, axis=0)
        allowed = np.repeat(self._allowed[None], number, axis=0)
        probes = np.arange(number)  # the probe of each row of `givens` and `allowed`
        weights = np.ones(number)
        sums = np.zeros(number)
        while len(probes):
            cells = _narrowest_cells(givens, allowed)
            rows, values = np.nonzero(allowed[np.arange(len(probes)), cells])
            children = givens[rows]
            children[np.arange(len(rows)), cells[rows]] = values + 1
            counts, complete = self._counts(children)
            if len(counts) < len(children):
                return None
            counted = counts * weights[rows] * complete
            np.add.at(sums, probes[rows], counted)
            chosen, branches = self._choose(rows, ~complete)
            rows, values = rows[chosen], values[chosen]
            givens, probes = children[chosen], probes[rows]
            weights = weights[rows] * branches
            allowed = self._placed(allowed[rows], cells[rows], values)
        return sums

    def _counts(self, givens: _Values) -> tuple[_Ints, _Bools]:
        """Count the solutions of each row up to a limit, and return which counts are complete.

        A count is complete if it reached neither that limit nor the limit of guesses, or if the
        grid is full. There are fewer results than rows if the search was stopped.
        """
        marks = self._marks
        batch = solve_many(
            givens,
            layout=self._layout,
            limit=_MOST_COUNTED,
            listed=False,
            step_limit=_MOST_GUESSES,
            stop=self._stop,
            candidates=None if marks is None else np.repeat(marks, len(givens), axis=0),
        )
        is_full = (givens[: len(batch)] > 0).sum(axis=1) == self._allowed.any(axis=1).sum()
        is_open = (batch.outcomes == Outcome.STEP_LIMIT) | (batch.counts >= _MOST_COUNTED)
        return batch.counts, ~is_open | is_full

    def _choose(self, rows: _Ints, is_open: _Bools) -> tuple[_Ints, _Ints]:
        """Choose a random value with an incomplete count for each row that has any such value.

        rows     the row of each value, by the value's index
        is_open  whether the count for the value is incomplete

        Returns the indices of the chosen values, and the number of such values in their rows.
        """
        shuffled = self._random.permutation(np.flatnonzero(is_open))
        _, first, branches = np.unique(rows[shuffled], return_index=True, return_counts=True)
        return shuffled[first], branches

    def _placed(self, allowed: _Bools, cells: _Ints, values: _Ints) -> _Bools:
        """Update the allowed values (rows, cells, size) after a value is placed in each row.

        values[i], from 0, is placed in the cell cells[i] of row i. The cell's other values, and the
        same value in its peers, are no longer allowed. Changes and returns `allowed`.
        """
        every = np.arange(len(cells))
        allowed[every, :, values] &= ~self._peers[cells]
        allowed[every, cells] = False
        allowed[every, cells, values] = True
        return allowed


def _narrowest_cells(givens: _Values, allowed: _Bools) -> _Ints:
    """Return the empty cell with the fewest allowed values in each row, the first if several.

    Cells without any allowed value are skipped. The result is 0 for a row without another cell.
    """
    numbers = allowed.sum(axis=2)
    numbers[givens > 0] = allowed.shape[2] + 1
    # Holes have no values, but neither have cells in conflict. The search finds such conflicts.
    numbers[numbers == 0] = allowed.shape[2] + 1
    narrowest: _Ints = numbers.argmin(axis=1)
    return narrowest


def _allowed(puzzle: Puzzle) -> _Bools:
    """Return which values (cells, size) the givens and the pencil marks allow.

    On boards above 64 values, all values are allowed in all cells but holes.
    """
    layout = puzzle.layout
    if layout.size > MOST_IN_A_WORD:
        allowed = np.ones((layout.cells, layout.size), np.bool_)
        allowed[list(layout.holes)] = False
        return allowed
    return start_position(layout, puzzle.givens, puzzle.candidates).allowed(layout.size)


def _peers(layout: Layout) -> _Bools:
    """Return which cells (cells, cells) must differ from each other."""
    peers = np.zeros((layout.cells, layout.cells), np.bool_)
    for cell, seen in enumerate(peers_of_cells(layout)):
        peers[cell, [one for one in seen if one < layout.cells]] = True
    return peers
