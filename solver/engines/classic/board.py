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

Three more vectors, 27 + i, hold the cells of the rows i that have one candidate alone, as far
as the last sweep, or who made or changed the board since, knew.
"""

from typing import Any

from solver.compiling.jit import inlined
from solver.compiling.vector import load, nonzero, rolled, splat, store

SINGLES = 27  # where the vectors of single cells begin
ROWS = 30  # vectors of a board
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
def add(a, b, c):  # type: ignore[no-untyped-def]
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
    low0, high0 = add(_minicolumns(board, 0), _minicolumns(board, 1), _minicolumns(board, 2))
    low1, high1 = add(_minicolumns(board, 3), _minicolumns(board, 4), _minicolumns(board, 5))
    low2, high2 = add(_minicolumns(board, 6), _minicolumns(board, 7), _minicolumns(board, 8))
    ones, high3 = add(low0, low1, low2)
    low, fours = add(high0, high1, high2)
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
def next_band(word):  # type: ignore[no-untyped-def]
    """Return every field's next one in its place."""
    return word >> 10 | word << 20


@inlined
def _keep_permutations(a, b, c):  # type: ignore[no-untyped-def]
    """Return which of the minicolumns of three values a permutation uses.

    In the three boxes of a stack, a value takes three different columns in three different
    bands. The three values go side by side, for each step of one waits for the step before.
    """
    next_a = choose(LAST, a << 2, a >> 1)
    next_b = choose(LAST, b << 2, b >> 1)
    next_c = choose(LAST, c << 2, c >> 1)
    last_a = choose(FIRST, a >> 2, a << 1)
    last_b = choose(FIRST, b >> 2, b << 1)
    last_c = choose(FIRST, c >> 2, c << 1)
    two_boxes_a = (next_a & next_band(last_a)) | (last_a & next_band(next_a))
    two_boxes_b = (next_b & next_band(last_b)) | (last_b & next_band(next_b))
    two_boxes_c = (next_c & next_band(last_c)) | (last_c & next_band(next_c))
    return next_band(two_boxes_a), next_band(two_boxes_b), next_band(two_boxes_c)


@inlined
def _filter_columns(board, hidden, row, full, single0, single1, single2):  # type: ignore[no-untyped-def]
    """Locked candidates of three neighbouring values between their columns and their boxes.

    Of what the columns are cleared of, too. `hidden` gets what is left of the values; returned
    are the minirows that they have left, one word for the rows 0, 3, 6 of all three, and so on.
    """
    a0, a1, a2 = _clear_columns(board, row, full, single0, single1, single2)
    b0, b1, b2 = _clear_columns(board, row + 1, full, single0, single1, single2)
    c0, c1, c2 = _clear_columns(board, row + 2, full, single0, single1, single2)
    kept_a, kept_b, kept_c = _keep_permutations(a0 | a1 | a2, b0 | b1 | b2, c0 | c1 | c2)
    a0, a1, a2 = a0 & kept_a, a1 & kept_a, a2 & kept_a
    b0, b1, b2 = b0 & kept_b, b1 & kept_b, b2 & kept_b
    c0, c1, c2 = c0 & kept_c, c1 & kept_c, c2 & kept_c
    store(hidden, row, a0)
    store(hidden, row + 9, a1)
    store(hidden, row + 18, a2)
    store(hidden, row + 1, b0)
    store(hidden, row + 10, b1)
    store(hidden, row + 19, b2)
    store(hidden, row + 2, c0)
    store(hidden, row + 11, c1)
    store(hidden, row + 20, c2)
    return (
        _look_at_minirows(a0, b0, c0),
        _look_at_minirows(a1, b1, c1),
        _look_at_minirows(a2, b2, c2),
    )


@inlined
def _look_at_minirows(a, b, c):  # type: ignore[no-untyped-def]
    """Return which minirows of three values hold a candidate, as first, middle and last bits."""
    any_a = a | a >> 1 | a >> 2
    any_b = b | b >> 1 | b << 1
    any_c = c | c << 1 | c << 2
    return choose(FIRST, any_a, choose(MIDDLE, any_b, any_c))


@inlined
def _find_full_minirows(minirows, i):  # type: ignore[no-untyped-def]
    """Return the minirows of the rows i that hold three values for certain, in all their bits.

    As minicolumns do; the minirows of three values share each vector of `minirows`.
    """
    low, high = add(load(minirows, i), load(minirows, i + 3), load(minirows, i + 6))
    ones, twos = add(low, low >> 1, low >> 2)
    more, fours = add(high, high >> 1, high >> 2)
    full = FIRST & (ones & (twos ^ more) & ~fours)
    return (full << 3) - full


