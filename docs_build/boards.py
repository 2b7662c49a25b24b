"""Boards as SVG in pages, drawn and styled as the web server does."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader

from solver import Puzzle, parse
from web.boards.drawing import draw
from web.boards.svg import Picture, make_picture
from web.pages.filters import FILTERS

_CELL = 20  # pixels
_TEMPLATES = Path(__file__).resolve().parent.parent / "web" / "templates"


@cache
def _macros() -> Any:
    environment = Environment(loader=FileSystemLoader(_TEMPLATES), autoescape=True)
    environment.filters |= FILTERS
    return environment.get_template("board.html").module


def drawn_picture(picture: Picture, label: str) -> str:
    """Return a picture as HTML."""
    svg = str(_macros().drawn(picture, [], label, _CELL, "fits"))
    return f'<div class="drawing" data-search-exclude>{" ".join(svg.split())}</div>'


def drawn_line(text: str) -> str:
    """Return the drawing of a puzzle in any text format."""
    puzzle = parse(text)[0]
    return _drawn(puzzle, "the puzzle") if isinstance(puzzle, Puzzle) else ""


def drawn_constraint(constraint: dict[str, Any], label: str) -> str:
    """Return the drawing of a constraint on an empty grid, "" if the grid needs more than that."""
    record = {"puzzle": "." * 81, "constraints": [constraint]}
    read = parse(json.dumps(record), format="ndjson")[0]
    return _drawn(read, label) if isinstance(read, Puzzle) else ""


def _drawn(puzzle: Puzzle, label: str) -> str:
    return drawn_picture(make_picture(draw(puzzle.layout, puzzle.symbols, puzzle.givens)), label)


def board_styles(styles: str) -> str:
    """Return the rules for boards in the web server's style sheet, for both color schemes."""
    colors = re.findall(r":root \{\n(.*?)\n *\}", styles, re.DOTALL)
    light, dark = (" ".join(each.split()) for each in colors[:2])
    lines = [line for line in styles.splitlines() if line.startswith((".board", ".ruled"))]
    # Rules for printing and for narrow windows are indented, so they aren't included.
    return "\n".join(
        [f".board {{ {light} }}", f'[data-md-color-scheme="slate"] .board {{ {dark} }}', *lines]
    )
