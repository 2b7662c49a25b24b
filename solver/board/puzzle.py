"""A puzzle, and the value for a record that isn't one."""

from dataclasses import dataclass, field

import numpy as np

from solver.board.html import board_table
from solver.board.layout import Layout
from solver.board.pencil_marks import restrict
from solver.board.symbols import Symbols


@dataclass(frozen=True, slots=True, eq=False)
class Puzzle:
    """A board with its givens: one value 1…N per cell in reading order, 0 = empty.

    `candidates` are the puzzle's pencil marks: the values allowed in each cell as a bit mask
    (bit 0 = value 1), or None. Marks that exclude nothing beyond the givens become None.
    `name` is the id, name, or title that the record carries in its upload, or None.

    Two puzzles are equal if their boards, givens, symbols, and candidates are, whatever their
    names.
    """

    layout: Layout
    givens: tuple[int, ...]
    symbols: Symbols
    candidates: tuple[int, ...] | None = None
    name: str | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if self.candidates is not None:
            givens = np.array([self.givens], np.uint8)
            masks = np.array([self.candidates], np.uint64)
            if not restrict(self.layout, givens, masks)[0]:
                object.__setattr__(self, "candidates", None)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Puzzle):
            return NotImplemented
        return (
            self.givens == other.givens
            and self.symbols == other.symbols
            and self.candidates == other.candidates
            and self.layout.is_same_board(other.layout)
        )

    def __hash__(self) -> int:
        return hash((self.givens, self.symbols, self.candidates))

    def __str__(self) -> str:
        return self.symbols.write(self.givens)

    def _repr_html_(self) -> str:
        return board_table(self.layout, self.symbols, self.givens)


@dataclass(frozen=True, slots=True)
class Invalid:
    """A record that isn't a valid puzzle.

    `detail` describes the fault and its place. `text` is the record's text, shortened. `name` is
    the id, name, or title that the record carries in its upload, or None.
    """

    detail: str
    text: str = ""
    name: str | None = field(default=None, kw_only=True)
