"""The board of a puzzle: its cells and their names, its boxes and houses, and its constraints."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import chain
from typing import Any, Protocol

from solver.board.primitive_constraints import (
    FIELDS,
    Combination,
    Disjunction,
    Domain,
    FullRank,
    House,
    Links,
    Part,
    Partition,
    Regular,
    Relation,
    Sandwich,
    SatOnly,
    Sum,
)

MAX_SIZE = 100
MOST_IN_A_WORD = 64  # values; boards with more support fewer rules

_CELL_NAME = re.compile(r"[rR]([1-9]\d{0,2})[cC]([1-9]\d{0,2})")
_USUAL = 16  # rows and columns up to which cell names are looked up in a table
_USUAL_PLACES = {
    f"r{row + 1}c{column + 1}": (row, column) for row in range(_USUAL) for column in range(_USUAL)
}
_USUAL_CELLS: dict[int, dict[Any, Any]] = {  # by number of columns
    wide: {
        name: row * wide + column for name, (row, column) in _USUAL_PLACES.items() if column < wide
    }
    for wide in range(1, _USUAL + 1)
}


class ConstraintLike(Protocol):
    """The interface of a constraint; see `solver.rules.rule.Constraint`.

    Engines receive its `parts`. `solver.checks.constraints` checks it by its name.
    """

    @property
    def name(self) -> str:
        """The name of the rule."""
        ...

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells, in the order in which they were listed, which can matter."""
        ...

    @property
    def value(self) -> int | tuple[int, ...] | str:
        """The number, numbers, or text of the constraint; 0 if its rule takes none."""
        ...

    @property
    def options(self) -> tuple[tuple["ConstraintLike", ...], ...]:
        """The options of a disjunction, () for other constraints.

        Each option is a group of constraints. All constraints of at least one group must hold.
        """
        ...

    def parts(self, layout: "Layout") -> tuple[Part, ...] | str:
        """Return the primitive constraints for the engines, or an error message.

        The message explains why the layout doesn't support the constraint. Negative cells are
        auxiliary variables of the constraint, counted downwards from −1.
        """
        ...


