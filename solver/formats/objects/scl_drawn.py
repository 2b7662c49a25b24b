"""Find drawings in SudokuPad's puzzles: diagonals, windows, and marks on edges."""

from typing import Any

from solver.formats.objects.scl_values import as_number

Place = tuple[int, int]

_DIAGONAL = "34BBE6"
_WINDOW = "CFCFCF"
_WINDOWS = {(2.5, 2.5), (2.5, 6.5), (6.5, 2.5), (6.5, 6.5)}


def drawn_rules(value: dict[str, Any], first: Place, last: Place) -> list[str]:
    """Return the rules that drawings stand for: diagonal-, diagonal+, and windoku.

    A thin line in a particular color between opposite corners is a diagonal. `first` and `last` are
    the upper left and lower right cells. Four gray squares are the windows of a windoku.
    """
    (top, left), (bottom, right) = first, (last[0] + 1, last[1] + 1)
    ends = {
        frozenset([(top, left), (bottom, right)]): "diagonal-",
        frozenset([(bottom, left), (top, right)]): "diagonal+",
    }
    rules = []
    for line in value.get("lines") or []:
        points = frozenset(map(tuple, line.get("wayPoints") or []))
        thin = as_number(line.get("thickness")) in (1, 2) and len(line["wayPoints"]) == 2
        if thin and points in ends and _color(line.get("color")) == _DIAGONAL:
            rules.append(ends[points])
    centers = {
        tuple(shape.get("center") or [])
        for shape in value.get("underlays") or []
        if _color(shape.get("backgroundColor")) == _WINDOW
        and (shape.get("width"), shape.get("height")) == (3, 3)
    }
    return [*rules, "windoku"] if centers == _WINDOWS else rules


def has_marks(value: dict[str, Any]) -> bool:
    """Return whether anything, such as a dot, is drawn on the edge between two cells."""
    shapes = [*(value.get("overlays") or []), *(value.get("underlays") or [])]
    centers = [shape["center"] for shape in shapes if len(shape.get("center") or []) == 2]
    return any((row % 1 == 0) != (column % 1 == 0) for row, column in centers)


def _color(written: object) -> str:
    return str(written).removeprefix("#").upper()
