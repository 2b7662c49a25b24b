"""Translate the constraints of f-puzzles' JSON, by key, into constraints of a puzzle object.

A description is such a constraint: a JSON object with a type, cells, and possibly a value.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from solver.board.display import shown
from solver.board.layout import place_name
from solver.formats.reading.cells import read_whole
from solver.rules.registry import RULES

_CELL = re.compile(r"[rR]([0-9]{1,2})[cC]([0-9]{1,2})")
_ROOT = re.compile(r"DR([0-9]{1,4})(?![0-9])")

Description = dict[str, object]
Place = tuple[int, int]  # row and column from 1; 0 and size + 1 are outside the grid

SWITCHES = {
    "antiknight": "antiknight",
    "antiking": "antiking",
    "disjointgroups": "disjointgroups",
    # In f-puzzles this is the only negative difference rule. Pairs with a dot are exempt.
    "nonconsecutive": "differencenegative",
}
NEGATIVES = {"xv": "xvnegative", "difference": "differencenegative", "ratio": "rationegative"}
LINES = {
    "thermometer": "thermo",
    "slowthermometer": "slowthermo",
    "palindrome": "palindrome",
    "renban": "renban",
    "whispers": "whisper",
    "germanwhispers": "whisper",
    "dutchwhispers": "whisper",
    "regionsumline": "regionsum",
    "betweenline": "between",
    "lockout": "lockout",
    "entropicline": "entropic",
    "modularline": "modular",
    "nabner": "nabner",
    "doublearrow": "doublearrow",
    "zipperline": "zipper",
}
_LINE_VALUES = {"whisper": "value", "modular": "modulus", "lockout": "value"}
_OUTSIDE = {
    "sandwichsum": ("sandwich", "sum"),
    "xsum": ("xsum", "sum"),
    "skyscraper": ("skyscraper", "value"),
    "numberedrooms": ("numberedroom", "value"),
}
# The rule of dots without a number, the rule of dots with another number, and the default number.
DOTS = {"difference": ("white", "difference", 1), "ratio": ("black", "ratio", 2)}
_STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}


class Unreadable(Exception):
    """Raised with the reason when a constraint can't be read."""


class Sheet:
    """The contents of an f-puzzles object. Readers add remarks on ambiguous parts to `notes`.

    `value` is the object, `grid` has its cell objects by rows, and `size` is the number of rows.
    """

    def __init__(self, value: dict[str, Any]) -> None:
        self.value = value
        self.grid: list[list[dict[str, Any]]] = value["grid"]
        self.size = len(self.grid)
        self.notes: list[str] = []

    def drawn(self, key: str) -> list[dict[str, Any]]:
        """Return the items listed under `key` in the object, or [] if there are none."""
        return self.value.get(key) or []

    def places(self) -> Iterator[Place]:
        """Yield the (row, column) of all cells from (1, 1) on, in reading order."""
        for row in range(1, self.size + 1):
            for column in range(1, self.size + 1):
                yield row, column

    def region(self, place: Place) -> object:
        """Return the region of a cell: the one written in the grid, or the number of its box.

        `place` is the (row, column) from 1. The grid may state None, which means no region. If it
        states nothing, the result is the number of the box, from 0.
        """
        row, column = place[0] - 1, place[1] - 1
        cell = self.grid[row][column]
        if "region" in cell:
            return cell["region"]
        high = max(k for k in range(1, int(self.size**0.5) + 1) if self.size % k == 0)
        return row // high * high + column // (self.size // high)

    def house(self, names: Sequence[str]) -> list[str]:
        """Return a label for each cell of the grid: "1" for the named cells, "." for the rest.

        Names are written as in f-puzzles, such as R1C1. Raises Unreadable if a name is malformed.
        """
        inside = {_place(name) for name in names}
        return ["1" if place in inside else "." for place in self.places()]

    def way(self, start: Place, step: Place) -> list[str]:
        """Return the names of the cells from `start` to the edge of the grid, without `start`.

        `start` may be outside the grid. `step` is the (row, column) direction.
        """
        row, column = start[0] + step[0], start[1] + step[1]
        way = []
        while 1 <= row <= self.size and 1 <= column <= self.size:
            way.append(cell_name((row, column)))
            row, column = row + step[0], column + step[1]
        return way


def _place(name: str) -> Place:
    match = _CELL.fullmatch(name)
    if match is None:
        raise Unreadable(f"{name[:20]!r} isn't a cell; expected one such as R1C1")
    return int(match[1]), int(match[2])


def cell_name(place: Place) -> str:
    """Return the name of a cell whose row and column are counted from 1."""
    return place_name(place[0] - 1, place[1] - 1)