@dataclass(frozen=True, eq=False)  # without slots, so that properties can be cached
class Layout:
    """The board of a puzzle: `size` values, its cells, and the rules that they follow.

    A cell is an index in reading order, shown as r1c1, in a grid of `shape` (rows, columns), or of
    size × size cells if that is None. The cells in `holes` aren't part of the board. Variables
    follow the cells of the grid: the named `variables`, whose values are part of a solution, then
    `auxiliary_count` auxiliary variables, whose values follow from the others.

    The cells of each of the `houses` must all differ, and so must the pairs of cells in `links`.
    `auxiliary_houses` are houses that contain variables of either kind. `box` is the size of a box
    (rows, columns), or (1, columns) if the grid has no boxes.

    Values are 1…size. Rules that calculate take value v as the number lowest + v − 1. `constraints`
    are used to check solutions. `relations`, `sums`, `regulars`, `combinations`, `sandwiches`,
    `domains`, `partitions`, `full_ranks`, `disjunctions`, and `sat_only` are the primitive
    constraints that engines use in their place.

    Layouts are compared by identity and used as keys. The functions that create them are cached, so
    the same board usually gives the same layout: `Layout.boxed` and the other static methods,
    `solver.rules.variants.with_variants`, and `solver.rules.registry.with_constraints`.
    """

    size: int
    box: tuple[int, int]  # rows and columns of one box
    houses: tuple[House, ...]
    links: tuple[Links, ...] = ()
    relations: tuple[Relation, ...] = ()
    sums: tuple[Sum, ...] = ()
    regulars: tuple[Regular, ...] = ()
    combinations: tuple[Combination, ...] = ()
    sandwiches: tuple[Sandwich, ...] = ()
    domains: tuple[Domain, ...] = ()
    partitions: tuple[Partition, ...] = ()
    full_ranks: tuple[FullRank, ...] = ()
    disjunctions: tuple[Disjunction, ...] = ()
    sat_only: tuple[SatOnly, ...] = ()
    constraints: tuple[ConstraintLike, ...] = ()
    shape: tuple[int, int] | None = None
    holes: frozenset[int] = frozenset()
    lowest: int = 1
    variables: tuple[str, ...] = ()
    auxiliary_count: int = 0
    auxiliary_houses: tuple[House, ...] = ()

    @property
    def board(self) -> tuple[Any, ...]:
        """The values of the `BOARD_FIELDS`, in this order. They determine all other fields."""
        return tuple(getattr(self, field) for field in BOARD_FIELDS)

    def is_same_board(self, other: "Layout") -> bool:
        """Return whether two layouts describe the same board, even from different processes."""
        return self is other or self.board == other.board

    def __repr__(self) -> str:
        rules = f", {len(self.constraints)} constraints" if self.constraints else ""
        return f"<Layout {self.rows}×{self.columns}, {len(self.houses)} houses{rules}>"

    @staticmethod
    @cache
    def boxed(rows: int, columns: int) -> "Layout":
        """Return the layout of an N×N grid whose boxes have `rows` × `columns` = N cells.

        Raises ValueError unless 1 ≤ rows × columns ≤ 100.
        """
        size = rows * columns
        if rows < 1 or columns < 1 or size > MAX_SIZE:
            raise ValueError(f"boxes of {rows}×{columns} cells; expected 1 to {MAX_SIZE} cells")
        return Layout.grid(size, size, size=size, box=(rows, columns))

    @staticmethod
    @lru_cache(maxsize=128)
    def grid(rows: int, columns: int, *, size: int, box: tuple[int, int] | None) -> "Layout":
        """Return the layout of a grid with `size` values, with boxes (rows, columns) or None.

        The houses are the rows, the columns, and the boxes if there are any. Raises ValueError if a
        house would have more than `size` cells, if the boxes don't fill the grid, or if `size` is
        above 100.
        """
        high, wide = box or (1, columns)
        if max(rows, columns, high * wide) > size or not 1 <= size <= MAX_SIZE:
            raise ValueError(
                f"a {rows}×{columns} grid with {size} values; rows, columns, and boxes have at "
                f"most as many cells as there are values, and there are at most {MAX_SIZE} values"
            )
        if min(rows, columns, high, wide) < 1 or rows % high or columns % wide:
            raise ValueError(f"boxes of {high}×{wide} cells don't fill a {rows}×{columns} grid")

        cells = range(rows * columns)
        rows_of = [tuple(cells[row * columns : (row + 1) * columns]) for row in range(rows)]
        columns_of = [tuple(cells[column::columns]) for column in range(columns)]
        boxes_of = [
            tuple(chain.from_iterable(row[left : left + wide] for row in rows_of[top : top + high]))
            for top in range(0, rows, high)
            for left in range(0, columns, wide)
        ]
        houses = [
            House(kind, number, own)
            for kind, lines in (("row", rows_of), ("column", columns_of), ("box", boxes_of))
            for number, own in enumerate(lines, 1)
            if kind != "box" or box is not None
        ]
        shape = None if rows == columns == size else (rows, columns)
        return Layout(size=size, box=(high, wide), houses=tuple(houses), shape=shape)

    @staticmethod
    @lru_cache(maxsize=32)
    def free(rows: int, columns: int, *, size: int) -> "Layout":
        """Return a grid without houses, whose rows and columns can repeat a value.

        Raises ValueError unless the numbers of rows, columns, and values are from 1 to 100.
        """
        if not 1 <= min(rows, columns, size) <= max(rows, columns, size) <= MAX_SIZE:
            raise ValueError(
                f"a {rows}×{columns} grid with {size} values; expected 1 to {MAX_SIZE} of each"
            )
        return Layout(size=size, box=(1, columns), houses=(), shape=(rows, columns))

    @staticmethod
    @lru_cache(maxsize=16)
    def overlapping(corners: tuple[tuple[int, int], ...], box: tuple[int, int]) -> "Layout":
        """Return a layout of several grids that share cells, such as a samurai.

        All grids are square and have boxes of the size `box` (rows, columns). `corners` are their
        top left cells, as (row, column) from 0. The cells outside of all grids are holes. Raises
        ValueError if the box doesn't make a valid grid.
        """
        grid = Layout.boxed(*box)
        size = grid.size
        columns = max(column for _, column in corners) + size
        rows = max(row for row, _ in corners) + size
        houses: dict[tuple[int, ...], House] = {}
        for number, (row, column) in enumerate(corners, 1):
            for house in grid.houses:
                places = [divmod(cell, size) for cell in house.cells]
                cells = tuple((row + r) * columns + column + c for r, c in places)
                kind = f"grid {number}, {house.kind}"
                houses.setdefault(cells, House(kind, house.number, cells))
        holes = frozenset(range(rows * columns)).difference(*houses)
        return Layout(
            size=size, box=box, houses=tuple(houses.values()), shape=(rows, columns), holes=holes
        )

    def changed(self, **fields: Any) -> "Layout":
        """Return a copy of the layout with other values of some fields.

        Cached properties that don't depend on the changed fields are kept. Raises TypeError for
        unknown fields.
        """
        # `dataclasses.replace` takes as long as compiling some constraints.
        unknown = fields.keys() - Layout.__dataclass_fields__.keys()
        if unknown:
            raise TypeError(f"A layout has no field {', '.join(sorted(unknown))}.")
        layout = object.__new__(Layout)
        own = self.__dict__ | fields
        for field in _DERIVED.keys() & fields:
            for name in _DERIVED[field]:
                own.pop(name, None)
        object.__setattr__(layout, "__dict__", own)
        return layout

    @cached_property
    def rows(self) -> int:
        """The number of rows of the grid."""
        return self.size if self.shape is None else self.shape[0]

    @cached_property
    def columns(self) -> int:
        """The number of columns of the grid."""
        return self.size if self.shape is None else self.shape[1]

    @cached_property
    def cells(self) -> int:
        """The number of cells, holes included."""
        return self.rows * self.columns

    @property
    def has_parts(self) -> bool:
        """Whether the layout has primitive constraints other than houses and not-equal pairs."""
        return any(getattr(self, field) for field in FIELDS)

    @cached_property
    def solution_size(self) -> int:
        """The number of values in a solution: the grid's cells, then the named variables."""
        return self.cells + len(self.variables)

    @property
    def boxes(self) -> tuple[House, ...]:
        """The houses that are boxes; none in a jigsaw, which has regions instead."""
        return tuple(house for house in self.houses if house.kind.endswith("box"))

    @cached_property
    def numbers(self) -> range:
        """The numbers that rules calculate with, in the order of the values: from `lowest` on."""
        return range(self.lowest, self.lowest + self.size)

    @cached_property
    def lines(self) -> frozenset[tuple[int, ...]]:
        """The cells of all houses as a set, to look them up.

        For each house it contains a tuple of its cells, in the order of the house.
        """
        return frozenset([house.cells for house in self.houses])

    @cached_property
    def _variable_cells(self) -> dict[str, int]:
        """The cell index of each variable, by the name of the variable."""
        return {name: self.cells + place for place, name in enumerate(self.variables)}

    def cell_name(self, cell: int) -> str:
        """Return the name of a cell in messages, such as ``r1c1``.

        `cell` can also be the index of one of the named `variables`. Then this returns the
        variable's name.
        """
        if cell >= self.cells:
            return self.variables[cell - self.cells]
        return place_name(*divmod(cell, self.columns))

    def cell_named(self, name: object) -> int | None:
        """Return the cell or variable with a name such as ``r1c1``.

        Returns None if no cell or variable has this name. Holes aren't cells. Names of any other
        type than str give None.
        """
        place = place_named(name)
        if place is None:
            return self._variable_cells.get(name) if isinstance(name, str) else None
        return None if place is None else self.cell_at(*place)

    def cells_named(self, names: Sequence[object]) -> tuple[int, ...] | None:
        """Return the cells or variables with these names, in order, or None if one is unknown."""
        usual = _USUAL_CELLS.get(self.columns, {})
        try:
            cells: list[Any] = [*map(usual.get, names)]
        except TypeError:  # an unhashable value isn't a name
            return None
        if None in cells or self.holes or (cells and max(cells) >= self.cells):
            cells = [*map(self.cell_named, names)]
            return None if None in cells else tuple(cells)
        return tuple(cells)

    def cell_at(self, row: int, column: int) -> int | None:
        """Return the cell in a row and a column, counted from 0.

        Returns None for holes and for places beyond the grid.
        """
        cell = row * self.columns + column
        inside = 0 <= row < self.rows and 0 <= column < self.columns
        return cell if inside and cell not in self.holes else None


