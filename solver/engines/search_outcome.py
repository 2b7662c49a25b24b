"""How a compiled search of one puzzle ends, and what that makes of the puzzle.

STOPPED and TOO_HARD stay inside an engine: a batch ends before the first puzzle that was stopped,
and one that is too hard for a search is given to another.
"""

import numpy as np
from numpy.typing import NDArray

from solver.board.result import Outcome

EXHAUSTED = 0  # all solutions are found
LIMIT_REACHED = 1  # as many solutions as are asked for; there may be more
STEP_LIMIT_REACHED = 2  # as many guesses as are allowed; the solutions until then count
STOPPED = 3  # by the stop flag before it ended, or before it began
TOO_HARD = 4  # for this kind of search

UNFINISHED = 255  # in place of an outcome

_BY_COUNT = np.array([Outcome.UNSOLVABLE, Outcome.SOLVED, Outcome.MULTIPLE], np.uint8)


def outcomes_of(search_outcomes: NDArray[np.uint8], counts: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the outcomes (n,) of searches that ended so, with so many solutions each."""
    outcomes = _BY_COUNT.take(counts, mode="clip")
    gave_up = search_outcomes == STEP_LIMIT_REACHED
    if np.count_nonzero(gave_up):
        outcomes[gave_up] = Outcome.STEP_LIMIT
    return outcomes
