"""Boards as pages draw them: a result's, small in a list or large by itself."""

import re

from web.boards.drawing import Drawing, draw
from worker.boards import StoredBoard

# Larger boards are drawn on their own page only: fifty of them would be too much for a browser.
LARGEST_SMALL_BOARD = 25

_CELL_NAME = re.compile(r"\br\d+c\d+\b")


def is_small(board: StoredBoard) -> bool:
    """Return whether a board is small enough to be one of many on a page."""
    return max(board.layout.rows, board.layout.columns) <= LARGEST_SMALL_BOARD


def draw_result(
    board: StoredBoard, puzzle: str, solution: str | None, detail: str | None = None
) -> Drawing | None:
    """Return the drawing of a result; givens in the cells that the detail names stand out."""
    givens = board.read(puzzle)
    if givens is None:
        return None
    wrong = frozenset(_CELL_NAME.findall(detail or ""))
    solved = board.read(solution) if solution else None
    return draw(board.layout, board.symbols, givens, solved, wrong=wrong)
