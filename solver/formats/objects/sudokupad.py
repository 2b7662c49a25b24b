"""Read the URLs of f-puzzles, SudokuPad, and similar sites, which contain compressed JSON."""

import re
from math import isqrt
from typing import Any

from solver.formats.format import ReadOptions
from solver.formats.grids.line import read_line
from solver.formats.grids.links import LINK
from solver.formats.objects.addresses import split_address
from solver.formats.objects.documents import read_document
from solver.formats.objects.lzstring import decompress
from solver.formats.objects.penpa import PENPA_ADDRESS, read_penpa
from solver.formats.objects.scl import read_scl
from solver.formats.reading.cells import Reading, refuse
from solver.formats.reading.one_a_line import OneALine
from solver.formats.reading.text import read_json

_HOSTS = (
    "f-puzzles.com",
    "sudokupad.app",
    "crackingthecryptic.com",
    "sudokupad.svencodes.com",
    "lisudoku.xyz",
)
_ADDRESS = re.compile(r"https?://(?:[\w-]+\.)*(?:" + "|".join(map(re.escape, _HOSTS)) + r")/\S*")
# Unsupported URLs, each with a message that suggests an alternative.
_ELSEWHERE = (
    (re.compile(r"https?://(?:[\w-]+\.)*sudokumaker\.app/\S*"),
     "SudokuMaker's URLs aren't supported; send its export for SudokuPad or f-puzzles"),
    (re.compile(r"https?://(?:tinyurl\.com|bit\.ly)/\S*"),
     "this is a short URL; send the URL that it redirects to"),
)  # fmt: skip
_PAYLOAD = re.compile(r"(?:fpuzzles|fpuz|scl|ctc)?[NM][0-9A-Za-z+/ _-]{20,}=*")
_SHORT = re.compile(r"scf([0-9A-Za-x]{9,}(?:\*.*)?)", re.DOTALL)
_CLASSIC = re.compile(r"classic([0-9A-Za-z()\[\].~:@!$&\'*,;=_-]{9,})")
_RUNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz()[]-.~:@!$&'*,;=_"
# Limits on the decompressed text, in characters: a maximum, and a maximum ratio to the compressed
# length, which applies above `_SURELY_READ`. A blank 64×64 board is compressed sixtyfold, to 210
# characters.
_MOST = 1 << 22
_HIGHEST_RATIO = 32
_SURELY_READ = 1 << 16
_LONGEST_NAME = 40
_NAMED = (
    "This URL doesn't contain the puzzle. If it is a short URL, open it, and send the long URL or "
    "the exported puzzle."
)
_DAMAGED = (
    "the puzzle in this URL can't be decompressed, because it is truncated, malformed, or too large"
)
_STRING = re.compile(r"('(?:[^'\\]|\\.)*')", re.DOTALL)
# Keys that SudokuPad abbreviates in its own JSON.
_LONG = {"ce": "cells", "re": "regions", "ca": "cages", "v": "value", "l": "lines", "a": "arrows",
         "o": "overlays", "u": "underlays", "t": "title", "te": "text"}  # fmt: skip


def read_sudokupad(text: str, *, options: ReadOptions) -> Reading:
    """Read a URL of SudokuPad and similar sites, or the encoded puzzle in it (payload) alone.

    The reading is invalid if the payload is damaged, or only the name of a puzzle on the site.
    """
    other = _read_other(text, options)
    if other is not None:
        return other
    payload = _payload(text.strip())
    classic = _CLASSIC.fullmatch(payload)
    if classic:
        return read_line(_unroll(classic[1]), options=options)
    short = _SHORT.fullmatch(payload)
    if short:
        return read_scl(_with_letters(short[1]), text=text, options=options)
    prefixed = re.fullmatch(r"(fpuzzles|fpuz|scl|ctc)?(.+)", payload, re.DOTALL)
    unpacked = decompress(prefixed[2], most=_most(prefixed[2])) if prefixed else None
    if not unpacked:
        return refuse(_DAMAGED if len(payload) > _LONGEST_NAME else _NAMED, text)
    value = _load(unpacked)
    if value is None:
        return refuse(_DAMAGED, text)
    document = read_document(value, text=text, options=options)
    if document is not None:
        return document
    return refuse("this URL contains no puzzle of f-puzzles, SudokuPad, or lisudoku", text)


def _read_other(text: str, options: ReadOptions) -> Reading | None:
    """Read a URL that contains a Penpa+ drawing or the digits of a puzzle, instead of JSON.

    For URLs of sites that aren't supported, the result is invalid, and its detail names an
    alternative. Returns None for any other text.
    """
    address = text.strip()
    if PENPA_ADDRESS.fullmatch(address):
        return read_penpa(text, options=options)
    if LINK.fullmatch(address):
        return read_line(text, options=options)
    instead = next((said for kind, said in _ELSEWHERE if kind.fullmatch(address)), None)
    return None if instead is None else refuse(instead, text)


def _most(packed: str) -> int:
    """Return the maximum length of a payload's decompressed text, given the compressed text.

    It is 32 times the compressed length, but at least 65,536 and at most 4,194,304 characters.
    """
    return min(max(_SURELY_READ, _HIGHEST_RATIO * len(packed)), _MOST)


