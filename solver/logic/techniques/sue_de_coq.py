"""Sue de Coq: the candidates of an intersection are divided between two cell sets.

The intersection consists of n cells that a box and a line share, and has at least n + 2 candidates.
So some of these values are outside the intersection. Cells in the rest of the line and cells in the
rest of the box use up that surplus. No value is used by both.
"""

from typing import Any, NamedTuple

import numpy as np

from solver.compiling.bitops import popcount
from solver.compiling.jit import compiled, kernel
from solver.logic.board import BOX, Board, Ints, Words
from solver.logic.deduction_buffer import DEDUCTIONS, END, begin, note, note_mask, note_values, undo
from solver.logic.deduction_rows import CELL, REMOVE, SET, SET_CELL, SET_VALUE, VALUE
from solver.logic.grid import Grid, is_house_unchanged
from solver.logic.sets import has
from solver.logic.technique import Search, small_board

CODE = 1101


class _Part(NamedTuple):
    """One of the two cell sets of a Sue de Coq, in the rest of the line or the rest of the box.

    `house` is the line or the box, and `others` are its open cells outside the intersection. Cells
    are chosen one by one. chosen[n] is the index in `others` of the nth chosen cell, from 1.
    values[n] is the union of the candidates of the first n chosen cells, as bits.
    """

    house: int
    others: Words
    chosen: Words
    values: Words


@compiled
def find_sue_de_coq(board: Board, grid: Grid, buffer: Ints, all_steps: int) -> None:
    """Search for Sue de Coqs, trying any two or three open cells that a line and a box share.

    The candidates of these cells are divided between a cell set in the line and one in the box.
    Writes the first deduction, or all of them if `all_steps` is set.
    """
    size = board.value_count
    shared = np.empty(size, np.int64)
    meeting = np.empty(3, np.int64)
    scratch = np.zeros((6, size + 2), np.int64)
    for kind in range(BOX):
        for line in range(board.house_count):
            if board.kinds[line] != kind:
                continue
            for box in range(board.house_count):
                if board.kinds[box] < BOX or (
                    is_house_unchanged(grid, line) and is_house_unchanged(grid, box)
                ):
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
                in_line = _Part(line, scratch[0], scratch[1], scratch[2])
                in_box = _Part(box, scratch[3], scratch[4], scratch[5])
                for one in range(count - 1):
                    for two in range(one + 1, count):
                        meeting[0], meeting[1] = shared[one], shared[two]
                        union = grid.cells[shared[one]] | grid.cells[shared[two]]
                        if _share(
                            board, grid, buffer, all_steps, meeting, 2, union, in_line, in_box
                        ):
                            return
                        for three in range(two + 1, count):
                            meeting[2] = shared[three]
                            wide = union | grid.cells[shared[three]]
                            if _share(
                                board, grid, buffer, all_steps, meeting, 3, wide, in_line, in_box
                            ):
                                return


@kernel
def _share(
    board: Board,
    grid: Grid,
    buffer: Ints,
    all_steps: int,
    meeting: Words,
    cells: int,
    union: int,
    in_line: _Part,
    in_box: _Part,
) -> bool:
    """Search for Sue de Coqs with the given cells of the intersection, and write them.

    meeting  its first `cells` entries are the cells of the intersection
    union    the candidates of these cells, as bits
    in_line  scratch space for the cell set in the rest of the line
    in_box   scratch space for the cell set in the rest of the box

    Returns True if a deduction was written and `all_steps` is not set, which ends the search.
    Returns False otherwise, even if deductions were written.
    """
    spare = popcount(union) - cells
    if spare < 2:
        return False
    line_count = _list_others(board, grid, in_line, meeting, cells)
    depth = 1
    in_line.chosen[1] = -1
    while depth:
        in_line.chosen[depth] += 1
        if in_line.chosen[depth] >= line_count:
            depth -= 1
            continue
        cell = in_line.others[in_line.chosen[depth]]
        in_line.values[depth] = in_line.values[depth - 1] | grid.cells[cell]
        values = in_line.values[depth]
        extra = popcount(values & ~union)
        if values & union and depth > extra and depth - extra < spare:
            left = spare - (depth - extra)
            # The set in the box may not have values that the set in the line has taken over.
            forbidden = values & union
            box_count = _list_others(board, grid, in_box, meeting, cells)
            kept = 0
            for number in range(box_count):
                other = in_box.others[number]
                if grid.cells[other] & forbidden == 0 and not _has_chosen(in_line, depth, other):
                    in_box.others[kept] = other
                    kept += 1
            level = 1
            in_box.chosen[1] = -1
            while level:
                in_box.chosen[level] += 1
                if in_box.chosen[level] >= kept:
                    level -= 1
                    continue
                cell = in_box.others[in_box.chosen[level]]
                in_box.values[level] = in_box.values[level - 1] | grid.cells[cell]
                more = popcount(in_box.values[level] & ~union)
                if (
                    in_box.values[level] & union
                    and level - more == left
                    and _write(
                        board, grid, buffer, meeting, cells, union, in_line, depth, in_box, level
                    )
                    and not all_steps
                ):
                    return True
                if in_box.chosen[level] < kept - 1:
                    level += 1
                    in_box.chosen[level] = in_box.chosen[level - 1]
        if in_line.chosen[depth] < line_count - 1:
            depth += 1
            in_line.chosen[depth] = in_line.chosen[depth - 1]
    return False


