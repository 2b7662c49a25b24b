"""Convert previews to the API's schema."""

from flask import get_template_attribute

from solver.board.puzzle import Puzzle
from solver.formats import FORMATS
from solver.formats.write import write_puzzle
from web.boards.drawing import draw
from web.boards.result_drawing import named_cells
from web.schemas import responses
from web.uploads.preview import FirstPuzzle, Preview

# Larger boards take too long to draw for a preview.
_LARGEST = 25
_PIXELS = 13, 24  # width of a cell: on large boards, on boards up to 9×9


def preview_json(preview: Preview) -> responses.Preview:
    """Convert the preview of an upload to its schema in the API.

    The first puzzles are drawn. An upload with a single puzzle can be edited. Neither applies to
    boards with more than 25 rows or columns.
    """
    described = {format_.name: format_.description for format_ in FORMATS}
    return responses.Preview(
        format=preview.format,
        description=described[preview.format],
        records=preview.records,
        checked=preview.checked,
        problems=preview.problems,
        first=[_first(first, can_edit=preview.records == 1) for first in preview.first],
        troubles=[
            responses.RecordProblem(line=each.line, detail=each.detail) for each in preview.troubles
        ],
    )


def _first(first: FirstPuzzle, *, can_edit: bool) -> responses.FirstPuzzle:
    puzzle = first.puzzle
    drawing = draw(puzzle.layout, puzzle.symbols, puzzle.givens, wrong=named_cells(first.detail))
    is_large = drawing.extent > 9
    board = get_template_attribute("board.html", "board")
    return responses.FirstPuzzle(
        line=first.line,
        name=puzzle.name,
        puzzle=str(puzzle),
        rules=[rule.name for rule in drawing.rules],
        detail=first.detail,
        drawing=None
        if drawing.extent > _LARGEST
        else str(board(drawing, f"{drawing.shape} in line {first.line}", _PIXELS[not is_large])),
        editable=_editable(puzzle) if can_edit and drawing.extent <= _LARGEST else None,
    )


def _editable(puzzle: Puzzle) -> responses.EditablePuzzle:
    layout = puzzle.layout
    return responses.EditablePuzzle(
        rows=layout.rows,
        columns=layout.columns,
        values=list(puzzle.givens),
        holes=sorted(layout.holes),
        symbols=list(puzzle.symbols.values),
        houses=[list(house.cells) for house in layout.houses],
        text=write_puzzle(puzzle),
    )
