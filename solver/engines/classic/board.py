"""Many 9×9 boards at once, one in each lane of 27 vectors, and one sweep of deduction.

Vector `9·i + d` of a board (27,) holds value d + 1 in the three grid rows i, 3 + i and
6 + i, one from each band. A set bit is a candidate:

    bit    31 30 | 29    | 28 … 20    | 19    | 18 … 10    | 9     | 8 … 0
           0  0  | guard | row 6 + i  | guard | row 3 + i  | guard | row i
                 |       | columns 9…1|       | columns 9…1|       | columns 9…1

The guards are zero, so that adding 0x1FF to all three fields leaves a guard set exactly where
a field holds any candidate, and the field one less than it was. With the rows of a band in
different vectors and the bands in different fields, no deduction has to look for its
neighbours: what it needs is the same bit of another vector, or lies a fixed shift away.
"""

from typing import Any

from solver.compiling.jit import inlined
from solver.compiling.vector import load, nonzero, splat, store

ROWS = 27  # vectors of a board
FIELDS = 1 | 1 << 10 | 1 << 20
CELLS = 0x1FF * FIELDS
GUARDS = 0x200 * FIELDS
FIRST = 0b001001001 * FIELDS  # the first cell of every minirow (three cells of a row in a box)
MIDDLE = 0b010010010 * FIELDS
LAST = 0b100100100 * FIELDS
FIRST_BOX = 0b000000111 * FIELDS
LAST_BOX = 0b111000000 * FIELDS


@inlined
def choose(mask: Any, yes: Any, no: Any) -> Any:
    """Return the bits of `yes` where the mask is set, those of `no` where it is not."""
    return (yes & mask) | (no & ~mask)


@inlined
def count_candidates(board, i):  # type: ignore[no-untyped-def]
    """Return the cells of the rows i with at least one, two and three candidates."""
    one = load(board, 9 * i)
    two = splat(board, 0)
    three = splat(board, 0)
    for d in range(1, 9):
        word = load(board, 9 * i + d)
        three = three | (two & word)
        two = two | (one & word)
        one = one | word
    return one, two, three


@inlined
def _add(a, b, c):  # type: ignore[no-untyped-def]
    """Add three bits in every place; return the sums' low and high bits."""
    half = a ^ b
    return half ^ c, (a & b) | (half & c)


@inlined
def _minicolumns(board, row):  # type: ignore[no-untyped-def]
    """Return the minicolumns (three cells of a column in a box) of the value in vector `row`."""
    return load(board, row) | load(board, row + 9) | load(board, row + 18)


@inlined
def _find_full(board):  # type: ignore[no-untyped-def]
    """Return the minicolumns that have candidates of just three values, and so hold these three.

    In a board that is not dead, every minicolumn has candidates of three values at least.
    """
    low0, high0 = _add(_minicolumns(board, 0), _minicolumns(board, 1), _minicolumns(board, 2))
    low1, high1 = _add(_minicolumns(board, 3), _minicolumns(board, 4), _minicolumns(board, 5))
    low2, high2 = _add(_minicolumns(board, 6), _minicolumns(board, 7), _minicolumns(board, 8))
    ones, high3 = _add(low0, low1, low2)
    low, fours = _add(high0, high1, high2)
    return ones & (low ^ high3) & ~(fours | (low & high3))


@inlined
def _clear_columns(board, row, full, single_a, single_b, single_c):  # type: ignore[no-untyped-def]
    """Take a value that has its place in a column from the rest of the column.

    That is a cell of which it is the only candidate, or a full minicolumn. The value is the one
    that vector `row` of the board holds in the rows 0, 3 and 6.
    """
    a = load(board, row)
    b = load(board, row + 9)
    c = load(board, row + 18)
    only_a = a & single_a
    only_b = b & single_b
    only_c = c & single_c
    here = only_a | only_b | only_c
    box = here | ((a | b | c) & full)
    column = (here | box << 10 | box >> 20) | (box << 20 | box >> 10)
    return a & (only_a | ~column), b & (only_b | ~column), c & (only_c | ~column)


@inlined
def _filter_columns(a, b, c):  # type: ignore[no-untyped-def]
    """Locked candidates of one value between its columns and its boxes.

    In the three boxes of a stack, a value takes three different columns in three different
    bands: a permutation. What no permutation of the nine minicolumns uses is removed.
    """
    any_row = a | b | c
    next_column = choose(LAST, any_row << 2, any_row >> 1)
    last_column = choose(FIRST, any_row >> 2, any_row << 1)
    allowed = (
        (next_column >> 10 | next_column << 20) & (last_column >> 20 | last_column << 10)
    ) | ((last_column >> 10 | last_column << 20) & (next_column >> 20 | next_column << 10))
    return a & allowed, b & allowed, c & allowed


@inlined
def _pack(a, b, c):  # type: ignore[no-untyped-def]
    """Return which minirows of three values hold a candidate, as first, middle and last bits."""
    any_a = a | a >> 1 | a >> 2
    any_b = b | b >> 1 | b << 1
    any_c = c | c << 1 | c << 2
    return choose(FIRST, any_a, choose(MIDDLE, any_b, any_c))


@inlined
def _keep_minirows(allowed, a, b, c):  # type: ignore[no-untyped-def]
    """Return three values without the minirows whose packed bit is not set."""
    first = allowed & FIRST
    middle = allowed & MIDDLE
    last = allowed & LAST
    return (
        a & ((first << 3) - first),
        b & ((middle << 2) - (middle >> 1)),
        c & ((last << 1) - (last >> 2)),
    )


