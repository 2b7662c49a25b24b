"""Sums: eliminations from cages, arrows, and the innies and outies of the rule of 45.

A candidate can be removed if no combination for the sum uses it. If all combinations for a cage
need a value, cells outside that see all its places in the cage lose it.
"""

from typing import Any

import numpy as np

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import compiled, helper, kernel
from solver.logic.board import Board, Ints, Words
from solver.logic.deduction_buffer import DEDUCTIONS, END, begin, note, note_values, undo
from solver.logic.deduction_rows import BASE, CELL, PLACE, REMOVE, TERM, TOTAL
from solver.logic.grid import Grid
from solver.logic.sums import BOTH_CODE, INNIES_CODE, MOST_TERMS, OUTIES_CODE, SUM_CODE
from solver.logic.technique import Search

_CELLS, _FACTORS = range(2)  # rows of the array of open cells
_MOST_DERIVED = 4  # open cells that people consider in a derived sum
_MOST_TRIES = 20_000  # Tries per candidate. A candidate that is then still undecided stays.


@compiled
def find_sum(board: Board, grid: Grid, buffer: Ints, all_steps: int, code: int) -> None:
    """Search for sums of one technique (`code`) that remove candidates or place a value.

    Sums with the fewest open cells come first. Derived sums (innies, outies, or both) with more
    than four open cells are skipped. Writes the first deduction, or all of them if `all_steps` is
    set.
    """
    open_cells = np.empty((2, MOST_TERMS), np.int64)  # rows: cells, factors
    scratch = np.empty((6, MOST_TERMS + 1), np.int64)
    most = MOST_TERMS if code == SUM_CODE else _MOST_DERIVED
    for wanted in range(1, most + 1):
        for number in range(board.sum_count):
            if board.sum_codes[number] != code:
                continue
            count, left = _open_part(board, grid, number, open_cells)
            if count == wanted:
                before, found = buffer[END], buffer[DEDUCTIONS]
                _open(board, buffer, number)
                done = buffer[END]
                possible = _remove_inside(board, grid, buffer, open_cells, count, left, scratch)
                if possible and code == SUM_CODE:
                    _remove_around(board, grid, buffer, open_cells, count, left, scratch)
                if buffer[END] == done:
                    undo(buffer, before, found)
                elif not all_steps:
                    return


@kernel
def _open_part(board: Board, grid: Grid, number: int, open_cells: Words) -> Any:
    """List the open cells of sum `number` and their factors in the two rows of `open_cells`.

    Returns how many there are, and the total that their values times their factors must still have.
    """
    left = board.sum_totals[number]
    count = 0
    term = 0
    while board.sum_cells[number, term] >= 0:
        cell, factor = board.sum_cells[number, term], board.sum_factors[number, term]
        term += 1
        # Values count from 1, numbers from `board.lowest`.
        left -= factor * (board.lowest - 1)
        if grid.values[cell]:
            left -= factor * grid.values[cell]
        else:
            open_cells[_CELLS, count], open_cells[_FACTORS, count] = cell, factor
            count += 1
    return count, left


@kernel
def _open(board: Board, buffer: Ints, number: int) -> None:
    """Begin a deduction in the buffer by sum `number`: its cells, terms, total, and houses."""
    begin(buffer, board.sum_codes[number])
    term = 0
    while board.sum_cells[number, term] >= 0:
        cell, factor = board.sum_cells[number, term], board.sum_factors[number, term]
        note(buffer, CELL, cell, 0)
        note(buffer, TERM, cell, factor)
        term += 1
    note(buffer, TOTAL, board.sum_totals[number], 0)
    term = 0
    while board.sum_houses[number, term] >= 0:
        note(buffer, BASE, board.sum_houses[number, term], 0)
        term += 1


@helper
def _remove_inside(
    board: Board, grid: Grid, buffer: Ints, open_cells: Words, count: int, left: int, scratch: Words
) -> bool:
    """Write the eliminations of candidates of open cells that are in no combination for the sum.

    Candidates that are undecided after too many tries stay. `open_cells`, `count`, and `left` are
    the results of `_open_part`. If the only open cell has a single possible value, its placement is
    written instead. Returns False, and writes nothing, if there is no combination at all.
    """
    domains, chosen = scratch[0], scratch[1]
    possible = np.zeros(count, np.int64)
    for at in range(count):
        rest = grid.cells[open_cells[_CELLS, at]]
        while rest:
            value = ctz(rest)
            rest &= rest - 1
            if possible[at] >> value & 1:
                continue
            for other in range(count):
                domains[other] = grid.cells[open_cells[_CELLS, other]]
            domains[at] = 1 << value
            found = _find_combination(board, open_cells, count, left, scratch)
            if found < 0:
                possible[at] |= 1 << value
            elif found:
                for other in range(count):
                    possible[other] |= 1 << (chosen[other] - 1)
        if possible[at] == 0:
            return False
    for at in range(count):
        cell = open_cells[_CELLS, at]
        if count == 1 and popcount(possible[at]) == 1:
            note(buffer, PLACE, cell, ctz(possible[at]) + 1)
        else:
            note_values(buffer, REMOVE, cell, grid.cells[cell] & ~possible[at])
    return True


