"""The grid while people solve it: values, candidates, and the singles that wait to be seen."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from solver.compiling.copying import copy, copy_rows
from solver.compiling.jit import bare, compiled, inlined, inner
from solver.compiling.records import new_row
from solver.compiling.words import lowest
from solver.logic.als_storage import SetLinks, Sets, link_fields, set_fields
from solver.logic.board import Board, Ints, Words
from solver.logic.record import PLACE, REMOVE, ROWS, TECHNIQUE

# Places in `counts`: open cells, where each queue of singles begins and ends, cells and values
# without a place, how often the grid has changed, and how often it had when the search that runs
# found nothing.
OPEN, NAKED_FROM, NAKED_TO, HIDDEN_FROM, HIDDEN_TO, BROKEN, CHANGES, SEEN = range(8)


class Grid(Protocol):
    """The state of a board: what has been placed and what is still possible; a numpy record.

    Candidates of a cell are bits, bit 0 for 1. Singles are queued in the order in which they
    come up, as people look where something has just changed: cell and value.
    """

    values: Ints  # (cells,), 0 for an open cell
    given: Ints  # (cells,)
    cells: Words  # (cells,): candidates of a cell, 0 once it has a value
    places: Words  # (size + 1, words): cells that have a value as a candidate
    free: Ints  # (houses, size + 1): how many places a value has in a house
    counts: Words  # (8,), see above
    value_changes: Words  # (size + 1,): CHANGES when a value last lost a place
    house_changes: Words  # (houses,): CHANGES when a cell of a house last lost a candidate
    cell_changes: Words  # (cells,): CHANGES when a cell last lost a candidate
    hopeless: Words  # (size + 1, 2): see `solver.logic.template_filter`
    hopeless_changes: Words  # (size + 1,): CHANGES when those of a value were found
    sets: Sets
    set_links: SetLinks
    naked: Ints  # (2, ·): queue of naked singles
    hidden: Ints  # (2, ·): queue of hidden singles
    data: memoryview  # all of it


def empty_grid(board: Board) -> Grid:
    """Return a grid without givens."""
    cells, size = len(board.allowed), board.house_cells.shape[1] - 1
    houses, words = board.house_sets.shape
    grid: Grid = new_row(
        [
            ("values", "i4", (cells,)),
            ("given", "i4", (cells,)),
            ("cells", "i8", (cells,)),
            ("places", "i8", (size + 1, words)),
            ("free", "i4", (houses, size + 1)),
            ("counts", "i8", (8,)),
            ("value_changes", "i8", (size + 1,)),
            ("house_changes", "i8", (houses,)),
            ("cell_changes", "i8", (cells,)),
            ("hopeless", "i8", (size + 1, 2)),
            ("hopeless_changes", "i8", (size + 1,)),
            ("sets", set_fields(size if words == 2 else 0)),
            ("set_links", link_fields(size if words == 2 else 0)),
            ("naked", "i4", (2, 2 * cells)),
            ("hidden", "i4", (2, 2 * houses * size)),
        ]
    )
    clear(board, grid)
    return grid


def grid_of(
    board: Board, givens: Sequence[int], *, candidates: Sequence[int] | None = None
) -> Grid:
    """Return a grid with givens, and with no other candidates than those, if there are any."""
    grid = empty_grid(board)
    fill(board, grid, np.array(givens, np.int32))
    if candidates is not None:
        keep(board, grid, np.array(candidates, np.uint64).view(np.int64))
    return grid


@compiled
def clear(board: Any, grid: Any) -> None:
    """Make every candidate possible in every cell, and forget all else."""
    full = -1 if board.value_count == 64 else (1 << board.value_count) - 1
    grid.values[:] = 0
    grid.given[:] = 0
    grid.places[:] = 0
    grid.counts[:CHANGES] = 0
    grid.counts[CHANGES] += 1
    grid.value_changes[:] = grid.counts[CHANGES]
    grid.house_changes[:] = grid.counts[CHANGES]
    grid.cell_changes[:] = grid.counts[CHANGES]
    for cell in range(board.cell_count):
        grid.cells[cell] = 0
        if board.allowed[cell]:
            grid.cells[cell] = full
            grid.counts[OPEN] += 1
            if full == 1:
                # Nothing will be removed from a board of one value.
                grid.naked[0, grid.counts[NAKED_TO]] = cell
                grid.naked[1, grid.counts[NAKED_TO]] = 1
                grid.counts[NAKED_TO] += 1
            for value in range(1, board.value_count + 1):
                grid.places[value, cell >> 6] |= 1 << (cell & 63)
    for house in range(board.house_count):
        length = 0
        while board.house_cells[house, length] >= 0:
            length += 1
        for value in range(1, board.value_count + 1):
            grid.free[house, value] = length


@compiled
def fill(board: Any, grid: Any, givens: Any) -> None:
    """Empty a grid and place givens, in reading order."""
    clear(board, grid)
    for cell in range(len(givens)):
        if givens[cell]:
            place(board, grid, cell, givens[cell])
            grid.given[cell] = 1
    keep(board, grid, board.allowed)


@compiled
def keep(board: Any, grid: Any, candidates: Any) -> None:
    """Remove all candidates but some, given as bits by cell."""
    for cell in range(board.cell_count):
        rest = grid.cells[cell] & ~candidates[cell]
        while rest:
            remove(board, grid, cell, lowest(rest) + 1)
            rest &= rest - 1


@bare
def place(board: Any, grid: Any, cell: int, value: int) -> None:
    """Put a value into an open cell; its peers lose the candidate, the cell all of its own."""
    own = grid.cells[cell]
    grid.values[cell] = value
    grid.cells[cell] = 0
    grid.counts[OPEN] -= 1
    grid.counts[CHANGES] += 1
    changes = grid.counts[CHANGES]
    grid.cell_changes[cell] = changes
    word, bit = cell >> 6, 1 << (cell & 63)
    rest = own
    while rest:
        grid.places[lowest(rest) + 1, word] &= ~bit
        grid.value_changes[lowest(rest) + 1] = changes
        rest &= rest - 1
    peer = 0
    while board.peers[cell, peer] >= 0:
        remove(board, grid, board.peers[cell, peer], value)
        peer += 1
    while own:
        candidate = lowest(own) + 1
        own &= own - 1
        number = 0
        while board.cell_houses[cell, number] >= 0:
            house = board.cell_houses[cell, number]
            grid.house_changes[house] = changes
            grid.free[house, candidate] -= 1
            if candidate != value and board.complete[house]:
                if grid.free[house, candidate] == 1:
                    _queue_hidden(board, grid, house, candidate)
                elif grid.free[house, candidate] == 0:
                    grid.counts[BROKEN] += 1
            number += 1


@bare
def remove(board: Any, grid: Any, cell: int, value: int) -> None:
    """Take a candidate out of a cell, if it is there."""
    if not grid.cells[cell] >> (value - 1) & 1:
        return
    grid.cells[cell] &= ~(1 << (value - 1))
    grid.places[value, cell >> 6] &= ~(1 << (cell & 63))
    grid.counts[CHANGES] += 1
    changes = grid.counts[CHANGES]
    grid.value_changes[value] = changes
    grid.cell_changes[cell] = changes
    left = grid.cells[cell]
    if left == 0:
        grid.counts[BROKEN] += 1
        return
    if left & (left - 1) == 0:
        end = grid.counts[NAKED_TO]
        grid.naked[0, end] = cell
        grid.naked[1, end] = lowest(left) + 1
        grid.counts[NAKED_TO] = end + 1
    number = 0
    while board.cell_houses[cell, number] >= 0:
        house = board.cell_houses[cell, number]
        grid.house_changes[house] = changes
        left = grid.free[house, value] - 1
        grid.free[house, value] = left
        if left < 2 and board.complete[house]:
            if left == 1:
                _queue_hidden(board, grid, house, value)
            elif left == 0:
                _forget_hidden(board, grid, house, value)
        number += 1


@inlined
def same_places(grid: Any, value: int) -> Any:
    """Return whether a value has the places that it had when this search found nothing.

    Candidates only go. What had nothing to remove then has nothing to remove now, unless what it
    follows from is new.
    """
    return grid.value_changes[value] <= grid.counts[SEEN]


@inlined
def same_house(grid: Any, house: int) -> Any:
    """Return whether a house has the candidates that it had when this search found nothing."""
    return grid.house_changes[house] <= grid.counts[SEEN]


@bare
def _queue_hidden(board: Any, grid: Any, house: int, value: int) -> None:
    """Queue the only place of a value in a house."""
    for word in range(board.house_sets.shape[1]):
        common = board.house_sets[house, word] & grid.places[value, word]
        if common:
            end = grid.counts[HIDDEN_TO]
            if end < grid.hidden.shape[1]:
                grid.hidden[0, end] = 64 * word + lowest(common)
                grid.hidden[1, end] = value
                grid.counts[HIDDEN_TO] = end + 1
            return


@bare
def _forget_hidden(board: Any, grid: Any, house: int, value: int) -> None:
    """Take the first single of a value in a house out of the queue."""
    end = grid.counts[HIDDEN_TO]
    for place_of in range(grid.counts[HIDDEN_FROM], end):
        cell = grid.hidden[0, place_of]
        if grid.hidden[1, place_of] == value:
            inside = board.house_sets[house, cell >> 6] >> (cell & 63) & 1
            if inside:
                for later in range(place_of + 1, end):
                    grid.hidden[0, later - 1] = grid.hidden[0, later]
                    grid.hidden[1, later - 1] = grid.hidden[1, later]
                grid.counts[HIDDEN_TO] = end - 1
                return


class Saved(NamedTuple):
    """All that changes in a grid when values are placed and candidates removed."""

    values: Ints
    cells: Words
    places: Words
    free: Ints
    counts: Words
    naked: Ints
    hidden: Ints
    value_changes: Words
    house_changes: Words
    cell_changes: Words


@inner
def saved(grid: Any) -> Any:
    """Return what a grid is now."""
    return Saved(
        grid.values.copy(),
        grid.cells.copy(),
        grid.places.copy(),
        grid.free.copy(),
        grid.counts.copy(),
        grid.naked.copy(),
        grid.hidden.copy(),
        grid.value_changes.copy(),
        grid.house_changes.copy(),
        grid.cell_changes.copy(),
    )


@inner
def restore(before: Any, grid: Any) -> None:
    """Make a grid what it was."""
    copy(before.values, grid.values)
    copy(before.cells, grid.cells)
    copy_rows(before.places, grid.places)
    copy_rows(before.free, grid.free)
    copy(before.counts, grid.counts)
    copy_rows(before.naked, grid.naked)
    copy_rows(before.hidden, grid.hidden)
    copy(before.value_changes, grid.value_changes)
    copy(before.house_changes, grid.house_changes)
    copy(before.cell_changes, grid.cell_changes)


@compiled
def perform(board: Any, grid: Any, buffer: Any) -> None:
    """Do what the first deduction in a buffer says: place its values, or remove its candidates.

    The buffer is laid out as in `solver.logic.record`.
    """
    row = ROWS + 3
    while row < buffer[0] and buffer[row] != TECHNIQUE:
        cell, value = buffer[row + 1], buffer[row + 2]
        if buffer[row] == PLACE and grid.values[cell] == 0:
            place(board, grid, cell, value)
        elif buffer[row] == REMOVE:
            remove(board, grid, cell, value)
        row += 3