@inlined
def _filter_rows(a0, a1, a2, b0, b1, b2, c0, c1, c2):  # type: ignore[no-untyped-def]
    """Locked candidates of three values a, b, c between the rows of a band and its boxes.

    As for columns; the minirows of the three values share a vector.
    """
    minirows0 = _pack(a0, b0, c0)
    minirows1 = _pack(a1, b1, c1)
    minirows2 = _pack(a2, b2, c2)
    next0 = choose(LAST_BOX, minirows0 << 6, minirows0 >> 3)
    next1 = choose(LAST_BOX, minirows1 << 6, minirows1 >> 3)
    next2 = choose(LAST_BOX, minirows2 << 6, minirows2 >> 3)
    last0 = choose(FIRST_BOX, minirows0 >> 6, minirows0 << 3)
    last1 = choose(FIRST_BOX, minirows1 >> 6, minirows1 << 3)
    last2 = choose(FIRST_BOX, minirows2 >> 6, minirows2 << 3)
    a0, b0, c0 = _keep_minirows((next1 & last2) | (last1 & next2), a0, b0, c0)
    a1, b1, c1 = _keep_minirows((next2 & last0) | (last2 & next0), a1, b1, c1)
    a2, b2, c2 = _keep_minirows((next0 & last1) | (last0 & next1), a2, b2, c2)
    return a0, a1, a2, b0, b1, b2, c0, c1, c2


@inlined
def _find_hidden(word):  # type: ignore[no-untyped-def]
    """Return (guards of the rows with a place for the value, cells that are the only place)."""
    less = word + CELLS
    several = ((word & less) + CELLS) & GUARDS
    return less, word & ~(several - (several >> 9))


@inlined
def _put_back(board, hidden, row, a, b, c):  # type: ignore[no-untyped-def]
    """Write the same rows of three neighbouring values, and their hidden singles.

    Returns (guards of the rows with a place for each value, bits that changed, hidden singles
    of any of them, hidden singles of two of them).
    """
    old_a = load(board, row)
    old_b = load(board, row + 1)
    old_c = load(board, row + 2)
    store(board, row, a)
    store(board, row + 1, b)
    store(board, row + 2, c)
    placed_a, hidden_a = _find_hidden(a)
    placed_b, hidden_b = _find_hidden(b)
    placed_c, hidden_c = _find_hidden(c)
    store(hidden, row, hidden_a)
    store(hidden, row + 1, hidden_b)
    store(hidden, row + 2, hidden_c)
    return (
        placed_a & placed_b & placed_c,
        (a ^ old_a) | (b ^ old_b) | (c ^ old_c),
        hidden_a | hidden_b | hidden_c,
        (hidden_a & hidden_b) | ((hidden_a | hidden_b) & hidden_c),
    )


@inlined
def sweep(board, hidden, cells):  # type: ignore[no-untyped-def]
    """Look at every value, row, column and box of every board once.

    Naked singles, triples of minicolumns, locked candidates of columns and of rows, and hidden
    singles of rows; those of columns and boxes follow from the filters. `hidden` (27,) is
    working memory. The vectors i and 3 + i of `cells` (6,) become the cells that had two
    candidates, and more. Returns three words with a bit for each lane: dead boards (a cell or a
    house has no candidate left), boards with a cell that had several candidates before, and
    boards that changed.
    """
    one0, two0, three0 = count_candidates(board, 0)
    one1, two1, three1 = count_candidates(board, 1)
    one2, two2, three2 = count_candidates(board, 2)
    store(cells, 0, two0 & ~three0)
    store(cells, 1, two1 & ~three1)
    store(cells, 2, two2 & ~three2)
    store(cells, 3, three0)
    store(cells, 4, three1)
    store(cells, 5, three2)
    empty = ~(one0 & one1 & one2) & CELLS
    several = two0 | two1 | two2
    single0 = one0 & ~two0
    single1 = one1 & ~two1
    single2 = one2 & ~two2
    full = _find_full(board)
    placed = splat(board, GUARDS)
    changed = splat(board, 0)
    twice = splat(board, 0)
    any0 = splat(board, 0)
    any1 = splat(board, 0)
    any2 = splat(board, 0)
    for row in range(0, 9, 3):
        a0, a1, a2 = _filter_columns(*_clear_columns(board, row, full, single0, single1, single2))
        b0, b1, b2 = _filter_columns(
            *_clear_columns(board, row + 1, full, single0, single1, single2)
        )
        c0, c1, c2 = _filter_columns(
            *_clear_columns(board, row + 2, full, single0, single1, single2)
        )
        a0, a1, a2, b0, b1, b2, c0, c1, c2 = _filter_rows(a0, a1, a2, b0, b1, b2, c0, c1, c2)
        placed0, changed0, hidden0, twice0 = _put_back(board, hidden, row, a0, b0, c0)
        placed1, changed1, hidden1, twice1 = _put_back(board, hidden, row + 9, a1, b1, c1)
        placed2, changed2, hidden2, twice2 = _put_back(board, hidden, row + 18, a2, b2, c2)
        placed = placed & placed0 & (placed1 & placed2)
        changed = changed | changed0 | (changed1 | changed2)
        twice = (twice | (any0 & hidden0) | twice0) | ((any1 & hidden1) | twice1)
        twice = twice | ((any2 & hidden2) | twice2)
        any0 = any0 | hidden0
        any1 = any1 | hidden1
        any2 = any2 | hidden2
    for row in range(9):
        store(board, row, load(board, row) & (load(hidden, row) | ~any0))
        store(board, row + 9, load(board, row + 9) & (load(hidden, row + 9) | ~any1))
        store(board, row + 18, load(board, row + 18) & (load(hidden, row + 18) | ~any2))
    changed = changed | (any0 & ~single0) | ((any1 & ~single1) | (any2 & ~single2))
    dead = empty | twice | (~placed & GUARDS)
    return nonzero(dead), nonzero(several), nonzero(changed)
