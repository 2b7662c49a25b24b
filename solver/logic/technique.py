"""The seam of logic: what every technique is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from solver.logic.board import BOX, COLUMN, ROW, Board, Ints
from solver.logic.grid import Grid
from solver.logic.record import ROWS


def any_board(board: Board) -> bool:  # noqa: ARG001
    """Return True: there is no board where it would be wrong."""
    return True


def small_board(board: Board) -> bool:
    """Return whether a set of cells is two words, as much as the search can hold."""
    return bool(board.house_sets.shape[1] == 2)


def boxed_board(board: Board) -> bool:
    """Return whether all houses are rows, columns and boxes, each complete, in that order."""
    size = board.value_count
    usual = [kind for kind in (ROW, COLUMN, BOX) for _ in range(size)]
    kinds = board.kinds[: board.house_count].tolist()
    return small_board(board) and kinds == usual and int(board.complete.sum()) == 3 * size


def plain_board(board: Board) -> bool:
    """Return whether nothing but rows, columns and boxes says which cells differ.

    Only there may the values of a deadly pattern be swapped.
    """
    if not boxed_board(board):
        return False
    peers = [
        set(board.house_cells[board.lines[:, cell]].ravel()) - {-1, cell}
        for cell in range(board.cell_count)
    ]
    rows = board.peers[: board.cell_count]
    return all(set(row) - {-1} == seen for row, seen in zip(rows, peers, strict=True))


class Technique(Protocol):
    """A way to find deductions; those of one module share a search and so are one technique.

    A found deduction is written to a buffer (see `solver.logic.record`); nothing is applied.
    """

    @property
    def codes(self) -> tuple[str, ...]:
        """The entries in `solver.logic.table` that it can find."""
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
    """

    codes: tuple[str, ...]
    find: Callable[..., Any]
    arguments: tuple[int, ...] = ()
    suits: Callable[[Board], bool] = any_board

    def applies(self, board: Board) -> bool:
        """Return whether it is sound, and known, on a board."""
        return self.suits(board)

    def first(self, board: Board, grid: Grid, buffer: Ints) -> bool:
        """Write the deduction that HoDoKu would choose; return whether there is one."""
        buffer[:ROWS] = ROWS, 0, 0
        self.find(board, grid, buffer, 0, *self.arguments)
        return bool(buffer[1])

    def every(self, board: Board, grid: Grid, buffer: Ints) -> None:
        """Write all deductions; `buffer[2]` tells that there was no room for all."""
        buffer[:ROWS] = ROWS, 0, 0
        self.find(board, grid, buffer, 1, *self.arguments)
