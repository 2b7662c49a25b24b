"""The types of renderers."""

from collections.abc import Callable

from solver.board.parts import House
from solver.rules.rule import Constraint
from web.boards.canvas import Sketch

Drawer = Callable[[Constraint, Sketch], None]  # draws one constraint
HouseDrawer = Callable[[House, Sketch], None]


def written(constraint: Constraint, sketch: Sketch) -> None:
    """Draw nothing: the rule applies to the whole grid, and the text below the board states it."""
    del constraint, sketch