# The fields that describe a board; the others are derived for the engines.
BOARD_FIELDS = (
    "size", "box", "houses", "links", "constraints", "shape", "holes", "lowest", "variables",
)  # fmt: skip

_DERIVED = {  # the cached properties that depend on a field
    "size": ("rows", "columns", "cells", "solution_size", "numbers", "_variable_cells"),
    "shape": ("rows", "columns", "cells", "solution_size", "_variable_cells"),
    "variables": ("solution_size", "_variable_cells"),
    "lowest": ("numbers",),
    "houses": ("lines",),
}


def place_name(row: int, column: int) -> str:
    """Return the name, such as ``r1c1``, of a row and a column counted from 0."""
    return f"r{row + 1}c{column + 1}"


def place_named(name: object) -> tuple[int, int] | None:
    """Return the row and column, counted from 0, of a name such as ``r1c1``.

    Returns None if `name` isn't such a name. The place may be outside of the grid.
    """
    if not isinstance(name, str):
        return None
    usual = _USUAL_PLACES.get(name)
    if usual is not None:
        return usual
    match = _CELL_NAME.fullmatch(name)
    return None if match is None else (int(match[1]) - 1, int(match[2]) - 1)


def usual_box(size: int) -> tuple[int, int] | None:
    """Return the usual box (rows, columns) of a grid with `size` rows.

    It is as square as possible, and never higher than wide (6 → 2×3). Returns None if the only
    possible box is a whole row (2, 3, 5, 7, 11 …), except for size 1.
    """
    if size == 1:
        return (1, 1)
    rows = max(rows for rows in range(1, int(size**0.5) + 1) if size % rows == 0)
    return None if rows == 1 else (rows, size // rows)


def filling_box(rows: int, columns: int, size: int) -> tuple[int, int] | None:
    """Return the most square box (rows, columns) of `size` cells that fills a grid.

    It is wider than high if both orientations fit. Returns None if only boxes with one row or one
    column fill the grid.
    """
    for short in range(int(size**0.5), 1, -1):
        for box in ((short, size // short), (size // short, short)):
            if size % short == 0 and rows % box[0] == 0 and columns % box[1] == 0:
                return box
    return None
