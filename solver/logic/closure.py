"""All that follows from each candidate, true or false, as sets of literals."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.compiling.jit import bare, inlined, inner
from solver.compiling.words import lowest
from solver.logic.board import Ints, Words


class Reached(NamedTuple):
    """What follows from each literal, itself included: rows of words.

        cells of true candidates, by value │ cells of false ones, by value │ groups and sets
          0 0 1 1 2 2 … size size              two words for each value      one bit a literal

    Rows of literals that stand for no candidate, and of groups, are not written.
    """

    rows: Words  # (literals, words)


class _Names(NamedTuple):
    """Which bit of a row stands for which literal."""

    bits: Ints  # (literals,): 64 × word + bit
    literals: Ints  # (64 × words,)


@inlined
def true_at(board: Any, value: int) -> Any:  # noqa: ARG001
    """Return where the cells begin, in a row, that have a value."""
    return 2 * value


@inlined
def false_at(board: Any, value: int) -> Any:
    """Return where the cells begin, in a row, that do not have a value."""
    return 2 * (board.value_count + 1 + value)


@inlined
def row_words(board: Any) -> Any:
    """Return how many words of a row are about candidates."""
    return 4 * (board.value_count + 1)


@inner
def close(board: Any, grid: Any, found: Any) -> Any:
    """Return all that follows from each candidate that there is.

    What is still to be followed from a literal is a set, too: where it meets a literal that was
    followed before, all that follows from that one is known, and need not be followed again.
    """
    literals = 2 * (found.sizes[0] + found.sizes[2])
    words = row_words(board) + ((2 * found.sizes[2] + 63) >> 6)
    names = _names(board, found, words)
    direct = np.empty((literals, words), np.int64)
    for node in range(found.sizes[0] + found.sizes[2]):
        if _is_there(board, grid, found, node):
            _write_direct(found, names, direct, 2 * node)
            _write_direct(found, names, direct, 2 * node + 1)
    rows = np.empty((literals, words), np.int64)
    waiting = np.zeros(words, np.int64)
    done = np.zeros(words, np.int64)
    for node in range(found.sizes[0]):
        if _is_there(board, grid, found, node):
            for start in (2 * node, 2 * node + 1):
                _follow_all(names, direct, rows, start, waiting, done)
    return Reached(rows)


@inner
def _names(board: Any, found: Any, words: int) -> Any:
    """Return which bit stands for which literal."""
    names = _Names(
        np.empty(2 * (found.sizes[0] + found.sizes[2]), np.int32),
        np.empty(64 * words, np.int32),
    )
    literal = 0
    for cell in range(board.cell_count):
        for value in range(1, board.value_count + 1):
            _name(names, literal, 64 * false_at(board, value) + cell)
            _name(names, literal + 1, 64 * true_at(board, value) + cell)
            literal += 2
    for number in range(2 * found.sizes[2]):
        _name(names, literal + number, 64 * row_words(board) + number)
    return names


@inlined
def _name(names: Any, literal: int, bit: int) -> None:
    names.bits[literal] = bit
    names.literals[bit] = literal


@inlined
def _is_there(board: Any, grid: Any, found: Any, node: int) -> Any:
    """Return whether a node is a candidate that there is, or no candidate at all."""
    size = board.value_count
    return node >= found.sizes[0] or grid.cells[node // size] >> (node % size) & 1


@bare
def _write_direct(found: Any, names: Any, direct: NDArray[np.int64], of: int) -> None:
    """Write what follows from a literal at once."""
    row = direct[of]
    for word in range(len(row)):
        row[word] = 0
    for number in range(found.counts[of]):
        bit = names.bits[found.follows[of, number]]
        row[bit >> 6] |= 1 << (bit & 63)


@bare
def _follow_all(names: Any, direct: Any, rows: Any, start: int, waiting: Any, done: Any) -> None:
    """Write the row of a literal; those of `done` ones are known."""
    seen = rows[start]
    words = len(seen)
    for word in range(words):
        seen[word] = 0
    own = names.bits[start]
    seen[own >> 6] |= 1 << (own & 63)
    of = start
    while of >= 0:
        bit = names.bits[of]
        if done[bit >> 6] >> (bit & 63) & 1:
            for word in range(words):
                seen[word] |= rows[of, word]
                waiting[word] &= ~rows[of, word]
        else:
            for word in range(words):
                more = direct[of, word] & ~seen[word]
                seen[word] |= more
                waiting[word] |= more
        of = _next(names, waiting, done)
    done[own >> 6] |= 1 << (own & 63)


@bare
def _next(names: Any, waiting: Any, done: Any) -> Any:
    """Take a literal out of those that wait, one that is done if there is one; −1 if none waits."""
    later = -1
    for word in range(len(waiting)):
        if waiting[word]:
            known = waiting[word] & done[word]
            if known:
                waiting[word] &= ~(known & -known)
                return names.literals[64 * word + lowest(known)]
            if later < 0:
                later = word
    if later < 0:
        return -1
    bit = lowest(waiting[later])
    waiting[later] &= waiting[later] - 1
    return names.literals[64 * later + bit]
