"""Many 9×9 boards in 27 vectors, one board per lane, and the sweep that propagates all of them.

Vector `9·i + d` of a board (27,) holds value d + 1 in the three grid rows i, 3 + i, and 6 + i, one
from each band. A set bit is a candidate:

bit    31 30 | 29    | 28 … 20    | 19    | 18 … 10    | 9     | 8 … 0
       0  0  | guard | row 6 + i  | guard | row 3 + i  | guard | row i
             |       | columns 9…1|       | columns 9…1|       | columns 9…1

The nine bits of a row are a field. The guards are zero. Adding 0x1FF to all three fields therefore
sets a guard exactly if its field has any candidate, and decrements the field. The rows of a band
are in different vectors, and the bands are in different fields, so no deduction has to search for
neighbors: each one is at the same bit of another vector, or a fixed shift away.

A minirow is the three cells of a row in a box, and a minicolumn is the three cells of a column in a
box. Three more vectors, 27 + i, hold the solved cells of the rows i, 3 + i, and 6 + i: the cells
known to have a single candidate. They are updated by each sweep, and by the code that creates or
changes boards.
"""

from typing import Any

from solver.compiling.jit import always_inline
from solver.compiling.vector import load, nonzero, not_unrolled, splat, store

SINGLES = 27  # index of the first vector of solved cells
ROWS = 30  # vectors per board
FIELDS = 1 | 1 << 10 | 1 << 20
CELLS = 0x1FF * FIELDS
GUARDS = 0x200 * FIELDS
FIRST = 0b001001001 * FIELDS  # the first cell of every minirow (three cells of a row in a box)
MIDDLE = 0b010010010 * FIELDS
LAST = 0b100100100 * FIELDS
FIRST_BOX = 0b000000111 * FIELDS
LAST_BOX = 0b111000000 * FIELDS


@always_inline
def choose(mask: Any, yes: Any, no: Any) -> Any:
    """Return the bits of `yes` where the mask is set, and those of `no` elsewhere."""
    return (yes & mask) | (no & ~mask)


@always_inline
def add(a, b, c):  # type: ignore[no-untyped-def]
    """Add three bits at each bit position. Return the low bits and the high bits of the sums."""
    half = a ^ b
    return half ^ c, (a & b) | (half & c)


@always_inline
def _minicolumns(board, row):  # type: ignore[no-untyped-def]
    """Return the minicolumns in which a value has a candidate, as one bit per column and band.

    `row`, 0 … 8, is the value minus one. It is the index of the value's first vector.
    """
    return load(board, row) | load(board, row + 9) | load(board, row + 18)


@always_inline
def _find_full(board):  # type: ignore[no-untyped-def]
    """Return the minicolumns that have candidates of exactly three values: a naked triple in each.

    The result has one bit per column and band. On a board without a conflict, every minicolumn has
    candidates of at least three values.
    """
    low0, high0 = add(_minicolumns(board, 0), _minicolumns(board, 1), _minicolumns(board, 2))
    low1, high1 = add(_minicolumns(board, 3), _minicolumns(board, 4), _minicolumns(board, 5))
    low2, high2 = add(_minicolumns(board, 6), _minicolumns(board, 7), _minicolumns(board, 8))
    ones, high3 = add(low0, low1, low2)
    low, fours = add(high0, high1, high2)
    return ones & (low ^ high3) & ~(fours | (low & high3))


