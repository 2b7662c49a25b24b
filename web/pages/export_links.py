"""Make links that open a puzzle in other programs, if they support all of its rules."""

import json
from dataclasses import dataclass
from urllib.parse import quote

from solver.board.puzzle import Puzzle
from solver.formats.objects.fpuzzles_writer import write_fpuzzles
from solver.formats.objects.iss_writer import write_iss
from solver.formats.objects.lzstring import compress

_MAX_URL_LENGTH = 8_000  # browsers or servers truncate longer URLs
# Longer JSON isn't compressed, because that takes more than a second per megabyte, and the result
# hardly ever fits in a URL.
_MAX_JSON_LENGTH = 1 << 16


@dataclass(frozen=True, slots=True)
class ExportLink:
    """A URL that opens a puzzle in the program with this name."""

    program: str
    url: str


def export_links(puzzle: Puzzle) -> list[ExportLink]:
    """Return a link for each program that supports a puzzle's rules.

    Links that would be too long for browsers are left out.
    """
    links = []
    fpuzzles = write_fpuzzles(puzzle)
    text = "" if fpuzzles is None else json.dumps(fpuzzles, separators=(",", ":"))
    if 0 < len(text) <= _MAX_JSON_LENGTH:
        payload = quote(compress(text), safe="")
        links += [
            ExportLink("SudokuPad", f"https://sudokupad.app/fpuzzles{payload}"),
            ExportLink("f-puzzles", f"https://www.f-puzzles.com/?load={payload}"),
        ]
    iss = write_iss(puzzle)
    if iss is not None:
        url = f"https://sigh.github.io/Interactive-Sudoku-Solver/?q={quote(iss, safe='~.')}"
        links.append(ExportLink("Interactive Sudoku Solver", url))
    return [link for link in links if len(link.url) <= _MAX_URL_LENGTH]
