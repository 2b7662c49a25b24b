"""The constraint strings of Interactive Sudoku Solver.

Read as in its `js/sudoku_constraint.js` and `js/sudoku_parser.js` (MIT licence,
https://github.com/sigh/Interactive-Sudoku-Solver), and turned into an object for
`solver.formats.objects.puzzle_object`.
"""

import re
from collections.abc import Callable, Sequence
from itertools import combinations
from string import ascii_lowercase, ascii_uppercase, digits
from urllib.parse import unquote

from solver.board.layout import filling_box
from solver.formats.objects.addresses import split_address

_START = re.compile(r"\s*\.+(~[rR][1-9a-gA-G][cC][1-9a-gA-G]_\d|[XV]~|[A-Z][A-Za-z]+(?=[.~\s]|$))")
_CELL = re.compile(r"[rR]([1-9a-gA-G])[cC]([1-9a-gA-G])")
_GIVEN = re.compile(r"[rR]([1-9a-gA-G])[cC]([1-9a-gA-G])((?:_\d+)+)")
_BASE64 = ascii_uppercase + ascii_lowercase + digits
_OUTSIDE = re.compile(r"([RC])(\d{1,2})(?:,(-?1))?")

Place = tuple[int, int]
Made = dict[str, object]


class _Refused(Exception):
    """A constraint cannot be read; its text says why."""


class _Board:
    """What was read so far of one string."""

    def __init__(self) -> None:
        """Begin with the usual grid, 9×9 with boxes."""
        self.rows, self.columns, self.size, self.lowest = 9, 9, 9, 1
        self.region_size: int | None = None
        self.boxes = True
        self.regions: str | None = None
        self.variants: list[str] = []
        self.constraints: list[Made] = []
        self.candidates: dict[str, list[int]] = {}

    def cells(self, names: Sequence[str]) -> list[Place]:
        return [self.cell(name) for name in names]

    def cell(self, name: str) -> Place:
        match = _CELL.fullmatch(name)
        if match is None:
            raise _Refused(f"{name[:20]!r} is no cell")
        return int(match[1], 17), int(match[2], 17)

    def add(self, kind: str, cells: Sequence[Place], **values: object) -> None:
        self.constraints.append({"type": kind, "cells": [_name(cell) for cell in cells], **values})

    def line(self, name: str, direction: int) -> list[Place]:
        """Return the cells of a row or a column as they are seen from an end."""
        match = _OUTSIDE.fullmatch(name)
        if match is None:
            raise _Refused(f"{name[:20]!r} is no row or column")
        number = int(match[2])
        if match[1] == "R":
            line = [(number, column) for column in range(1, self.columns + 1)]
        else:
            line = [(row, number) for row in range(1, self.rows + 1)]
        return line if direction > 0 else line[::-1]

    def as_object(self) -> dict[str, object]:
        """Return the object that `solver.formats.objects.puzzle_object` reads."""
        box: str | None = None
        zones: dict[str, object] = {}
        if self.boxes:
            usual = max(self.rows, self.columns)
            fits = filling_box(self.rows, self.columns, self.region_size or usual)
            box = None if fits is None else f"{fits[0]}x{fits[1]}"
        if self.regions is not None:  # they do not take the boxes away by themselves
            zones = {"houses": [self.regions]} if box else {"regions": self.regions}
        return {
            "shape": f"{self.rows}x{self.columns}",
            "size": self.size,
            "lowest": self.lowest,
            "box": box or "none",
            **zones,
            "variant": self.variants,
            "constraints": self.constraints,
            "candidates": {name: left for name, left in self.candidates.items() if len(left) != 1},
            "givens": [
                left[0] if len(left := self.candidates.get(_name((row, column)), [])) == 1 else None
                for row in range(1, self.rows + 1)
                for column in range(1, self.columns + 1)
            ],
        }


def _name(cell: Place) -> str:
    return f"r{cell[0]}c{cell[1]}"


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise _Refused(f"{text[:20]!r} is no number") from None


def _plain(kind: str, *, least: int = 2) -> Callable[[_Board, list[str]], None]:
    """Return the reader of a constraint that has cells and nothing else."""

    def read(board: _Board, args: list[str]) -> None:
        cells = board.cells(args)
        if len(cells) >= least:
            board.add(kind, cells)

    return read


def _numbered(kind: str, key: str) -> Callable[[_Board, list[str]], None]:
    """Return the reader of a constraint that has a number before its cells."""

    def read(board: _Board, args: list[str]) -> None:
        board.add(kind, board.cells(args[1:]), **{key: _number(args[0])})

    return read


def _dots(kind: str) -> Callable[[_Board, list[str]], None]:
    """Return the reader of marks between all cells of a list that are neighbours."""

    def read(board: _Board, args: list[str]) -> None:
        for one, other in combinations(board.cells(args), 2):
            if abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1:
                board.add(kind, (one, other))

    return read


