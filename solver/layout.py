"""The constraint graph of a board: its cells and the houses whose cells must all differ."""

from dataclasses import dataclass
from functools import cache

MAX_SIZE = 64


@dataclass(frozen=True, slots=True)
class House:
    """A set of cells that must all differ; as many cells as there are values."""

    kind: str  # "row", "column", "box", or what a variant adds
    number: int  # counted from 1
    cells: tuple[int, ...]

    @property
    def name(self) -> str:
        """The name in messages, such as ``row 3``."""
        return f"{self.kind} {self.number}"


@dataclass(frozen=True, slots=True)
class Links:
    """Pairs of cells that must differ, all of them `kind` apart (a knight's move, say)."""

    kind: str
    pairs: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The board of a puzzle: `size` values, size × size cells, the houses, and the links.

    A cell is an index 0…size²−1 in reading order, shown as r1c1. Layouts are made once per
    kind, by `Layout.boxed` and `solver.variants.with_variants`, so they can be compared by
    identity and used as keys.
    """

    size: int
    box: tuple[int, int]  # rows and columns of one box
    houses: tuple[House, ...]
    links: tuple[Links, ...] = ()

    @staticmethod
    @cache
    def boxed(rows: int, columns: int) -> "Layout":
        """Return the layout whose boxes have the given rows and columns.

        Raises ValueError unless 1 ≤ rows × columns ≤ 64.
        """
        size = rows * columns
        if rows < 1 or columns < 1 or size > MAX_SIZE:
            raise ValueError(f"a box of {rows}x{columns} does not fit sizes 1 to {MAX_SIZE}")
        cells = range(size * size)

        def houses(kind: str, number_of: list[int]) -> list[House]:
            return [
                House(kind, number + 1, tuple(cell for cell in cells if number_of[cell] == number))
                for number in range(size)
            ]

        row_of = [cell // size for cell in cells]
        column_of = [cell % size for cell in cells]
        # Boxes are numbered in reading order: `rows` boxes side by side make a band.
        box_of = [
            row // rows * rows + column // columns
            for row, column in zip(row_of, column_of, strict=True)
        ]
        return Layout(
            size=size,
            box=(rows, columns),
            houses=(
                *houses("row", row_of),
                *houses("column", column_of),
                *houses("box", box_of),
            ),
        )

    @property
    def cells(self) -> int:
        """The number of cells."""
        return self.size * self.size

    def cell_name(self, cell: int) -> str:
        """Return the name of a cell in messages, such as ``r1c1``."""
        return f"r{cell // self.size + 1}c{cell % self.size + 1}"


def usual_box(size: int) -> tuple[int, int] | None:
    """Return the usual box of a grid with `size` rows: square, or wider than high (6 → 2×3).

    None where the only box would be a whole row (2, 3, 5, 7, 11 …), except for size 1.
    """
    if size == 1:
        return (1, 1)
    rows = max(rows for rows in range(1, int(size**0.5) + 1) if size % rows == 0)
    return None if rows == 1 else (rows, size // rows)
