"""Translate the JSON of lisudoku's solver into an object for `puzzle_object`.

Constraints mean the same as in https://github.com/lisudoku/lisudoku_solver. Names are in camel case
or snake case.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any

from solver.board.display import shown
from solver.board.layout import MAX_SIZE, place_name
from solver.formats.format import ReadOptions
from solver.formats.objects.puzzle_object import read_translated
from solver.formats.objects.unknown_keys import find_unknown_rule
from solver.formats.reading.cells import Reading

Made = dict[str, object]

_SWITCHES = {
    "anti_knight": "antiknight",
    "anti_king": "antiking",
    "kropki_negative": "kropkinegative",
}
_MOST_DIGITS = 9  # values that are one character in a pattern
_DOTS = {"Consecutive": "white", "Double": "black"}


def is_lisudoku(value: object) -> bool:
    """Return whether a JSON value is an object with lisudoku's key for the size of the grid."""
    return isinstance(value, dict) and bool({"gridSize", "grid_size"} & value.keys())


def read_lisudoku(value: dict[str, Any], *, text: str, options: ReadOptions) -> Reading:
    """Read the puzzle in a lisudoku object. `text` is its JSON, for messages."""
    try:
        board: Made | str = _board({_snake(key): member for key, member in value.items()})
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        board = "this puzzle isn't in lisudoku's format"
    return read_translated(board, text=text, options=options)


def _board(value: dict[str, Any]) -> Made | str:
    size = value["grid_size"]
    if type(size) is not int or not 1 <= size <= MAX_SIZE:
        return f"'gridSize' must be a whole number from 1 to {MAX_SIZE}, not {shown(size)}"
    unknown = find_unknown_rule(value, _KNOWN)
    if unknown is not None:
        return unknown
    if value.get("top_bottom") and size > _MOST_DIGITS:
        return f"'topBottom' needs a grid of at most {_MOST_DIGITS} rows, not {size}"
    fixed = {_name(each["position"]): each["value"] for each in value.get("fixed_numbers") or []}
    names = [place_name(row, column) for row in range(size) for column in range(size)]
    zones = [*(value.get("regions") or []), *(value.get("extra_regions") or [])]
    places = {*fixed, *(_name(cell) for zone in zones for cell in zone)}
    if not places.issubset(names):
        return f"{min(places.difference(names))} isn't a cell of the grid"
    board: Made = {
        "shape": f"{size}x{size}",
        "givens": [fixed.get(name) for name in names],
        "variant": [name for key, name in _SWITCHES.items() if value.get(key)],
        "constraints": _constraints(value, size),
        "houses": [_region_labels([region], names) for region in value.get("extra_regions") or []],
    }
    if value.get("regions") is not None:
        board["regions"] = _region_labels(value["regions"], names)
    return board


def _constraints(value: dict[str, Any], size: int) -> list[Made]:
    constraints: list[Made] = []
    for key, read in _READERS.items():
        for drawn in value.get(key) or []:
            constraints += read(drawn)
    if value.get("primary_diagonal"):
        constraints.append(_of("different", (place_name(n, n) for n in range(size))))
    if value.get("secondary_diagonal"):
        constraints.append(_of("different", (place_name(n, size - 1 - n) for n in range(size))))
    if value.get("top_bottom"):
        constraints += _paths(size)
    return constraints


def _region_labels(regions: Iterable[list[dict[str, int]]], names: list[str]) -> list[str]:
    """Return, for each cell name, the index of its region as text, or "." without a region.

    `regions` has the cells of each region. The index of the first one is "0".
    """
    label = {_name(cell): str(n) for n, region in enumerate(regions) for cell in region}
    return [label.get(name, ".") for name in names]


def _snake(key: str) -> str:
    return re.sub(r"[A-Z]|(?<=[a-z])\d", lambda match: "_" + match[0].lower(), key)


def _name(cell: dict[str, int]) -> str:
    return place_name(cell["row"], cell["col"])


def _of(kind: str, cells: Iterable[str], **values: object) -> Made:
    return {"type": kind, "cells": list(cells), **values}


def _cage(drawn: dict[str, Any]) -> list[Made]:
    total = drawn.get("sum")
    values = {} if total is None else {"sum": total}
    return [_of("killer", map(_name, drawn["region"]), **values)]


def _arrow(drawn: dict[str, Any]) -> list[Made]:
    """Read an arrow. Several cells in the circle form a number, in reading order."""
    members = {_snake(key): cells for key, cells in drawn.items()}
    pill = sorted(members["circle_cells"], key=lambda cell: (cell["row"], cell["col"]))
    cells = [_name(cell) for cell in [*pill, *members["arrow_cells"]]]
    if len(pill) == 1:
        return [_of("arrow", cells)]
    return [_of("pillarrow", cells, pill=len(pill))]


def _dot(drawn: dict[str, Any]) -> list[Made]:
    members = {_snake(key): member for key, member in drawn.items()}
    cells = [_name(members["cell_1"]), _name(members["cell_2"])]
    return [_of(_DOTS[members["dot_type"]], cells)]


def _line(kind: str, least: int) -> Callable[[list[dict[str, int]]], list[Made]]:
    def read(drawn: list[dict[str, int]]) -> list[Made]:
        return [_of(kind, map(_name, drawn))] if len(drawn) >= least else []

    return read


def _cell(kind: str) -> Callable[[dict[str, int]], list[Made]]:
    def read(drawn: dict[str, int]) -> list[Made]:
        return [_of(kind, [_name(drawn)])]

    return read


def _paths(size: int) -> Iterator[Made]:
    """Yield the constraints of the top-bottom rule, which requires two paths.

    One path leads from the 1 in the top row to the bottom row, the other one from the 1 in the
    bottom row to the top row. Each step goes to the next row, to the same or an adjacent column,
    and to a digit that is higher by one.
    """
    for down in (True, False):
        rows = range(1, size + 1) if down else range(size, 0, -1)
        for number, (row, after) in enumerate(pairwise(rows), 1):
            for column in range(1, size + 1):
                near = [n for n in (column - 1, column, column + 1) if 1 <= n <= size]
                cells = [f"r{row}c{column}", *(f"r{after}c{n}" for n in near)]
                ways = [
                    f"{number}{'.' * at}{number + 1}{'.' * (len(near) - at - 1)}"
                    for at in range(len(near))
                ]
                other = f"[^{number}]{'.' * len(near)}"
                yield _of("regex", cells, pattern="|".join([other, *ways]))


_READERS: dict[str, Callable[[Any], list[Made]]] = {
    "killer_cages": _cage,
    "thermos": _line("thermo", 2),
    "arrows": _arrow,
    "kropki_dots": _dot,
    "odd_cells": _cell("odd"),
    "even_cells": _cell("even"),
    "renbans": _line("renban", 2),
    "palindromes": _line("palindrome", 2),
}
_KNOWN = frozenset(
    {"grid_size", "fixed_numbers", "regions", "extra_regions", "primary_diagonal",
     "secondary_diagonal", "top_bottom", *_SWITCHES, *_READERS}
)  # fmt: skip