def _both_ends(kind: str, key: str) -> Callable[[_Board, list[str]], None]:
    """Return the reader of clues at one end of a line or at both."""

    def read(board: _Board, args: list[str]) -> None:
        for number, direction in zip(args[1:3], (1, -1), strict=False):
            if number:
                board.add(kind, board.line(args[0], direction), **{key: _number(number)})

    return read


def _variant(name: str) -> Callable[[_Board, list[str]], None]:
    def read(board: _Board, args: list[str]) -> None:
        del args
        board.variants.append(name)

    return read


def _given(board: _Board, args: list[str]) -> None:
    for written in args:
        match = _GIVEN.fullmatch(written)
        if match is None:
            raise _Refused(f"{written[:20]!r} is no given")
        name = _name((int(match[1], 17), int(match[2], 17)))
        numbers = [int(number) for number in match[3].split("_")[1:]]
        before = board.candidates.get(name, numbers)
        board.candidates[name] = [number for number in numbers if number in before]


def _shape(board: _Board, args: list[str]) -> None:
    match = re.fullmatch(r"(\d+)x(\d+)", args[0])
    if match is None or len(args) > 2:
        raise _Refused(f"the shape {'~'.join(args)[:20]!r} is not known here")
    board.rows, board.columns = int(match[1]), int(match[2])
    board.size = max(board.rows, board.columns)
    if len(args) == 2 and args[1]:
        first, _, last = args[1].rpartition("-")
        board.lowest = _number(first or "1")
        board.size = _number(last) - board.lowest + 1


def _jigsaw(board: _Board, args: list[str]) -> None:
    labels = args[-1]
    if len(labels) != board.rows * board.columns:
        raise _Refused(f"the jigsaw has {len(labels)} labels")
    least = max(board.rows, board.columns)
    full = [label for label in set(labels) if least <= labels.count(label) <= board.size]
    if len(set(labels)) > 1:
        board.regions = "".join(label if label in full else "." for label in labels)


def _region_size(board: _Board, args: list[str]) -> None:
    board.region_size = _number(args[0])


def _no_boxes(board: _Board, args: list[str]) -> None:
    del args
    board.boxes = False


def _diagonal(board: _Board, args: list[str]) -> None:
    rising = args[0] == "1"
    cells = [(row, board.rows + 1 - row if rising else row) for row in range(1, board.rows + 1)]
    board.add("different", cells)


def _whisper(board: _Board, args: list[str]) -> None:
    value = [] if args[0].startswith("R") else [_number(args[0])]
    board.add("whisper", board.cells(args[len(value) :]), value=(value or [5])[0])


def _cage(board: _Board, args: list[str]) -> None:
    cells, total = board.cells(args[1:]), args[0].strip()
    if len(set(cells)) < len(cells):  # a cell named twice counts twice
        board.add("sum", cells, sum=_number(total))
        cells, total = list(dict.fromkeys(cells)), ""
    board.add("killer", cells, sum=_number(total) if total not in ("", "0") else -1)


def _sum(board: _Board, args: list[str]) -> None:
    if "_" in args[0]:
        raise _Refused("a sum with factors is not known here")
    board.add("sum", board.cells(args[1:]), sum=_number(args[0]))


def _sum_line(board: _Board, args: list[str]) -> None:
    kind = "sumloop" if args[-1] == "LOOP" else "sumline"
    cells = board.cells(args[1:-1] if kind == "sumloop" else args[1:])
    board.add(kind, cells, sum=_number(args[0]))


def _little_killer(board: _Board, args: list[str]) -> None:
    row, column = board.cell(args[1])
    # From an edge into the grid: to the right and down from the left, and so on around.
    if column == 1 and row < board.rows:
        down, right = 1, 1
    elif row == 1:
        down, right = 1, -1
    elif column == board.columns:
        down, right = -1, -1
    else:
        down, right = -1, 1
    cells = []
    while 1 <= row <= board.rows and 1 <= column <= board.columns:
        cells.append((row, column))
        row, column = row + down, column + right
    board.add("littlekiller", cells, sum=_number(args[0]))


def _pill_arrow(board: _Board, args: list[str]) -> None:
    size, cells = _number(args[0]), board.cells(args[1:])
    pill = sorted(cells[:size])  # read from left to right, from top to bottom
    board.add("pillarrow", [*pill, *cells[size:]], pill=size)


def _sandwich(board: _Board, args: list[str]) -> None:
    board.add("sandwich", board.line(args[1], 1), sum=_number(args[0]))


def _quad(board: _Board, args: list[str]) -> None:
    row, column = board.cell(args[0])
    square = [(row + down, column + right) for down in (0, 1) for right in (0, 1)]
    board.add("quadruple", square, values=[_number(value) for value in args[1:]])


