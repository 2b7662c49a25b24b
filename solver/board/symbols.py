"""The symbols that the user wrote for values and empty cells."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.board.text_lines import Lines

# The usual symbols: digits up to 9, then letters. Boards of 36 values or more use numbers.
_LETTERS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Symbols:
    """The symbol of each value 1…N, in order, and of an empty cell.

    Grids are written without separators if every symbol is one character, else with one space
    between symbols.
    """

    values: tuple[str, ...]
    blank: str = "."

    @classmethod
    def usual(cls, size: int, *, blank: str = ".") -> "Symbols":
        """Return the symbols 1…9, A, B, C … for `size` values, or numbers from 36 values on.

        `blank` is the symbol of an empty cell.
        """
        if size <= len(_LETTERS):
            return cls(tuple(_LETTERS[:size]), blank)
        return cls.numbers(size, blank=blank)

    @classmethod
    def numbers(cls, size: int, *, blank: str = ".") -> "Symbols":
        """Return the numbers 1 to `size` as symbols, and `blank` as that of an empty cell."""
        return cls(tuple(str(value) for value in range(1, size + 1)), blank)

    @property
    def separator(self) -> str:
        """The separator between two cells of a written grid: nothing, or one space."""
        return "" if all(len(symbol) == 1 for symbol in (*self.values, self.blank)) else " "

    def write(self, cells: Sequence[int]) -> str:
        """Return the cells (0 = empty) as one line of text."""
        table = (self.blank, *self.values)
        return self.separator.join([table[cell] for cell in cells])

    def split(self, text: str) -> list[str]:
        """Split one grid, as text in the format of `write`, into the symbols of its cells."""
        return text.split(" ") if self.separator else list(text)

    def read(self, text: str) -> tuple[int, ...]:
        """Return the values of the cells of a grid, given in the format of `write`.

        The symbol of an empty cell, and any unknown symbol, becomes 0.
        """
        value_of = {symbol: value for value, symbol in enumerate(self.values, 1)}
        return tuple(value_of.get(cell, 0) for cell in self.split(text))

    def write_many(self, grids: NDArray[np.uint8]) -> Lines:
        """Return grids (n, cells) as n lines of text; fast if all symbols are ASCII."""
        table = (self.blank, *self.values)
        if not all(len(symbol) == 1 and symbol.isascii() for symbol in table):
            return Lines("\n".join([self.write(grid) for grid in grids.tolist()]))
        return Lines.of_grids(np.ascontiguousarray(grids), "".join(table).encode("ascii"))