@kernel
def _remove_around(
    board: Board, grid: Grid, buffer: Ints, open_cells: Words, count: int, left: int, scratch: Words
) -> None:
    """Write the elimination of values that a cage must contain from cells around it.

    A cage must contain a value if all combinations for its sum use it. Cells outside that see all
    places of the value in the cage lose it. `open_cells` (2, ·) contains the cells and factors of
    the `count` open cells of the cage, and `left` is their required total. `scratch` is scratch
    space.
    """
    domains = scratch[0]
    union = 0
    for at in range(count):
        union |= grid.cells[open_cells[_CELLS, at]]
    while union:
        value = ctz(union)
        union &= union - 1
        seeing = False
        for cell in range(board.cell_count):
            seeing |= _sees_places(board, grid, open_cells, count, cell, value)
        if not seeing:
            continue
        for at in range(count):
            domains[at] = grid.cells[open_cells[_CELLS, at]] & ~(1 << value)
        if _find_combination(board, open_cells, count, left, scratch) == 0:
            for cell in range(board.cell_count):
                if _sees_places(board, grid, open_cells, count, cell, value):
                    note(buffer, REMOVE, cell, value + 1)


@kernel
def _sees_places(
    board: Board, grid: Grid, open_cells: Words, count: int, cell: int, value: int
) -> bool:
    """Return whether a cell outside a sum sees all places of a value in the sum's open cells.

    The cell must have the value as a candidate. `value` counts from 0.
    """
    if not grid.cells[cell] >> value & 1:
        return False
    for at in range(count):
        other = open_cells[_CELLS, at]
        if cell == other:
            return False
        if grid.cells[other] >> value & 1 and not board.sees[cell, other]:
            return False
    return True


@kernel
def _find_combination(
    board: Board, open_cells: Words, count: int, left: int, scratch: Words
) -> int:
    """Search for values of the open cells that give a sum the total `left`.

    `open_cells` contains `count` cells and their factors. Cells that see each other get different
    values. The possible values of the nth open cell are `scratch[0, n]`, as bits. The values found
    are left in `scratch[1]`. Returns 1 if there is a combination, 0 if not, and −1 if this is still
    undecided after too many tries.
    """
    domains, chosen, rest = scratch[0], scratch[1], scratch[2]
    sums, least, most = scratch[3], scratch[4], scratch[5]
    least[count] = most[count] = 0
    for at in range(count - 1, -1, -1):
        if domains[at] == 0:
            return 0
        factor = open_cells[_FACTORS, at]
        low, high = ctz(domains[at]) + 1, _highest(domains[at]) + 1
        least[at] = least[at + 1] + min(factor * low, factor * high)
        most[at] = most[at + 1] + max(factor * low, factor * high)
    at = 0
    rest[0] = domains[0]
    sums[0] = 0
    tries = 0
    while at >= 0:
        if rest[at] == 0:
            at -= 1
            continue
        value = ctz(rest[at]) + 1
        rest[at] &= rest[at] - 1
        tries += 1
        if tries > _MOST_TRIES:
            return -1
        total = sums[at] + open_cells[_FACTORS, at] * value
        if total + least[at + 1] > left or total + most[at + 1] < left:
            continue
        clash = False
        for before in range(at):
            if (
                chosen[before] == value
                and board.sees[open_cells[_CELLS, before], open_cells[_CELLS, at]]
            ):
                clash = True
        if clash:
            continue
        chosen[at] = value
        at += 1
        if at == count:
            return 1
        sums[at] = total
        rest[at] = domains[at]
    return 0


@kernel
def _highest(values: int) -> Any:
    """Return the index of the highest bit of `values`, or −1 if there is none."""
    position = -1
    while values:
        position = ctz(values)
        values &= values - 1
    return position


def _with_sums(board: Board) -> bool:
    return board.sum_count > 0


SUM = Search(("3000",), find_sum, (SUM_CODE,), _with_sums)
INNIES = Search(("3001",), find_sum, (INNIES_CODE,), _with_sums)
OUTIES = Search(("3002",), find_sum, (OUTIES_CODE,), _with_sums)
INNIES_AND_OUTIES = Search(("3003",), find_sum, (BOTH_CODE,), _with_sums)
SUM_TECHNIQUES = (SUM, INNIES, OUTIES, INNIES_AND_OUTIES)
