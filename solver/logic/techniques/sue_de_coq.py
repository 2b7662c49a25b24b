"""Sue de Coq: the candidates where a box and a line intersect are divided between two cell sets.

The n cells of the intersection have at least n + 2 candidates. Cells in the rest of the line and in
the rest of the box take over the surplus, each value by only one of the two sets.
"""

from typing import Any

import numpy as np

from solver.compiling.bitops import popcount
from solver.compiling.jit import compiled, kernel
from solver.logic.board import BOX
from solver.logic.deduction_buffer import (
    CELL,
    REMOVE,
    SET,
    SET_CELL,
    SET_VALUE,
    VALUE,
    begin,
    note,
    note_mask,
    note_values,
    undo,
)
from solver.logic.grid import same_house
from solver.logic.sets import has
from solver.logic.technique import Search, small_board

CODE = 1101


@compiled
def find_sue_de_coq(board: Any, grid: Any, buffer: Any, every: int) -> None:
    """Search each intersection of a line and a box for two or three suitable cells."""
    size = board.value_count
    shared = np.empty(size, np.int64)
    meeting = np.empty(3, np.int64)
    scratch = np.zeros((6, size + 2), np.int64)
    for kind in range(BOX):
        for line in range(board.house_count):
            if board.kinds[line] != kind:
                continue
            for box in range(board.house_count):
                if board.kinds[box] < BOX or (same_house(grid, line) and same_house(grid, box)):
                    continue
                count = 0
                for number in range(size):
                    cell = board.house_cells[line, number]
                    if cell < 0:
                        break
                    if grid.cells[cell] and has(
                        board.house_sets[box, 0], board.house_sets[box, 1], cell
                    ):
                        shared[count] = cell
                        count += 1
                for one in range(count - 1):
                    for two in range(one + 1, count):
                        meeting[0], meeting[1] = shared[one], shared[two]
                        union = grid.cells[shared[one]] | grid.cells[shared[two]]
                        spare = popcount(union) - 2
                        if spare >= 2 and _share(
                            board, grid, buffer, every, line, box, meeting, 2, union, spare, scratch
                        ):
                            return
                        for three in range(two + 1, count):
                            meeting[2] = shared[three]
                            wide = union | grid.cells[shared[three]]
                            spare = popcount(wide) - 3
                            if spare >= 2 and _share(
                                board,
                                grid,
                                buffer,
                                every,
                                line,
                                box,
                                meeting,
                                3,
                                wide,
                                spare,
                                scratch,
                            ):
                                return


@kernel
def _share(
    board: Any,
    grid: Any,
    buffer: Any,
    every: int,
    line: int,
    box: int,
    meeting: Any,
    cells: int,
    union: int,
    spare: int,
    scratch: Any,
) -> bool:
    """Search for the sets in the line and in the box. Return whether to stop."""
    in_line, lined, line_values = scratch[0], scratch[1], scratch[2]
    in_box, boxed, box_values = scratch[3], scratch[4], scratch[5]
    line_count = _others(board, grid, line, meeting, cells, in_line)
    depth = 1
    lined[1] = -1
    while depth:
        lined[depth] += 1
        if lined[depth] >= line_count:
            depth -= 1
            continue
        cell = in_line[lined[depth]]
        line_values[depth] = line_values[depth - 1] | grid.cells[cell]
        values = line_values[depth]
        extra = popcount(values & ~union)
        if values & union and depth > extra and depth - extra < spare:
            left = spare - (depth - extra)
            # The set in the box may not have values that the set in the line has taken over.
            forbidden = values & union
            box_count = _others(board, grid, box, meeting, cells, in_box)
            kept = 0
            for number in range(box_count):
                taken = grid.cells[in_box[number]] & forbidden != 0
                for level in range(1, depth + 1):
                    taken |= in_line[lined[level]] == in_box[number]
                if not taken:
                    in_box[kept] = in_box[number]
                    kept += 1
            level = 1
            boxed[1] = -1
            while level:
                boxed[level] += 1
                if boxed[level] >= kept:
                    level -= 1
                    continue
                box_values[level] = box_values[level - 1] | grid.cells[in_box[boxed[level]]]
                other = box_values[level]
                more = popcount(other & ~union)
                if (
                    other & union
                    and level - more == left
                    and _write(
                        board,
                        grid,
                        buffer,
                        line,
                        box,
                        meeting,
                        cells,
                        union,
                        in_line,
                        lined,
                        depth,
                        values,
                        in_box,
                        boxed,
                        level,
                        other,
                    )
                    and not every
                ):
                    return True
                if boxed[level] < kept - 1:
                    level += 1
                    boxed[level] = boxed[level - 1]
        if lined[depth] < line_count - 1:
            depth += 1
            lined[depth] = lined[depth - 1]
    return False


@kernel
def _others(
    board: Any,
    grid: Any,
    house: int,
    meeting: Any,
    cells: int,
    found: Any,
) -> Any:
    """Write the open cells of a house outside the intersection. Return their number."""
    count = 0
    number = 0
    while board.house_cells[house, number] >= 0:
        cell = board.house_cells[house, number]
        number += 1
        outside = grid.cells[cell] != 0
        for index in range(cells):
            outside &= meeting[index] != cell
        if outside:
            found[count] = cell
            count += 1
    return count


@kernel
def _write(
    board: Any,
    grid: Any,
    buffer: Any,
    line: int,
    box: int,
    meeting: Any,
    cells: int,
    union: int,
    in_line: Any,
    lined: Any,
    depth: int,
    values: int,
    in_box: Any,
    boxed: Any,
    level: int,
    other: int,
) -> bool:
    """Write a Sue de Coq, unless it removes nothing. Return whether it was written."""
    before, found = buffer[0], buffer[1]
    begin(buffer, CODE)
    removed = 0
    both = values & other
    for turn in range(2):
        house = line if turn else box
        gone = (union | (values if turn else other)) & ~(other if turn else values) | both
        number = 0
        while board.house_cells[house, number] >= 0:
            cell = board.house_cells[house, number]
            number += 1
            own = False
            for index in range(cells):
                own |= meeting[index] == cell
            if turn:
                for index in range(1, depth + 1):
                    own |= in_line[lined[index]] == cell
            else:
                for index in range(1, level + 1):
                    own |= in_box[boxed[index]] == cell
            if not own and grid.cells[cell] & gone:
                note_values(buffer, REMOVE, cell, grid.cells[cell] & gone)
                removed = 1
    if not removed:
        undo(buffer, before, found)
        return False
    note_mask(buffer, VALUE, union)
    for index in range(cells):
        note(buffer, CELL, meeting[index], 0)
    note(buffer, SET, 0, 0)
    for index in range(1, level + 1):
        note(buffer, SET_CELL, in_box[boxed[index]], 0)
    note_mask(buffer, SET_VALUE, other)
    note(buffer, SET, 0, 0)
    for index in range(1, depth + 1):
        note(buffer, SET_CELL, in_line[lined[index]], 0)
    note_mask(buffer, SET_VALUE, values)
    return True


SUE_DE_COQ = Search(("1101",), find_sue_de_coq, (), small_board)