def _payload(text: str) -> str:
    """Return the encoded puzzle in a URL. Any other text is returned unchanged.

    It is the value of a query argument such as `load` or `puzzleid`, or else the path.
    """
    if not text.startswith("http"):
        return text
    path, arguments = split_address(text)
    for key in ("load", "puzzleid", "import", "id"):
        if key in arguments:
            return arguments[key]
    return path.removeprefix("/").removeprefix("sudoku/")


def _unroll(written: str) -> str:
    """Return the cells of a `classic` payload as digits, and dots for empty cells.

    There are two notations. In one, a digit is a given, and a letter or a mark is a run of blanks
    (B is one blank). The other is that of `_pairs`. The payload doesn't show which one it uses, but
    usually only one gives 81 cells.
    """
    runs = "".join(c if c.isdigit() else "." * (_RUNS.index(c) - 10) for c in written)
    pairs = _pairs(written)
    if len(pairs) == 81:
        return pairs
    return runs if len(runs) == 81 or isqrt(len(pairs)) ** 2 != len(pairs) else pairs


def _pairs(written: str) -> str:
    """Return the cells of a text in which each character is a digit and the empty cells after it.

    The result has a character for each cell, a dot if it is empty. A character's index in 0-9, A-Z,
    a-z is ten times the number of these empty cells, plus the digit. The digit 0 is an empty cell.
    """
    places = [_RUNS.index(c) for c in written]
    return "".join((str(n % 10) if n % 10 else ".") + "." * (n // 10) for n in places)


def _with_letters(written: str) -> dict[str, Any]:
    """Return the SudokuPad object of a 9×9 grid in a `scf` payload.

    `written` is the payload without `scf`. The cells are encoded as in `_pairs`. Cells missing at
    the end are empty, and surplus ones are ignored. Letters for rules (x for both diagonals, w for
    windoku) and a title may follow.
    """
    packed, star, rules = written.partition("*")
    cells, count = "", 0
    while count < len(packed) and (star or len(cells) < 81):
        cells, count = cells + _pairs(packed[count]), count + 1
    cells = cells[:81].ljust(81, ".")
    rules = rules or packed[count:]
    rules, _, name = rules.partition("t") if "t" in rules else rules.partition("*")
    nine = range(9)
    return {
        "cells": [
            [{} if c == "." else {"value": c} for c in cells[9 * r : 9 * r + 9]] for r in nine
        ],
        "regions": [[[r // 3 * 3 + n // 3, r % 3 * 3 + n % 3] for n in nine] for r in nine],
        "diagonal+": "x" in rules,
        "diagonal-": "x" in rules,
        "windoku": "w" in rules,
        "metadata": {"title": name.partition("*")[0]},
    }


def _load(text: str) -> Any:
    """Parse JSON or SudokuPad's shortened form of it: unquoted keys and single quotes.

    Abbreviated keys are written out in the result. Returns None if the text is malformed.
    """
    if '"' not in text:
        text = "".join(map(_written_out, _STRING.split(text)))
    try:
        return _lengthened(read_json(text))
    except (ValueError, RecursionError):
        return None


def _written_out(part: str) -> str:
    """Convert a part of SudokuPad's shortened JSON to JSON.

    It is a string in single quotes, or the text between two strings.
    """
    if part.startswith("'"):
        return '"' + part[1:-1].replace("\\'", "'") + '"'
    part = re.sub(r"([,{\[])([A-Za-z0-9]+):", r'\1"\2":', part)
    part = re.sub(r"([,\[])(?=[,\]])", r"\1{}", part).replace("[{}]", "[]")
    part = re.sub(r":([ft])(?=[,}\]])", lambda m: ":false" if m[1] == "f" else ":true", part)
    return re.sub(r":(#[0F]|[0-9a-fA-F]{6})(?=[,}\]])", r':"\1"', part)


def _lengthened(value: Any) -> Any:
    if isinstance(value, list):
        return [_lengthened(item) for item in value]
    if isinstance(value, dict):
        return {_LONG.get(key, key): _lengthened(item) for key, item in value.items()}
    return value


def _looks_right(line: str) -> bool:
    line = line.strip()
    kinds = (_ADDRESS, _PAYLOAD, _CLASSIC, _SHORT, PENPA_ADDRESS, *(kind for kind, _ in _ELSEWHERE))
    return any(kind.fullmatch(line) for kind in kinds)


SUDOKUPAD = OneALine(
    "sudokupad",
    "One puzzle URL of f-puzzles, SudokuPad, lisudoku, or Penpa+ per line, or only the part of it "
    "that contains the puzzle (fpuzzles…, scl…, scf…, classic…).",
    "fpuzzlesN4IgzglgXgpiBcAWANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBf"
    "ZYHv3lwC6yQv34hSlagGZ6jFu04xxIsb0nkqCAEzymreB26DBagRYlTtSfYqPLhQrkA=\n"
    "classicB6B91D7C2E15F4D9C3K6D4B3D25D4F8F87B4C5B7C3B\n",
    _looks_right,
    read_sudokupad,
)
