"""Boards as SVG in pages, drawn and styled as the web server does."""

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader

from solver import Invalid, Puzzle, parse
from web.boards.drawing import draw
from web.boards.geometry import CELL
from web.boards.svg import Picture, make_picture
from web.pages.filters import FILTERS

_SIZE = 9  # rows and columns of a classic grid
_WIDTH = 180  # pixels, of a picture
_LARGEST_CELL = 36  # pixels
_TEMPLATES = Path(__file__).resolve().parent.parent / "web" / "templates"


@cache
def _macros() -> Any:
    environment = Environment(loader=FileSystemLoader(_TEMPLATES), autoescape=True)
    environment.filters |= FILTERS
    return environment.get_template("board.html").module


def drawn_picture(picture: Picture, label: str) -> str:
    """Return a picture as HTML."""
    cell = min(_LARGEST_CELL, _WIDTH * CELL // picture.width)
    svg = str(_macros().drawn(picture, [], label, cell, "fits"))
    return f'<div class="drawing" data-search-exclude>{" ".join(svg.split())}</div>'


def drawn_text(text: str, label: str) -> str:
    """Return the drawing of a puzzle in any text format."""
    return drawn_picture(_picture(_read(text)), label)


def drawn_constraint(constraint: dict[str, Any], label: str) -> str:
    """Return the drawing of a constraint on an empty classic grid.

    It shows only the cells of the constraint and those around them, with clues outside the grid.
    """
    puzzle = _read(json.dumps({"puzzle": "." * 81, "constraints": [constraint]}))
    picture = _picture(puzzle)
    cells = [cell for each in puzzle.layout.constraints for cell in each.cells]
    top, height = _part([cell // _SIZE for cell in cells], picture.top, picture.height)
    left, width = _part([cell % _SIZE for cell in cells], picture.left, picture.width)
    return drawn_picture(replace(picture, left=left, top=top, width=width, height=height), label)


def _part(places: Sequence[int], begin: int, length: int) -> tuple[int, int]:
    """Return the beginning and the length of the part of a picture that shows some cells.

    `places` are the rows or columns of the cells. `begin` and `length` are those of the picture.
    """
    first, last = min(places) - 1, max(places) + 2
    start = first * CELL if first > 0 else begin
    stop = last * CELL if last < _SIZE else begin + length
    return start, stop - start


def _read(text: str) -> Puzzle:
    (puzzle,) = parse(text)
    if isinstance(puzzle, Invalid):
        raise ValueError(f"{text}: {puzzle.detail}")
    return puzzle


def _picture(puzzle: Puzzle) -> Picture:
    return make_picture(draw(puzzle.layout, puzzle.symbols, puzzle.givens))


def board_styles(styles: str) -> str:
    """Return the rules for boards in the web server's style sheet, for both color schemes."""
    colors = re.findall(r":root \{\n(.*?)\n *\}", styles, re.DOTALL)
    light, dark = (" ".join(each.split()) for each in colors[:2])
    lines = [line for line in styles.splitlines() if line.startswith((".board", ".ruled"))]
    # Rules for printing and for narrow windows are indented, so they aren't included.
    return "\n".join(
        [f".board {{ {light} }}", f'[data-md-color-scheme="slate"] .board {{ {dark} }}', *lines]
    )