def _number(drawn: dict[str, Any]) -> int | None:
    """Return the whole number that a drawn item has as its value, or None if it has no value.

    A missing or empty value, or False, is no value. Raises Unreadable for any other value that
    isn't a whole number.
    """
    written = drawn.get("value")
    if written is None or written is False or str(written).strip() == "":
        return None
    number = _whole(written)
    if number is None:
        raise Unreadable(f"the value {shown(written)} isn't a whole number")
    return number


def _whole(written: object) -> int | None:
    """Return a whole number given as a number or as text, or None for anything else."""
    if isinstance(written, float) and written.is_integer():
        return int(written)
    if isinstance(written, str):
        return read_whole(written)
    return written if isinstance(written, int) and not isinstance(written, bool) else None


def _cages(sheet: Sheet, key: str) -> list[Description]:
    """Read the killer cages under `key`.

    A cage without a sum, or with sum 0, only requires distinct digits. Repeated cells are dropped,
    and cages without cells are skipped.
    """
    cages = []
    for drawn in sheet.drawn(key):
        cells = list(dict.fromkeys(drawn.get("cells") or []))
        if cells:
            total = _number(drawn)
            cage: Description = {"type": "killer", "cells": cells}
            cages.append(cage | {"sum": total} if total else cage)
    return cages


def _drawn_cages(sheet: Sheet, key: str) -> list[Description]:
    """Read the cosmetic cages under `key`. Only those with a digital root (DR7) become constraints.

    Such a constraint lists all sums with that digital root that the cage can have. Cages with more
    cells than the grid has values are ignored.
    """
    cages: list[Description] = []
    for drawn in sheet.drawn(key):
        cells = list(dict.fromkeys(drawn.get("cells") or []))
        root = _ROOT.search(str(drawn.get("value") or ""))
        if root and 0 < len(cells) <= sheet.size:
            most = sum(range(sheet.size - len(cells) + 1, sheet.size + 1))
            sums = list(range(int(root[1]), most + 1, 9))
            # If no sum has this root, 0 stands for an impossible sum.
            cages.append({"type": "multisum", "cells": cells, "sums": sums or [0]})
    return cages


def _single_cells(sheet: Sheet, key: str) -> list[Description]:
    return [{"type": key, "cells": [each["cell"]]} for each in sheet.drawn(key) if each.get("cell")]


def _dots(sheet: Sheet, key: str) -> list[Description]:
    usual, other, usual_value = DOTS[key]
    dots: list[Description] = []
    for drawn in sheet.drawn(key):
        number = _number(drawn)
        if number in (None, usual_value):
            dots.append({"type": usual, "cells": drawn["cells"]})
        else:
            dots.append({"type": other, "cells": drawn["cells"], "value": number})
    return dots


def _lines(sheet: Sheet, key: str) -> list[Description]:
    """Read the lines listed under `key`, except those too short to constrain anything.

    Whispers without a number get the usual difference, with a note if the grid isn't 9×9. Region
    sum lines lose the cells that are in no region. Repeated cells are dropped unless the rule
    allows them.
    """
    kind = LINES[key]
    lines = []
    for drawn in sheet.drawn(key):
        number = _number(drawn)
        for cells in drawn["lines"]:
            # A closed line repeats its first cell at the end.
            line = list(dict.fromkeys(cells)) if not RULES[kind].repeats else cells
            if kind == "regionsum":
                line = [name for name in line if sheet.region(_place(name)) is not None]
            if len(line) < max(RULES[kind].least, 2):
                continue
            description: Description = {"type": kind, "cells": line}
            if kind in _LINE_VALUES and number is not None:
                description[_LINE_VALUES[kind]] = number
            elif kind == "whisper":
                apart = (sheet.size + 1) // 2 - (key == "dutchwhispers")
                description["value"] = apart
                if sheet.size != 9:
                    sheet.notes.append(f"{key}: adjacent values differ by {apart} or more")
            lines.append(description)
    return lines


def _arrows(sheet: Sheet, key: str) -> list[Description]:
    arrows: list[Description] = []
    for drawn in sheet.drawn(key):
        pill = sorted(drawn.get("cells") or [], key=_place)
        if pill != (drawn.get("cells") or []):
            sheet.notes.append("read pills from left to right and from top to bottom")
        for line in drawn.get("lines") or []:
            cells = [*pill, *line[1:]]  # the arrow's first cell belongs to the pill
            if not pill or not line[1:]:
                continue
            if len(pill) == 1:
                arrows.append({"type": "arrow", "cells": cells})
            else:
                arrows.append({"type": "pillarrow", "cells": cells, "pill": len(pill)})
    return arrows


