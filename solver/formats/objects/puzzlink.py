"""Addresses of puzz.link and other sites of pzpr with a Sudoku: ``…?sudoku/9/9/g5h3…``.

The encoding is that of pzprjs (MIT licence): hexadecimal digits for numbers, - before two of them,
letters from g on for runs of blanks, a dot for a number that is not told.
"""

import re

from solver.board.layout import MAX_SIZE, usual_box
from solver.formats.format import ReadOptions
from solver.formats.objects.puzzle_object import read_translated
from solver.formats.reading.cells import Reading, refuse
from solver.formats.reading.one_a_line import OneALine

_ADDRESS = re.compile(
    r"\s*https?://\S*[?/](?:p\?)?sudoku/(?:v:/)?(\d{1,3})/(\d{1,3})(?:/([0-9a-z.-]*))?/?\s*"
)
_PART = re.compile(r"-[0-9a-f]{2}|[0-9a-z.]")
_PARTS = re.compile(rf"(?:{_PART.pattern})*")


def read_puzzlink(text: str, *, options: ReadOptions) -> Reading:
    """Read one address."""
    match = _ADDRESS.fullmatch(text)
    if match is None:
        return refuse("this is no address of a Sudoku of puzz.link", text)
    columns, rows = int(match[1]), int(match[2])
    if rows != columns or not 1 <= rows <= MAX_SIZE:
        return refuse(f"{rows}x{columns} cells, expected a square of {MAX_SIZE} at most", text)
    if _PARTS.fullmatch(match[3] or "") is None:
        return refuse("the cells in this address are not written as puzz.link does", text)
    givens: list[str | None] = []
    for part in _PART.findall(match[3] or ""):
        if part == ".":
            givens.append(None)
        elif "g" <= part <= "z":
            givens += [None] * (int(part, 36) - 15)
        else:
            givens.append(str(int(part.removeprefix("-"), 16)))
    if len(givens) > rows * rows:
        return refuse(f"{len(givens)} cells, expected {rows * rows}", text)
    givens += [None] * (rows * rows - len(givens))  # blanks at the end may be left out
    box = usual_box(rows)
    board: dict[str, object] = {
        "shape": f"{rows}x{rows}",
        "box": "none" if box is None else f"{box[0]}x{box[1]}",
        "givens": givens,
    }
    return read_translated(board, text=text, options=options)


PUZZLINK = OneALine(
    "puzzlink",
    "One address of puzz.link or another site of pzpr a line, with a Sudoku in it: hexadecimal "
    "numbers, and letters for runs of blanks.",
    "https://puzz.link/p?sudoku/9/9/53h7j6h195j98j6g8i6i34h8g3h17i2i6g6j28j419h5j8h79\n"
    "http://pzv.jp/p.html?sudoku/4/4/1k3h2k4\n",
    lambda line: _ADDRESS.fullmatch(line) is not None,
    read_puzzlink,
)
