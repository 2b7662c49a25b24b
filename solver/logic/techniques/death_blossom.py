"""Death blossom: a stem cell with one almost locked set (a petal) per candidate.

If the stem takes a candidate, the petal for it loses that value and is locked. So a value that all
petals contain, but not the stem, is in one of the petals whatever the stem's value is.
"""

import numpy as np

from solver.compiling.bitops import ctz
from solver.compiling.jit import compiled, kernel
from solver.logic.almost_locked_sets.search import find_sets
from solver.logic.board import Board, Ints, Words
from solver.logic.deduction_buffer import (
    DEDUCTIONS,
    END,
    OVERFLOW,
    begin,
    note,
    note_cells,
    note_mask,
    undo,
)
from solver.logic.deduction_rows import CELL, FIN, REMOVE, RESTRICTED, SET, SET_CELL, SET_VALUE
from solver.logic.grid import Grid
from solver.logic.sets import common_peers
from solver.logic.technique import Search, small_board

CODE = 904


@compiled
def find_death_blossom(
    board: Board, grid: Grid, buffer: Ints, all_steps: int, overlap: int
) -> None:
    """Search for death blossoms, by stem cell in reading order.

    There is one petal for each candidate of the stem: an almost locked set whose places for the
    candidate all see the stem. A value that all petals contain, but not the stem, is removed from
    the cells that see all its places in the petals. Petals may share cells only with `overlap`.
    Writes the first deduction, or all of them if `all_steps` is set, as far as the buffer has room.
    """
    sets = grid.sets
    size = board.value_count
    petals = np.empty((size + 1, sets.counts[0] + 1), np.int32)
    counts = np.empty(size + 1, np.int64)
    values = np.empty(size + 1, np.int64)
    chosen = np.empty(size + 2, np.int64)
    blossom = np.empty(size + 1, np.int64)  # chosen petals, by level
    common = np.empty(size + 2, np.int64)
    low = np.zeros(size + 2, np.int64)
    high = np.zeros(size + 2, np.int64)
    for stem in range(board.cell_count):
        rest = grid.cells[stem]
        most = 0
        while rest:
            value = ctz(rest) + 1
            rest &= rest - 1
            most += 1
            values[most] = value
            counts[most] = 0
            for number in range(sets.counts[0]):
                if not sets.values[number] >> (value - 1) & 1:
                    continue
                if sets.peers[number, value, stem >> 6] >> (stem & 63) & 1:
                    petals[most, counts[most]] = number
                    counts[most] += 1
            if counts[most] == 0:
                most = 0
                break
        if most == 0:
            continue
        level = 1
        chosen[1] = -1
        common[0] = ~grid.cells[stem]
        while level:
            chosen[level] += 1
            if chosen[level] >= counts[level]:
                level -= 1
                continue
            petal = petals[level, chosen[level]]
            a, b = sets.cells[petal, 0], sets.cells[petal, 1]
            common[level] = common[level - 1] & sets.values[petal]
            both = (a & low[level - 1]) | (b & high[level - 1])
            if common[level] == 0 or (both and not overlap):
                continue
            blossom[level] = petal
            low[level], high[level] = low[level - 1] | a, high[level - 1] | b
            if level < most:
                level += 1
                chosen[level] = -1
            elif (
                _write(board, grid, buffer, stem, most, values, blossom,
                       common[level], low[level], high[level])
                and (not all_steps or buffer[OVERFLOW])
            ):  # fmt: skip
                return


@kernel
def _write(
    board: Board,
    grid: Grid,
    buffer: Ints,
    stem: int,
    most: int,
    values: Words,
    blossom: Words,
    common: int,
    low: int,
    high: int,
) -> bool:
    """Write a death blossom to the buffer if it removes any candidates. Return whether it does.

    It removes each value in `common` from the cells outside the petals that see all places of the
    value in the petals.

        stem       the stem cell, which loses nothing because it lacks these values
        most       the number of petals
        values     the candidates of the stem that the petals belong to, at indices 1 to `most`
        blossom    the petals' numbers in `grid.sets`, at the same indices
        common     the values that all petals contain and the stem lacks, as bits
        low, high  the cells of all petals, as a set of two words
    """
    sets = grid.sets
    before, found = buffer[END], buffer[DEDUCTIONS]
    begin(buffer, CODE)
    removed = False
    while common:
        value = ctz(common) + 1
        common &= common - 1
        a, b = 0, 0
        for level in range(1, most + 1):
            petal = blossom[level]
            a |= sets.places[petal, value, 0]
            b |= sets.places[petal, value, 1]
        a, b = common_peers(board, a, b)
        a &= grid.places[value, 0] & ~low
        b &= grid.places[value, 1] & ~high
        removed |= (a | b) != 0
        note_cells(buffer, REMOVE, a, b, value)
    if not removed:
        undo(buffer, before, found)
        return False
    note(buffer, CELL, stem, 0)
    for level in range(1, most + 1):
        petal, value = blossom[level], values[level]
        note(buffer, FIN, stem, value)
        note(buffer, SET, 0, 0)
        note_cells(buffer, SET_CELL, sets.cells[petal, 0], sets.cells[petal, 1], 0)
        note_mask(buffer, SET_VALUE, sets.values[petal])
        note(buffer, RESTRICTED, value, 0)
    return True


DEATH_BLOSSOM = Search(("0904",), find_death_blossom, (0,), small_board, (find_sets,))
OVERLAPPING_BLOSSOM = Search(("0904",), find_death_blossom, (1,), small_board, (find_sets,))
