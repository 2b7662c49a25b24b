"""Addresses of f-puzzles and SudokuPad, and what stands in them: lz-string and JSON."""

import re
from math import isqrt
from typing import Any

from solver.formats.format import ReadOptions
from solver.formats.grids.line import read_line
from solver.formats.objects.addresses import split_address
from solver.formats.objects.fpuzzles import is_fpuzzles, read_fpuzzles
from solver.formats.objects.lzstring import decompress
from solver.formats.objects.puzzle_object import read_translated
from solver.formats.reading.cells import Reading, refuse
from solver.formats.reading.one_a_line import OneALine
from solver.formats.reading.text import read_json

_HOSTS = ("f-puzzles.com", "sudokupad.app", "crackingthecryptic.com", "sudokupad.svencodes.com")
_ADDRESS = re.compile(r"https?://(?:[\w-]+\.)*(?:" + "|".join(map(re.escape, _HOSTS)) + r")/\S*")
_PAYLOAD = re.compile(r"(?:fpuzzles|fpuz|scl|ctc)?[NM][0-9A-Za-z+/ _-]{20,}=*")
_CLASSIC = re.compile(r"classic([0-9A-Za-z]{9,})")
# Characters of a puzzle: so many at most, and no more than so many times those it is packed in
# unless they are few. A blank 64×64 board is packed sixtyfold, to 210 of them.
_MOST = 1 << 22
_HIGHEST_RATIO = 32
_SURELY_READ = 1 << 16
_DRAWN = ("lines", "arrows", "overlays", "underlays")
# Names that SudokuPad shortens in its own JSON.
_LONG = {"ce": "cells", "re": "regions", "ca": "cages", "v": "value", "l": "lines", "a": "arrows",
         "o": "overlays", "u": "underlays", "t": "title", "te": "text"}  # fmt: skip


def read_sudokupad(text: str, *, options: ReadOptions) -> Reading:
    """Read an address or its payload."""
    payload = _payload(text.strip())
    classic = _CLASSIC.fullmatch(payload)
    if classic:
        return read_line(_unroll(classic[1]), options=options)
    prefixed = re.fullmatch(r"(fpuzzles|fpuz|scl|ctc)?(.+)", payload, re.DOTALL)
    unpacked = decompress(prefixed[2], most=_most(prefixed[2])) if prefixed else None
    if not unpacked:
        return refuse(
            "no puzzle is in this address; a short one names a puzzle that only its site has", text
        )
    value = _load(unpacked)
    if is_fpuzzles(value):
        return read_fpuzzles(value, text=text, options=options)
    if isinstance(value, dict) and isinstance(value.get("cells"), list):
        board = _from_scl(value)
    else:
        return refuse("what this address holds is no puzzle of f-puzzles or SudokuPad", text)
    return read_translated(board, text=text, options=options)


def _most(packed: str) -> int:
    """Return how long the text behind a payload may be; more is no puzzle, and costs time."""
    return min(max(_SURELY_READ, _HIGHEST_RATIO * len(packed)), _MOST)


def _payload(text: str) -> str:
    """Return what an address loads; what is no address as it is."""
    if not text.startswith("http"):
        return text
    path, arguments = split_address(text)
    for key in ("load", "puzzleid", "id"):
        if key in arguments:
            return arguments[key]
    return path.removeprefix("/").removeprefix("sudoku/")