def _indexing(board: _Board, args: list[str]) -> None:
    for row, column in board.cells(args[1:]):
        if args[0] == "C":
            board.add("index", board.line(f"R{row}", 1), value=column)
        else:
            board.add("index", board.line(f"C{column}", 1), value=row)


def _table(kind: str, *, legacy: bool) -> Callable[[_Board, list[str]], None]:
    """Return the reader of pairs of values that are allowed, as bits in base64, row by row."""
    letters = _BASE64 + ("_-" if legacy else "-_")

    def read(board: _Board, args: list[str]) -> None:
        if any(letter not in letters for letter in args[0]):
            raise _Refused("the table of pairs is not base64")
        bits = [letters.index(letter) >> k & 1 for letter in args[0] for k in range(6)]
        values = [
            number + board.lowest
            for k, bit in enumerate(bits[: board.size**2])
            if bit
            for number in divmod(k, board.size)
        ]
        line: list[str] = []
        for item in [*args[1:], ""]:
            if item and not item.startswith("_"):
                line.append(item)
            elif line:
                board.add(kind, board.cells(line), values=values)
                line = []

    return read


_READERS: dict[str, Callable[[_Board, list[str]], None]] = {
    "": _given,
    "AllDifferent": _plain("different"),
    "AntiConsecutive": _variant("nonconsecutive"),
    "AntiKing": _variant("antiking"),
    "AntiKnight": _variant("antiknight"),
    "AntiTaxicab": _variant("antitaxicab"),
    "Arrow": _plain("arrow"),
    "Between": _plain("between", least=3),
    "Binary": _table("pairs", legacy=True),
    "BinaryX": _table("allpairs", legacy=True),
    "BlackDot": _dots("black"),
    "Cage": _cage,
    "CountingCircles": _plain("countingcircles", least=1),
    "Diagonal": _diagonal,
    "DisjointSets": _variant("disjointgroups"),
    "DoubleArrow": _plain("doublearrow"),
    "Entropic": _plain("entropic"),
    "EqualityCage": _plain("equality"),
    "GlobalEntropy": _variant("globalentropy"),
    "GlobalMod": _variant("globalmodular"),
    "GreaterThan": _dots("greater"),
    "HiddenSkyscraper": _both_ends("hiddenskyscraper", "value"),
    "Indexing": _indexing,
    "Jigsaw": _jigsaw,
    "LittleKiller": _little_killer,
    "Lockout": _numbered("lockout", "value"),
    "Modular": _numbered("modular", "modulus"),
    "NoBoxes": _no_boxes,
    "NumberedRoom": _both_ends("numberedroom", "value"),
    "Palindrome": _plain("palindrome"),
    "Pair": _table("pairs", legacy=False),
    "PairX": _table("allpairs", legacy=False),
    "PillArrow": _pill_arrow,
    "Quad": _quad,
    "RegionSize": _region_size,
    "RegionSumLine": _plain("regionsum"),
    "RellikCage": _numbered("rellik", "sum"),
    "Renban": _plain("renban"),
    "Sandwich": _sandwich,
    "Shape": _shape,
    "Skyscraper": _both_ends("skyscraper", "value"),
    "StrictKropki": _variant("kropkinegative"),
    "StrictXV": _variant("xvnegative"),
    "Sum": _sum,
    "SumLine": _sum_line,
    "Thermo": _plain("thermo"),
    "V": _dots("v"),
    "ValueIndexing": _plain("indexline"),
    "Whisper": _whisper,
    "WhiteDot": _dots("white"),
    "Windoku": _variant("windoku"),
    "X": _dots("x"),
    "XSum": _both_ends("xsum", "sum"),
    "Zipper": _plain("zipper", least=3),
}
# What the others stand on comes first.
_FIRST = ("Shape", "RegionSize", "NoBoxes", "Jigsaw")


def iss_object(text: str) -> dict[str, object] | str:
    """Return the object of a constraint string, or of an address with one; or what is wrong."""
    body = text.strip()
    if body.startswith("http"):
        body = split_address(body)[1].get("q", "")
    parts = ["".join(part.split()) for part in body.split(".")][1:]
    split = [[unquote(arg) for arg in part.split("~")] for part in parts if part]
    unknown = [kind for kind, *_ in split if kind not in _READERS]
    if unknown:
        return f"the constraint {unknown[0][:40]!r} is not known here"
    board = _Board()
    try:
        for kind, *args in sorted(split, key=lambda part: part[0] not in _FIRST):
            _READERS[kind](board, args)
    except (_Refused, IndexError) as error:
        reason = str(error) if isinstance(error, _Refused) else "an argument is missing"
        return f"in the constraint {kind or 'given'!r}: {reason}"
    return board.as_object()


def is_iss(text: str) -> bool:
    """Return whether a text begins like a constraint string, or is an address with one."""
    address = text.lstrip().startswith("http") and "?q=." in text
    return address or _START.match(text) is not None
