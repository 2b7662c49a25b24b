"""All that follows from each candidate, true or false, as sets of literals."""

from typing import Any, NamedTuple

import numpy as np

from solver.compiling.jit import bare, inlined, inner
from solver.compiling.words import lowest, ones
from solver.logic.board import Ints, Words


class Reached(NamedTuple):
    """What follows from each literal of a candidate, itself included: rows of words.

        true candidates │ false candidates │ groups and sets        one bit each

    Candidates are numbered as they come, cell by cell, so that a row is a few words. Row 2 × number
    is that of a false one, the next row that of a true one.
    """

    rows: Words  # (2 × candidates, words)
    numbers: Ints  # (nodes,): the number of a candidate, −1 if it is gone
    nodes: Ints  # (candidates,): cell × size + value − 1
    half: int  # how many words there are for true candidates, and as many for false ones
    size: int  # how many values there are


@inlined
def row_of(reached: Any, of: int) -> Any:
    """Return which row is that of a literal of a candidate."""
    return 2 * reached.numbers[of >> 1] + (of & 1)


@inlined
def follows_in(reached: Any, row: Any, of: int) -> Any:
    """Return whether a literal of a candidate is in a row."""
    number = reached.numbers[of >> 1]
    word = (number >> 6) + (0 if of & 1 else reached.half)
    return row[word] >> (number & 63) & 1


@inlined
def add_candidate(reached: Any, candidates: Any, cell: int, value: int) -> None:
    """Add a candidate to a set, in words like half a row."""
    number = reached.numbers[cell * reached.size + value - 1]
    candidates[number >> 6] |= 1 << (number & 63)


@inner
def close(board: Any, grid: Any, found: Any) -> Any:
    """Return all that follows from each candidate that there is.

    What is still to be followed from a literal is a set, too: where it meets a literal that was
    followed before, all that follows from that one is known, and need not be followed again.
    False candidates come first, as few things follow from them at once.
    """
    numbers = np.full(found.sizes[0], -1, np.int32)
    count = 0
    for cell in range(board.cell_count):
        count += ones(grid.cells[cell])
    nodes = np.empty(count, np.int32)
    count = 0
    for cell in range(board.cell_count):
        rest = grid.cells[cell]
        while rest:
            nodes[count] = cell * board.value_count + lowest(rest)
            numbers[nodes[count]] = count
            count += 1
            rest &= rest - 1
    half = (count + 63) >> 6
    words = 2 * half + ((2 * found.sizes[2] + 63) >> 6)
    reached = Reached(
        np.zeros((2 * count, words), np.int64), numbers, nodes, half, board.value_count
    )
    direct = np.zeros((64 * words, words), np.int64)  # by bit of a row
    leads = np.zeros(words, np.int64)  # what anything follows from
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


@inlined
def _bit_of(found: Any, reached: Any, of: int) -> Any:
    """Return which bit of a row stands for a literal."""
    node = of >> 1
    if node >= found.sizes[0]:
        return 128 * reached.half + of - 2 * found.sizes[0]
    return reached.numbers[node] + (0 if of & 1 else 64 * reached.half)


@bare
def _write_direct(found: Any, reached: Any, of: int, direct: Any, leads: Any) -> None:
    """Write what follows from a literal at once."""
    own = _bit_of(found, reached, of)
    row = direct[own]
    for number in range(found.counts[of]):
        bit = _bit_of(found, reached, found.follows[of, number])
        row[bit >> 6] |= 1 << (bit & 63)
    if found.counts[of]:
        leads[own >> 6] |= 1 << (own & 63)


@bare
def _follow_all(
    reached: Any, direct: Any, leads: Any, number: int, true: int, waiting: Any, done: Any
) -> None:
    """Write the row of a literal; those of literals that are `done` are known."""
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


@bare
def _next(waiting: Any, done: Any) -> Any:
    """Take a bit out of those that wait, one that is done if there is one; −1 if none waits."""
    later = -1
    for word in range(len(waiting)):
        if waiting[word]:
            known = waiting[word] & done[word]
            if known:
                waiting[word] &= ~(known & -known)
                return 64 * word + lowest(known)
            later = word
    if later < 0:
        return -1
    bit = lowest(waiting[later])
    waiting[later] &= waiting[later] - 1
    return 64 * later + bit
