"""The types of renderers: functions that draw one constraint or one house on a canvas."""

from collections.abc import Callable

from solver.board.primitive_constraints import House
from solver.rules.rule import Constraint
from web.boards.canvas import Canvas

Renderer = Callable[[Constraint, Canvas], None]  # draws one constraint
HouseRenderer = Callable[[House, Canvas], None]


def draw_nothing(constraint: Constraint, canvas: Canvas) -> None:
    """Draw nothing, for rules that only the text below the board states."""
    del constraint, canvas
