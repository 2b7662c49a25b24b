"""A puzzle, and the checks that share no code with any engine."""

from dataclasses import dataclass

from solver.board.layout import Layout
from solver.board.symbols import Symbols


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A layout with its givens, one value 0…N per cell in reading order (0 = blank).

    `candidates` are the values that the puzzle leaves to each cell, as bits, bit 0 for 1;
    None where it says nothing of them.
    """

    layout: Layout
    givens: tuple[int, ...]
    symbols: Symbols
    candidates: tuple[int, ...] | None = None

    def __str__(self) -> str:
        return self.symbols.write(self.givens)


@dataclass(frozen=True, slots=True)
class Invalid:
    """A record that is no puzzle: `detail` names the place and the reason."""

    detail: str
    text: str = ""  # what was read, shortened