@kernel
def _list_others(board: Board, grid: Grid, part: _Part, meeting: Words, cells: int) -> Any:
    """Write the open cells of a house outside the intersection to `part.others`.

    The intersection is the first `cells` cells in `meeting`. Returns the number of cells written.
    """
    count = 0
    number = 0
    while board.house_cells[part.house, number] >= 0:
        cell = board.house_cells[part.house, number]
        number += 1
        outside = grid.cells[cell] != 0
        for index in range(cells):
            outside &= meeting[index] != cell
        if outside:
            part.others[count] = cell
            count += 1
    return count


@kernel
def _has_chosen(part: _Part, depth: int, cell: int) -> bool:
    """Return whether a cell is one of the first `depth` cells that are chosen for a part."""
    is_chosen = False
    for index in range(1, depth + 1):
        is_chosen |= part.others[part.chosen[index]] == cell
    return is_chosen


@kernel
def _write(
    board: Board,
    grid: Grid,
    buffer: Ints,
    meeting: Words,
    cells: int,
    union: int,
    in_line: _Part,
    depth: int,
    in_box: _Part,
    level: int,
) -> bool:
    """Write a Sue de Coq to the buffer if it removes any candidates. Return whether it does.

    The intersection is the first `cells` cells in `meeting`, with the candidates `union` (bits).
    The cell sets are the first `depth` cells chosen in `in_line` and the first `level` ones in
    `in_box`.
    """
    before, found = buffer[END], buffer[DEDUCTIONS]
    begin(buffer, CODE)
    line_values, box_values = in_line.values[depth], in_box.values[level]
    removed = _remove(board, grid, buffer, meeting, cells, union, in_box, level, line_values)
    removed |= _remove(board, grid, buffer, meeting, cells, union, in_line, depth, box_values)
    if not removed:
        undo(buffer, before, found)
        return False
    note_mask(buffer, VALUE, union)
    for index in range(cells):
        note(buffer, CELL, meeting[index], 0)
    for part, size in ((in_box, level), (in_line, depth)):
        note(buffer, SET, 0, 0)
        for index in range(1, size + 1):
            note(buffer, SET_CELL, part.others[part.chosen[index]], 0)
        note_mask(buffer, SET_VALUE, part.values[size])
    return True


@kernel
def _remove(
    board: Board,
    grid: Grid,
    buffer: Ints,
    meeting: Words,
    cells: int,
    union: int,
    part: _Part,
    size: int,
    others: int,
) -> bool:
    """Write the eliminations in the rest of a part's house. Return whether there are any.

    The rest are the cells outside the intersection (`meeting[:cells]`) and outside the part's cell
    set, its first `size` chosen cells. `union` are the candidates of the intersection, and `others`
    are the values of the other part, both as bits. The rest loses the values of the intersection
    and of this part that the other part doesn't have, and the values that both parts have.
    """
    values = part.values[size]
    gone = (union | values) & ~others | values & others
    removed = False
    number = 0
    while board.house_cells[part.house, number] >= 0:
        cell = board.house_cells[part.house, number]
        number += 1
        own = _has_chosen(part, size, cell)
        for index in range(cells):
            own |= meeting[index] == cell
        if not own and grid.cells[cell] & gone:
            note_values(buffer, REMOVE, cell, grid.cells[cell] & gone)
            removed = True
    return removed


SUE_DE_COQ = Search(("1101",), find_sue_de_coq, (), small_board)
