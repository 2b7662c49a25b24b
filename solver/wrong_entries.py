"""Find the entries of an unsolvable puzzle that are probably wrong."""

import numpy as np

from solver.board.puzzle import Puzzle
from solver.board.result import Outcome
from solver.engines.engine import StopFlag
from solver.solving import solve_many

_MOST_ENTRIES = 100
_MOST_GUESSES = 1_000  # for each entry that is removed


def wrong_entries(puzzle: Puzzle, *, stop: StopFlag | None = None) -> list[int]:
    """Return the filled cells of an unsolvable puzzle without which it has exactly one solution.

    Each cell is emptied alone. The list is empty if there are no such cells, if the board has too
    many filled cells to try, if the puzzle has pencil marks, or if `stop` ended the search early.
    """
    cells = [cell for cell, value in enumerate(puzzle.givens) if value]
    if puzzle.candidates is not None or not 0 < len(cells) <= _MOST_ENTRIES:
        return []
    grids = np.tile(np.array(puzzle.givens, np.uint8), (len(cells), 1))
    grids[np.arange(len(cells)), cells] = 0
    batch = solve_many(grids, layout=puzzle.layout, limit=2, step_limit=_MOST_GUESSES, stop=stop)
    if len(batch) < len(cells):
        return []
    solved = (batch.outcomes == Outcome.SOLVED).tolist()
    return [cell for cell, is_solved in zip(cells, solved, strict=True) if is_solved]
