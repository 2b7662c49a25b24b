"""The transitive closure of the implications: all literals that follow from each candidate."""

from typing import Any, NamedTuple

import numpy as np

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import always_inline, helper, kernel
from solver.logic.board import Board, Ints, Words
from solver.logic.grid import Grid
from solver.logic.implications import CANDIDATE_COUNT, NODE_COUNT, Implications


class Closure(NamedTuple):
    """For each literal of a candidate, all literals that follow from it, including itself.

    A literal states that a candidate is true or that it is false. A row has one bit per literal:

        true candidates │ false candidates │ groups and sets

    To keep the rows short, only the candidates that exist are numbered, cell by cell. Row 2 ×
    number belongs to "the candidate is false", row 2 × number + 1 to "the candidate is true".

        rows     (2 × candidates, words)
        numbers  by node (cell × size + value − 1): the candidate's number, −1 if it doesn't exist
        nodes    by number: the candidate's node
        half     the number of words for true candidates, which is also the number for false ones
        size     the number of values
    """

    rows: Words
    numbers: Ints
    nodes: Ints
    half: int
    size: int


@always_inline
def row_of(closure: Closure, literal: int) -> Any:
    """Return the index of the row in `closure.rows` for a literal.

    `literal` is 2 × node + 1 for "the candidate is true", and 2 × node for "it is false".
    """
    return 2 * closure.numbers[literal >> 1] + (literal & 1)


@always_inline
def follows_in(closure: Closure, row: Words, literal: int) -> Any:
    """Return 1 if a row of the closure contains a literal, else 0.

    `literal` is 2 × node + 1 for "the candidate is true", and 2 × node for "it is false".
    """
    number = closure.numbers[literal >> 1]
    word = (number >> 6) + (0 if literal & 1 else closure.half)
    return row[word] >> (number & 63) & 1


@always_inline
def add_candidate(closure: Closure, candidates: Words, cell: int, value: int) -> None:
    """Add a candidate to `candidates`, a bit set that is indexed like the first half of a row."""
    number = closure.numbers[cell * closure.size + value - 1]
    candidates[number >> 6] |= 1 << (number & 63)


@helper
def transitive_closure(board: Board, grid: Grid, implications: Implications) -> Any:
    """Return all literals that follow from each candidate if it is true, and if it is false.

    While a row is filled, a second bit set holds its literals that are still to be expanded. If the
    row of such a literal is already complete, the whole row is merged, and its members are not
    expanded again. The rows for "candidate is false" come first, because few things follow from
    them directly.
    """
    numbers = np.full(implications.sizes[CANDIDATE_COUNT], -1, np.int32)
    count = 0
    for cell in range(board.cell_count):
        count += popcount(grid.cells[cell])
    nodes = np.empty(count, np.int32)
    count = 0
    for cell in range(board.cell_count):
        rest = grid.cells[cell]
        while rest:
            nodes[count] = cell * board.value_count + ctz(rest)
            numbers[nodes[count]] = count
            count += 1
            rest &= rest - 1
    half = (count + 63) >> 6
    words = 2 * half + ((2 * implications.sizes[NODE_COUNT] + 63) >> 6)
    closure = Closure(
        np.zeros((2 * count, words), np.int64), numbers, nodes, half, board.value_count
    )
    # (bits of a row, words): direct implications of each literal
    direct = np.zeros((64 * words, words), np.int64)
    leads = np.zeros(words, np.int64)  # literals that have direct implications
    for number in range(count):
        for true in range(2):
            literal = 2 * nodes[number] + true
            _write_direct(implications, closure, literal, direct, leads)
    for literal in range(
        2 * implications.sizes[CANDIDATE_COUNT],
        2 * (implications.sizes[CANDIDATE_COUNT] + implications.sizes[NODE_COUNT]),
    ):
        _write_direct(implications, closure, literal, direct, leads)
    waiting = np.zeros(words, np.int64)
    done = np.zeros(words, np.int64)
    for true in range(2):
        for number in range(count):
            _follow_all(closure, direct, leads, number, true, waiting, done)
    return closure


@always_inline
def _bit_of(implications: Implications, closure: Closure, literal: int) -> Any:
    """Return the index of a literal's bit in the rows of the closure, counted over all words."""
    node = literal >> 1
    if node >= implications.sizes[CANDIDATE_COUNT]:
        return 128 * closure.half + literal - 2 * implications.sizes[CANDIDATE_COUNT]
    return closure.numbers[node] + (0 if literal & 1 else 64 * closure.half)


@kernel
def _write_direct(
    implications: Implications, closure: Closure, literal: int, direct: Words, leads: Words
) -> None:
    """Write the direct implications of a literal to its row of `direct`, a bit set of literals.

    If it has any, also adds the literal to the bit set `leads`.
    """
    own = _bit_of(implications, closure, literal)
    row = direct[own]
    for number in range(implications.counts[literal]):
        bit = _bit_of(implications, closure, implications.follows[literal, number])
        row[bit >> 6] |= 1 << (bit & 63)
    if implications.counts[literal]:
        leads[own >> 6] |= 1 << (own & 63)


@kernel
def _follow_all(
    closure: Closure,
    direct: Words,
    leads: Words,
    number: int,
    true: int,
    waiting: Words,
    done: Words,
) -> None:
    """Fill the closure's row of a literal with all literals that follow from it.

    The literal states that candidate `number` is true (1) or false (0). `direct` and `leads` come
    from `_write_direct`. Rows of literals in the bit set `done` are complete and are merged as a
    whole. The literal is then added to `done`. `waiting` is an empty bit set for the literals still
    to expand.
    """
    seen = closure.rows[2 * number + true]
    words, half = len(seen), closure.half
    own = number + (0 if true else 64 * half)
    seen[own >> 6] |= 1 << (own & 63)
    bit = own
    while bit >= 0:
        if done[bit >> 6] >> (bit & 63) & 1:
            known = closure.rows[2 * bit + 1 if bit < 64 * half else 2 * (bit - 64 * half)]
            for word in range(words):
                seen[word] |= known[word]
                waiting[word] &= ~known[word]
        else:
            for word in range(words):
                more = direct[bit, word] & ~seen[word]
                seen[word] |= more
                waiting[word] |= more & leads[word]
        bit = _next(waiting, done)
    done[own >> 6] |= 1 << (own & 63)


@kernel
def _next(waiting: Words, done: Words) -> Any:
    """Remove a bit from the bit set `waiting` and return its index, or −1 if the set is empty.

    Bits that are also in `done` are preferred.
    """
    later = -1
    for word in range(len(waiting)):
        if waiting[word]:
            known = waiting[word] & done[word]
            if known:
                waiting[word] &= ~(known & -known)
                return 64 * word + ctz(known)
            later = word
    if later < 0:
        return -1
    bit = ctz(waiting[later])
    waiting[later] &= waiting[later] - 1
    return 64 * later + bit
