"""Translate SudokuPad's own JSON into an object for `puzzle_object`.

It reads what SudokuPad checks while a player solves: givens, rows and columns, regions, cages, and
rules of the whole grid. Everything else is only drawn. `docs/reference/formats.md` has a table.
"""

from collections.abc import Iterable, Iterator, Sequence
from math import isqrt
from typing import Any

from solver.board.closest import unknown
from solver.board.layout import MAX_SIZE, place_name
from solver.formats.format import ReadOptions
from solver.formats.objects.puzzle_object import read_translated
from solver.formats.objects.scl_cages import constraints_of, read_cages
from solver.formats.objects.scl_drawn import drawn_rules, has_marks
from solver.formats.objects.scl_sheet import Sheet, Unreadable
from solver.formats.objects.scl_values import (
    Place,
    as_number,
    is_true,
)
from solver.formats.reading.cells import Reading

_DRAWN = ("lines", "arrows", "overlays", "underlays")
# Members that don't affect the solution, or that are read elsewhere.
_KNOWN = frozenset(
    {"id", "cellSize", "cells", "regions", "cages", "metadata", "metaData", "global", "videos",
     "foglight", "triggereffect", "title", "author", "rules", "solution", "duration", "settings",
     *_DRAWN}
)  # fmt: skip
_SWITCHES = {
    "antiknight": "antiknight",
    "antiking": "antiking",
    "nonconsecutive": "nonconsecutive",
    "antinonconsecutive": "nonconsecutive",
    "disjoint": "disjointgroups",
    "entropy": "globalentropy",
    "modulo3": "globalmodular",
    "windoku": "windoku",
    "antixv": "xvnegative",
    "antiratio": "rationegative",
    "antidifference": "differencenegative",
}
# Rules about pairs without a mark. Marks are only drawn, so if there are any, the reader can't tell
# which pairs have one.
_NEGATIVE = ("nonconsecutive", "xvnegative", "rationegative", "differencenegative")
_DIAGONALS = ("diagonal+", "diagonal-")
Board = dict[str, object]


def is_scl(value: object) -> bool:
    """Return whether a JSON value is an object with rows of cells, as SudokuPad's puzzles are."""
    cells = value.get("cells") if isinstance(value, dict) else None
    return isinstance(cells, list) and bool(cells) and all(isinstance(row, list) for row in cells)


def read_scl(value: dict[str, Any], *, text: str, options: ReadOptions) -> Reading:
    """Read the object of a SudokuPad puzzle. `text` is its JSON, for error messages."""
    notes: list[str] = []
    try:
        board: Board | str = _BoardSheet(value, notes).board()
    except Unreadable as error:
        board = str(error)
    except (TypeError, ValueError, IndexError, AttributeError, KeyError):
        board = "this puzzle isn't in SudokuPad's format"
    return read_translated(board, text=text, options=options, note="; ".join(notes) or None)


