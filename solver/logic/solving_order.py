"""Run the searches of the solving order in compiled code.

Each search skips values and houses that have not changed since it last found nothing.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numba import from_dtype, types

from solver.compiling.indirect_calls import call_address, entry_address
from solver.compiling.jit import compiled, helper
from solver.engines.engine import ABANDON, StopFlag
from solver.logic.board import Board, Ints, Words
from solver.logic.deduction_buffer import DEDUCTIONS, FIRST_CODE, reset
from solver.logic.grid import CHANGES, OPEN, SEEN, Grid, perform
from solver.logic.technique import Technique
from solver.logic.techniques.singles import find_full_house, find_hidden_single, find_naked_single

_ADDRESS, _ARITY, _ALL_STEPS, _ARGUMENTS = range(4)  # columns of `SearchTable.rows`
_MOST_ARGUMENTS = 3


class SearchTable(NamedTuple):
    """Techniques as a table of searches, with the state of each search on one grid.

    Each row of `rows` contains the address of a search's compiled function, its number of
    additional arguments, `all_steps`, and three arguments. `seen` contains, by search, the grid's
    CHANGES when the search last found nothing.
    """

    rows: Words
    seen: Words


def search_table_of(techniques: Sequence[Technique], board: Board, grid: Grid) -> SearchTable:
    """Return the search table of some techniques.

    Compiles the searches that aren't compiled yet.
    """
    records: Any = board, grid
    rows = _rows(tuple(techniques), *(record.dtype for record in records))
    return SearchTable(rows, np.zeros(len(rows), np.int64))


@lru_cache(maxsize=16)
def _rows(techniques: tuple[Technique, ...], board: np.dtype[Any], grid: np.dtype[Any]) -> Words:
    """Return the rows of the search table of some techniques, one row per search.

    `board` and `grid` are the record types for which the searches are compiled.
    """
    searches = [search for technique in techniques for search in technique.searches]
    rows = np.zeros((len(searches), _ARGUMENTS + _MOST_ARGUMENTS), np.int64)
    common = from_dtype(board), from_dtype(grid), types.int32[::1], types.int64
    for row, (find, arguments) in zip(rows, searches, strict=True):
        row[_ADDRESS] = entry_address(find, common + (types.int64,) * len(arguments))
        row[_ARITY] = len(arguments)
        row[_ARGUMENTS : _ARGUMENTS + len(arguments)] = arguments
    return rows


@compiled
def apply_all(
    board: Board, grid: Grid, buffer: Ints, search_table: SearchTable, counts: Words, stop: StopFlag
) -> bool:
    """Solve the grid as far as the techniques get. Return whether it is filled.

    Singles are placed first, without the table. Returns False if no technique finds anything or if
    `stop` is ABANDON. Adds 1 to `counts[code]` for each deduction applied, singles included.
    """
    while _take_singles(board, grid, buffer, counts):
        if not _find_first(board, grid, buffer, search_table, stop):
            return False
        counts[buffer[FIRST_CODE]] += 1
        perform(board, grid, buffer)
    return True


@helper
def _take_singles(board: Board, grid: Grid, buffer: Ints, counts: Words) -> bool:
    """Place singles until none are left. Return whether cells are still open.

    `counts` is incremented for each single, by its technique code.
    """
    while grid.counts[OPEN]:
        reset(buffer)
        find_full_house(board, grid, buffer, 0)
        if buffer[DEDUCTIONS] == 0:
            find_naked_single(board, grid, buffer, 0)
        if buffer[DEDUCTIONS] == 0:
            find_hidden_single(board, grid, buffer, 0)
        if buffer[DEDUCTIONS] == 0:
            return True
        counts[buffer[FIRST_CODE]] += 1
        perform(board, grid, buffer)
    return False


@helper
def _find_first(
    board: Board, grid: Grid, buffer: Ints, search_table: SearchTable, stop: StopFlag
) -> bool:
    """Run the searches in order until one writes a deduction. Return whether one did.

    The buffer is cleared before each search. `search_table.seen` is updated for the searches that
    find nothing. Returns False as well if `stop` is ABANDON.
    """
    for number in range(len(search_table.rows)):
        if stop[0] == ABANDON:
            return False
        row = search_table.rows[number]
        address, arguments, all_steps = row[_ADDRESS], row[_ARITY], row[_ALL_STEPS]
        reset(buffer)
        first, second, third = row[_ARGUMENTS], row[_ARGUMENTS + 1], row[_ARGUMENTS + 2]
        grid.counts[SEEN] = search_table.seen[number]
        if arguments == 0:
            call_address(address, (board, grid, buffer, all_steps))
        elif arguments == 1:
            call_address(address, (board, grid, buffer, all_steps, first))
        elif arguments == 2:
            call_address(address, (board, grid, buffer, all_steps, first, second))
        else:
            call_address(address, (board, grid, buffer, all_steps, first, second, third))
        if buffer[DEDUCTIONS]:
            return True
        search_table.seen[number] = grid.counts[CHANGES]
    return False
