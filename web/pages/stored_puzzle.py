"""Restore the puzzle of a result as it was uploaded."""

import numpy as np

from solver.board.puzzle import Puzzle
from web.results.writers import ResultPage
from worker.records.boards import StoredBoard


def stored_puzzle(page: ResultPage, board: StoredBoard) -> Puzzle:
    """Return the puzzle of a page with one result, with its rules, pencil marks, and name."""
    left = page.result.candidates.get(0)
    masks = None if left is None else tuple(np.frombuffer(left, "<u8").tolist())
    givens = board.read(page.rows[0].puzzle) or ()
    return Puzzle(board.layout, givens, board.symbols, masks, name=page.rows[0].name)
