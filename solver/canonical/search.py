"""Find the least of all puzzles that are symmetric to a given one, row by row.

    grid ──► with its transpose ──► 18 candidates for the first row
                                      │ those that can become least, with all column orders
    partial transformations ──► each with all possible next rows ──► only the least ones ──► … ×9

A partial transformation is an order of the columns, the set of rows used so far, and a new name for
each value seen so far. The first value seen is named 1, the second one 2, and so on. Empty cells
are less than any value. The next row of each partial transformation is compared as a single number,
so a partial transformation costs little unless it is the best so far.

Two ideas come from the sudoku players' forum and are also used in programs by Glenn Fowler and
Mladen Dobrichev: extending all partial transformations that are least so far, and deriving the
second row of a full grid from the first one without trying all column orders. The code is
independent of theirs.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.canonical.arrangements import BITS
from solver.compiling.bitops import popcount
from solver.compiling.jit import always_inline, compiled, kernel

GRID = 81
_VALUE = (1 << BITS) - 1
_ALL = 511  # columns
_NONE = 1 << 62  # more than any row


class PartialTransformations(NamedTuple):
    """Partial transformations of a puzzle that lead to the least rows so far, as parallel arrays.

    Each item is an order of the columns, the rows used so far, and new names for the values seen.
    Parts of words are listed from the highest bits to the lowest:

        numbers  index of the order in `Arrangements.orders`, 0 if the grid is full
        orders   order of the columns, see `Arrangements`
        labels   number of names, name of 9 … name of 1, four zero bits    44 bits
        used     band of the last row, side, row 8 … row 0                 12 bits

    A name is 0 for a value that hasn't been seen. The side is 0 for the rows of the grid, and 1 for
    the rows of its transpose.
    """

    numbers: NDArray[np.int64]
    orders: NDArray[np.int64]
    labels: NDArray[np.int64]
    used: NDArray[np.int64]


def allocate(capacity: int) -> PartialTransformations:
    """Allocate arrays for at most `capacity` partial transformations."""
    fields = PartialTransformations._fields
    return PartialTransformations(*(np.zeros(capacity, np.int64) for _ in fields))


class Memory(NamedTuple):
    """The working memory of a search: the puzzle, and which of its cells are given.

    cells     (162,) int64: the values of the grid and of its transpose, row by row, 0 = empty
    patterns  (18,) int64: which cells of each of these 18 rows are given, as a pattern (see
              `Arrangements`)
    """

    cells: NDArray[np.int64]
    patterns: NDArray[np.int64]


def make_memory() -> Memory:
    """Allocate working memory. Concurrent searches need separate memory."""
    return Memory(*(np.zeros(size, np.int64) for size in (2 * GRID, 18)))


@always_inline
def _row(cells, start, order, labels, most):  # type: ignore[no-untyped-def]
    """Return one row of a transformed puzzle as a number, and the extended `labels`.

    The number has nine names of values, four bits each, the first column in the highest bits. An
    empty cell is 0. The number is _NONE if it would be above `most`. Values without a name get the
    next names, which are added to `labels`.

    start          index of the row's first cell in `cells`
    order, labels  order of the columns and names of the values, see `PartialTransformations`
    """
    made = 0
    for position in range(9):
        value = cells[start + (order & _VALUE)]
        order >>= BITS
        name = 0
        if value != 0:
            name = labels >> BITS * value & _VALUE
            if name == 0:
                labels += 1 << 10 * BITS
                name = labels >> 10 * BITS
                labels |= name << BITS * value
        made = made << BITS | name
        if made > most >> BITS * (8 - position):
            return _NONE, labels
    return made, labels


@kernel
def _read(grids, start, memory):  # type: ignore[no-untyped-def]
    """Read the puzzle that begins at index `start` of `grids` into the working memory."""
    cells, patterns = memory.cells, memory.patterns
    for row in range(9):
        for column in range(9):
            value = np.int64(grids[start + 9 * row + column])
            cells[9 * row + column] = value
            cells[GRID + 9 * column + row] = value
    for row in range(18):
        pattern = 0
        for column in range(9):
            pattern = pattern << 1 | (cells[9 * row + column] != 0)
        patterns[row] = pattern


@always_inline
def _used(side, rows, row):  # type: ignore[no-untyped-def]
    """Return the set of used rows with one more row, for `PartialTransformations.used`.

    `rows` is the set before it, and `side` is 1 for rows of the transpose.
    """
    return row // 3 << 10 | side << 9 | rows & _ALL | 1 << row


@kernel
def _blank_rows(patterns, side, band):  # type: ignore[no-untyped-def]
    """Return the rows of a band that have no givens, as bits of the rows 0 … 8.

    `side` is 0 for the grid, and 1 for its transpose.
    """
    rows = 0
    for row in range(3 * band, 3 * band + 3):
        if patterns[9 * side + row] == 0:
            rows |= 1 << row
    return rows


@kernel
def _blank_first(patterns, side):  # type: ignore[no-untyped-def]
    """Find the rows without givens that can come first in a transformed puzzle.

    `side` is 0 for the grid, and 1 for its transpose. Returns all rows of the bands without any
    givens, as bits of the rows 0 … 8, and the largest number of empty rows in any other band.
    """
    rows = more = 0
    for band in range(3):
        blank = _blank_rows(patterns, side, band)
        if popcount(blank) == 3:
            rows |= blank
        else:
            more = max(more, popcount(blank))
    return rows, more


@kernel
def _first_lines(tables, patterns):  # type: ignore[no-untyped-def]
    """Find the rows that may become the first row with givens in the least equivalent puzzle.

    Returns these rows as 18 bits, and the largest possible number of empty rows before such a row.
    Bits 0 to 8 are the rows of the grid, and bits 9 to 17 those of its transpose. The rows are
    those that can follow that many empty rows and whose givens can form the least pattern.
    """
    lines = blank = 0
    least = _ALL + 1
    for side in range(2):
        rows, more = _blank_first(patterns, side)
        before = popcount(rows) + more
        if before > blank:
            blank, least = before, _ALL + 1
        for row in range(9):
            pattern = patterns[9 * side + row]
            if (
                pattern == 0
                or before < blank
                or popcount(_blank_rows(patterns, side, row // 3)) < more
            ):
                continue
            if tables.least[pattern] < least:
                least = tables.least[pattern]
                lines = 0
            if tables.least[pattern] == least:
                lines |= 1 << 9 * side + row
    return lines, blank


@kernel
def _begin(tables, memory, partial):  # type: ignore[no-untyped-def]
    """Find all partial transformations that make the first row with givens least.

    Writes them to `partial`. Returns their number, the number of empty rows before that row, and
    the row as a number (see `_row`). The number of transformations is −1 if it would exceed the
    capacity of `partial`.
    """
    cells, patterns = memory.cells, memory.patterns
    lines, blank = _first_lines(tables, patterns)
    count = made = 0
    for line in range(18):
        if lines >> line & 1 == 0:
            continue
        side, row, pattern = line // 9, line % 9, patterns[line]
        rows = _blank_first(patterns, side)[0] | _blank_rows(patterns, side, row // 3)
        for place in range(tables.starts[pattern], tables.starts[pattern + 1]):
            if count == len(partial.orders):
                return -1, 0, 0
            number = tables.numbers[place]
            order = tables.orders[number]
            made, labels = _row(cells, 9 * line, order, 0, _NONE)
            partial.numbers[count] = number
            partial.orders[count] = order
            partial.labels[count] = labels
            partial.used[count] = _used(side, rows, row)
            count += 1
    return count, blank, made


@always_inline
def _at(word, place):  # type: ignore[no-untyped-def]
    return word >> BITS * place & _VALUE


@kernel
def _leads(cells, first, second):  # type: ignore[no-untyped-def]
    """Return, for each column, where the first row holds the second row's value.

    Both rows are full. `first` and `second` are the indices of their first cells in `cells`. Entry
    c is the column in which the first row holds the value that the second row has in column c. The
    result has nine entries in a word, four bits each, for column 0 in the lowest bits.
    """
    where = leads = 0
    for column in range(9):
        where |= column << BITS * cells[first + column]
    for column in range(9):
        leads |= _at(where, cells[second + column]) << BITS * column
    return leads


@always_inline
def _second_row(leads, order, most):  # type: ignore[no-untyped-def]
    """Return the least second row that a full grid can have, and the complete order of the columns.

    `order` has the columns of the first three positions, and `leads` is the result of `_leads` for
    the rows that become the first and the second one. The row is returned as a number, see `_row`.
    It is _NONE if it would be above `most`; the order is then incomplete.
    """
    names, free, next_free = 0, 0, 3
    filled = 0b111
    for position in range(3):
        names |= position + 1 << BITS * _at(order, position)
    free = 3 << BITS * (_at(order, 0) // 3)
    made = 0
    for position in range(9):
        if filled >> position & 1 == 0:  # The last column of its stack.
            for column in range(9):
                if _at(names, column) == 0 and _at(free, column // 3) == position:
                    order |= column << BITS * position
                    names |= position + 1 << BITS * column
        column = _at(leads, _at(order, position))
        name = _at(names, column)
        if name == 0:
            stack = column // 3
            name = _at(free, stack)
            if name == 0:
                name = next_free
                free |= name << BITS * stack
                next_free += 3
            order |= column << BITS * name
            filled |= 1 << name
            free += 1 << BITS * stack
            name += 1
            names |= name << BITS * column
        made = made << BITS | name
        if made > most >> BITS * (8 - position):
            return _NONE, order
    return made, order


@always_inline
def _fourth(leads, order):  # type: ignore[no-untyped-def]
    """Return a lower bound for the fourth name in the second row of a full grid.

    A name is the new value of a value, and the first row is named 1 to 9 in order. The bound is
    only valid if the first three names in the second row are 4 5 7. `leads` is the result of
    `_leads`, and `order` has the columns of the first three positions.
    """
    column = _at(leads, _at(leads, _at(order, 0)))
    for position in range(3):
        if _at(order, position) == column:
            return position + 1
    return 7


@kernel
def _begin_full(tables, memory, partial):  # type: ignore[no-untyped-def]
    """Find all partial transformations that make the first two rows of a full grid least.

    Writes them to `partial`. Returns their number (−1 if it would exceed the capacity of
    `partial`), and the second row as a number, see `_row`. The first row is always 123456789.
    """
    cells = memory.cells
    least = _NONE
    count = 0
    for line in range(18):
        for other in range(line - line % 3, line - line % 3 + 3):
            if other == line:
                continue
            leads = _leads(cells, 9 * line, 9 * other)
            for stack in range(3):
                for choice in range(6):
                    order = 3 * stack * 0x111 + tables.within[choice]
                    one = _at(leads, _at(order, 0)) // 3
                    two = _at(leads, _at(order, 1)) // 3
                    if one != two:
                        continue  # 4 7 …: another order starts with 4 5.
                    # True for 4 5 7 …, False for 4 5 6 …
                    mixed = one != _at(leads, _at(order, 2)) // 3
                    if mixed and 0x4570 | _fourth(leads, order) > least >> 5 * BITS:
                        continue
                    made, order = _second_row(leads, order, least)
                    if made > least:
                        continue
                    if made < least:
                        least = made
                        count = 0
                    if count == len(partial.orders):
                        return -1, 0
                    labels = 9 << 10 * BITS
                    for place in range(9):
                        labels |= place + 1 << BITS * cells[9 * line + _at(order, place)]
                    partial.numbers[count] = 0
                    partial.orders[count] = order
                    partial.labels[count] = labels
                    partial.used[count] = _used(line // 9, 1 << line % 9, other % 9)
                    count += 1
    return count, least


@kernel
def _add_row(tables, memory, partial, count, extended):  # type: ignore[no-untyped-def]
    """Extend the first `count` partial transformations by the least possible next row.

    Writes the extended ones to `extended`. Those that can't have this row next are dropped. Returns
    the number of extended ones (−1 if it would exceed the capacity), and the row as a number, see
    `_row`.
    """
    cells, patterns = memory.cells, memory.patterns
    least = _NONE
    blanks = 0  # number of leading empty cells in the least row
    made = 0
    for index in range(count):
        head = tables.heads[9 * partial.numbers[index] + blanks]
        used, order, labels = partial.used[index], partial.orders[index], partial.labels[index]
        side, band = used >> 9 & 1, used >> 10
        first, last = 3 * band, 3 * band + 3
        if used >> first & 7 == 7:  # The band is complete. Any band without used rows can follow.
            first, last = 0, 9
        blank_before = -1
        for row in range(first, last):
            if used >> row & 1:
                continue
            if patterns[9 * side + row] & head != 0:
                continue
            if patterns[9 * side + row] == 0:
                # All empty rows of a band are equivalent.
                if blank_before == row // 3:
                    continue
                blank_before = row // 3
            value, new_labels = _row(cells, 9 * (9 * side + row), order, labels, least)
            if value > least:
                continue
            if value < least:
                least = value
                made = 0
                blanks = 0
                while blanks < 8 and least >> BITS * (8 - blanks) == 0:
                    blanks += 1
                head = tables.heads[9 * partial.numbers[index] + blanks]
            if made == len(extended.orders):
                return -1, 0
            extended.numbers[made] = partial.numbers[index]
            extended.orders[made] = order
            extended.labels[made] = new_labels
            extended.used[made] = _used(side, used, row)
            made += 1
    return made, least


@always_inline
def _write(row, result, start):  # type: ignore[no-untyped-def]
    """Write the values of a row, a number as in `_row`, to `result` from index `start` on."""
    for place in range(9):
        result[start + place] = row >> BITS * (8 - place) & _VALUE


@kernel
def _find(tables, memory, partial, extended, result, start):  # type: ignore[no-untyped-def]
    """Write the canonical form of the puzzle in `memory` to `result`, from index `start` on.

    `partial` and `extended` are working memory. Returns False if their capacity wasn't sufficient.
    """
    full = True
    given = False
    for row in range(18):
        full &= memory.patterns[row] == _ALL
        given |= memory.patterns[row] != 0
    for cell in range(start, start + GRID):
        result[cell] = 0
    if not given:
        return True
    if full:
        count, made = _begin_full(tables, memory, partial)
        _write(0x123456789, result, start)
        row = 1
    else:
        count, row, made = _begin(tables, memory, partial)
    while count > 0:
        _write(made, result, start + 9 * row)
        row += 1
        if row == 9:
            return True
        count, made = _add_row(tables, memory, partial, count, extended)
        partial, extended = extended, partial
    return False


@compiled
def find_least(grids, count, tables, memory, partial, extended, result):  # type: ignore[no-untyped-def]
    """Write the canonical forms of puzzles or grids to `result`, and return how many were written.

    The number is less than `count` if the next puzzle exceeded the capacity of `partial` and
    `extended`.

    grids, result              flat uint8, 81 bytes per puzzle, 0 = empty
    count                      the number of puzzles in `grids`
    tables                     see `Arrangements`
    memory, partial, extended  working memory
    """
    for number in range(count):
        _read(grids, number * GRID, memory)
        if not _find(tables, memory, partial, extended, result, number * GRID):
            return number
    return count
