"""Boards as SVG in pages, drawn and styled as the web server does."""

import re
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader

from web.boards.geometry import CELL
from web.boards.svg import Picture
from web.pages.filters import FILTERS

_WIDTH = 180  # pixels, of a picture
_STEP_WIDTH = 234  # pixels, of a step, whose candidates have to be legible
_LARGEST_CELL = 36  # pixels
_TEMPLATES = Path(__file__).resolve().parent.parent / "web" / "templates"


@cache
def _macros() -> Any:
    environment = Environment(loader=FileSystemLoader(_TEMPLATES), autoescape=True)
    environment.filters |= FILTERS
    return environment.get_template("board.html").module


def drawn_picture(picture: Picture, label: str) -> str:
    """Return a picture as HTML, scaled to at most 180 pixels in width and 36 pixels per cell.

    `label` describes it for screen readers. The site's search leaves it out.
    """
    cell = min(_LARGEST_CELL, _WIDTH * CELL // picture.width)
    return _drawn(picture, label, cell, "fits")


def drawn_step(picture: Picture, label: str) -> str:
    """Return the picture of a step as HTML, scaled to a width of 234 pixels.

    `label` describes it for screen readers. The site's search leaves it out.
    """
    return _drawn(picture, label, _STEP_WIDTH * CELL // picture.width, "explained only-marked fits")


def _drawn(picture: Picture, label: str, cell: int, classes: str) -> str:
    svg = str(_macros().drawn(picture, [], label, cell, classes))
    return f'<div class="drawing" data-search-exclude>{" ".join(svg.split())}</div>'


def board_styles(theme: str, styles: str) -> str:
    """Return the typeface and the rules for boards in the web server's style sheets.

    `theme` is the style sheet with the typeface and the colors, and `styles` the one with the
    boards. The rules are for both color schemes.
    """
    (colors,) = re.findall(r":root \{\n  color-scheme: light dark;\n(.*?)\n\}", theme, re.DOTALL)
    variables = " ".join(re.findall(r"--[\w-]+: [^;]*;", colors))
    lines = [line for line in styles.splitlines() if line.startswith((".board", ".ruled"))]
    # Rules for printing and for narrow windows are indented, so they aren't included.
    (typeface,) = re.findall(r"@font-face \{.*?\n\}", theme, re.DOTALL)
    return "\n".join(
        [
            typeface,
            f".board {{ color-scheme: light; {variables} }}",
            '[data-md-color-scheme="slate"] .board { color-scheme: dark; }',
            *lines,
        ]
    )
