"""Outcomes and results of puzzles, one at a time or in batches."""

from dataclasses import dataclass
from enum import Enum, IntEnum
from html import escape
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from solver.board.checkpoint import Checkpoint
from solver.board.html import plain_table


class Outcome(IntEnum):
    """The outcome of a record: a code in arrays, and a name such as ``step_limit`` in text."""

    SOLVED = 0
    MULTIPLE = 1
    UNSOLVABLE = 2
    STEP_LIMIT = 3
    INVALID = 4
    FAILED = 5
    GAVE_UP = 6

    @property
    def label(self) -> str:
        """The name in JSON, CSV, and on pages, such as ``step_limit``."""
        return self.name.lower()

    def __str__(self) -> str:
        return self.label

    __format__ = Enum.__format__


@dataclass(frozen=True, slots=True)
class Result:
    """The result for one puzzle.

    `solution` is the first solution found, one value 1…N per cell, or None. `solutions` counts the
    solutions found before the search ended or reached its limit. `unique` is True or False if that
    was decided, else None. `steps` is the number of guesses. `detail` is the reason why a puzzle is
    invalid or failed. `listed` contains every solution found if the limit was above two, else it is
    empty. `regions` is the region of each cell if regions are part of the solution, from 1 in
    reading order.
    """

    outcome: Outcome
    solution: tuple[int, ...] | None = None
    solutions: int = 0
    unique: bool | None = None
    steps: int = 0
    detail: str | None = None
    listed: tuple[tuple[int, ...], ...] = ()
    regions: tuple[int, ...] | None = None

    def _repr_html_(self) -> str:
        unique = {True: "yes", False: "no", None: "not decided"}[self.unique]
        facts = f"<b>{self.outcome}</b>, solutions: {self.solutions:,}, unique: {unique}"
        text = f"<p>{facts}, guesses: {self.steps:,}</p>"
        if self.detail is not None:
            text += f"<p>{escape(self.detail)}</p>"
        size = isqrt(len(self.solution or ()))
        if self.solution is not None and size * size == len(self.solution):
            text += plain_table(self.solution, size=max(size, *self.solution))
        return text


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """The results for n puzzles of one layout with `cells` cells.

    outcomes   (n,) uint8        codes of `Outcome`
    solutions  (n, cells) uint8  the first solution found, zeros for puzzles without one
    counts     (n,) int64        solutions found, at most the limit
    steps      (n,) int64        guesses
    listed     n arrays (counts[i], cells) uint8 of all solutions found, or None if only the first
               ones were requested, which is the default for a limit of 1 or 2
    regions    (n, cells) uint8  the region of each cell in that first solution, from 1 in reading
                                 order, zeros without a solution; None if regions aren't part of
                                 the solution

    A batch that was stopped early has fewer rows than there were puzzles. It is complete for the
    first n puzzles. If the next puzzle was begun and suspended, `checkpoint` is its progress, else
    None.
    """

    outcomes: NDArray[np.uint8]
    solutions: NDArray[np.uint8]
    counts: NDArray[np.int64]
    steps: NDArray[np.int64]
    listed: tuple[NDArray[np.uint8], ...] | None = None
    checkpoint: Checkpoint | None = None
    regions: NDArray[np.uint8] | None = None

    def __len__(self) -> int:
        return len(self.outcomes)

    def first(self, count: int) -> "Batch":
        """Return the results for the first `count` puzzles, without the checkpoint."""
        return Batch(
            self.outcomes[:count],
            self.solutions[:count],
            self.counts[:count],
            self.steps[:count],
            None if self.listed is None else self.listed[:count],
            regions=None if self.regions is None else self.regions[:count],
        )


def decide_unique(outcome: Outcome, count: int, *, limit: int) -> bool | None:
    """Return whether a puzzle has a unique solution, or None if the search didn't decide that.

    `limit` is the number of solutions after which the search stops, and `count` the number that it
    found. False means that there are several solutions or none.
    """
    if count > 1 or outcome is Outcome.UNSOLVABLE:
        return False
    if outcome is Outcome.SOLVED and limit > 1:
        return True
    return None
