"""What the user writes for a value, and for a blank."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.board.text_lines import Lines

# The usual symbols by size: digits to 9, then letters; from 36 on, numbers.
_LETTERS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Symbols:
    """The symbol of each value 1…N, in order, and of a blank cell.

    Grids are written without separators when every symbol is one character, else as tokens
    with one space between them.
    """

    values: tuple[str, ...]
    blank: str = "."

    @classmethod
    def usual(cls, size: int, *, blank: str = ".") -> "Symbols":
        """Return 1…9, then A, B, C …; numbers where the letters do not suffice."""
        if size <= len(_LETTERS):
            return cls(tuple(_LETTERS[:size]), blank)
        return cls.numbers(size, blank=blank)

    @classmethod
    def numbers(cls, size: int, *, blank: str = ".") -> "Symbols":
        """Return the numbers from 1 on."""
        return cls(tuple(str(value) for value in range(1, size + 1)), blank)

    @property
    def separator(self) -> str:
        """Return what stands between two cells of a written grid: nothing, or one space."""
        return "" if all(len(symbol) == 1 for symbol in (*self.values, self.blank)) else " "

    def write(self, cells: Sequence[int]) -> str:
        """Return the cells (0 = blank) as one line of text."""
        table = (self.blank, *self.values)
        return self.separator.join([table[cell] for cell in cells])

    def split(self, text: str) -> list[str]:
        """Return what stands in each cell of a grid that `write` wrote."""
        return text.split(" ") if self.separator else list(text)

    def read(self, text: str) -> tuple[int, ...]:
        """Return the cells of a grid that `write` wrote; 0 for what is no value."""
        value_of = {symbol: value for value, symbol in enumerate(self.values, 1)}
        return tuple(value_of.get(cell, 0) for cell in self.split(text))

    def write_many(self, grids: NDArray[np.uint8]) -> Lines:
        """Return grids (n, cells) as n lines of text; fast where all symbols are ASCII."""
        table = (self.blank, *self.values)
        if not all(len(symbol) == 1 and symbol.isascii() for symbol in table):
            return Lines("\n".join([self.write(grid) for grid in grids.tolist()]))
        return Lines.of_grids(np.ascontiguousarray(grids), "".join(table).encode("ascii"))
