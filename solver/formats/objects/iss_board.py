"""Collect the contents of a constraint string: a board with its cells and auxiliary variables."""

import itertools
import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from solver.board.display import shown
from solver.board.layout import Layout, filling_box
from solver.board.puzzle import Puzzle
from solver.board.symbols import Symbols
from solver.formats.objects.iss_arguments import Refused
from solver.formats.objects.object_board import board_of, find_board_fault
from solver.formats.objects.object_rules import read_candidates, with_rules
from solver.rules.registry import RULES, constraint_of
from solver.rules.rule import Cells, Constraint

_CELL = re.compile(r"[rR]([1-9a-gA-G])[cC]([1-9a-gA-G])")
_VARIABLE = re.compile(r"([A-Z]+)(\d{0,4})")
_MOST_KNOWN = 1_000  # cells; larger groups aren't cached by name
DIGITS = "123456789abcdefg"  # of rows and columns


def _cells_of(rows: int, columns: int) -> dict[str, int]:
    """Return the indices of a grid's cells by their names (R1C1)."""
    return {
        f"R{row}C{column}": down * columns + right
        for down, row in enumerate(DIGITS[:rows])
        for right, column in enumerate(DIGITS[:columns])
    }


# Square grids by size.
_CELLS = {size: _cells_of(size, size) for size in range(1, len(DIGITS) + 1)}
# The default board: rows, columns, values, lowest value, boxes, and whether lines are houses.
_USUAL = (9, 9, 9, 1, True, True)
_USUAL_LAYOUT = Layout.boxed(3, 3)
# The most common givens: one of ten numbers in a cell of a 9×9 grid.
USUAL_GIVENS = {
    f"{written}_{number}": (cell, (number,))
    for written, cell in _CELLS[9].items()
    for number in range(10)
}


def _symbols(lowest: int, size: int) -> Symbols:
    """Return symbols for `size` consecutive numbers from `lowest` on."""
    return Symbols(tuple(map(str, range(lowest, lowest + size))))


_SYMBOLS = {(low, size): _symbols(low, size) for low in (0, 1) for size in range(1, 17)}

T = TypeVar("T")
# A finished constraint, or a JSON-style description of a disjunction or of an invalid constraint.
Made = Constraint | dict[str, object]
Place = tuple[str, int, int]  # group ("" is the grid), row, and column, both from 1
Value = int | str | list[int]


