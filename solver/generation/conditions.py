"""Test the conditions that generated puzzles must meet, on many puzzles at once."""

from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from solver.board.bounds import Bounds
from solver.engines.engine import ABANDON, NEVER, StopFlag
from solver.generation.full_grids import Grids
from solver.generation.request import PuzzleRequest
from solver.logic.board import Board
from solver.logic.board_tables import Unexplained, board_of
from solver.logic.rating import hodoku
from solver.logic.rating.difficulty import word_for
from solver.logic.sudoku_explainer import rating as explainer
from solver.logic.sudoku_explainer.variants import variant_of
from solver.logic.technique_table import TECHNIQUES

GIVENS = "givens"  # the name of the condition on their number
_ANY = Bounds()


class Condition(Protocol):
    """A condition on puzzles of one board. Reports count the rejected attempts by its `name`."""

    name: str

    def are_met(self, puzzles: Grids, solutions: Grids, *, stop: StopFlag) -> NDArray[np.bool_]:
        """Return for each puzzle whether it meets the condition.

        `puzzles` and `solutions` have the shape (n, cells). The result is meaningless if `stop`
        became ABANDON during the call.
        """
        ...


def conditions_of(request: PuzzleRequest) -> tuple[Condition, ...]:
    """Return the conditions of a request, the cheapest first."""
    conditions: list[Condition] = []
    if request.givens != _ANY:
        conditions.append(_GivensCondition(request.givens))
    if request.needs_hodoku:
        conditions.append(_HodokuCondition(request))
    if request.rating != _ANY:
        conditions.append(_RatingCondition(request))
    return tuple(conditions)


class _GivensCondition:
    """The number of givens must be within bounds."""

    name = GIVENS

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds

    def are_met(self, puzzles: Grids, solutions: Grids, *, stop: StopFlag) -> NDArray[np.bool_]:
        del solutions, stop
        counts = np.count_nonzero(puzzles, axis=1).tolist()
        return np.array([count in self._bounds for count in counts], np.bool_)


class _HodokuCondition:
    """HoDoKu's path, score, and level must be as requested, and the path must not need a guess."""

    def __init__(self, request: PuzzleRequest) -> None:
        limits = request.techniques
        self.name = "techniques" if limits.required or limits.allowed else "level"
        self._request = request
        self._allowed = frozenset(TECHNIQUES) if limits.allowed is None else limits.allowed

    @cached_property
    def _solver(self) -> hodoku.Solver:
        """A solver with all default techniques up to the last one that is allowed.

        Techniques above the requested levels aren't allowed. If these solve a puzzle, their path is
        HoDoKu's. If they don't, HoDoKu's path contains a technique that isn't allowed.
        """
        board = board_of(self._request.layout)
        if isinstance(board, Unexplained):
            raise TypeError("requests with rules that no technique covers are invalid")
        return hodoku.Solver(board, NEVER, techniques=self._up_to_last(board))

    def _up_to_last(self, board: Board) -> tuple[Any, ...]:
        techniques = hodoku.default_techniques(board)
        levels = self._request.levels
        useful = [
            number
            for number, technique in enumerate(techniques, 1)
            for code in technique.codes
            if code in self._allowed and TECHNIQUES[code].level <= max(levels)
        ]
        return techniques[: max(useful, default=0)]

    def are_met(self, puzzles: Grids, solutions: Grids, *, stop: StopFlag) -> NDArray[np.bool_]:
        del solutions
        self._solver.stop = stop
        required = self._request.techniques.required
        counts = self._solver.counts_many(puzzles, required=required)
        return np.array([each is not None and self._is_met(each) for each in counts], np.bool_)

    def _is_met(self, counts: dict[str, int]) -> bool:
        """Return whether a puzzle meets the condition, given how often it needs each technique.

        It may only need allowed techniques, and its score and level must be requested ones.
        """
        if not counts.keys() <= self._allowed:
            return False
        rating = hodoku.rating_of(counts, layout=self._request.layout)
        return rating.score in self._request.score and rating.level in self._request.levels


class _RatingCondition:
    """Sudoku Explainer's rating and its difficulty word must be among the requested ones."""

    name = "rating"

    def __init__(self, request: PuzzleRequest) -> None:
        self._bounds = request.rating
        self._words = request.words
        self._layout = request.layout

    @cached_property
    def _memory(self) -> Any:
        variant = variant_of(self._layout)
        if variant is None:
            raise TypeError("requests with a rating for boards that have none are invalid")
        return explainer.new_memory(variant)

    def are_met(self, puzzles: Grids, solutions: Grids, *, stop: StopFlag) -> NDArray[np.bool_]:
        del solutions
        are_met = np.zeros(len(puzzles), np.bool_)
        # FINISH would end a call after each puzzle, and the rest must still be rated.
        done = 0
        while done < len(puzzles) and stop[0] != ABANDON:
            rated = explainer.rate_many(puzzles[done:], stop=stop, memory=self._memory)
            tenths = rated.er.tolist()
            are_met[done : done + len(tenths)] = [self._is_met(each / 10) for each in tenths]
            done += len(tenths)
        return are_met

    def _is_met(self, rating: float) -> bool:
        return rating in self._bounds and word_for(rating) in self._words
