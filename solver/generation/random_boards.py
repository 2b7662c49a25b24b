"""Make attempts at puzzles whose boards are drawn at random, one board per puzzle."""

from dataclasses import replace

import numpy as np

from solver.board.layout import Layout
from solver.board.random_streams import RandomStreams
from solver.engines.engine import ABANDON, StopFlag
from solver.generation.attempts import NO_GRID, Attempts, Reasons, reduced, reject
from solver.generation.conditions import conditions_of
from solver.generation.drawn_board import DrawnBoard, draw_constraints
from solver.generation.full_grids import Grids, random_full_grids
from solver.generation.random_choices import RandomChoices
from solver.generation.random_regions import random_regions
from solver.generation.request import PuzzleRequest

# Reasons why an attempt failed, in addition to those in `solver.generation.attempts`
UNSUITABLE = "regions"  # another rule of the board isn't possible with the regions
NOT_DRAWN = "random_constraints"  # the constraints don't fit on the board
AMBIGUOUS = "unique"  # the constraints don't determine the solution
WRONG_COUNT = "count"  # the number of constraints isn't as requested

_EMPTY_STEP_LIMIT = 2_000  # guesses for a full grid; another board is cheaper than a long search

# Keys of random streams
_GRID, _GIVENS, _REGIONS, _CONSTRAINTS, _REMOVAL = range(5)


class RandomBoards:
    """Makes attempts that draw a new board each: its regions, its constraints, or both."""

    fewest = 1

    def __init__(self, request: PuzzleRequest) -> None:
        if request.random is None:
            raise TypeError("the request has a fixed board")
        self._request = request
        self._random = request.random

    def attempt_many(self, streams: RandomStreams, *, stop: StopFlag) -> Attempts:
        """Make one puzzle per random stream, each on a board of its own.

        Also tests whether the puzzles meet the conditions. The result is meaningless if `stop`
        became ABANDON during the call.
        """
        shape = (len(streams), self._request.layout.cells)
        puzzles, solutions = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
        reasons = np.full(len(streams), "", np.object_)
        layouts = [self._request.layout] * len(streams)
        for row in range(len(streams)):
            if stop[0] == ABANDON:
                break
            stream = streams.subset(np.array([row]))
            layouts[row], puzzles[row], solutions[row], reasons[row] = self._attempt(stream, stop)
        return Attempts(layouts, puzzles, solutions, reasons)

    def _attempt(self, stream: RandomStreams, stop: StopFlag) -> tuple[Layout, Grids, Grids, str]:
        """Make a puzzle. Return its layout, its givens, its solution, and why it fails, or "".

        The givens and the solution have the shape (cells,).
        """
        layout = self._base(stream)
        if layout is None:
            empty = np.zeros(self._request.layout.cells, np.uint8)
            return self._request.layout, empty, empty, UNSUITABLE
        solution = random_full_grids(
            layout, stream.spawn(_GRID), empty_step_limit=_EMPTY_STEP_LIMIT, stop=stop
        )
        puzzle = np.zeros_like(solution)
        if not solution.any():
            return layout, puzzle[0], solution[0], NO_GRID
        choices = RandomChoices(stream.spawn(_CONSTRAINTS))
        board = draw_constraints(layout, self._random.constraints, solution[0], choices)
        if board is None:
            return layout, puzzle[0], solution[0], NOT_DRAWN
        reasons = np.full(1, "", np.object_)
        if self._request.givens.most == 0:
            if not board.determine(choices, stop=stop):
                reasons[0] = AMBIGUOUS
        else:
            request = replace(self._request, layout=board.layout)
            puzzle = reduced(request, solution, stream.spawn(_GIVENS), reasons, stop=stop)
        if not reasons[0]:
            removal = RandomChoices(stream.spawn(_REMOVAL))
            board.remove_constraints(puzzle, removal, stop=stop)
            self._reject(board, puzzle, solution, reasons, stop)
        return board.layout, puzzle[0], solution[0], reasons[0]

    def _base(self, stream: RandomStreams) -> Layout | None:
        """Return the board without random constraints, but with random regions if requested.

        Returns None if other rules of the board aren't possible with these regions.
        """
        layout = self._request.layout
        if not self._random.has_regions:
            return layout
        labels = random_regions(layout.size, RandomChoices(stream.spawn(_REGIONS)))
        drawn = self._random.layout_with(labels)
        return None if isinstance(drawn, str) else drawn

    def _reject(
        self,
        board: DrawnBoard,
        puzzle: Grids,
        solution: Grids,
        reasons: Reasons,
        stop: StopFlag,
    ) -> None:
        """Set reasons[0] to a condition of the request that the puzzle (1, cells) doesn't meet.

        It doesn't change if the puzzle meets all conditions.
        """
        if not board.has_wanted_counts:
            reasons[0] = WRONG_COUNT
        else:
            # These conditions are for one board.
            conditions = conditions_of(replace(self._request, layout=board.layout))
            reject(conditions, puzzle, solution, reasons, stop=stop)