def _unroll(written: str) -> str:
    """Return the cells behind a "classic" payload, digits and letters for runs of blanks.

    In one notation a letter is so many blanks (B is one), in the other one each character is a
    digit, 0 for a blank, and as many blanks as the tens of its place in 0-9, A-Z, a-z.
    """
    runs = "".join(c if c.isdigit() else "." * _letter(c) for c in written)
    if isqrt(len(runs)) ** 2 == len(runs):
        return runs
    places = [int(c) if c.isdigit() else 10 + _letter(c) for c in written]
    return "".join((str(n % 10) if n % 10 else ".") + "." * (n // 10) for n in places)


def _letter(character: str) -> int:
    return ord(character) - 65 if character.isupper() else ord(character) - 97 + 26


def _load(text: str) -> Any:
    """Return JSON, or what SudokuPad shortens it to: keys without quotes, single quotes."""
    if '"' not in text:
        text = text.replace("\\'", "\0").replace("'", '"').replace("\0", "'")
        text = re.sub(r"([,{\[])([A-Za-z0-9]+):", r'\1"\2":', text)
        text = re.sub(r"([,\[])(?=[,\]])", r"\1{}", text).replace("[{}]", "[]")
        text = re.sub(r":([ft])(?=[,}\]])", lambda m: ":false" if m[1] == "f" else ":true", text)
        text = re.sub(r":(#[0F]|[0-9a-fA-F]{6})(?=[,}\]])", r':"\1"', text)
    try:
        return _lengthened(read_json(text))
    except (ValueError, RecursionError):
        return None


def _lengthened(value: Any) -> Any:
    if isinstance(value, list):
        return [_lengthened(item) for item in value]
    if isinstance(value, dict):
        return {_LONG.get(key, key): _lengthened(item) for key, item in value.items()}
    return value


def _from_scl(value: dict[str, Any]) -> dict[str, object] | str:
    """Return the board of SudokuPad's own JSON: cells, regions and cages."""
    drawn = [key for key in _DRAWN if value.get(key)]
    if drawn:
        return f"this puzzle has {drawn[0]} whose rules are not written in it"
    rows = value["cells"]
    columns = len(rows[0]) if isinstance(rows[0], list) else 0
    if not columns or any(not isinstance(row, list) or len(row) != columns for row in rows):
        return "the rows of this puzzle differ in length"
    label = ["."] * (len(rows) * columns)
    constraints: list[dict[str, object]] = []
    name = ""
    try:
        for number, region in enumerate(value.get("regions") or []):
            for row, column in region:
                label[row * columns + column] = str(number)
        for cage in value.get("cages") or []:
            cells = [f"r{row + 1}c{column + 1}" for row, column in cage.get("cells") or []]
            total = cage.get("value")
            if not cells:
                name = total[6:].strip() if str(total).startswith("title:") else name
            elif cage.get("unique", True) or total not in (None, ""):
                kind = "killer" if cage.get("unique", True) else "sum"
                made: dict[str, object] = {"type": kind, "cells": cells}
                constraints.append(made if total in (None, "") else made | {"sum": int(total)})
        givens = [cell.get("value") for row in rows for cell in row]
    except (TypeError, ValueError, IndexError, AttributeError, KeyError):
        return "this puzzle is not written as SudokuPad does"
    board: dict[str, object] = {
        "shape": f"{len(rows)}x{columns}",
        "givens": givens,
        "constraints": constraints,
        "houses": [],
        "name": (value.get("metadata") or {}).get("title") or name,
    }
    if set(label) != {"."}:
        board["regions"] = label
    return board


def _looks_right(line: str) -> bool:
    line = line.strip()
    address = _ADDRESS.fullmatch(line) is not None
    return address or any(kind.fullmatch(line) for kind in (_PAYLOAD, _CLASSIC))


SUDOKUPAD = OneALine(
    "sudokupad",
    "One address of f-puzzles or SudokuPad a line, with the puzzle in it, or that part "
    "alone (fpuzzles…, scl…, classic…).",
    "fpuzzlesN4IgzglgXgpiBcAWANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBf"
    "ZYHv3lwC6yQv34hSlagGZ6jFu04xxIsb0nkqCAEzymreB26DBagRYlTtSfYqPLhQrkA=\n"
    "classicB6B91D7C2E15F4D9C3K6D4B3D25D4F8F87B4C5B7C3B\n",
    _looks_right,
    read_sudokupad,
)
