"""Candidates on boards with killer cages overlap neither the sums nor the outlines of the cages."""

from itertools import pairwise

import pytest

from solver.board.layout import Layout
from solver.board.symbols import Symbols
from solver.rules.registry import RULES, with_constraints
from solver.rules.rule import Constraint
from web.boards.deduction_drawing import pencil_marks
from web.boards.drawing import draw
from web.boards.geometry import CELL
from web.boards.styles import symbol_style
from web.boards.svg import Text, make_picture

CAP_HEIGHT = 0.73  # of the font size, in Inter
CLEAR = 0.35  # units between texts, and between a text and an outline
OUTLINE = 1.9 + 0.35  # how far the inner edge of a cage's outline is from the edge of the cell


def _top(text: Text, size: float) -> float:
    return text.y - CAP_HEIGHT * size


@pytest.mark.parametrize("has_sum", [True, False])
@pytest.mark.parametrize(("rows", "columns"), [(2, 2), (2, 3), (3, 3), (4, 4)])
def test_candidates_keep_clear_of_sums_and_outlines_of_cages(
    rows: int, columns: int, *, has_sum: bool
) -> None:
    layout = with_constraints(
        Layout.boxed(rows, columns), (Constraint(RULES["killer"], (0, 1), 3),)
    )
    assert isinstance(layout, Layout), layout
    symbols = Symbols.usual(layout.size)
    picture = make_picture(draw(layout, symbols, (0,) * layout.cells))
    candidates: list[range] = [range(0)] * layout.cells
    candidates[0 if has_sum else 1] = range(1, layout.size + 1)
    texts = pencil_marks(layout, symbols, candidates)
    (size,) = {symbol_style(text.kind, picture, ruled=True).size for text in texts}
    lines = sorted({text.y: text for text in texts}.values(), key=lambda text: text.y)
    (total,) = picture.labels
    assert _top(lines[0], size) > (total.y if has_sum else OUTLINE) + CLEAR
    assert lines[-1].y < CELL - OUTLINE - CLEAR
    for upper, lower in pairwise(lines):
        assert _top(lower, size) > upper.y + CLEAR
    first = min(float(x) for text in texts for x in text.x.split())
    assert first - 0.3 * size > (0 if has_sum else CELL) + OUTLINE + CLEAR


def test_candidates_are_larger_in_cells_without_a_sum() -> None:
    layout = with_constraints(Layout.boxed(3, 3), (Constraint(RULES["killer"], (0, 1), 3),))
    assert isinstance(layout, Layout), layout
    symbols = Symbols.usual(9)
    picture = make_picture(draw(layout, symbols, (0,) * 81))
    sizes = []
    for cell in (0, 1):
        candidates: list[range] = [range(0)] * 81
        candidates[cell] = range(1, 10)
        text, *_ = pencil_marks(layout, symbols, candidates)
        sizes.append(symbol_style(text.kind, picture, ruled=True).size)
    assert sizes[1] > 1.1 * sizes[0]