@always_inline
def _clear_columns(board, row, full, single_a, single_b, single_c):  # type: ignore[no-untyped-def]
    """Return a value's candidates that are left after its known positions clear their columns.

    A position in a column is known if a cell has no other candidate, or if a full minicolumn
    contains the value. The value is removed from the rest of the column. The result is three
    vectors: for the rows 0, 3, and 6, for the rows 1, 4, and 7, and for the rows 2, 5, and 8. The
    board isn't changed.

    row       the value minus one, 0 … 8
    full      the full minicolumns, see `_find_full`
    single_…  the solved cells of the board, one vector for each of the three sets of rows
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


@always_inline
def next_band(word):  # type: ignore[no-untyped-def]
    """Return the word in which the row of each band is replaced by the row of the next band.

    The row of the last band is replaced by that of the first one. Bits 30 and 31 become
    meaningless.
    """
    return word >> 10 | word << 20


@always_inline
def _keep_permutations(a, b, c):  # type: ignore[no-untyped-def]
    """Return where three values can go, judged by the other two columns of each stack.

    The arguments are the minicolumns that each value can take. Both they and the results have one
    bit per column and band. In the three columns of a stack, a value takes three minicolumns, each
    in another band. So a minicolumn stays only if the value can take the other two columns of the
    stack in the other two bands. Whether the value can take the minicolumn itself isn't checked.
    """
    # The values are interleaved, because each operation on one value depends on the one before.
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


@always_inline
def _filter_columns(board, hidden, row, full, single0, single1, single2):  # type: ignore[no-untyped-def]
    """Eliminate locked candidates of three values between columns and boxes.

    Before that, known positions of the values clear their columns (see `_clear_columns`). The
    remaining candidates are written to `hidden`. The board isn't changed.

    row      the first of the three successive values, minus one: the index of its first vector
    full     the full minicolumns, see `_find_full`
    single…  the board's solved cells: single0 for the rows 0, 3, and 6, single1 for the rows 1, 4,
             and 7, and single2 for the rows 2, 5, and 8

    Returns the minirows in which the values still have candidates, in three words for the same
    three sets of rows. Each word contains all three values, see `_look_at_minirows`.
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


@always_inline
def _look_at_minirows(a, b, c):  # type: ignore[no-untyped-def]
    """Return the minirows in which three values have candidates, in a single word.

    `a`, `b`, and `c` are the candidates of the three values. In the result, the first cell of each
    minirow has the bit of the first value, the middle cell that of the second, and the last cell
    that of the third.
    """
    any_a = a | a >> 1 | a >> 2
    any_b = b | b >> 1 | b << 1
    any_c = c | c << 1 | c << 2
    return choose(FIRST, any_a, choose(MIDDLE, any_b, any_c))


@always_inline
def _find_full_minirows(minirows, i):  # type: ignore[no-untyped-def]
    """Return all cells of the minirows that have candidates of exactly three values.

    `minirows` (9,) has three values per vector, see `_look_at_minirows`. The result covers the rows
    i, 3 + i, and 6 + i.
    """
    low, high = add(load(minirows, i), load(minirows, i + 3), load(minirows, i + 6))
    ones, twos = add(low, low >> 1, low >> 2)
    more, fours = add(high, high >> 1, high >> 2)
    full = FIRST & (ones & (twos ^ more) & ~fours)
    return (full << 3) - full


@always_inline
def _filter_minirows(minirows, row, full0, full1, full2):  # type: ignore[no-untyped-def]
    """Eliminate locked candidates of three values between the rows of a band and its boxes.

    This corresponds to `_keep_permutations` for columns, but the three values share the vectors at
    `row`, `row` + 1, and `row` + 2 of `minirows`. `full0` to `full2` are results of
    `_find_full_minirows`. A value of a full minirow is removed from the rest of its box, and the
    filter then removes it from the rest of its row. Returns the remaining minirows as three
    vectors, and writes nothing.
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


@always_inline
def _find_hidden(word):  # type: ignore[no-untyped-def]
    """Find the hidden singles of a value in the three rows of a vector.

    `word` has the value's candidates. Returns two words. In the first one, the guard bit above each
    row's nine bits is set if the row has a candidate. Its other bits mean nothing. The second word
    has the cells that are the only candidate of their row.
    """
    less = word + CELLS
    several = ((word & less) + CELLS) & GUARDS
    return less, word & ~(several - (several >> 9))


@always_inline
def _put_back(board, hidden, row, cells0, cells1, cells2, any0, any1, any2):  # type: ignore[no-untyped-def]
    """Write the remaining candidates of a value to the board, and find its hidden singles.

    The suffixes 0, 1, and 2 stand for the rows 0, 3, 6, the rows 1, 4, 7, and the rows 2, 5, 8.

    hidden  contains the candidates that the column filter left, and receives the hidden singles
    row     the value minus one
    cells…  the cells that the row filter left to the value
    any…    the cells with hidden singles of earlier values, which can't hold this one

    Returns four words. The first one is that of `_find_hidden` for the rows 0, 3, and 6, which
    shows the rows that have a candidate. The other three are `any…` with the new hidden singles.
    """
    # The three sets of rows are interleaved, because each operation on one depends on the last.
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


@always_inline
def _cells_of_first(minirows):  # type: ignore[no-untyped-def]
    """Return all cells of the minirows that the first of three values can take.

    `minirows` is a word of the form that `_look_at_minirows` returns, with three values.
    """
    here = minirows & FIRST
    return (here << 3) - here


@always_inline
def _cells_of_second(minirows):  # type: ignore[no-untyped-def]
    """Return all cells of the minirows that the second of three values can take."""
    here = minirows & MIDDLE
    return (here << 2) - (here >> 1)


@always_inline
def _cells_of_third(minirows):  # type: ignore[no-untyped-def]
    """Return all cells of the minirows that the third of three values can take."""
    here = minirows & LAST
    return (here << 1) - (here >> 2)


@always_inline
def _leave_hidden(board, hidden, cells, i, any_hidden):  # type: ignore[no-untyped-def]
    """Restrict cells with a hidden single to that value, and count candidates, in three rows.

    The rows are i, 3 + i, and 6 + i. `hidden` has the cells with a hidden single of each value, and
    `any_hidden` those of all values. Writes the board's candidates and solved cells. The
    vector i of `cells` becomes the cells with two candidates, and the vector 3 + i those with more.
    Returns three words of cells: those with no candidate, those with several, and those that became
    solved.
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


