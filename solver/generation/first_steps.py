"""Rate the first steps of a classic puzzle, as a fast lower bound of its rating.

The ratings are those of Sudoku Explainer.
"""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.engines.engine import ABANDON, StopFlag
from solver.logic.board import Ints
from solver.logic.deduction_buffer import new_buffer
from solver.logic.sudoku_explainer.rating import new_memory

_CHAIN = 66  # tenths; the rating of the simplest chains
# Puzzles rated 9.0 or more have some 30 such steps. In most, one of the first has the highest
# rating.
_MOST_CHAINS = 10

_ALL_LEFT = np.full(81, 0x1FF, np.int64)
_NO_GIVENS = np.zeros((0, 81), np.uint8)


class FirstSteps:
    """Rates the first steps of classic puzzles on Sudoku Explainer's scale, as a lower bound."""

    def __init__(self) -> None:
        self._buffer = new_buffer()

    @cached_property
    def _memory(self) -> Any:
        return new_memory()

    def highest(self, puzzle: NDArray[np.uint8], *, enough: int, stop: StopFlag) -> int:
        """Return the highest rating of the first steps of a puzzle (81,), in tenths.

        These are the steps until one is rated `enough` tenths or higher, a fixed number of chains
        was needed, the puzzle is solved, or no technique finds a step. Without any step, the result
        is 0. It is meaningless if `stop` became ABANDON during the call.
        """
        from solver.logic.sudoku_explainer import solving_order

        highest = chains = 0
        found: Ints = np.zeros((1, 3), np.int32)
        solving_order.start(puzzle, _ALL_LEFT, self._memory)
        values = self._memory["outer"]["state"]["values"]
        while highest < enough and chains < _MOST_CHAINS and stop[0] != ABANDON:
            if values.all():
                break
            solving_order.rate(_NO_GIVENS, self._memory, self._buffer, stop, found, True)
            rating = int(found[0, 0])
            if not rating:
                break
            highest = max(highest, rating)
            chains += rating >= _CHAIN
        return highest
