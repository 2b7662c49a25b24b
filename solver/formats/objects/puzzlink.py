"""Read the Sudoku URLs of puzz.link and other pzpr sites, such as ``…?sudoku/9/9/g5h3…``.

The encoding is that of pzprjs (MIT license): hexadecimal digits for numbers, - before two digits,
letters from g on for runs of blanks, and a dot for an unknown number.
"""

import re
from dataclasses import dataclass

import numpy as np

from solver.board.display import how_many
from solver.board.layout import MAX_SIZE, usual_box
from solver.formats.format import Context, ReadOptions, Segments
from solver.formats.objects.puzzle_object import read_translated
from solver.formats.reading.cells import Reading, read_rows, refuse
from solver.formats.reading.one_a_line import OneALine
from solver.formats.reading.text import decode

_ADDRESS = re.compile(
    r"\s*https?://\S*[?/](?:p\?)?sudoku/(?:v:/)?(\d{1,3})/(\d{1,3})(?:/([0-9a-z.-]*))?/?\s*"
)
# A file saved by pzpr: the numbers, the answer so far, and possibly more.
_FILE = re.compile(
    r"\s*pzprv3(?:\.\d)?\s*[/\n]\s*sudoku\s*[/\n]\s*(\d{1,3})\s*[/\n](.*)", re.DOTALL
)
_BEGINS = re.compile(rb"^[ \t]*pzprv3\b", re.MULTILINE)
_PART = re.compile(r"-[0-9a-f]{2}|[0-9a-z.]")
_HEAD = 20  # bytes
_PARTS = re.compile(rf"(?:{_PART.pattern})*")


def read_puzzlink(text: str, *, options: ReadOptions) -> Reading:
    """Read the Sudoku in one puzz.link URL or one file saved by such a site.

    The board has the usual boxes, or none if its size has no usual ones. Cells missing at the end
    of a URL are empty. The reading is invalid for other URLs, and if the board isn't square.
    """
    match = _ADDRESS.fullmatch(text)
    file = _FILE.fullmatch(text)
    if file is not None:
        return _read_file(int(file[1]), file[2], text, options)
    if match is None:
        return refuse("this isn't the URL of a Sudoku at puzz.link", text)
    columns, rows = int(match[1]), int(match[2])
    if rows != columns or not 1 <= rows <= MAX_SIZE:
        return refuse(
            f"the board is {rows}x{columns}, expected a square of at most {MAX_SIZE}x{MAX_SIZE}",
            text,
        )
    if _PARTS.fullmatch(match[3] or "") is None:
        return refuse("the cells in this URL aren't in puzz.link's notation", text)
    givens: list[str | None] = []
    for part in _PART.findall(match[3] or ""):
        if part == ".":
            givens.append(None)
        elif "g" <= part <= "z":
            givens += [None] * (int(part, 36) - 15)
        else:
            givens.append(str(int(part.removeprefix("-"), 16)))
    if len(givens) > rows * rows:
        return refuse(f"the URL has {len(givens)} cells, expected {rows * rows}", text)
    givens += [None] * (rows * rows - len(givens))  # trailing blanks may be omitted
    box = usual_box(rows)
    board: dict[str, object] = {
        "shape": f"{rows}x{rows}",
        "box": "none" if box is None else f"{box[0]}x{box[1]}",
        "givens": givens,
    }
    return read_translated(board, text=text, options=options)


def _read_file(size: int, body: str, text: str, options: ReadOptions) -> Reading:
    """Read the givens of a pzpr file, whose grid has `size` rows.

    `body` has the rows and then the solver's progress, which is ignored. `text` is the record, for
    error messages.
    """
    rows = [line.split() for line in re.split("[/\n]", body)][:size]
    if any(len(row) != size for row in rows):
        number, row = next((n, row) for n, row in enumerate(rows, 1) if len(row) != size)
        return refuse(f"row {number} has {how_many(len(row), 'cell')}, expected {size}", text)
    return read_rows(rows, text=text, options=options)


@dataclass(slots=True, eq=False)
class _Puzzlink(OneALine):
    """A format that contains either puzz.link URLs, one per line, or pzpr files in sequence."""

    def recognize(self, head: bytes, *, final: bool, options: ReadOptions) -> Context | None:
        if _FILE.match(decode(head)) and b"/sudoku" not in head[:_HEAD]:
            return {"files": True}
        return super(_Puzzlink, self).recognize(head, final=final, options=options)

    def segment(self, data: bytes, *, line: int, final: bool, context: Context) -> Segments:
        if not context.get("files"):
            return super(_Puzzlink, self).segment(data, line=line, final=final, context=context)
        starts = np.array([match.start() for match in _BEGINS.finditer(data)], np.int64)
        ends = np.append(starts[1:], len(data)) if len(starts) else starts
        breaks = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n"))
        lines = np.searchsorted(breaks, starts) + line
        if final or not len(starts):
            return Segments(starts, ends, lines, len(data) if final else 0)
        return Segments(starts[:-1], ends[:-1], lines[:-1], int(starts[-1]))


PUZZLINK = _Puzzlink(
    "puzzlink",
    "One Sudoku URL of puzz.link or another pzpr site per line. It contains hexadecimal numbers, "
    "and letters for runs of empty cells. Files of pzpr (pzprv3) work, too.",
    "https://puzz.link/p?sudoku/9/9/53h7j6h195j98j6g8i6i34h8g3h17i2i6g6j28j419h5j8h79\n"
    "http://pzv.jp/p.html?sudoku/4/4/1k3h2k4\n",
    lambda line: (_ADDRESS.fullmatch(line) or _FILE.fullmatch(line)) is not None,
    read_puzzlink,
)
