"""The grid during solving: values, candidates, the queued singles, and what changed when."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from solver.compiling.array_loops import copy, copy_rows
from solver.compiling.bitops import ctz
from solver.compiling.jit import always_inline, compiled, helper, kernel
from solver.compiling.records import Record, new_record
from solver.logic.almost_locked_sets.storage import SetLinks, Sets, link_fields, set_fields
from solver.logic.board import Board, Ints, Words
from solver.logic.deduction_buffer import END, ROWS
from solver.logic.deduction_rows import PLACE, REMOVE, TECHNIQUE

# Indices into `counts`: the number of open cells; the begin and end of each queue of singles; the
# number of contradictions (cells without candidates, values without places); the number of changes
# so far; and that number when the running search last found nothing.
OPEN, NAKED_FROM, NAKED_TO, HIDDEN_FROM, HIDDEN_TO, BROKEN, CHANGES, SEEN = range(8)
QUEUED_CELL, QUEUED_VALUE = range(2)  # rows of a queue


class Grid(Record):
    """The state of a board, as a numpy record: placed values and remaining candidates.

    The candidates of a cell are bits, bit 0 for value 1. Singles are queued as (cell, value) in the
    order in which they arise, because people look first where something has just changed.

        values              by cell: the placed value, 0 for an open cell
        given               by cell: 1 for a given
        cells               by cell: the candidates, 0 once the cell has a value
        places              by value: the cells that have it as a candidate, as words
        free                (houses, size + 1): the number of places for a value in a house
        counts              (8,): OPEN (open cells), NAKED_FROM, NAKED_TO, HIDDEN_FROM, HIDDEN_TO
                            (the ranges of the queues that are in use), BROKEN (contradictions),
                            CHANGES (changes so far), SEEN (CHANGES when the running search last
                            found nothing)
        value_changes       by value: CHANGES when it last lost a place
        house_changes       by house: CHANGES when one of its cells last lost a candidate
        cell_changes        by cell: CHANGES when it last lost a candidate
        eliminable          by value: its eliminable candidates (see `solver.logic.template_filter`)
        eliminable_changes  by value: CHANGES when `eliminable` was computed
        sets, set_links     the almost locked sets and their links (see `almost_locked_sets.search`)
        naked, hidden       (2, ·): the queues of naked and hidden singles: cells, values
    """

    values: Ints
    given: Ints
    cells: Words
    places: Words
    free: Ints
    counts: Words
    value_changes: Words
    house_changes: Words
    cell_changes: Words
    eliminable: Words
    eliminable_changes: Words
    sets: Sets
    set_links: SetLinks
    naked: Ints
    hidden: Ints


def empty_grid(board: Board) -> Grid:
    """Return a new grid for a board, without givens and with all candidates.

    Only boards for which `technique.small_board` holds get room for almost locked sets.
    """
    cells, size = len(board.allowed), board.house_cells.shape[1] - 1
    houses, words = board.house_sets.shape
    grid = new_record(
        Grid,
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
            ("eliminable", "i8", (size + 1, 2)),
            ("eliminable_changes", "i8", (size + 1,)),
            ("sets", set_fields(size if words == 2 else 0)),
            ("set_links", link_fields(size if words == 2 else 0)),
            ("naked", "i4", (2, 2 * cells)),
            ("hidden", "i4", (2, 2 * houses * size)),
        ],
    )
    clear(board, grid)
    return grid


def grid_of(
    board: Board, givens: Sequence[int], *, candidates: Sequence[int] | None = None
) -> Grid:
    """Return a grid with the givens (0 for empty cells).

    If `candidates` (bits by cell) are passed, all other candidates are removed.
    """
    grid = empty_grid(board)
    fill(board, grid, np.array(givens, np.int32))
    if candidates is not None:
        keep(board, grid, np.array(candidates, np.uint64).view(np.int64))
    return grid


@compiled
def clear(board: Board, grid: Grid) -> None:
    """Empty the grid: remove all values, restore all candidates, and clear the queues.

    Every cell except holes gets all values as candidates, even those that the rules exclude.
    `grid.counts[CHANGES]` isn't reset but incremented, and everything counts as changed.
    """
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
                # With a single value, no removal will ever queue these singles.
                grid.naked[QUEUED_CELL, grid.counts[NAKED_TO]] = cell
                grid.naked[QUEUED_VALUE, grid.counts[NAKED_TO]] = 1
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
def fill(board: Board, grid: Grid, givens: Ints) -> None:
    """Empty the grid and place the givens in reading order.

    Candidates that the rules exclude (see `Board.allowed`) are removed afterwards.
    """
    clear(board, grid)
    for cell in range(len(givens)):
        if givens[cell]:
            place(board, grid, cell, givens[cell])
            grid.given[cell] = 1
    keep(board, grid, board.allowed)


@compiled
def keep(board: Board, grid: Grid, candidates: Words) -> None:
    """Remove all candidates of the grid except those in `candidates` (bits by cell).

    Singles that arise are queued.
    """
    for cell in range(board.cell_count):
        rest = grid.cells[cell] & ~candidates[cell]
        while rest:
            remove(board, grid, cell, ctz(rest) + 1)
            rest &= rest - 1


@kernel
def place(board: Board, grid: Grid, cell: int, value: int) -> None:
    """Place a value in an open cell, and remove it from the candidates of the cell's peers.

    Singles that arise are queued. Contradictions are added to `grid.counts[BROKEN]`: peers that
    have no candidates left, and values that have no place left in a house of the cell.
    """
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
        grid.places[ctz(rest) + 1, word] &= ~bit
        grid.value_changes[ctz(rest) + 1] = changes
        rest &= rest - 1
    peer = 0
    while board.peers[cell, peer] >= 0:
        remove(board, grid, board.peers[cell, peer], value)
        peer += 1
    while own:
        candidate = ctz(own) + 1
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


@kernel
def remove(board: Board, grid: Grid, cell: int, value: int) -> None:
    """Remove a candidate from a cell. Do nothing if the cell doesn't have the candidate.

    Singles that arise are queued. If no candidate is left, `grid.counts[BROKEN]` is incremented,
    and the houses of the cell aren't updated. A value without a place in a house isn't counted
    there, but its queued hidden single is dropped.
    """
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
        grid.naked[QUEUED_CELL, end] = cell
        grid.naked[QUEUED_VALUE, end] = ctz(left) + 1
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


@always_inline
def is_value_unchanged(grid: Grid, value: int) -> Any:
    """Return whether a value lost no place since the search last found nothing.

    The running search can then skip the value. Candidates are never restored during a search, so
    the value's places are the same, and no new pattern of them can have arisen.
    """
    return grid.value_changes[value] <= grid.counts[SEEN]


@always_inline
def is_house_unchanged(grid: Grid, house: int) -> Any:
    """Return whether a house lost no candidate since the search last found nothing.

    The running search can then skip the house.
    """
    return grid.house_changes[house] <= grid.counts[SEEN]


@kernel
def _queue_hidden(board: Board, grid: Grid, house: int, value: int) -> None:
    """Queue the hidden single: the first cell of the house that has the value as a candidate.

    Does nothing if the queue is full.
    """
    for word in range(board.house_sets.shape[1]):
        common = board.house_sets[house, word] & grid.places[value, word]
        if common:
            end = grid.counts[HIDDEN_TO]
            if end < grid.hidden.shape[1]:
                grid.hidden[QUEUED_CELL, end] = 64 * word + ctz(common)
                grid.hidden[QUEUED_VALUE, end] = value
                grid.counts[HIDDEN_TO] = end + 1
            return


@kernel
def _forget_hidden(board: Board, grid: Grid, house: int, value: int) -> None:
    """Remove the first queued hidden single that has this value and a cell in the house, if any.

    This is called when no cell of the house has the value as a candidate anymore.
    """
    end = grid.counts[HIDDEN_TO]
    for position in range(grid.counts[HIDDEN_FROM], end):
        cell = grid.hidden[QUEUED_CELL, position]
        if grid.hidden[QUEUED_VALUE, position] == value:
            inside = board.house_sets[house, cell >> 6] >> (cell & 63) & 1
            if inside:
                for later in range(position + 1, end):
                    grid.hidden[QUEUED_CELL, later - 1] = grid.hidden[QUEUED_CELL, later]
                    grid.hidden[QUEUED_VALUE, later - 1] = grid.hidden[QUEUED_VALUE, later]
                grid.counts[HIDDEN_TO] = end - 1
                return


class Saved(NamedTuple):
    """A copy of the parts of a grid that placements and eliminations change."""

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


@helper
def saved(grid: Grid) -> Any:
    """Return a copy of the parts of the grid that deductions change, for `restore`."""
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


@helper
def restore(before: Saved, grid: Grid) -> None:
    """Reset the grid to the saved state `before`."""
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
def perform(board: Board, grid: Grid, buffer: Ints) -> None:
    """Apply the first deduction in a buffer to the grid.

    Places its values and removes its candidates. Values for filled cells are ignored.
    `solver.logic.deduction_buffer` describes the buffer.
    """
    row = ROWS + 3
    while row < buffer[END] and buffer[row] != TECHNIQUE:
        cell, value = buffer[row + 1], buffer[row + 2]
        if buffer[row] == PLACE and grid.values[cell] == 0:
            place(board, grid, cell, value)
        elif buffer[row] == REMOVE:
            remove(board, grid, cell, value)
        row += 3
