"""What was seen of an upload, as the API shows it."""

from flask import get_template_attribute

from solver.formats import FORMATS
from web import answers
from web.boards.drawing import draw
from web.look import First, Look

# Larger boards take more to draw than to look at.
_LARGEST = 25
_PIXELS = 13, 24  # of a cell: on large boards, on those with rules or up to 9×9


def look_json(look: Look) -> answers.Look:
    """Return what the API says of it."""
    described = {format_.name: format_.description for format_ in FORMATS}
    return answers.Look(
        format=look.format,
        description=described[look.format],
        records=look.records,
        checked=look.checked,
        problems=look.problems,
        first=[_first(first) for first in look.first],
        troubles=[answers.Trouble(line=each.line, detail=each.detail) for each in look.troubles],
    )


def _first(first: First) -> answers.FirstPuzzle:
    drawing = draw(first.layout, first.symbols, first.givens)
    is_large = drawing.extent > 9
    board = get_template_attribute("board.html", "board")
    return answers.FirstPuzzle(
        line=first.line,
        name=first.name,
        puzzle=first.symbols.write(first.givens),
        rules=[*drawing.rules],
        detail=first.detail,
        drawing=None
        if drawing.extent > _LARGEST
        else str(board(drawing, f"{drawing.shape} in line {first.line}", _PIXELS[not is_large])),
    )
