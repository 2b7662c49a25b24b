"""The `Technique` interface, its implementation `Search`, and tests of boards for techniques."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from solver.logic.board import Board, Ints
from solver.logic.deduction_buffer import DEDUCTIONS, ROWS
from solver.logic.grid import SEEN, Grid


def any_board(board: Board) -> bool:  # noqa: ARG001
    """Return True for every board, for techniques that are sound on all of them."""
    return True


def small_board(board: Board) -> bool:
    """Return whether each set of cells of this board is stored as two 64-bit words.

    Such a board has at most 128 cells. But not every board with so few cells has two words per set,
    because the number of words depends on the board's size class (see `solver.logic.board_tables`).
    For example, a board with 81 cells and 100 houses has more.
    """
    return bool(board.house_sets.shape[1] == 2)


def boxed_board(board: Board) -> bool:
    """Return whether the houses are exactly rows, columns, and boxes, in order and complete."""
    return bool(board.boxed)


def plain_board(board: Board) -> bool:
    """Return whether rows, columns, and boxes are the only rules, on a board of at most 128 cells.

    Only then can the values of a deadly pattern be swapped.
    """
    return small_board(board) and bool(board.plain)


class Technique(Protocol):
    """A technique, or several that the same search finds.

    A search writes its deductions to a buffer (see `solver.logic.deduction_buffer`) and applies
    nothing.
    """

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the techniques that it finds, as in `solver.logic.technique_table`."""
        ...

    @property
    def relies_on_uniqueness(self) -> bool:
        """Whether the technique is sound only for puzzles that have exactly one solution."""
        ...

    @property
    def searches(self) -> Sequence[tuple[Callable[..., Any], tuple[int, ...]]]:
        """The compiled functions that `first_step` calls, in order, with their extra arguments."""
        ...

    def applies(self, board: Board) -> bool:
        """Return whether the technique is sound and implemented for a board."""
        ...

    def first_step(self, board: Board, grid: Grid, buffer: Ints) -> bool:
        """Write HoDoKu's choice of deduction to the buffer. Return whether there is one.

        The buffer is cleared first. The grid's values and candidates don't change.
        """
        ...

    def all_steps(self, board: Board, grid: Grid, buffer: Ints) -> None:
        """Write all deductions of the technique to the buffer.

        The buffer is cleared first. Sets `buffer[OVERFLOW]` to 1 if it is too small.
        """
        ...


@dataclass(frozen=True, slots=True)
class Search:
    """A technique whose search is a compiled function.

    The function `find` is called with board, grid, buffer, all_steps, and the `arguments`.
    `all_steps` is 0 to stop at the deduction that HoDoKu would choose, and 1 to write all of them.
    `is_suitable` returns whether the technique is sound and implemented for a board. `prepares` are
    functions like `find`, but without `arguments`. They compute data that several searches share,
    and cache it in the grid until that changes.
    """

    codes: tuple[str, ...]
    find: Callable[..., Any]
    arguments: tuple[int, ...] = ()
    is_suitable: Callable[[Board], bool] = any_board
    prepares: tuple[Callable[..., Any], ...] = ()

    @property
    def relies_on_uniqueness(self) -> bool:
        """Whether the technique is sound only for puzzles that have exactly one solution."""
        return self.is_suitable is plain_board

    @property
    def searches(self) -> Sequence[tuple[Callable[..., Any], tuple[int, ...]]]:
        """The compiled functions that `first_step` calls, in order, with their extra arguments.

        They are the functions in `prepares`, then `find`.
        """
        return (*((prepare, ()) for prepare in self.prepares), (self.find, self.arguments))

    def applies(self, board: Board) -> bool:
        """Return whether the technique is sound and implemented for a board."""
        return self.is_suitable(board)

    def first_step(self, board: Board, grid: Grid, buffer: Ints) -> bool:
        """Write HoDoKu's choice of deduction to the buffer. Return whether there is one.

        The buffer is cleared first. The grid's values and candidates don't change.
        """
        self._search(board, grid, buffer, 0)
        return bool(buffer[DEDUCTIONS])

    def all_steps(self, board: Board, grid: Grid, buffer: Ints) -> None:
        """Write all deductions of the technique to the buffer.

        The buffer is cleared first. Sets `buffer[OVERFLOW]` to 1 if it is too small.
        """
        self._search(board, grid, buffer, 1)

    def _search(self, board: Board, grid: Grid, buffer: Ints, all_steps: int) -> None:
        buffer[:ROWS] = ROWS, 0, 0
        grid.counts[SEEN] = 0
        for prepare in self.prepares:
            prepare(board, grid, buffer, all_steps)
        self.find(board, grid, buffer, all_steps, *self.arguments)