@inlined
def _filter_minirows(minirows, row, full0, full1, full2):  # type: ignore[no-untyped-def]
    """Locked candidates of three values between the rows of a band and its boxes.

    As for columns; the minirows of the three values share a vector. A value of a full minirow
    is nowhere else in its box, and nowhere else in its row by the filter. Returns the minirows
    that are left.
    """
    minirows0 = load(minirows, row)
    minirows1 = load(minirows, row + 1)
    minirows2 = load(minirows, row + 2)
    taken0 = minirows0 & full0
    taken1 = minirows1 & full1
    taken2 = minirows2 & full2
    minirows0 = minirows0 & ~(taken1 | taken2)
    minirows1 = minirows1 & ~(taken2 | taken0)
    minirows2 = minirows2 & ~(taken0 | taken1)
    next0 = choose(LAST_BOX, minirows0 << 6, minirows0 >> 3)
    next1 = choose(LAST_BOX, minirows1 << 6, minirows1 >> 3)
    next2 = choose(LAST_BOX, minirows2 << 6, minirows2 >> 3)
    last0 = choose(FIRST_BOX, minirows0 >> 6, minirows0 << 3)
    last1 = choose(FIRST_BOX, minirows1 >> 6, minirows1 << 3)
    last2 = choose(FIRST_BOX, minirows2 >> 6, minirows2 << 3)
    return (
        minirows0 & ((next1 & last2) | (last1 & next2)),
        minirows1 & ((next2 & last0) | (last2 & next0)),
        minirows2 & ((next0 & last1) | (last0 & next1)),
    )


@inlined
def _find_hidden(word):  # type: ignore[no-untyped-def]
    """Return (guards of the rows with a place for the value, cells that are the only place)."""
    less = word + CELLS
    several = ((word & less) + CELLS) & GUARDS
    return less, word & ~(several - (several >> 9))


@inlined
def _put_back(board, hidden, row, cells0, cells1, cells2, any0, any1, any2):  # type: ignore[no-untyped-def]
    """Write what is left of a value in the rows 0, 3, 6, in 1, 4, 7 and in 2, 5, 8; side by side.

    `hidden` holds what the filter of columns has left and becomes the value's hidden singles;
    `cells` are what the filter of rows has left, `any` the cells with hidden singles of values
    before, which are no place for this one. Returns (guards of the rows 0, 3, 6 with a place for
    the value; the three words of cells with hidden singles until now).
    """
    word0 = load(hidden, row) & cells0 & ~any0
    word1 = load(hidden, row + 9) & cells1 & ~any1
    word2 = load(hidden, row + 18) & cells2 & ~any2
    store(board, row, word0)
    store(board, row + 9, word1)
    store(board, row + 18, word2)
    placed, hidden0 = _find_hidden(word0)
    _, hidden1 = _find_hidden(word1)
    _, hidden2 = _find_hidden(word2)
    store(hidden, row, hidden0)
    store(hidden, row + 9, hidden1)
    store(hidden, row + 18, hidden2)
    return placed, any0 | hidden0, any1 | hidden1, any2 | hidden2


@inlined
def _cells_of_first(minirows):  # type: ignore[no-untyped-def]
    """Return the cells of the minirows of the first of three values that share a word."""
    here = minirows & FIRST
    return (here << 3) - here


@inlined
def _cells_of_second(minirows):  # type: ignore[no-untyped-def]
    """Return the cells of the minirows of the second of three values."""
    here = minirows & MIDDLE
    return (here << 2) - (here >> 1)


@inlined
def _cells_of_third(minirows):  # type: ignore[no-untyped-def]
    """Return the cells of the minirows of the third of three values."""
    here = minirows & LAST
    return (here << 1) - (here >> 2)


@inlined
def _leave_hidden(board, hidden, cells, i, any_hidden):  # type: ignore[no-untyped-def]
    """Leave cells of the rows i nothing but their hidden singles, and count candidates.

    Returns the cells with none, those with several, and those that became single.
    """
    one = load(board, 9 * i) & (load(hidden, 9 * i) | ~any_hidden)
    two = splat(board, 0)
    three = splat(board, 0)
    store(board, 9 * i, one)
    for row in range(9 * i + 1, 9 * i + 9):
        word = load(board, row) & (load(hidden, row) | ~any_hidden)
        store(board, row, word)
        three = three | (two & word)
        two = two | (one & word)
        one = one | word
    store(cells, i, two & ~three)
    store(cells, 3 + i, three)
    single = one & ~two
    fresh = single ^ load(board, SINGLES + i)
    store(board, SINGLES + i, single)
    return ~one & CELLS, two, fresh


