"""Templates: all ways to place a value in every row, without conflicts between different values."""

from typing import Any

import numpy as np

from solver.compiling.jit import bare, compiled
from solver.compiling.words import lowest
from solver.logic.board import ROW, Board
from solver.logic.record import PLACE, REMOVE, VALUE, begin, note, note_cells
from solver.logic.technique import Search, boxed_board

SET_CODE, DELETE_CODE = 1201, 1202
_MOST = 50_000  # templates per value; an empty 9×9 grid has 46,656


@compiled
def find_template(board: Any, grid: Any, buffer: Any, every: int, code: int) -> None:
    """Search for cells that are in all templates of a value, or in none."""
    size = board.value_count
    ways = np.empty((size + 1, _MOST, 2), np.int64)
    counts = np.zeros(size + 1, np.int64)
    always = np.empty((size + 1, 2), np.int64)
    for value in range(1, size + 1):
        counts[value] = _place_all(board, grid, value, ways[value])
        _meet(ways[value], counts[value], always[value])
    # Discard templates that use a cell which all templates of another value use.
    changed = True
    while changed:
        changed = False
        for value in range(1, size + 1):
            kept = 0
            for way in range(counts[value]):
                low, high = ways[value, way, 0], ways[value, way, 1]
                clash = False
                for other in range(1, size + 1):
                    if other != value and (low & always[other, 0]) | (high & always[other, 1]):
                        clash = True
                if not clash:
                    ways[value, kept, 0], ways[value, kept, 1] = low, high
                    kept += 1
            if kept < counts[value]:
                counts[value] = kept
                changed = True
                _meet(ways[value], kept, always[value])
    for value in range(1, size + 1):
        low, high = grid.places[value, 0], grid.places[value, 1]
        if code == SET_CODE:
            low &= always[value, 0]
            high &= always[value, 1]
        else:
            for way in range(counts[value]):
                low &= ~ways[value, way, 0]
                high &= ~ways[value, way, 1]
        if counts[value] and low | high:
            begin(buffer, code)
            note(buffer, VALUE, value, 0)
            note_cells(buffer, PLACE if code == SET_CODE else REMOVE, low, high, value)
            if not every:
                return


@bare
def _meet(ways: Any, count: int, always: Any) -> None:
    """Write the cells that all templates have in common."""
    always[0], always[1] = -1, -1
    for way in range(count):
        always[0] &= ways[way, 0]
        always[1] &= ways[way, 1]


@bare
def _place_all(board: Any, grid: Any, value: int, ways: Any) -> Any:
    """Write all templates of a value. Return their number."""
    open_low, open_high = grid.places[value, 0], grid.places[value, 1]
    low, high = 0, 0
    for cell in range(board.cell_count):
        if grid.values[cell] == value:
            if cell < 64:
                low |= 1 << cell
            else:
                high |= 1 << (cell & 63)
    count = 1
    ways[0, 0], ways[0, 1] = low, high
    for row in range(board.house_count):
        row_low, row_high = board.house_sets[row, 0], board.house_sets[row, 1]
        if board.kinds[row] != ROW or (low & row_low) | (high & row_high):
            continue
        # Move the partial templates to the end, then write the extensions of each to the beginning.
        last = count
        count = 0
        spare = len(ways)
        for way in range(last - 1, -1, -1):
            spare -= 1
            ways[spare, 0], ways[spare, 1] = ways[way, 0], ways[way, 1]
        for way in range(spare, len(ways)):
            way_low, way_high = ways[way, 0], ways[way, 1]
            a, b = open_low & row_low, open_high & row_high
            while a | b:
                cell = lowest(a) if a else 64 + lowest(b)
                if a:
                    a &= a - 1
                else:
                    b &= b - 1
                seen = (way_low & board.peer_sets[cell, 0]) | (way_high & board.peer_sets[cell, 1])
                if seen == 0 and count <= way:
                    ways[count, 0], ways[count, 1] = way_low, way_high
                    ways[count, cell >> 6] |= 1 << (cell & 63)
                    count += 1
    return count


def _few_ways(board: Board) -> bool:
    """Return whether the templates of any value fit into memory."""
    return boxed_board(board) and board.value_count <= 9


TEMPLATE_SET = Search(("1201",), find_template, (SET_CODE,), _few_ways)
TEMPLATE_DELETE = Search(("1202",), find_template, (DELETE_CODE,), _few_ways)
