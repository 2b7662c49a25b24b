"""The seam of logic: what every technique is."""

from typing import Protocol

from solver.logic.board import Board, Ints
from solver.logic.grid import Grid


class Technique(Protocol):
    """A way to find deductions; those of one module share a search and so are one technique.

    A found deduction is written to a buffer (see `solver.logic.record`); nothing is applied.
    """

    codes: tuple[str, ...]  # of the entries in `solver.logic.table` that it can find

    def applies(self, board: Board) -> bool:
        """Return whether it is sound, and known, on a board."""
        ...

    def first(self, board: Board, grid: Grid, buffer: Ints) -> bool:
        """Write the deduction that HoDoKu would choose; return whether there is one."""
        ...

    def every(self, board: Board, grid: Grid, buffer: Ints) -> None:
        """Write all deductions; `buffer[2]` tells that there was no room for all."""
        ...
