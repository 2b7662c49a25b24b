"""The types of renderers."""

from collections.abc import Callable

from solver.board.parts import House
from solver.rules.rule import Constraint
from web.boards.canvas import Canvas

Renderer = Callable[[Constraint, Canvas], None]  # draws one constraint
HouseRenderer = Callable[[House, Canvas], None]


def written(constraint: Constraint, canvas: Canvas) -> None:
    """Draw nothing: the rule applies to the whole grid, and the text below the board states it."""
    del constraint, canvas
