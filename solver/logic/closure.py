"""The transitive closure of the implications: all literals that follow from each candidate."""

from typing import Any, NamedTuple

import numpy as np

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import always_inline, helper, kernel
from solver.logic.board import Ints, Words


class Reached(NamedTuple):
    """For each literal of a candidate, all literals that follow from it, including itself.

    A row has one bit per literal:

        true candidates │ false candidates │ groups and sets

    To keep the rows short, only the candidates that exist are numbered, cell by cell. Row 2 ×
    number belongs to "the candidate is false", row 2 × number + 1 to "the candidate is true".
    """

    rows: Words  # (2 × candidates, words)
    numbers: Ints  # (nodes,): the candidate's number, −1 if it doesn't exist
    nodes: Ints  # (candidates,): cell × size + value − 1
    half: int  # number of words for true candidates, the same as for false ones
    size: int  # number of values


@always_inline
def row_of(reached: Any, of: int) -> Any:
    """Return the row index of a candidate's literal."""
    return 2 * reached.numbers[of >> 1] + (of & 1)


@always_inline
def follows_in(reached: Any, row: Any, of: int) -> Any:
    """Return whether a row contains a candidate's literal."""
    number = reached.numbers[of >> 1]
    word = (number >> 6) + (0 if of & 1 else reached.half)
    return row[word] >> (number & 63) & 1


@always_inline
def add_candidate(reached: Any, candidates: Any, cell: int, value: int) -> None:
    """Add a candidate to `candidates`, a bit set in the format of half a row."""
    number = reached.numbers[cell * reached.size + value - 1]
    candidates[number >> 6] |= 1 << (number & 63)


@helper
def close(board: Any, grid: Any, found: Any) -> Any:
    """Return the transitive closure of the implications for all candidates.

    The literals left to expand form a bit set, too. When a literal's row is already complete, the
    whole row is merged and its members are not expanded again. Literals "candidate is false" are
    processed first, because few things follow from them directly.
    """
    numbers = np.full(found.sizes[0], -1, np.int32)
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
    words = 2 * half + ((2 * found.sizes[2] + 63) >> 6)
    reached = Reached(
        np.zeros((2 * count, words), np.int64), numbers, nodes, half, board.value_count
    )
    # (bits of a row, words): direct implications of each literal
    direct = np.zeros((64 * words, words), np.int64)
    leads = np.zeros(words, np.int64)  # literals that have direct implications
    for number in range(count):
        for true in range(2):
            of = 2 * nodes[number] + true
            _write_direct(found, reached, of, direct, leads)
    for of in range(2 * found.sizes[0], 2 * (found.sizes[0] + found.sizes[2])):
        _write_direct(found, reached, of, direct, leads)
    waiting = np.zeros(words, np.int64)
    done = np.zeros(words, np.int64)
    for true in range(2):
        for number in range(count):
            _follow_all(reached, direct, leads, number, true, waiting, done)
    return reached


@always_inline
def _bit_of(found: Any, reached: Any, of: int) -> Any:
    """Return the bit index of a literal in a row."""
    node = of >> 1
    if node >= found.sizes[0]:
        return 128 * reached.half + of - 2 * found.sizes[0]
    return reached.numbers[node] + (0 if of & 1 else 64 * reached.half)


@kernel
def _write_direct(found: Any, reached: Any, of: int, direct: Any, leads: Any) -> None:
    """Write the direct implications of a literal."""
    own = _bit_of(found, reached, of)
    row = direct[own]
    for number in range(found.counts[of]):
        bit = _bit_of(found, reached, found.follows[of, number])
        row[bit >> 6] |= 1 << (bit & 63)
    if found.counts[of]:
        leads[own >> 6] |= 1 << (own & 63)


@kernel
def _follow_all(
    reached: Any, direct: Any, leads: Any, number: int, true: int, waiting: Any, done: Any
) -> None:
    """Fill the row of a literal, reusing the rows of literals that are `done`."""
    seen = reached.rows[2 * number + true]
    words, half = len(seen), reached.half
    own = number + (0 if true else 64 * half)
    seen[own >> 6] |= 1 << (own & 63)
    bit = own
    while bit >= 0:
        if done[bit >> 6] >> (bit & 63) & 1:
            known = reached.rows[2 * bit + 1 if bit < 64 * half else 2 * (bit - 64 * half)]
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
def _next(waiting: Any, done: Any) -> Any:
    """Remove and return a bit of `waiting`, preferably one that is also `done`.

    Returns −1 if none is left.
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
