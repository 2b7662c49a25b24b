"""What the user writes for a value, and for a blank."""

from collections.abc import Sequence
from dataclasses import dataclass

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
        return cls(tuple(str(value) for value in range(1, size + 1)), blank)

    @property
    def separator(self) -> str:
        """Return what stands between two cells of a written grid: nothing, or one space."""
        return "" if all(len(symbol) == 1 for symbol in (*self.values, self.blank)) else " "

    def write(self, cells: Sequence[int]) -> str:
        """Return the cells (0 = blank) as one line of text."""
        table = (self.blank, *self.values)
        return self.separator.join([table[cell] for cell in cells])
