"""Attempts at puzzles: each makes a puzzle, and says which condition it doesn't meet."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.board.random_streams import RandomStreams
from solver.engines.engine import ABANDON, StopFlag
from solver.generation.conditions import Condition
from solver.generation.full_grids import Grids, random_full_grids
from solver.generation.removal import are_unique, remove_givens
from solver.generation.request import PuzzleRequest
from solver.generation.symmetry import orbits

# Reasons why an attempt failed, other than the names of conditions
NO_GRID = "full grid"  # no solution was found with the random values
NOT_UNIQUE = "pattern"  # the cells of the pattern don't determine the solution


def attempt_many(
    request: PuzzleRequest,
    conditions: Sequence[Condition],
    streams: RandomStreams,
    *,
    stop: StopFlag,
) -> tuple[Grids, Grids, NDArray[np.object_]]:
    """Make one puzzle per random stream.

    Returns the puzzles (n, cells), their solutions (n, cells), and (n,) the reasons why they fail,
    "" for puzzles that meet all conditions. The result is meaningless if `stop` became ABANDON
    meanwhile.
    """
    layout = request.layout
    solutions = random_full_grids(layout, streams.spawn(0))
    reasons = np.full(len(streams), "", np.object_)
    reasons[~solutions.any(axis=1)] = NO_GRID
    puzzles = solutions
    if request.pattern is not None:
        outside = [cell for cell in range(layout.cells) if cell not in request.pattern]
        puzzles = solutions.copy()
        puzzles[:, outside] = 0
        good = np.flatnonzero(reasons == "")
        reasons[good[~are_unique(layout, puzzles[good])]] = NOT_UNIQUE
    fewest = 0 if request.minimal else int(request.givens.least or 0)
    puzzles = remove_givens(
        layout,
        puzzles,
        streams.spawn(1),
        orbits=orbits(layout, request.symmetry),
        # no given of a failed puzzle is removed
        fewest=np.where(reasons == "", fewest, layout.cells),
        stop=stop,
    )
    for condition in conditions:
        good = np.flatnonzero(reasons == "")
        if stop[0] == ABANDON or not len(good):
            break
        reasons[good[~condition.are_met(puzzles[good], solutions[good], stop=stop)]] = (
            condition.name
        )
    return puzzles, solutions, reasons
