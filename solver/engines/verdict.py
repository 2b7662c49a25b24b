"""How a compiled search of one puzzle ends, and what that makes of the puzzle."""

import numpy as np
from numpy.typing import NDArray

from solver.board.result import Outcome

EXHAUSTED = 0  # all solutions are found
LIMIT_REACHED = 1
STEP_LIMIT_REACHED = 2
STOPPED = 3  # before it ended, or not begun
TOO_HARD = 4  # for this kind of search

_BY_COUNT = np.array([Outcome.UNSOLVABLE, Outcome.SOLVED, Outcome.MULTIPLE], np.uint8)


def outcomes_of(verdicts: NDArray[np.uint8], counts: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the outcomes (n,) of searches that ended so, with so many solutions each."""
    stopped = verdicts == STEP_LIMIT_REACHED
    return np.where(stopped, np.uint8(Outcome.STEP_LIMIT), _BY_COUNT[np.minimum(counts, 2)])
