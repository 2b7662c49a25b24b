"""Make attempts at puzzles: each makes one, and names the condition that it doesn't meet."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.random_streams import RandomStreams
from solver.engines.engine import ABANDON, StopFlag
from solver.generation.conditions import GIVENS, Condition, conditions_of
from solver.generation.controlled_bias import REDUNDANT, TOO_MANY, remove_until_ambiguous
from solver.generation.full_grids import Grids, random_full_grids
from solver.generation.removal import Orbits, are_unique, remove_givens
from solver.generation.request import CONTROLLED_BIAS, PuzzleRequest
from solver.generation.symmetry import orbits

# Reasons why an attempt failed, other than the names of conditions
NO_GRID = "full grid"  # no solution was found with the random values
NOT_UNIQUE = "pattern"  # the cells of the pattern don't determine the solution
NOT_MINIMAL = "minimal"  # a given is redundant, only with controlled bias

Reasons = NDArray[np.object_]  # (n,) why attempts failed, "" for puzzles that meet all conditions


@dataclass(frozen=True, slots=True)
class Attempts:
    """Puzzles (n, cells), their solutions (n, cells), their n layouts, and why they fail (n,).

    The reason is "" for puzzles that meet all conditions.
    """

    layouts: Sequence[Layout]
    puzzles: Grids
    solutions: Grids
    reasons: Reasons


class Maker(Protocol):
    """Makes puzzles for a generation request. Each attempt makes one and tests it.

    `fewest` is the smallest number of attempts that is worth making in one call.
    """

    fewest: int

    def attempt_many(self, streams: RandomStreams, *, stop: StopFlag) -> Attempts:
        """Make one puzzle per random stream, and test whether it meets the conditions.

        Each puzzle depends only on its stream. The result is meaningless if `stop` became ABANDON
        during the call.
        """
        ...


class FixedBoard:
    """Makes attempts on the board of the request, many at once."""

    fewest = 32

    def __init__(self, request: PuzzleRequest) -> None:
        self._request = request
        self._conditions = conditions_of(request)

    def attempt_many(self, streams: RandomStreams, *, stop: StopFlag) -> Attempts:
        """Make one puzzle per random stream, and test whether it meets the conditions.

        The result is meaningless if `stop` became ABANDON during the call.
        """
        layout = self._request.layout
        puzzles, solutions, reasons = random_puzzles(self._request, streams, stop=stop)
        reject(self._conditions, puzzles, solutions, reasons, stop=stop)
        return Attempts([layout] * len(streams), puzzles, solutions, reasons)


def random_puzzles(
    request: PuzzleRequest, streams: RandomStreams, *, stop: StopFlag
) -> tuple[Grids, Grids, Reasons]:
    """Return a random puzzle on the board of the request for each stream.

    Returns the puzzles, their solutions, and for each the reason why it couldn't be made, or "".
    The other conditions of the request aren't tested.
    """
    solutions = random_full_grids(request.layout, streams.spawn(0), stop=stop)
    reasons = np.full(len(streams), "", np.object_)
    reasons[~solutions.any(axis=1)] = NO_GRID
    puzzles = reduced(request, solutions, streams.spawn(1), reasons, stop=stop)
    return puzzles, solutions, reasons


def reduced(
    request: PuzzleRequest,
    solutions: Grids,
    streams: RandomStreams,
    reasons: Reasons,
    *,
    stop: StopFlag,
) -> Grids:
    """Return puzzles with these solutions (n, cells), from which givens were removed as requested.

    Sets reasons[i] if the cells of the pattern don't determine solution i, or if controlled-bias
    removal gives no puzzle. Puzzles that already have a reason lose only the givens outside the
    pattern. If puzzles needn't be minimal, they keep at least the least requested number of givens.
    """
    layout = request.layout
    puzzles = solutions
    if request.pattern is not None:
        outside = [cell for cell in range(layout.cells) if cell not in request.pattern]
        puzzles = solutions.copy()
        puzzles[:, outside] = 0
        good = np.flatnonzero(reasons == "")
        reasons[good[~are_unique(layout, puzzles[good], stop=stop)]] = NOT_UNIQUE
    groups = orbits(layout, request.symmetry)
    if request.sampling == CONTROLLED_BIAS:
        return _with_controlled_bias(request, puzzles, streams, reasons, orbits=groups, stop=stop)
    fewest = 0 if request.minimal else int(request.givens.least or 0)
    return remove_givens(
        layout,
        puzzles,
        streams,
        orbits=groups,
        # no given of a failed puzzle is removed
        fewest=np.where(reasons == "", fewest, layout.cells),
        stop=stop,
    )


def _with_controlled_bias(
    request: PuzzleRequest,
    puzzles: Grids,
    streams: RandomStreams,
    reasons: Reasons,
    *,
    orbits: Orbits,
    stop: StopFlag,
) -> Grids:
    """Return the puzzles after controlled-bias removal, and set reasons[i] if puzzle i fails.

    `orbits` are the groups of cells whose givens are removed together. Puzzles that already have a
    reason stay as they are.
    """
    pattern = request.pattern
    good = np.flatnonzero(reasons == "")
    result = puzzles.copy()
    most = request.givens.most
    result[good], verdicts = remove_until_ambiguous(
        request.layout,
        puzzles[good],
        streams.subset(good),
        orbits=tuple(each for each in orbits if pattern is None or pattern.intersection(each)),
        most=None if most is None else int(most),
        stop=stop,
    )
    reasons[good[verdicts == REDUNDANT]] = NOT_MINIMAL
    reasons[good[verdicts == TOO_MANY]] = GIVENS
    return result


def reject(
    conditions: Sequence[Condition],
    puzzles: Grids,
    solutions: Grids,
    reasons: Reasons,
    *,
    stop: StopFlag,
) -> None:
    """Set reasons[i] to the name of the first condition that puzzle i doesn't meet, if any.

    Puzzles that already have a reason aren't tested, and none are after `stop` became ABANDON.
    """
    for condition in conditions:
        good = np.flatnonzero(reasons == "")
        if stop[0] == ABANDON or not len(good):
            break
        are_met = condition.are_met(puzzles[good], solutions[good], stop=stop)
        reasons[good[~are_met]] = condition.name
