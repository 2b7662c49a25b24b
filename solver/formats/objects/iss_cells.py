"""Map the names in a constraint string to cells: those of its grid, and auxiliary variables."""

import itertools
import re
from collections.abc import Sequence

from solver.formats.objects.iss_arguments import Refused
from solver.rules.rule import Cells

_CELL = re.compile(r"[rR]([1-9a-gA-G])[cC]([1-9a-gA-G])")
_VARIABLE = re.compile(r"([A-Z]+)(\d{0,4})")
_MOST_KNOWN = 1_000  # cells; larger groups aren't cached by name
DIGITS = "123456789abcdefg"  # of rows and columns
Place = tuple[str, int, int]  # group ("" is the grid), row, and column, both from 1


def _cells_of(rows: int, columns: int) -> dict[str, int]:
    """Return the indices of a grid's cells by their names, such as R1C9 or R1Ca (column 10)."""
    return {
        f"R{row}C{column}": down * columns + right
        for down, row in enumerate(DIGITS[:rows])
        for right, column in enumerate(DIGITS[:columns])
    }


# Square grids by size.
CELLS = {size: _cells_of(size, size) for size in range(1, len(DIGITS) + 1)}


class GridCells:
    """Cells by their names, their places in the grid or a group, and their indices.

    `groups` are the auxiliary variables outside the grid, by name prefix: how many there are, and
    in how many columns they are arranged. While the template of a .Replicate is read, named cells
    are shifted by some rows and columns.
    """

    def __init__(self) -> None:
        """Start with a 9×9 grid without auxiliary variables."""
        self.reshape(9, 9)
        self.groups: dict[str, tuple[int, int]] = {}
        self._outside: list[Place] = []  # places without a cell; cell ~i is place i
        self._shift: Place | None = None

    def reshape(self, rows: int, columns: int) -> None:
        """Set the numbers of rows and columns. Auxiliary variables must be added after that.

        The number of values and the boxes aren't stored here, so they don't change.
        """
        self.rows, self.columns = rows, columns
        self._count = rows * columns
        is_usual = rows == columns <= len(DIGITS)
        self._in_grid = CELLS[rows] if is_usual else _cells_of(rows, columns)
        self._cells = self._in_grid  # by name, including most auxiliary variables

    def set_group(self, group: str, count: int, columns: int) -> None:
        """Add a group of `count` auxiliary variables, arranged in rows of `columns`.

        `group` is its name, such as VA. An existing group of this name is replaced.
        """
        self.groups[group] = count, columns
        names = self._variable_names() if count <= _MOST_KNOWN else []
        self._cells = self._in_grid | dict(zip(names, itertools.count(self._count), strict=False))

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

        A place without a cell gets a negative index, as in `cell_at`. While a .Replicate is read,
        the place is shifted first, and raises Refused if it has no cell then. A malformed or
        unknown name always raises Refused.
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

    def has(self, place: Place) -> bool:
        """Return whether there is a cell at a place (group, row, column) of an existing group."""
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

    def _variable_names(self) -> list[str]:
        """Return the names of all auxiliary variables, such as VA1 and VA2.

        The only variable of a group has the name of the group.
        """
        return [
            name
            for group, (count, _) in self.groups.items()
            for name in ([group + str(n) for n in range(1, count + 1)] if count > 1 else [group])
        ]

    def _name(self, cell: int) -> str:
        """Return sudokuq's name of a cell (r1c1) or an auxiliary variable (VA1).

        The only variable of a group has the name of the group. A negative index stands for a place
        without a cell. Its name is the one that a cell or variable at this place would have.
        """
        group, row, column = self._place_of(cell)
        if not group:
            return f"r{row}c{column}"
        count, columns = self.groups[group]
        return f"{group}{(row - 1) * columns + column}" if count > 1 else group

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
