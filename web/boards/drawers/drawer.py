"""What a drawer is."""

from collections.abc import Callable

from solver.board.parts import House
from solver.rules.rule import Constraint
from web.boards.sketch import Sketch

Drawer = Callable[[Constraint, Sketch], None]  # draws one constraint of its rule
HouseDrawer = Callable[[House, Sketch], None]


def written(constraint: Constraint, sketch: Sketch) -> None:
    """Draw nothing: the rule holds everywhere, and the text with the board says so."""
    del constraint, sketch
