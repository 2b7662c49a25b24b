"""Read the constraints that Penpa+ has drawing tools for: cages, thermometers, arrows, and dots.

Each of n cells, including those around the grid, has a number. Relative to it, the cell's lower
right corner is n more, the middle of its lower edge 2n more, and the middle of its right edge 3n
more. Its inner corners are numbered from 4(n + cell): upper left, upper right, lower left, lower
right.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Description = dict[str, object]

_RINGS = ("circle_L", "circle_M", "sudokumore")
_SUM = re.compile(r"\d{1,9}")
_DOTS = {1: "white", 2: "black"}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A Penpa+ drawing.

    question  the JSON object with the drawn items by kind
    names     the names (r1c1) of the grid's cells by cell number
    wide      number of cells per row, including those around the grid
    cells     number of cells, including those around the grid
    """

    question: Mapping[str, Any]
    names: Mapping[int, str]
    wide: int  # cells per row
    cells: int  # number of cells, including those around the grid

    def entries(self, key: str) -> Mapping[Any, Any]:
        """Return the drawn items of the kind `key` by their position in the drawing.

        Kinds that the drawing stores as a list are returned by index instead.
        """
        there = self.question.get(key) or {}
        return there if isinstance(there, dict) else dict(enumerate(there))


def rules_in(drawn: Drawn) -> tuple[list[Description], list[str]]:
    """Return the constraints in a drawing, and the kinds of items that weren't all read.

    Kinds are keys of the drawing's JSON object. Those without a reader are among the second ones,
    but outlines and small numbers aren't if all of them belong to cages.
    """
    rules: list[Description] = []
    left = [key for key in drawn.question if drawn.entries(key)]
    for key, read in _READERS.items():
        if key in left:
            there = list(read(drawn, key))
            rules += [rule for rule in there if rule is not None]
            if None not in there:
                left.remove(key)
    if "killercages" not in left and not _lines_of_no_cage(drawn):
        left = [key for key in left if key != "cage"]
    if {int(at) for at in drawn.entries("numberS")} <= set(_sums(drawn)):
        left = [key for key in left if key != "numberS"]
    return rules, left


def _lines(drawn: Drawn, key: str) -> Iterator[Description | None]:
    """Yield the constraint of each thermometer, or None if it can't be read.

    `key` is the kind of the items that are read as thermometers (see `Drawn.entries`).
    """
    for cells in filter(None, drawn.entries(key).values()):
        inside = all(cell in drawn.names for cell in cells)
        yield _rule(drawn, key, cells) if inside and len(cells) > 1 else None


def _arrows(drawn: Drawn, key: str) -> Iterator[Description | None]:
    """Yield the constraint of each arrow that begins in a ring, and None for every other arrow.

    All cells of the arrow must be in the grid, and there must be two or more. `key` is the kind of
    the items that are read as arrows (see `Drawn.entries`).
    """
    symbols = drawn.entries("symbol")
    for cells in filter(None, drawn.entries(key).values()):
        inside = all(cell in drawn.names for cell in cells) and len(cells) > 1
        ring = (symbols.get(str(cells[0])) or [0, ""])[1] in _RINGS
        yield _rule(drawn, "arrow", cells) if inside and ring else None


def _cages(drawn: Drawn, key: str) -> Iterator[Description | None]:
    """Yield the constraint of each outlined cage, or None if a cell is outside the grid.

    `key` is the kind of the items that are cages (see `Drawn.entries`). Cages without drawn lines
    are skipped. The sum is a small number in a corner of one of the cage's cells.
    """
    lined = _cells_of_lines(drawn)
    sums = _sums(drawn)
    for cells in filter(None, drawn.entries(key).values()):
        if not lined.intersection(cells):
            continue
        if any(cell not in drawn.names for cell in cells):
            yield None
            continue
        said = [sums[at] for at in sums if at // 4 - drawn.cells in cells]
        cage = _rule(drawn, "killer", dict.fromkeys(cells))
        yield cage | {"sum": said[0]} if said else cage


def _dots(drawn: Drawn, key: str) -> Iterator[Description | None]:
    """Yield the constraint of each dot between cells, and None for symbols that can't be read.

    `key` is the kind of the items that are read as dots (see `Drawn.entries`). The rings at which
    arrows begin are skipped.
    """
    begins = {str(cells[0]) for cells in filter(None, drawn.entries("arrows").values())}
    for at, (style, name, *_) in drawn.entries(key).items():
        kind, cell = divmod(int(at), drawn.cells)
        pair = (cell, cell + (drawn.wide if kind == 2 else 1))
        if (
            kind in (2, 3)
            and name == "circle_SS"
            and style in _DOTS
            and all(map(drawn.names.get, pair))
        ):
            yield _rule(drawn, _DOTS[style], pair)
        elif at not in begins or name not in _RINGS:
            yield None


def _rule(drawn: Drawn, kind: str, cells: Any) -> Description:
    """Describe a rule of a kind on cells, given by their numbers in the drawing."""
    return {"type": kind, "cells": [drawn.names[cell] for cell in cells]}


def _sums(drawn: Drawn) -> dict[int, int]:
    """Return the sums of cages, by the number of the cell corner in which they are drawn.

    Small numbers outside all cages, and texts that aren't a number, are left out.
    """
    caged = _caged(drawn)
    # Setters put a space before a sum to move it away from the cage's edge.
    written = {int(at): str(entry[0]).strip() for at, entry in drawn.entries("numberS").items()}
    return {
        at: int(number)
        for at, number in written.items()
        if _SUM.fullmatch(number) and at // 4 - drawn.cells in caged
    }


def _caged(drawn: Drawn) -> set[int]:
    """Return the numbers of the cells in all cages, including those without drawn lines."""
    return {cell for cells in filter(None, drawn.entries("killercages").values()) for cell in cells}


def _cells_of_lines(drawn: Drawn) -> set[int]:
    """Return the numbers of the cells that the drawn lines of cages touch."""
    ends = (end for key in drawn.entries("cage") for end in key.split(","))
    return {int(end) // 4 - drawn.cells for end in ends}


def _lines_of_no_cage(drawn: Drawn) -> bool:
    return not _cells_of_lines(drawn) <= _caged(drawn)


_READERS = {"thermo": _lines, "arrows": _arrows, "killercages": _cages, "symbol": _dots}
