"""Fish without fins: a value whose places in n rows are all in n columns, or columns and rows."""

from typing import Any

import numpy as np

from solver.compiling.jit import compiled
from solver.compiling.words import lowest, ones
from solver.logic.board import COLUMN, ROW
from solver.logic.record import BASE, CELL, COVER, REMOVE, VALUE, begin, note, undo
from solver.logic.technique import Search

CODE = 298  # and the size


@compiled
def find_basic_fish(board: Any, grid: Any, buffer: Any, every: int, size: int) -> None:
    """Look for a fish of a size, value by value, from rows first."""
    lines = np.empty(64, np.int64)
    crossing = np.empty(64, np.int64)  # by line: the lines across where the value can be, as bits
    chosen = np.zeros(size + 1, np.int64)
    union = np.zeros(size + 1, np.int64)
    for value in range(1, board.value_count + 1):
        for kind in (ROW, COLUMN):
            across = COLUMN if kind == ROW else ROW
            offset = board.lines[across, 0]
            count = 0
            for house in range(board.house_count):
                if board.kinds[house] != kind or not board.complete[house]:
                    continue
                if not 2 <= grid.free[house, value] <= size:
                    continue
                lines[count] = house
                crossing[count] = 0
                for number in range(board.value_count):
                    cell = board.house_cells[house, number]
                    if grid.cells[cell] >> (value - 1) & 1:
                        crossing[count] |= 1 << (board.lines[across, cell] - offset)
                count += 1
            if count < size:
                continue
            level = 1
            chosen[1] = -1
            while level:
                chosen[level] += 1
                if chosen[level] > count - 1 - size + level:
                    level -= 1
                    continue
                union[level] = union[level - 1] | crossing[chosen[level]]
                if ones(union[level]) > size:
                    continue
                if level < size:
                    level += 1
                    chosen[level] = chosen[level - 1]
                    continue
                before = buffer[0]
                found = buffer[1]
                begin(buffer, CODE + size)
                note(buffer, VALUE, value, 0)
                for place_of in range(1, size + 1):
                    note(buffer, BASE, lines[chosen[place_of]], 0)
                removed = 0
                covers = union[level]
                while covers:
                    cover = offset + lowest(covers)
                    covers &= covers - 1
                    note(buffer, COVER, cover, 0)
                    number = 0
                    while board.house_cells[cover, number] >= 0:
                        cell = board.house_cells[cover, number]
                        number += 1
                        if not grid.cells[cell] >> (value - 1) & 1:
                            continue
                        based = False
                        for place_of in range(1, size + 1):
                            if board.lines[kind, cell] == lines[chosen[place_of]]:
                                based = True
                        note(buffer, CELL if based else REMOVE, cell, 0 if based else value)
                        removed += not based
                if removed == 0:
                    undo(buffer, before, found)
                elif not every:
                    return


X_WING = Search(("0300",), find_basic_fish, (2,))
SWORDFISH = Search(("0301",), find_basic_fish, (3,))
JELLYFISH = Search(("0302",), find_basic_fish, (4,))
SQUIRMBAG = Search(("0303",), find_basic_fish, (5,))
WHALE = Search(("0304",), find_basic_fish, (6,))
LEVIATHAN = Search(("0305",), find_basic_fish, (7,))