def _little_killers(sheet: Sheet, key: str) -> list[Description]:
    clues: list[Description] = []
    for drawn in sheet.drawn(key):
        down, right = (_STEPS[letter] for letter in drawn["direction"])
        step = (down[0] + right[0], down[1] + right[1])
        place = _place(drawn["cell"])
        inside = all(1 <= number <= sheet.size for number in place)
        cells = [cell_name(place), *sheet.way(place, step)] if inside else sheet.way(place, step)
        total = _number(drawn)
        if total:
            clues.append({"type": "littlekiller", "cells": cells, "sum": total})
    return clues


def _outside(sheet: Sheet, key: str) -> list[Description]:
    kind, number = _OUTSIDE[key]
    clues: list[Description] = []
    for drawn in sheet.drawn(key):
        clue = _number(drawn) if drawn.get("cell") else None
        if clue is None:
            continue
        row, column = _place(drawn["cell"])
        size = sheet.size
        step = ((row == 0) - (row == size + 1), (column == 0) - (column == size + 1))
        if (step[0] == 0) == (step[1] == 0):
            raise Unreadable(f"{drawn['cell']} isn't next to the grid")
        clues.append({"type": kind, "cells": sheet.way((row, column), step), number: clue})
    return clues


def _extremes(sheet: Sheet, key: str) -> list[Description]:
    """Read the minimum or maximum cells under `key`, which are compared with adjacent cells.

    Neighbors that are marked in the same way are left out. A cell without other neighbors adds
    nothing.
    """
    extremes: list[Description] = []
    marked = [_place(drawn["cell"]) for drawn in sheet.drawn(key) if drawn.get("cell")]
    for place in marked:
        around = [name for step in _STEPS.values() for name in sheet.way(place, step)[:1]]
        others = [name for name in around if _place(name) not in marked]
        if others:
            extremes.append({"type": key, "cells": [cell_name(place), *others]})
    return extremes


def _clones(sheet: Sheet, key: str) -> list[Description]:
    return [
        {"type": "clone", "cells": [cell, clone]}
        for drawn in sheet.drawn(key)
        for cell, clone in zip(drawn["cells"], drawn["cloneCells"], strict=True)
        if cell != clone
    ]


def _quadruples(sheet: Sheet, key: str) -> list[Description]:
    return [
        {"type": "quadruple", "cells": drawn["cells"], "values": [*map(_whole, drawn["values"])]}
        for drawn in sheet.drawn(key)
        if drawn.get("values")
    ]


def _xv(sheet: Sheet, key: str) -> list[Description]:
    return [
        {"type": {"X": "x", "V": "v"}[drawn["value"].upper()], "cells": drawn["cells"]}
        for drawn in sheet.drawn(key)
        if (drawn.get("value") or "").strip()
    ]


def _indexers(sheet: Sheet, key: str) -> list[Description]:
    """Read index cells: each gives the position of a digit in its row, column, or box.

    The digit is the index cell's own position in that house. In a box, positions count in reading
    order. For boxes, index cells outside all regions are skipped.
    """
    indexers: list[Description] = []
    for place in (_place(name) for drawn in sheet.drawn(key) for name in drawn["cells"]):
        row, column = place
        if key == "columnindexer":
            line, number = sheet.way((row, 0), (0, 1)), column
        elif key == "rowindexer":
            line, number = sheet.way((0, column), (1, 0)), row
        else:
            region = sheet.region(place)
            if region is None:
                continue
            line = [cell_name(other) for other in sheet.places() if sheet.region(other) == region]
            number = line.index(cell_name(place)) + 1
        indexers.append({"type": "index", "cells": line, "value": number})
    return indexers


def _diagonal(sheet: Sheet, key: str) -> list[Description]:
    rises = key == "diagonal+"
    start, step = ((sheet.size + 1, 0), (-1, 1)) if rises else ((0, 0), (1, 1))
    drawn = sheet.value.get(key)
    return [{"type": "different", "cells": sheet.way(start, step)}] if drawn else []


READERS: dict[str, Callable[[Sheet, str], list[Description]]] = {
    "diagonal+": _diagonal,
    "diagonal-": _diagonal,
    "arrow": _arrows,
    "killercage": _cages,
    "cage": _drawn_cages,
    "littlekillersum": _little_killers,
    "odd": _single_cells,
    "even": _single_cells,
    "minimum": _extremes,
    "maximum": _extremes,
    "rowindexer": _indexers,
    "columnindexer": _indexers,
    "boxindexer": _indexers,
    "xv": _xv,
    "clone": _clones,
    "quadruple": _quadruples,
    **dict.fromkeys(DOTS, _dots),
    **dict.fromkeys(LINES, _lines),
    **dict.fromkeys(_OUTSIDE, _outside),
}