class Board:
    """The contents of a constraint string that have been read so far.

    `groups` are the auxiliary variables outside the grid, by name prefix: how many there are, and
    in how many columns they are arranged. While the template of a .Replicate is read, named cells
    are shifted by some rows and columns.
    """

    def __init__(self) -> None:
        """Start with the default board: 9×9 with boxes."""
        self.reshape(9, 9)
        self.size, self.lowest = 9, 1
        self.region_size: int | None = None
        self.boxes = True
        self.lines_differ = True  # rows and columns are houses
        self.regions: str | None = None
        self.ties = "only-unclued"  # how full-rank clues treat ties
        self.groups: dict[str, tuple[int, int]] = {}
        self.variants: list[str] = []
        self.constraints: list[Made] = []
        self._candidates: dict[int, Sequence[int]] = {}
        self._outside: list[Place] = []  # places without a cell; cell ~i is place i
        self._shift: Place | None = None
        self._inside = self._begun = False
        self._clues: dict[tuple[object, ...], int] = {}  # index of clues from `add_once`

    def reshape(self, rows: int, columns: int) -> None:
        """Set the numbers of rows and columns. The number of values and the boxes are unchanged."""
        self.rows, self.columns = rows, columns
        self._count = rows * columns
        is_usual = rows == columns <= len(DIGITS)
        self._in_grid = _CELLS[rows] if is_usual else _cells_of(rows, columns)
        self._cells = self._in_grid  # by name, including most auxiliary variables

    def is_begun(self) -> bool:
        """Return whether there are constraints or restricted cells yet.

        After that, the board's shape and the sizes of its groups must not change.
        """
        return self._begun or bool(self.constraints or self._candidates)

    def cells(self, written: Sequence[str]) -> Cells:
        """Return the indices of named cells, such as R1C1 or the auxiliary variable VA1.

        While a .Replicate is read, the cells of one group (the grid or auxiliary variables) are
        shifted by some rows and columns. Without a shift, a place that has no cell gets a negative
        index, as in `cell_at`. With a shift, such a place raises Refused. A malformed or unknown
        name raises Refused in both cases.
        """
        if self._shift is None:
            try:
                return tuple(map(self._cells.__getitem__, written))
            except KeyError:
                pass  # some aren't in the grid or are written differently
        return self.cells_at(self.places(written))

    def cell(self, name: str) -> int:
        """Return the index of a named cell, such as R1C1 or the auxiliary variable VA1.

        Shifts, negative indices, and errors are as in `cells`.
        """
        cell = self._cells.get(name) if self._shift is None else None
        return self.cell_at(self.place(name)) if cell is None else cell

    def places(self, written: Sequence[str]) -> list[Place]:
        """Return the (group, row, column) of each named cell, as `place` does."""
        return [*map(self.place, written)]

    def place(self, name: str) -> Place:
        """Return the (group, row, column) of a named cell, shifted while a .Replicate is read.

        The group "" is the grid. Rows and columns count from 1. Without a shift, the place may have
        no cell. With a shift, such a place raises Refused. A malformed or unknown name raises
        Refused in both cases.
        """
        cell = self._cells.get(name)
        place = self._place(name) if cell is None else self._place_of(cell)
        if self._shift is None:
            return place
        group, down, right = self._shift
        if place[0] == group:
            place = (group, place[1] + down, place[2] + right)
        if not self.has(place):
            raise Refused("a copy of one of its cells is outside the grid")
        return place

    def _place(self, name: str) -> Place:
        match = _CELL.fullmatch(name)
        if match is not None:
            return "", int(match[1], 17), int(match[2], 17)
        variable = _VARIABLE.fullmatch(name)
        if variable is None or variable[1] not in self.groups:
            raise Refused(f"{name[:20]!r} isn't a cell; expected one such as R1C1")
        return self.place_in(variable[1], int(variable[2] or 1) - 1)

    def place_in(self, group: str, index: int) -> Place:
        """Return the group, row, and column of cell `index` (from 0) in a group.

        The group "" is the grid. Rows and columns count from 1.
        """
        columns = self.groups[group][1] if group else self.columns
        row, column = divmod(index, columns)
        return group, row + 1, column + 1

    def grid(self) -> list[Place]:
        """Return the places (group, row, column) of the grid's cells in reading order."""
        return [self.place_in("", index) for index in range(self._count)]

    def longest(self) -> int:
        """Return the number of cells in the longest row or column."""
        return max(self.rows, self.columns)

    def is_usual(self) -> bool:
        """Return whether the grid is a square with the usual boxes and as many values as rows.

        Also returns False if a region size is set.
        """
        fits = filling_box(self.rows, self.columns, self.size)
        square = self.rows == self.columns == self.size
        return square and fits is not None and self.boxes and self.region_size is None

    def has(self, place: Place) -> bool:
        """Return whether there is a cell at a place (group, row, column)."""
        group, row, column = place
        if not group:
            return 1 <= row <= self.rows and 1 <= column <= self.columns
        count, columns = self.groups[group]
        return 1 <= column <= columns and 0 <= (row - 1) * columns + column - 1 < count

    def cells_at(self, places: Sequence[Place]) -> Cells:
        """Return the indices of the cells at these places, as `cell_at` does."""
        return tuple([self.cell_at(place) for place in places])

    def cell_at(self, place: Place) -> int:
        """Return the index of the cell at this place (group, row, column).

        A place without a cell gets a negative index, the same one each time.
        """
        group, row, column = place
        if not group:
            if 1 <= row <= self.rows and 1 <= column <= self.columns:
                return (row - 1) * self.columns + column - 1
        else:
            count, columns = self.groups[group]
            number = (row - 1) * columns + column if count > 1 else 1
            if 1 <= number <= count:
                return self._first(group) + number - 1
        if place not in self._outside:
            self._outside.append(place)
        return ~self._outside.index(place)

    def are_neighbors(self, one: int, other: int) -> bool:
        """Return whether two cells share an edge.

        Negative indices are places outside the board, from `cell_at`, which can be neighbors of
        each other and of cells. The auxiliary variables of a group are arranged in rows and columns
        of their own, so they are neighbors only of places in the same group.
        """
        apart, columns = abs(one - other), self.columns
        if min(one, other) >= 0 and max(one, other) < self._count:
            return apart == columns or (apart == 1 and one // columns == other // columns)
        (group, row, column), (there, down, right) = self._place_of(one), self._place_of(other)
        return group == there and abs(row - down) + abs(column - right) == 1

    def _place_of(self, cell: int) -> Place:
        """Return the place (group, row, column) of the cell with this index.

        A negative index is that of a place without a cell, from `cell_at`.
        """
        if cell < 0:
            return self._outside[~cell]
        if cell < self._count:
            return self.place_in("", cell)
        group = next(group for group in self.groups if cell in self.cells_in(group))
        return self.place_in(group, cell - self._first(group))

    def cells_in(self, group: str) -> range:
        """Return the cell indices of a group of auxiliary variables."""
        first = self._first(group)
        return range(first, first + self.groups[group][0])

    def _first(self, group: str) -> int:
        """Return the cell index of the first auxiliary variable in a group."""
        first = self._count
        for name, (count, _) in self.groups.items():
            if name == group:
                break
            first += count
        return first

    def add_group(self, group: str, count: int, columns: int) -> None:
        """Add a group of `count` auxiliary variables, arranged in rows of `columns`.

        `group` is its name, such as VA. An existing group of this name is replaced. Raises Refused
        if that group has another `count` or `columns`, and the board already has constraints or
        restricted cells, which may use the group's variables. Without any, the group can change.
        """
        if self.groups.get(group, (count, columns)) != (count, columns) and self.is_begun():
            raise Refused(f"the cells {group!r} have another size above, and are already in use")
        self.groups[group] = count, columns
        names = self._variable_names() if count <= _MOST_KNOWN else []
        self._cells = self._in_grid | dict(zip(names, itertools.count(self._count), strict=False))

    def _variable_names(self) -> list[str]:
        """Return the names of all auxiliary variables, such as VA1 and VA2.

        The only variable of a group has the name of the group.
        """
        return [
            name
            for group, (count, _) in self.groups.items()
            for name in ([group + str(n) for n in range(1, count + 1)] if count > 1 else [group])
        ]

    def add(self, kind: str, cells: Cells, value: Value | None = None) -> None:
        """Add a constraint of the rule `kind` on the cells with these indices.

        `value` is the rule's value, such as a sum. If the cells or the value are invalid, a
        description of the constraint as a JSON object is added instead, so that `puzzle` reports
        the error.
        """
        rule = RULES[kind]
        made: Made | None = constraint_of(rule, cells, value)
        if made is None or (self._outside and min(cells) < 0):  # the JSON reader reports the fault
            made = {"type": kind, "cells": [*map(self._name, cells)]}
            if rule.value is not None and value is not None:
                made[rule.value] = value
        self.constraints.append(made)

    def _name(self, cell: int) -> str:
        """Return sudokuq's name of a cell (r1c1) or an auxiliary variable (VA1).

        A negative index, which stands for a place without a cell, has such a name, too.
        """
        group, row, column = self._place_of(cell)
        if not group:
            return f"r{row}c{column}"
        count, columns = self.groups[group]
        return f"{group}{(row - 1) * columns + column}" if count > 1 else group

    def add_once(self, kind: str, cells: Cells, value: Value | None = None) -> None:
        """Add a clue, replacing any earlier clue of the same rule on the same cells.

        Clues inside .Or and .Replicate replace nothing.
        """
        self.add(kind, cells, value)
        if self._inside:
            return
        last = len(self.constraints) - 1
        place = self._clues.setdefault((kind, *cells), last)
        if place < last:
            self.constraints[place] = self.constraints.pop()

    def give_usual(self, written: Sequence[str]) -> bool:
        """Add the givens of a 9×9 grid in the fast way, and return whether that was possible.

        It requires texts such as R1C1_5 with one number from 0 to 9 for each cell, no cell twice,
        and no earlier givens. Otherwise, nothing is added.
        """
        if self._inside or self._candidates or not self.rows == self.columns == 9:
            return False
        try:
            numbers = dict([USUAL_GIVENS[each] for each in written])
        except KeyError:
            return False
        if len(numbers) < len(written):
            return False
        self._candidates.update(numbers)
        return True

    def give(self, cell: int, numbers: Sequence[int]) -> None:
        """Restrict a cell to these numbers, without those that an earlier restriction excludes.

        Inside .Or and .Replicate, and for auxiliary variables, add a constraint instead.
        """
        is_variable = cell >= self._count or (cell < 0 and self._place_of(cell)[0])
        if self._inside or is_variable:
            self.add("oneof", (cell,), [*numbers])
        else:
            before = self._candidates.get(cell)
            both = numbers if before is None else [n for n in numbers if n in before]
            self._candidates[cell] = both

    def add_variant(self, name: str) -> None:
        """Add a rule of the whole grid. Raises Refused inside .Or and .Replicate."""
        if self._inside:
            raise Refused(f"{name!r} is a rule for the whole grid and can't be inside")
        self.variants.append(name)

    def inside(
        self, read: Callable[[T, "Board"], None], parts: Sequence[T], shift: Place = ("", 0, 0)
    ) -> list[Made]:
        """Read the constraints inside .Or or .Replicate, and return them without adding them.

        `read` is called with each of the `parts` and this board. `shift` is a group, and the
        numbers of rows and columns by which the named cells of that group are shifted, in addition
        to an outer shift.
        """
        before = self.constraints, self._shift, self._inside
        self._begun = self.is_begun()
        self.constraints, self._inside = [], True
        _, down, right = before[1] or ("", 0, 0)
        down, right = down + shift[1], right + shift[2]
        self._shift = (shift[0], down, right) if down or right else None
        for part in parts:
            read(part, self)
        made = self.constraints
        self._begun = self.is_begun()
        self.constraints, self._shift, self._inside = before
        return made

    def line(self, name: str, direction: int) -> Cells:
        """Return the cells of a row or column (R1, C2), reversed if `direction` is negative.

        Cells of a line outside the grid have negative indices. Raises Refused if `name` isn't that
        of a row or column. An end after the name, as in R1,-1, is ignored.
        """
        kind, (written, comma, end) = name[:1], name[1:].partition(",")
        is_line = kind in ("R", "C") and written.isdecimal() and len(written) <= 2
        if not is_line or (comma and end not in ("1", "-1")):
            raise Refused(f"{name[:20]!r} isn't a row or column; expected one such as R1 or C1")
        place = int(written)
        if not 1 <= place <= (self.rows if kind == "R" else self.columns):
            line = self.cells_at(
                [("", place, n + 1) for n in range(self.columns)]
                if kind == "R"
                else [("", n + 1, place) for n in range(self.rows)]
            )
        elif kind == "R":
            line = tuple(range((place - 1) * self.columns, place * self.columns))
        else:
            line = tuple(range(place - 1, self._count, self.columns))
        return line if direction > 0 else line[::-1]

    def puzzle(self, variants: tuple[str, ...]) -> Puzzle | str:
        """Return the puzzle with these additional variants, or the reason why it is invalid."""
        board = self._layout()
        if isinstance(board, str):
            return board
        givens = self._givens()
        if isinstance(givens, str):
            return givens
        layout = with_rules(board, self.constraints, (*variants, *self.variants))
        if isinstance(layout, str):
            return layout
        marked = self._marked()
        candidates = read_candidates(marked, layout) if marked else None
        if isinstance(candidates, str):
            return candidates
        symbols = _SYMBOLS.get((self.lowest, self.size)) or _symbols(self.lowest, self.size)
        return Puzzle(layout, givens, symbols, candidates)

    def _numbers(self) -> range:
        """Return the numbers that cells can contain."""
        return range(self.lowest, self.lowest + self.size)

    def _layout(self) -> Layout | str:
        """Return the board without variants and constraints, or the reason why it is invalid."""
        shape = self.rows, self.columns
        board = (*shape, self.size, self.lowest, self.boxes, self.lines_differ)
        if board == _USUAL and not (self.region_size or self.regions or self.groups):
            return _USUAL_LAYOUT
        fault = find_board_fault(shape, self.size, self.lowest)
        if fault is not None:
            return fault
        box = filling_box(*shape, self.region_size or self.longest()) if self.boxes else None
        return board_of(
            shape,
            size=self.size,
            lowest=self.lowest,
            box=box,
            free=not self.lines_differ,
            variables=self._variable_names() if self.groups else (),
            # Regions don't replace boxes. On a board with boxes, they are extra houses.
            regions=None if box else self.regions,
            houses=(self.regions,) if box and self.regions else (),
        )

    def _givens(self) -> tuple[int, ...] | str:
        """Return the value of each grid cell, 0 if it isn't a given, or an error message.

        A given is a cell with a single candidate. Values count from 1 even if the lowest number is
        0.
        """
        numbers, before = self._numbers(), self.lowest - 1
        givens = [0] * self._count
        unknown: dict[int, int] = {}
        for cell, left in self._candidates.items():
            if len(left) == 1 and cell >= 0:
                number = left[0]
                if number in numbers:
                    givens[cell] = number - before
                elif number:  # 0 means empty unless it is a value
                    unknown[cell] = number
        if unknown:
            cell = min(unknown)
            where = self._name(cell)
            fault = f"{shown(str(unknown[cell]))} in {where} isn't a value of this puzzle"
            return f"{fault}; expected {numbers[0]} to {numbers[-1]}"
        return tuple(givens)

    def _marked(self) -> dict[str, object]:
        """Return the numbers that restricted cells can contain, by cell name.

        Cells with a single number are left out, because they are givens.
        """
        return {
            self._name(cell): numbers
            for cell, numbers in self._candidates.items()
            if len(numbers) != 1
        }