@always_inline
def sweep(board, hidden, minirows, cells):  # type: ignore[no-untyped-def]
    """Propagate every board once through all values, rows, columns, and boxes.

    The sweep finds naked singles, naked triples in minicolumns and minirows, locked candidates of
    columns and rows, and hidden singles of rows. The filters imply the hidden singles of columns
    and boxes. `hidden` (27,) is working memory. `minirows` (9,) receives the minirows that each
    value can take, see `_look_at_minirows`. The vectors i and 3 + i of `cells` (6,) become the
    cells with two candidates and with more.

    Returns four words with one bit per lane: boards with a conflict (a cell or a house without
    candidates), boards with unsolved cells, boards with newly solved cells, and boards with more
    than two of them. For the last word, several newly solved cells in one minicolumn count as one.
    If no cell became solved, only the filters can have removed candidates.
    """
    single0 = load(board, SINGLES)
    single1 = load(board, SINGLES + 1)
    single2 = load(board, SINGLES + 2)
    full = _find_full(board)
    # Checking the rows i = 0 is enough: if a row has no candidate, the filters clear its whole
    # band.
    placed = splat(board, GUARDS)
    any0 = splat(board, 0)
    any1 = splat(board, 0)
    any2 = splat(board, 0)
    for row in range(0, not_unrolled(9), 3):
        minirows0, minirows1, minirows2 = _filter_columns(
            board, hidden, row, full, single0, single1, single2
        )
        store(minirows, row, minirows0)
        store(minirows, row + 1, minirows1)
        store(minirows, row + 2, minirows2)
    full0 = _find_full_minirows(minirows, 0)
    full1 = _find_full_minirows(minirows, 1)
    full2 = _find_full_minirows(minirows, 2)
    for row in range(0, not_unrolled(9), 3):
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


@always_inline
def find_complete(board):  # type: ignore[no-untyped-def]
    """Return the boards that have every value in every house, as a word with one bit per lane.

    The bits above the number of lanes are set, too.
    """
    rows = splat(board, GUARDS)
    columns = splat(board, 0x1FF)
    boxes = splat(board, FIRST)
    for d in range(not_unrolled(9)):
        row0 = load(board, d)
        row1 = load(board, d + 9)
        row2 = load(board, d + 18)
        rows = rows & (row0 + CELLS) & (row1 + CELLS) & (row2 + CELLS)
        column = row0 | row1 | row2
        columns = columns & (column | column >> 10 | column >> 20)
        boxes = boxes & (column | column >> 1 | column >> 2)
    return ~nonzero((rows ^ GUARDS) | (columns ^ 0x1FF) | (boxes ^ FIRST))
