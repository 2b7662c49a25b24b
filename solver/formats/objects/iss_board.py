"""What is read of a constraint string: a board, with cells in it and beside it."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar, cast

from solver.board.layout import filling_box

_CELL = re.compile(r"[rR]([1-9a-gA-G])[cC]([1-9a-gA-G])")
_BESIDE = re.compile(r"([A-Z]+)(\d*)")
_DIGITS = "123456789abcdefg"  # of rows and columns
_PLACES = {
    f"R{row}C{column}": ("", down, right)
    for down, row in enumerate(_DIGITS, 1)
    for right, column in enumerate(_DIGITS, 1)
}
_NAMES = {place: f"r{place[1]}c{place[2]}" for place in _PLACES.values()}
_NAMED = {written: _NAMES[place] for written, place in _PLACES.items()}
# What most givens are: one of ten numbers in a cell of a grid of 9×9.
_USUAL_GIVENS = {
    f"R{row}C{column}_{number}": (("", row, column), (number,))
    for row in range(1, 10)
    for column in range(1, 10)
    for number in range(10)
}
_USUAL = len(_DIGITS)
_USUAL_LINES = {
    **{f"R{row}": [f"r{row}c{n}" for n in range(1, _USUAL + 1)] for row in range(1, _USUAL + 1)},
    **{f"C{column}": [f"r{n}c{column}" for n in range(1, _USUAL + 1)]
       for column in range(1, _USUAL + 1)},
}  # fmt: skip
_LINE = re.compile(r"([RC])(\d{1,2})(?:,(-?1))?")

T = TypeVar("T")
Made = dict[str, object]
Place = tuple[str, int, int]  # the group, "" for the grid; row and column from 1


class Refused(Exception):
    """A constraint cannot be read; its text says why."""


def number(text: str) -> int:
    """Return the number that a text says."""
    try:
        return int(text)
    except ValueError:
        raise Refused(f"{text[:20]!r} is no number") from None


def lines_of(items: Sequence[str]) -> Iterator[list[str]]:
    """Yield lists of cells, which names (_…) and nothing part."""
    line: list[str] = []
    for item in [*items, ""]:
        if item and not item.startswith("_"):
            line.append(item)
        elif line:
            yield line
            line = []


def pieces_of(names: Sequence[str]) -> Iterator[list[str]]:
    """Yield lists of cells, which hyphens part; they may be empty."""
    piece: list[str] = []
    for name in [*names, "-"]:
        if name != "-":
            piece.append(name)
        else:
            yield piece
            piece = []


class Board:
    """What was read so far of one string.

    `groups` are the cells beside the grid, by what their names begin with: how many, and in how
    many columns they stand. What is read inside a composite is shifted by `shift`.
    """

    def __init__(self) -> None:
        """Begin with the usual grid, 9×9 with boxes."""
        self.rows, self.columns, self.size, self.lowest = 9, 9, 9, 1
        self.region_size: int | None = None
        self.boxes = True
        self.lines_differ = True  # rows and columns are houses
        self.regions: str | None = None
        self.ties = "only-unclued"  # of full ranks
        self.groups: dict[str, tuple[int, int]] = {}
        self.variants: list[str] = []
        self.constraints: list[Made] = []
        self.candidates: dict[Place, Sequence[int]] = {}
        self._shift = ("", 0, 0)
        self._inside = False
        self._clues: dict[tuple[object, ...], int] = {}  # where those are that come once

    def named(self, written: Sequence[str]) -> list[str]:
        """Return what we call the cells of these names."""
        if not (self._shift[1] or self._shift[2]):
            usual = [*map(_NAMED.get, written)]
            if None not in usual:
                return cast("list[str]", usual)
        return self.names(self.cells(written))

    def cells(self, written: Sequence[str]) -> list[Place]:
        """Return the cells of these names."""
        if not (self._shift[1] or self._shift[2]):
            usual = [*map(_PLACES.get, written)]
            if None not in usual:
                return cast("list[Place]", usual)
        return [*map(self.cell, written)]

    def cell(self, name: str) -> Place:
        """Return the cell of a name, shifted as the composite around it says."""
        place = _PLACES.get(name) or self._place(name)
        group, down, right = self._shift
        if not (down or right):
            return place
        if place[0] == group:
            place = (group, place[1] + down, place[2] + right)
        if not self.has(place):
            raise Refused("a copy of it lies outside")
        return place

    def _place(self, name: str) -> Place:
        match = _CELL.fullmatch(name)
        if match is not None:
            return "", int(match[1], 17), int(match[2], 17)
        beside = _BESIDE.fullmatch(name)
        if beside is None or beside[1] not in self.groups:
            raise Refused(f"{name[:20]!r} is no cell")
        return self.place_in(beside[1], int(beside[2] or 1) - 1)

    def place_in(self, group: str, index: int) -> Place:
        """Return the cell of a group, the grid's too, that is the n-th from 0."""
        columns = self.groups[group][1] if group else self.columns
        row, column = divmod(index, columns)
        return group, row + 1, column + 1

    def grid(self) -> list[Place]:
        """Return the cells of the grid in reading order."""
        return [self.place_in("", index) for index in range(self.rows * self.columns)]

    def longest(self) -> int:
        """Return how many cells the longest row or column has."""
        return max(self.rows, self.columns)

    def is_usual(self) -> bool:
        """Return whether the grid has boxes of as many cells as its rows, columns and values."""
        fits = filling_box(self.rows, self.columns, self.size)
        square = self.rows == self.columns == self.size
        return square and fits is not None and self.boxes and self.region_size is None

    def has(self, place: Place) -> bool:
        """Return whether there is such a cell."""
        group, row, column = place
        if not group:
            return 1 <= row <= self.rows and 1 <= column <= self.columns
        count, columns = self.groups[group]
        return 1 <= column <= columns and 0 <= (row - 1) * columns + column - 1 < count

    def names(self, places: Sequence[Place]) -> list[str]:
        """Return what we call some cells."""
        return [_NAMES.get(place) or self.name(place) for place in places]

    def name(self, place: Place) -> str:
        """Return what we call a cell."""
        group, row, column = place
        if not group:
            return f"r{row}c{column}"
        count, columns = self.groups[group]
        return f"{group}{(row - 1) * columns + column}" if count > 1 else group

    def names_in(self, group: str) -> list[str]:
        """Return what we call the cells of a group beside the grid."""
        count, _ = self.groups[group]
        return [group + str(n) for n in range(1, count + 1)] if count > 1 else [group]

    def add(self, kind: str, names: list[str], **values: object) -> None:
        """Add a constraint on the cells of these names."""
        self.constraints.append({"type": kind, "cells": names, **values})

    def add_once(self, kind: str, names: list[str], **values: object) -> None:
        """Add a clue of which its cells have one of a kind: the last one."""
        self.add(kind, names, **values)
        if self._inside:
            return
        last = len(self.constraints) - 1
        place = self._clues.setdefault((kind, *names), last)
        if place < last:
            self.constraints[place] = self.constraints.pop()

    def give_usual(self, written: Sequence[str]) -> bool:
        """Leave some cells one number each; return whether it was as easy as that."""
        if self._inside or self.candidates:
            return False
        givens = [*map(_USUAL_GIVENS.get, written)]
        numbers = dict(each for each in givens if each is not None)
        if len(numbers) < len(written):
            return False
        self.candidates.update(numbers)
        return True

    def give(self, cell: Place, numbers: Sequence[int]) -> None:
        """Leave a cell only these numbers."""
        if self._inside or cell[0]:
            self.add("oneof", self.names([cell]), values=list(numbers))
        else:
            before = self.candidates.get(cell)
            both = numbers if before is None else [n for n in numbers if n in before]
            self.candidates[cell] = both

    def add_variant(self, name: str) -> None:
        """Add a rule of the whole grid."""
        if self._inside:
            raise Refused("it is a rule of the whole grid")
        self.variants.append(name)

    def inside(
        self, read: Callable[[T, "Board"], None], parts: Sequence[T], shift: Place = ("", 0, 0)
    ) -> list[Made]:
        """Return the constraints that are added by reading what stands in a composite."""
        before = self.constraints, self._shift, self._inside
        self.constraints, self._inside = [], True
        _, down, right = before[1]
        self._shift = (shift[0], down + shift[1], right + shift[2])
        for part in parts:
            read(part, self)
        made = self.constraints
        self.constraints, self._shift, self._inside = before
        return made

    def line(self, name: str, direction: int) -> list[str]:
        """Return the names of the cells of a row or a column as they are seen from an end."""
        line = _USUAL_LINES.get(name)
        if line is not None and self.longest() <= _USUAL:
            line = line[: self.columns if name[0] == "R" else self.rows]
        else:
            line = self._line(name)
        return line if direction > 0 else line[::-1]

    def _line(self, name: str) -> list[str]:
        match = _LINE.fullmatch(name)
        if match is None:
            raise Refused(f"{name[:20]!r} is no row or column")
        place = int(match[2])
        if match[1] == "R":
            return [f"r{place}c{column}" for column in range(1, self.columns + 1)]
        return [f"r{row}c{place}" for row in range(1, self.rows + 1)]

    def as_object(self) -> dict[str, object]:
        """Return the object that `solver.formats.objects.puzzle_object` reads."""
        fits = None
        zones: dict[str, object] = {}
        if self.boxes:
            fits = filling_box(self.rows, self.columns, self.region_size or self.longest())
        if self.regions is not None:  # they do not take the boxes away by themselves
            zones = {"houses": [self.regions]} if fits else {"regions": self.regions}
        if fits is None:
            zones["box"] = "none"
        elif fits[0] * fits[1] != self.size:  # or else they are the usual ones
            zones["box"] = f"{fits[0]}x{fits[1]}"
        givens: list[int | None] = [None] * (self.rows * self.columns)
        candidates: dict[str, Sequence[int]] = {}
        rows, columns = self.rows, self.columns
        for place, numbers in self.candidates.items():
            _, row, column = place
            if len(numbers) != 1:
                candidates[self.name(place)] = numbers
            elif row <= rows and column <= columns:
                givens[(row - 1) * columns + column - 1] = numbers[0]
        beside = [name for group in self.groups for name in self.names_in(group)]
        return {
            "shape": f"{self.rows}x{self.columns}",
            "size": self.size,
            "lowest": self.lowest,
            **({} if self.lines_differ else {"lines": "free"}),
            **zones,
            **({"variables": beside} if beside else {}),
            "variant": self.variants,
            "constraints": self.constraints,
            **({"candidates": candidates} if candidates else {}),
            "givens": givens,
        }