class _BoardSheet(Sheet):
    """A SudokuPad puzzle with a method that translates it into an object for `puzzle_object`."""

    def board(self) -> Board:
        """Return the translated puzzle. Adds remarks to `notes`.

        Rows and columns may repeat values if the metadata or the solution requires it. Cells that
        `_used` leaves out become holes. Regions with more cells than values are ignored. Raises
        Unreadable, or any exception that JSON values of the wrong type cause.
        """
        if not self.columns or max(self.rows, self.columns) > MAX_SIZE:
            raise Unreadable(f"the grid must have 1 to {MAX_SIZE} rows and columns")
        givens = self.givens()
        regions = self.regions()
        cages = read_cages(self)
        lines = [cage.cells for cage in cages if cage.line and cage.differ]
        free = is_true(self.words.get("norowcol")) and not self._has_all(lines)
        used = self._used(givens, [*regions, *(c.cells for c in cages if c.differ)], free=free)
        top, bottom = min(r for r, _ in used), max(r for r, _ in used)
        left, right = min(c for _, c in used), max(c for _, c in used)
        if not free and any(map(self.is_broken, _lines(used))):
            self.notes.append("allowed repeated values in rows and columns, as in the solution")
            free = True
        longest = max(map(len, [*regions, *lines]), default=0) if free else 0
        size = longest or max(bottom - top + 1, right - left + 1)
        lowest, size = self._numbers(givens, size)
        houses = [region for region in regions if len(region) <= size]
        if len(houses) < len(regions):
            self.notes.append(f"ignored regions of more than {size} cells")
        holes = [place_name(*place) for place in self.all() if place not in used]
        variants, different = self._grid_rules((top, left), (bottom, right))
        board: Board = {
            "shape": f"{self.rows}x{self.columns}",
            "size": size,
            "lowest": lowest,
            "givens": [givens.get(place) for place in self.all()],
            "constraints": [*constraints_of(cages, size, free=free), *different],
            "variant": variants,
            "name": self.words.get("title") or "",
            "solution": self.solution,
            **self._zones(houses),
        }
        board |= {"lines": "free"} if free else {}
        board |= {"holes": holes} if holes else {}
        self._remark()
        return board

    def _used(
        self, givens: Iterable[Place], houses: Sequence[tuple[Place, ...]], *, free: bool
    ) -> set[Place]:
        """Return the cells to fill.

        These are the cells of the houses, the givens, and the solution, or all cells of the grid if
        there are none. `free` means that rows and columns aren't houses. If it isn't set, the cells
        are extended:

        with a solution     to a rectangle, as in SudokuPad
        without a solution  to the whole grid, unless they are an N×N square that contains at least
                            N houses of N cells
        """
        everywhere = set(self.all())
        covered = {place for house in houses for place in house}.union(givens)
        if self.solved:
            covered |= self.solved.keys()
        elif not free and not _is_square(covered, houses):
            return everywhere
        if free or not covered:
            return covered or everywhere
        rows, columns = [r for r, _ in covered], [c for _, c in covered]
        across, down = range(min(columns), max(columns) + 1), range(min(rows), max(rows) + 1)
        return {(row, column) for row in down for column in across}

    def _numbers(self, givens: dict[Place, str], size: int) -> tuple[int, int]:
        """Return the lowest value and the number of values, judged by givens and solution.

        There are at least `size` values. Adds a note if the values aren't 1 to `size`.
        """
        written = [*givens.values(), *(self.solution or "").split()]
        numbers = [number for symbol in written if (number := as_number(symbol)) is not None]
        lowest = 0 if 0 in numbers else 1
        several = max(size, max(numbers, default=0) - lowest + 1)
        if (lowest, several) != (1, size):
            self.notes.append(f"read with the values {lowest}-{lowest + several - 1}")
        return lowest, several

    def _zones(self, houses: list[tuple[Place, ...]]) -> Board:
        """Return the entries of the translated puzzle that describe its regions or boxes.

        `houses` has the cells of each region. If any of them overlap, all become additional houses
        instead of regions. Adds a note if there are none.
        """
        if not houses:
            self.notes.append("the puzzle has no regions or boxes")
            return {"box": "none"}
        if sum(map(len, houses)) == len({place for house in houses for place in house}):
            label = {place: str(n) for n, house in enumerate(houses) for place in house}
            return {"regions": [label.get(place, ".") for place in self.all()]}
        maps = [["1" if place in house else "." for place in self.all()] for house in houses]
        return {"box": "none", "houses": maps}

    def _has_all(self, lines: Sequence[tuple[Place, ...]]) -> bool:
        """Return whether every row and every column of the grid is among these lists of cells."""
        listed = {frozenset(line) for line in lines}
        cells = self.all()
        rows = [frozenset(p for p in cells if p[0] == row) for row in range(self.rows)]
        columns = [frozenset(p for p in cells if p[1] == n) for n in range(self.columns)]
        return listed.issuperset([*rows, *columns])

    def _grid_rules(self, first: Place, last: Place) -> tuple[list[str], list[Board]]:
        """Return the puzzle's variants, and a constraint for each diagonal that repeats no value.

        `first` and `last` are the upper left and lower right cells of the rectangle whose diagonals
        they are. Adds a note if variants are ignored. Raises Unreadable for an unknown rule.
        """
        rules = [*map(str, self.value.get("global") or []), *drawn_rules(self.value, first, last)]
        keys = (*_SWITCHES, *_DIAGONALS)
        rules += [k for k in keys if is_true(self.value.get(k)) or is_true(self.words.get(k))]
        different: list[Board] = []
        for key in _DIAGONALS:
            if key in rules:
                rises = key == "diagonal+"
                rows, columns = range(first[0], last[0] + 1), range(first[1], last[1] + 1)
                cells = zip(rows, reversed(columns) if rises else columns, strict=False)
                different.append(_different(cells))
        rules = [name for name in rules if name not in _DIAGONALS]
        strange = next((name for name in rules if name not in _SWITCHES), None)
        if strange is not None:
            raise Unreadable(unknown("rule", strange, keys))
        names = list(dict.fromkeys(_SWITCHES[name] for name in rules))
        if has_marks(self.value) and not set(names).isdisjoint(_NEGATIVE):
            self.notes.append(
                "ignored rules about pairs without a mark, because other pairs have marks"
            )
            names = [name for name in names if name not in _NEGATIVE]
        return names, different

    def _remark(self) -> None:
        drawn = [key for key in _DRAWN if self.value.get(key)]
        drawn += ["words"] if str(self.words.get("rules") or "").strip() else []
        if drawn:
            self.notes.append(
                f"ignored text and drawings ({', '.join(drawn)}); rules in them aren't applied"
            )
        switches = (*_SWITCHES, *_DIAGONALS)
        strange = [key for key in self.value if key not in _KNOWN and key not in switches]
        if strange:
            self.notes.append(f"ignored the unknown key {strange[0][:40]!r}")


def _lines(cells: set[Place]) -> Iterator[list[Place]]:
    """Yield the rows and columns of a set of cells, each as a list of cells in any order."""
    for axis in (0, 1):
        for number in {place[axis] for place in cells}:
            yield [place for place in cells if place[axis] == number]


def _different(cells: Iterable[Place]) -> Board:
    return {"type": "different", "cells": [place_name(*place) for place in cells]}


def _is_square(covered: set[Place], houses: Sequence[tuple[Place, ...]]) -> bool:
    """Return whether the cells form an N×N square that contains at least N houses of N cells."""
    side = isqrt(len(covered))
    spans = [max(axis) - min(axis) + 1 for axis in zip(*covered, strict=True)]
    whole = side * side == len(covered) and spans == [side, side]
    return whole and sum(len(house) == side for house in houses) >= side
