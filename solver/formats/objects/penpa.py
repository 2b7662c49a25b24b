"""Read Penpa+ URLs with a Sudoku: givens, thick lines, and constraints drawn with its tools.

Penpa+ (https://github.com/swaroopg92/penpa-edit, MIT license) compresses lines of text with deflate
and base64, and abbreviates some words. Cells and corners are numbered in a grid that is two cells
larger on each side, W wide and H high. Cell (r, c) is W(r+2) + c+2, and its lower right corner is
W·H more.
"""

import json
import re
import zlib
from base64 import b64decode
from typing import Any
from urllib.parse import unquote

from solver.board.layout import MAX_SIZE, place_name
from solver.formats.format import ReadOptions
from solver.formats.objects.penpa_rules import Drawn, rules_in
from solver.formats.objects.puzzle_object import read_translated
from solver.formats.reading.cells import Reading

PENPA_ADDRESS = re.compile(r"https?://\S*penpa-edit/\S*[#&?]p=([0-9A-Za-z+/%_-]+=*)\S*")
_MOST = 1 << 21  # characters
_SHORT = {
    "zQ": '"pu_q"', "zN": '"number"', "zE": '"lineE"', "z4": '"deletelineE"', "z1": '"numberS"',
    "zY": '"symbol"', "zS": '"surface"', "zL": '"line"', "zF": '"freeline"', "z2": '"freelineE"',
    "zT": '"thermo"', "z7": '"nobulbthermo"', "z3": '"arrows"', "zD": '"direction"',
    "z0": '"squareframe"', "z5": '"polygon"', "z6": '"killercages"', "zC": '"cage"',
    "zP": '"special"', "zW": '"wall"', "zO": "null", "z_": '"__a"', "zR": '"command_redo"',
    "zU": '"command_undo"', "z8": '"command_replay"', "zB": '"board"', "zG": '"grid"',
    "zM": '"edit_mode"', "z9": '"qa"', "zA": '"pu_a"',
}  # fmt: skip
_ESCAPED = re.compile("z(?:Z|[" + "".join(key[1] for key in _SHORT) + "])")
_GIVEN = ("1", "5", "6", "10")  # kinds of numbers: normal, small, medium, large
_WRONG = (ValueError, KeyError, TypeError, IndexError, AttributeError)
_NO_GRID = "this Penpa+ drawing isn't a square grid"
_NOT_DRAWN = ("number", "lineE", "deletelineE", "command_redo", "command_undo", "command_replay",
              "version")  # fmt: skip


def read_penpa(text: str, *, options: ReadOptions) -> Reading:
    """Read a Penpa+ URL that contains a Sudoku.

    The reading is invalid for any other text, and for a drawing that isn't a square grid. Notes
    list the drawings that are read as rules, and those that are ignored.
    """
    match = PENPA_ADDRESS.fullmatch(text.strip())
    notes: list[str] = []
    try:
        board: dict[str, object] | str = _board(_unpacked(match[1] if match else ""), notes)
    except (*_WRONG, RecursionError, OverflowError, zlib.error):
        board = "this URL isn't in Penpa+'s notation"
    return read_translated(board, text=text, options=options, note="; ".join(notes) or None)


def _unpacked(packed: str) -> list[str]:
    """Return the lines of text that a URL contains, with abbreviated words restored.

    `packed` is the compressed text in base64. Raises ValueError or zlib.error if it can't be
    decompressed.
    """
    data = b64decode(unquote(packed) + "==")
    text = zlib.decompressobj(-15).decompress(data, _MOST).decode()
    return _ESCAPED.sub(lambda match: _SHORT.get(match[0], "z"), text).split("\n")


def _board(lines: list[str], notes: list[str]) -> dict[str, object] | str:
    kind, columns, rows = lines[0].split(",")[:3]
    if kind not in ("sudoku", "square"):
        return _NO_GRID
    wide, high = int(columns) + 4, int(rows) + 4
    above, below, before, after = (int(n) for n in json.loads(lines[1])[:4])
    size, width = int(rows) - above - below, int(columns) - before - after
    if size != width or not 1 <= size <= MAX_SIZE:
        return _NO_GRID
    question: dict[str, Any] = json.loads(lines[3])
    cells = [(r, c) for r in range(size) for c in range(size)]
    number_of = {(r, c): wide * (r + above + 2) + c + before + 2 for r, c in cells}
    numbers = {int(at): entry for at, entry in question["number"].items()}
    given = {at: str(entry[0]) for at, entry in numbers.items() if entry[2] in _GIVEN}
    regions = _regions(size, number_of, question.get("lineE") or {}, wide=wide, corners=wide * high)
    if regions is None and kind != "sudoku":
        return f"this Penpa+ drawing doesn't have {size} regions of {size} cells, as a Sudoku has"
    if regions is None:
        notes.append("the puzzle has no regions or boxes")
    givens = [given.get(number_of[cell]) for cell in cells]
    names = {number: place_name(*cell) for cell, number in number_of.items()}
    constraints, drawn = rules_in(Drawn(question, names, wide, wide * high))
    if constraints:
        kinds = ", ".join(dict.fromkeys(str(each["type"]) for each in constraints))
        notes.append(f"read drawings of Penpa+'s own tools as rules ({kinds})")
    drawn = [key for key in drawn if key not in _NOT_DRAWN]
    drawn += ["numbers"] if len(numbers) > sum(each is not None for each in givens) else []
    if drawn:
        notes.append(f"ignored drawings ({', '.join(drawn)})")
    board: dict[str, object] = {
        "shape": f"{size}x{size}",
        "box": "none",
        "givens": givens,
        "constraints": constraints,
    }
    return board if regions is None else board | {"regions": regions}


def _regions(
    size: int,
    number_of: dict[tuple[int, int], int],
    lines: dict[str, Any],
    *,
    wide: int,
    corners: int,
) -> list[str] | None:
    """Return the region label of each cell, given the thick lines that separate the regions.

    Returns None unless there are `size` regions of `size` cells. `number_of` has Penpa+'s cell
    numbers by row and column, `wide` is the number of cells in its rows, and `corners` the number
    of the first corner.
    """
    edges = {frozenset(map(int, key.split(","))) for key in lines}
    label: dict[tuple[int, int], str] = {}
    for first in number_of:
        if first in label:
            continue
        label[first] = str(len(set(label.values())))
        waiting = [first]
        while waiting:
            row, column = waiting.pop()
            for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                other = row + down, column + right
                if other not in number_of or other in label:
                    continue
                # The lower right corner of the upper or left cell of the two.
                corner = corners + min(number_of[row, column], number_of[other])
                if frozenset((corner, corner - (wide if right else 1))) not in edges:
                    label[other] = label[first]
                    waiting.append(other)
    sizes = [list(label.values()).count(name) for name in set(label.values())]
    return [label[cell] for cell in number_of] if sizes == [size] * size else None