@inlined
def sweep(board, hidden, minirows, cells):  # type: ignore[no-untyped-def]
    """Look at every value, row, column and box of every board once.

    Naked singles, triples of minicolumns and of minirows, locked candidates of columns and of
    rows, and hidden singles of rows; those of columns and boxes follow from the filters.
    `hidden` (27,) and `minirows` (9,) are working memory. The vectors i and 3 + i of `cells` (6,)
    become the cells that have two candidates, and more. Returns four words with a bit for each
    lane: dead boards (a cell or a house has no candidate left), boards with a cell that has several
    candidates, boards with a cell that became single, and boards with more than two of them (those
    of the rows i, 3 + i and 6 + i count once where they are in one column). In boards with none
    only the filters have removed anything.
    """
    single0 = load(board, SINGLES)
    single1 = load(board, SINGLES + 1)
    single2 = load(board, SINGLES + 2)
    full = _find_full(board)
    placed = splat(board, GUARDS)  # by row i = 0: without a place there, the filters leave none
    any0 = splat(board, 0)
    any1 = splat(board, 0)
    any2 = splat(board, 0)
    for row in range(0, rolled(9), 3):
        minirows0, minirows1, minirows2 = _filter_columns(
            board, hidden, row, full, single0, single1, single2
        )
        store(minirows, row, minirows0)
        store(minirows, row + 1, minirows1)
        store(minirows, row + 2, minirows2)
    full0 = _find_full_minirows(minirows, 0)
    full1 = _find_full_minirows(minirows, 1)
    full2 = _find_full_minirows(minirows, 2)
    for row in range(0, rolled(9), 3):
        left0, left1, left2 = _filter_minirows(minirows, row, full0, full1, full2)
        store(minirows, row, left0)
        store(minirows, row + 1, left1)
        store(minirows, row + 2, left2)
        placed_a, any0, any1, any2 = _put_back(
            board, hidden, row,
            _cells_of_first(left0), _cells_of_first(left1), _cells_of_first(left2),
            any0, any1, any2,
        )  # fmt: skip
        placed_b, any0, any1, any2 = _put_back(
            board, hidden, row + 1,
            _cells_of_second(left0), _cells_of_second(left1), _cells_of_second(left2),
            any0, any1, any2,
        )  # fmt: skip
        placed_c, any0, any1, any2 = _put_back(
            board, hidden, row + 2,
            _cells_of_third(left0), _cells_of_third(left1), _cells_of_third(left2),
            any0, any1, any2,
        )  # fmt: skip
        placed = placed & placed_a & placed_b & placed_c
    empty0, several0, fresh0 = _leave_hidden(board, hidden, cells, 0, any0)
    empty1, several1, fresh1 = _leave_hidden(board, hidden, cells, 1, any1)
    empty2, several2, fresh2 = _leave_hidden(board, hidden, cells, 2, any2)
    dead = empty0 | empty1 | empty2 | (~placed & GUARDS)
    several = several0 | several1 | several2
    fresh = fresh0 | fresh1 | fresh2
    but_one = fresh & (fresh - 1)
    return nonzero(dead), nonzero(several), nonzero(fresh), nonzero(but_one & (but_one - 1))


@inlined
def find_complete(board):  # type: ignore[no-untyped-def]
    """Return a word with a bit for each lane: boards with every value in every house."""
    rows = splat(board, GUARDS)
    columns = splat(board, 0x1FF)
    boxes = splat(board, FIRST)
    for d in range(rolled(9)):
        row0 = load(board, d)
        row1 = load(board, d + 9)
        row2 = load(board, d + 18)
        rows = rows & (row0 + CELLS) & (row1 + CELLS) & (row2 + CELLS)
        column = row0 | row1 | row2
        columns = columns & (column | column >> 10 | column >> 20)
        boxes = boxes & (column | column >> 1 | column >> 2)
    return ~nonzero((rows ^ GUARDS) | (columns ^ 0x1FF) | (boxes ^ FIRST))
