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


@pytest.mark.parametrize("cells", [(0, 1), ()])
@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (4, 4)])
def test_candidates_are_equally_large_and_at_the_same_places_in_all_cells(
    rows: int, columns: int, cells: tuple[int, ...]
) -> None:
    layout = Layout.boxed(rows, columns)
    if cells:
        with_cage = with_constraints(layout, (Constraint(RULES["killer"], cells, 3),))
        assert isinstance(with_cage, Layout), with_cage
        layout = with_cage
    symbols = Symbols.usual(layout.size)
    kinds, places = set(), []
    for cell in (0, 1, layout.columns):
        candidates: list[range] = [range(0)] * layout.cells
        candidates[cell] = range(1, layout.size + 1)
        down, right = divmod(cell, layout.columns)
        texts = pencil_marks(layout, symbols, candidates)
        kinds |= {text.kind for text in texts}
        places.append(
            [
                number
                for text in texts
                for x in text.x.split()
                for number in (float(x) - right * CELL, text.y - down * CELL)
            ]
        )
    assert len(kinds) == 1
    # The positions are rounded to a tenth of a unit.
    assert places[1] == pytest.approx(places[0], abs=0.11)
    assert places[2] == pytest.approx(places[0], abs=0.11)


def test_candidates_of_a_large_board_keep_clear_of_the_edges_of_cells() -> None:
    layout, symbols = Layout.boxed(4, 4), Symbols.numbers(16)
    candidates = [range(1, 17), *[range(0)] * 255]
    picture = make_picture(draw(layout, symbols, (0,) * 256))
    texts = pencil_marks(layout, symbols, candidates)
    size = symbol_style(texts[0].kind, picture, ruled=False).size
    border = 0.9  # half of the line between two boxes
    half = 0.52 * size  # of a number with two digits, of which the first is 1
    middles = [float(x) for text in texts for x in text.x.split()]
    assert min(middles) - half > border + CLEAR
    assert max(middles) + half < CELL - border - CLEAR
    assert min(_top(text, size) for text in texts) > border + CLEAR
    assert max(text.y for text in texts) < CELL - border - CLEAR
