"""The ways in which a compiled search can end, and the puzzle outcomes that follow from them.

STOPPED and TOO_HARD are internal to an engine. A batch ends before the first stopped puzzle, and a
puzzle that is too hard for one search is passed to another.
"""

import numpy as np
from numpy.typing import NDArray

from solver.board.result import Outcome

EXHAUSTED = 0  # all solutions were found
LIMIT_REACHED = 1  # the requested number of solutions was found; there may be more
STEP_LIMIT_REACHED = 2  # the allowed guesses were used; the solutions found so far count
STOPPED = 3  # by the stop flag, before the search ended or began
TOO_HARD = 4  # for this kind of search

UNFINISHED = 255  # placeholder for an outcome

_BY_COUNT = np.array([Outcome.UNSOLVABLE, Outcome.SOLVED, Outcome.MULTIPLE], np.uint8)


def outcomes_of(search_outcomes: NDArray[np.uint8], counts: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return the outcome codes (n,) of puzzles that were searched to the end or to a limit.

    `search_outcomes` are constants of this module, and `counts` the numbers of solutions found. A
    puzzle at its step limit gets STEP_LIMIT. For all others, the number of solutions decides: none,
    one, or more.
    """
    outcomes = _BY_COUNT.take(counts, mode="clip")
    gave_up = search_outcomes == STEP_LIMIT_REACHED
    if np.count_nonzero(gave_up):
        outcomes[gave_up] = Outcome.STEP_LIMIT
    return outcomes
