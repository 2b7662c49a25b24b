"""Sample boards from `data/drawers.txt`, and an HTML page that draws them.

Run ``python tests/support/boards.py sheet.html [dark] [NAME …]`` to write the page. Without names,
it has all boards.
"""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from flask import Flask, render_template_string
from paths import DATA, ROOT

from solver.board.layout import Layout
from solver.board.primitive_constraints import House
from solver.board.symbols import Symbols
from solver.rules.regions import with_regions
from solver.rules.registry import RULES, with_constraints
from solver.rules.rule import Constraint, Value
from solver.rules.variants import with_variants
from web.boards.drawing import Drawing, draw
from web.boards.svg import make_picture

CASES = DATA / "drawers.txt"

SAMURAI = ((0, 0), (0, 12), (6, 6), (12, 0), (12, 12))
BUTTERFLY = ((0, 0), (0, 3), (3, 0), (3, 3))
JIGSAW = (
    "AAABBBCCC" "ADABBBBCC" "ADDDEBFCC" "AADDEBFFC" "GGDDEEFFC"
    "GGGDEEFFI" "GGHEEHFII" "GHHHEHFII" "GHHHHHIII"
)  # fmt: skip

_SHEET = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Boards</title>
<style>{{ style | safe }} {{ more | safe }}</style>{% from "board.html" import board with context %}
<body>{% for name, drawing in drawings %}<figure>
{{ board(drawing, name, 10 if drawing.extent > 30 else 22 if drawing.extent > 9 else 40) }}
<figcaption>{{ name }}: {{ drawing.rules | map(attribute="title") | join(", ") }}</figcaption>
</figure>{% endfor %}"""
_MORE = "body{display:flex;flex-wrap:wrap;gap:18px;padding:12px}figcaption{max-width:24rem}"


def boards() -> dict[str, Layout]:
    """Return the sample boards of the data file: their layouts, by name."""
    lines = CASES.read_text().splitlines()
    cases = [line.split("|") for line in lines if line and not line.startswith("#")]
    return {name: _layout(*parts) for name, *parts in cases}


def _layout(grid: str, variants: str, constraints: str) -> Layout:
    layout = with_variants(_grid(grid), tuple(variants.split()))
    assert isinstance(layout, Layout), layout
    written = [text.split() for text in constraints.split(";") if text]
    layout = with_constraints(layout, tuple(_constraint(words, layout) for words in written))
    assert isinstance(layout, Layout), layout
    return layout


def _grid(text: str) -> Layout:
    kind, *sizes = text.split()
    if kind == "samurai":
        return Layout.overlapping(SAMURAI, (3, 3))
    if kind == "butterfly":
        return Layout.overlapping(BUTTERFLY, (3, 3))
    if kind == "jigsaw":
        layout = with_regions(Layout.boxed(3, 3), JIGSAW)
        assert isinstance(layout, Layout), layout
        return layout
    if kind == "colours":
        classic, regions = Layout.boxed(3, 3), _grid("jigsaw").houses[-9:]
        colours = [House("house", region.number, region.cells) for region in regions]
        return replace(classic, houses=(*classic.houses, *colours))
    if kind == "grid":
        rows, columns, box = int(sizes[0]), int(sizes[1]), sizes[2].split("x")
        size = max(rows, columns)
        return Layout.grid(rows, columns, size=size, box=(int(box[0]), int(box[1])))
    high, wide = kind.split("x")
    return Layout.boxed(int(high), int(wide))


def _constraint(words: Sequence[str], layout: Layout) -> Constraint:
    rule, rest = RULES[words[0]], list(words[1:])
    value: Value = 0 if rule.usual is None else rule.usual
    if rule.text:
        value = rest.pop(0).replace("_", " ")
    elif not rest[0].startswith("r"):
        numbers = tuple(map(int, rest.pop(0).split(",")))
        value = numbers if rule.many else numbers[0]
    cells = [layout.cell_named(name) for name in rest]
    assert None not in cells, words
    return Constraint(rule, tuple(cell for cell in cells if cell is not None), value)


def filled(layout: Layout) -> Drawing:
    """Draw a board in which most cells have a value, as a given or as a solved cell.

    The values are arbitrary, and r1c1 is marked as wrong.
    """
    values = [1 + (3 * cell + cell // layout.columns) % layout.size for cell in range(layout.cells)]
    givens = [value if cell % 5 == 0 else 0 for cell, value in enumerate(values)]
    solution = [value if cell % 4 else 0 for cell, value in enumerate(values)]
    return draw(layout, Symbols.usual(layout.size), givens, solution, wrong=frozenset(["r1c1"]))


def sheet(names: Sequence[str], *, dark: bool = False) -> str:
    """Return an HTML page that draws the named boards, with some cells filled.

    Skips unknown names.
    """
    app = Flask("sheet", template_folder=str(ROOT / "web" / "templates"))
    app.template_filter("picture")(make_picture)
    sheets = [(ROOT / "web" / "static" / f"{name}.css") for name in ("theme", "style")]
    style = "".join(sheet.read_text() for sheet in sheets)
    if dark:
        style = style.replace("color-scheme: light dark", "color-scheme: dark")
    drawings = [(name, filled(board)) for name, board in boards().items() if name in names]
    with app.app_context():
        return render_template_string(_SHEET, style=style, more=_MORE, drawings=drawings)


if __name__ == "__main__":
    file, *chosen = sys.argv[1:]
    is_dark = "dark" in chosen
    wanted = [name for name in chosen if name != "dark"] or list(boards())
    Path(file).write_text(sheet(wanted, dark=is_dark))
