"""The seam of logic: what every technique is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from solver.logic.board import Board, Ints
from solver.logic.grid import SEEN, Grid
from solver.logic.record import ROWS


def any_board(board: Board) -> bool:  # noqa: ARG001
    """Return True: there is no board where it would be wrong."""
    return True


def small_board(board: Board) -> bool:
    """Return whether a set of cells is two words, as much as the search can hold."""
    return bool(board.house_sets.shape[1] == 2)


def boxed_board(board: Board) -> bool:
    """Return whether all houses are rows, columns and boxes, each complete, in that order."""
    return bool(board.boxed)


def plain_board(board: Board) -> bool:
    """Return whether nothing but rows, columns and boxes says what a cell may be.

    Only there may the values of a deadly pattern be swapped.
    """
    return small_board(board) and bool(board.plain)


class Technique(Protocol):
    """A way to find deductions; those that one search finds are one technique.

    A found deduction is written to a buffer (see `solver.logic.record`); nothing is applied.
    """

    @property
    def codes(self) -> tuple[str, ...]:
        """The entries in `solver.logic.table` that it can find."""
        ...

    @property
    def swaps(self) -> bool:
        """Whether it reasons that values could be swapped, and so with the only solution."""
        ...

    @property
    def searches(self) -> Sequence[tuple[Callable[..., Any], tuple[int, ...]]]:
        """What `first` calls, one after the other: compiled functions and their arguments."""
        ...

    def applies(self, board: Board) -> bool:
        """Return whether it is sound, and known, on a board."""
        ...

    def first(self, board: Board, grid: Grid, buffer: Ints) -> bool:
        """Write the deduction that HoDoKu would choose; return whether there is one."""
        ...

    def every(self, board: Board, grid: Grid, buffer: Ints) -> None:
        """Write all deductions; `buffer[2]` tells that there was no room for all."""
        ...


@dataclass(frozen=True, slots=True)
class Search:
    """A technique whose search is a compiled function (board, grid, buffer, every, *arguments).

    `every` is 0 to stop at the deduction that HoDoKu would choose, 1 to write down all of them.
    `prepares` are such functions, too, without arguments: they find what some searches share, and
    keep it in the grid until that changes.
    """

    codes: tuple[str, ...]
    find: Callable[..., Any]
    arguments: tuple[int, ...] = ()
    suits: Callable[[Board], bool] = any_board
    prepares: tuple[Callable[..., Any], ...] = ()

    @property
    def swaps(self) -> bool:
        """Whether it reasons that values could be swapped, and so with the only solution."""
        return self.suits is plain_board

    @property
    def searches(self) -> Sequence[tuple[Callable[..., Any], tuple[int, ...]]]:
        """What `first` calls, one after the other: compiled functions and their arguments."""
        return (*((prepare, ()) for prepare in self.prepares), (self.find, self.arguments))

    def applies(self, board: Board) -> bool:
        """Return whether it is sound, and known, on a board."""
        return self.suits(board)

    def first(self, board: Board, grid: Grid, buffer: Ints) -> bool:
        """Write the deduction that HoDoKu would choose; return whether there is one."""
        self._search(board, grid, buffer, 0)
        return bool(buffer[1])

    def every(self, board: Board, grid: Grid, buffer: Ints) -> None:
        """Write all deductions; `buffer[2]` tells that there was no room for all."""
        self._search(board, grid, buffer, 1)

    def _search(self, board: Board, grid: Grid, buffer: Ints, every: int) -> None:
        buffer[:ROWS] = ROWS, 0, 0
        grid.counts[SEEN] = 0
        for prepare in self.prepares:
            prepare(board, grid, buffer, every)
        self.find(board, grid, buffer, every, *self.arguments)
