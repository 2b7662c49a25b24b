"""Solve all puzzles of a batch, unless the stop flag requires an immediate end."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.result import Outcome
from solver.engines.engine import ABANDON, StopFlag
from solver.solving import solve_many


class Solved(NamedTuple):
    """The results of n puzzles: a solution of each (n, cells), and whether it is unique (n,).

    Puzzles without a known solution have zeros and False. Only proven solutions are unique.
    """

    solutions: NDArray[np.uint8]
    are_unique: NDArray[np.bool_]


def solve_all(
    puzzles: NDArray[np.uint8], *, layout: Layout, limit: int, step_limit: int, stop: StopFlag
) -> Solved:
    """Solve puzzles (n, cells), and start all of them even if `stop` is FINISH.

    Each search ends after `limit` solutions or `step_limit` guesses. If `stop` becomes ABANDON,
    returns soon, and the puzzles that weren't finished have no solutions in the result. With a
    limit of 1, no solution counts as unique.
    """
    solutions = np.zeros(puzzles.shape, np.uint8)
    are_unique = np.zeros(len(puzzles), np.bool_)
    done = 0
    # At FINISH, a call ends after a puzzle.
    while done < len(puzzles) and stop[0] != ABANDON:
        batch = solve_many(
            puzzles[done:], layout=layout, limit=limit, step_limit=step_limit, stop=stop
        )
        part = slice(done, done + len(batch))
        solutions[part] = batch.solutions
        are_unique[part] = (batch.outcomes == Outcome.SOLVED) & (batch.counts == 1) & (limit > 1)
        done += len(batch)
    return Solved(solutions, are_unique)
