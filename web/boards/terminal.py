"""A board as lines of plain text for a terminal."""

from collections.abc import Iterator

from web.boards.drawing import Cell, Drawing


def terminal_lines(drawing: Drawing) -> Iterator[str]:
    """Yield the lines of a board: cells separated by spaces, with box borders.

    Empty cells are dots, and holes are spaces. Symbols are aligned to the right.
    """
    width = max(len(cell.symbol) for row in drawing.rows for cell in row) or 1
    bars = [any(cell.box_left for cell in column) for column in zip(*drawing.rows, strict=True)]
    above: list[Cell] = []
    for row in drawing.rows:
        if any(cell.box_above for cell in row):
            yield _border(above, row, bars, width)
        text = ""
        for column, cell in enumerate(row):
            bar = ("| " if cell.box_left else "  ") if bars[column] else ""
            text += bar + (cell.symbol or (" " if cell.kind == "hole" else ".")).rjust(width) + " "
        yield text.rstrip()
        above = row


def _border(above: list[Cell], row: list[Cell], bars: list[bool], width: int) -> str:
    """Return the line between the rows `above` and `row`, with dashes on box borders.

    Crosses connect them with vertical borders. `bars` states for each column whether any cell in it
    has a border on its left. `width` is the number of characters per cell.
    """
    text, left = "", "-"
    for column, cell in enumerate(row):
        dash = "-" if cell.box_above else " "
        if bars[column]:
            through = "|" if cell.box_left and above[column].box_left else " "
            text += ("+" if "-" in left + dash else through) + dash
        text += dash * width + dash
        left = dash
    return text[:-1].rstrip()
