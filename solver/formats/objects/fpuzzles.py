"""The JSON of f-puzzles.com, turned into an object for `solver.formats.objects.puzzle_object`."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from solver.formats.format import ReadOptions
from solver.formats.objects.puzzle_object import read_translated
from solver.formats.reading.cells import Reading

_CELL = re.compile(r"[rR](\d{1,2})[cC](\d{1,2})")

Description = dict[str, object]
Place = tuple[int, int]

# What says nothing about the solution.
_IGNORED = frozenset(
    {"size", "grid", "title", "author", "ruleset", "solution", "negative", "line", "rectangle",
     "circle", "text", "cage", "highlightConflicts", "disabledlogic", "truecandidatesoptions",
     "metadata", "successMessage", "foglight", "customcellcolor"}
)  # fmt: skip
_SWITCHES = {
    "antiknight": "antiknight",
    "antiking": "antiking",
    "nonconsecutive": "nonconsecutive",
    "disjointgroups": "disjointgroups",
}
_NEGATIVES = {"xv": "xvnegative", "difference": "differencenegative", "ratio": "rationegative"}
_LINES = {
    "thermometer": "thermo",
    "slowthermometer": "slowthermo",
    "palindrome": "palindrome",
    "renban": "renban",
    "whispers": "whisper",
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
_STEPS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}


def is_fpuzzles(value: object) -> bool:
    """Return whether a JSON object has a grid of cells that are objects."""
    grid = value.get("grid") if isinstance(value, dict) else None
    return (
        isinstance(grid, list)
        and bool(grid)
        and all(
            isinstance(row, list) and all(isinstance(cell, dict) for cell in row) for row in grid
        )
    )


def read_fpuzzles(value: dict[str, Any], *, text: str, options: ReadOptions) -> Reading:
    """Read an f-puzzles object."""
    return read_translated(_board(value), text=text, options=options)


def _board(value: dict[str, Any]) -> dict[str, object] | str:
    """Return the board that an f-puzzles object describes, or why it cannot be read."""
    grid = value["grid"]
    size = len(grid)
    if any(len(row) != size for row in grid):
        return f"the grid must have {size} cells in each of its {size} rows"
    unknown = [key for key, there in value.items() if there and key not in _KNOWN]
    if unknown:
        return f"the constraint {unknown[0][:40]!r} is not known here"
    try:
        constraints = [each for key, read in _READERS.items() for each in read(value, key, size)]
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return "a constraint of this puzzle is not written as f-puzzles does"
    variants = [name for key, name in _SWITCHES.items() if value.get(key)]
    for negative in value.get("negative") or []:
        if negative not in _NEGATIVES:
            return f"the negative rule {str(negative)[:40]!r} is not known here"
        variants.append(_NEGATIVES[negative])
    board: dict[str, object] = {
        "shape": f"{size}x{size}",
        "givens": [
            cell.get("value") if cell.get("given") else None for row in grid for cell in row
        ],
        "candidates": {
            f"r{row}c{column}": cell["givenPencilMarks"]
            for row, cells in enumerate(grid, 1)
            for column, cell in enumerate(cells, 1)
            if cell.get("givenPencilMarks")
        },
        "constraints": constraints,
        "variant": variants,
        "name": value.get("title") or "",
        "houses": [
            _map(drawn["cells"], size)
            for drawn in value.get("extraregion") or []
            if drawn.get("cells")
        ],
    }
    if any("region" in cell for row in grid for cell in row):
        board["regions"] = [
            "." if (label := _region(row, column, cell, size)) is None else str(label)
            for row, cells in enumerate(grid)
            for column, cell in enumerate(cells)
        ]
    return board


def _region(row: int, column: int, cell: dict[str, Any], size: int) -> object:
    """Return the region of a cell: its own, or else the box that it is in."""
    if "region" in cell:
        return cell["region"]
    high = max(k for k in range(1, int(size**0.5) + 1) if size % k == 0)
    return row // high * high + column // (size // high)


def _map(names: Sequence[str], size: int) -> list[str]:
    inside = {_place(name) for name in names}
    return [
        "1" if (r, c) in inside else "." for r in range(1, size + 1) for c in range(1, size + 1)
    ]


def _place(name: str) -> Place:
    match = _CELL.fullmatch(name)
    if match is None:
        raise ValueError(name)
    return int(match[1]), int(match[2])


def _name(place: Place) -> str:
    return f"r{place[0]}c{place[1]}"


def _inside(start: Place, step: Place, size: int) -> list[str]:
    """Return the cells of the grid that one after the other lie on the way from a place."""
    row, column = start[0] + step[0], start[1] + step[1]
    way = []
    while 1 <= row <= size and 1 <= column <= size:
        way.append(_name((row, column)))
        row, column = row + step[0], column + step[1]
    return way


def _each(key: str, value: dict[str, Any]) -> list[dict[str, Any]]:
    return value.get(key) or []


def _cells_with(kind: str, number: str | None = None) -> Callable[..., list[Description]]:
    """Return the reader of constraints with cells, and a number if it is there."""

    def read(value: dict[str, Any], key: str, size: int) -> list[Description]:
        del size
        constraints = []
        for drawn in _each(key, value):
            description: Description = {
                "type": kind,
                "cells": drawn.get("cells") or [drawn["cell"]],
            }
            if number is not None and drawn.get("value") not in (None, ""):
                description[number] = int(drawn["value"])
            constraints.append(description)
        return constraints

    return read


def _marks(usual: str, other: str, usual_value: int) -> Callable[..., list[Description]]:
    """Return the reader of dots, which may have a number of their own."""

    def read(value: dict[str, Any], key: str, size: int) -> list[Description]:
        del size
        constraints: list[Description] = []
        for drawn in _each(key, value):
            number = int(drawn.get("value") or usual_value)
            if number == usual_value:
                constraints.append({"type": usual, "cells": drawn["cells"]})
            else:
                constraints.append({"type": other, "cells": drawn["cells"], "value": number})
        return constraints

    return read


def _lines(value: dict[str, Any], key: str, size: int) -> list[Description]:
    del size
    kind = _LINES[key]
    constraints = []
    for drawn in _each(key, value):
        for line in drawn["lines"]:
            if len(line) < 2:
                continue
            description: Description = {"type": kind, "cells": line}
            if kind in _LINE_VALUES and drawn.get("value"):
                description[_LINE_VALUES[kind]] = int(drawn["value"])
            constraints.append(description)
    return constraints


def _arrows(value: dict[str, Any], key: str, size: int) -> list[Description]:
    del size
    constraints: list[Description] = []
    for drawn in _each(key, value):
        pill = sorted(drawn["cells"], key=_place)
        for line in drawn["lines"]:
            cells = [*pill, *line[1:]]
            if len(pill) == 1:
                constraints.append({"type": "arrow", "cells": cells})
            else:
                constraints.append({"type": "pillarrow", "cells": cells, "pill": len(pill)})
    return constraints


def _little_killers(value: dict[str, Any], key: str, size: int) -> list[Description]:
    constraints: list[Description] = []
    for drawn in _each(key, value):
        down, right = (_STEPS[letter] for letter in drawn["direction"])
        cells = _inside(_place(drawn["cell"]), (down[0] + right[0], down[1] + right[1]), size)
        if drawn.get("value") not in (None, ""):
            constraints.append({"type": "littlekiller", "cells": cells, "sum": int(drawn["value"])})
    return constraints


def _outside(value: dict[str, Any], key: str, size: int) -> list[Description]:
    kind, number = _OUTSIDE[key]
    constraints: list[Description] = []
    for drawn in _each(key, value):
        row, column = _place(drawn["cell"])
        step = ((row == 0) - (row == size + 1), (column == 0) - (column == size + 1))
        if drawn.get("value") not in (None, ""):
            cells = _inside((row, column), step, size)
            constraints.append({"type": kind, "cells": cells, number: int(drawn["value"])})
    return constraints


def _extremes(value: dict[str, Any], key: str, size: int) -> list[Description]:
    constraints: list[Description] = []
    for drawn in _each(key, value):
        place = _place(drawn["cell"])
        around = [name for step in _STEPS.values() for name in _inside(place, step, size)[:1]]
        constraints.append({"type": key, "cells": [_name(place), *around]})
    return constraints


def _clones(value: dict[str, Any], key: str, size: int) -> list[Description]:
    del size
    return [
        {"type": "clone", "cells": [cell, clone]}
        for drawn in _each(key, value)
        for cell, clone in zip(drawn["cells"], drawn["cloneCells"], strict=True)
        if cell != clone
    ]


def _quadruples(value: dict[str, Any], key: str, size: int) -> list[Description]:
    del size
    return [
        {"type": "quadruple", "cells": drawn["cells"], "values": [int(n) for n in drawn["values"]]}
        for drawn in _each(key, value)
        if drawn.get("values")
    ]


def _xv(value: dict[str, Any], key: str, size: int) -> list[Description]:
    del size
    return [
        {"type": {"X": "x", "V": "v"}[drawn["value"]], "cells": drawn["cells"]}
        for drawn in _each(key, value)
        if drawn.get("value")
    ]


def _indexers(value: dict[str, Any], key: str, size: int) -> list[Description]:
    constraints: list[Description] = []
    for drawn in _each(key, value):
        for row, column in map(_place, drawn["cells"]):
            # A row indexer says in which row of its column its own row's number is.
            line = _inside((0, column), (1, 0), size)
            if key == "columnindexer":
                line = _inside((row, 0), (0, 1), size)
            constraints.append(
                {"type": "index", "cells": line, "value": column if key == "columnindexer" else row}
            )
    return constraints


def _diagonal(value: dict[str, Any], key: str, size: int) -> list[Description]:
    start, step = ((size + 1, 0), (-1, 1)) if key == "diagonal+" else ((0, 0), (1, 1))
    return [{"type": "different", "cells": _inside(start, step, size)}] if value.get(key) else []


_READERS: dict[str, Callable[[dict[str, Any], str, int], list[Description]]] = {
    "diagonal+": _diagonal,
    "diagonal-": _diagonal,
    "arrow": _arrows,
    "killercage": _cells_with("killer", "sum"),
    "littlekillersum": _little_killers,
    "odd": _cells_with("odd"),
    "even": _cells_with("even"),
    "minimum": _extremes,
    "maximum": _extremes,
    "rowindexer": _indexers,
    "columnindexer": _indexers,
    "difference": _marks("white", "difference", 1),
    "ratio": _marks("black", "ratio", 2),
    "xv": _xv,
    "clone": _clones,
    "quadruple": _quadruples,
    **dict.fromkeys(_LINES, _lines),
    **dict.fromkeys(_OUTSIDE, _outside),
}
_KNOWN = _IGNORED | {"extraregion", *_READERS, *_SWITCHES}
