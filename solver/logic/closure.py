"""All that follows from each candidate, true or false, as sets of candidates."""

from typing import Any, NamedTuple

import numpy as np

from solver.compiling.jit import bare, inner
from solver.compiling.words import lowest
from solver.logic.board import Words
from solver.logic.implications import is_group
from solver.logic.sets import allowed_places


class Reached(NamedTuple):
    """The candidates that follow from each literal, as sets of cells by value."""

    true: Words  # (literals of candidates, size + 1, 2)
    false: Words
    allowed: Words  # (size + 1, 2): open cells that see no cell with a value


@inner
def close(board: Any, grid: Any, found: Any) -> Any:
    """Return all that follows from each candidate, in any order, by sets of literals."""
    size = board.value_count
    candidates = 2 * found.sizes[0]
    reached = Reached(
        np.empty((candidates, size + 1, 2), np.int64),
        np.empty((candidates, size + 1, 2), np.int64),
        np.zeros((size + 1, 2), np.int64),
    )
    allowed_places(board, grid, reached.allowed)
    literals = 2 * (found.sizes[0] + found.sizes[1])
    words = (literals + 63) >> 6
    direct = np.zeros((literals, words), np.int64)
    for of in range(literals):
        for number in range(found.counts[of]):
            then = found.follows[of, number]
            direct[of, then >> 6] |= 1 << (then & 63)
    # What follows from a literal that was followed before is known as a whole.
    closed = np.zeros((literals, words), np.int64)
    done = np.zeros(literals, np.uint8)
    order = np.empty(literals, np.int32)
    for start in range(candidates):
        if not grid.cells[(start >> 1) // size] >> ((start >> 1) % size) & 1:
            continue
        seen = closed[start]
        seen[start >> 6] |= 1 << (start & 63)
        order[0] = start
        count = 1
        at = 0
        while at < count:
            of = order[at]
            at += 1
            for word in range(words):
                if done[of]:
                    seen[word] |= closed[of, word]
                    continue
                more = direct[of, word] & ~seen[word]
                seen[word] |= more
                while more:
                    order[count] = 64 * word + lowest(more)
                    count += 1
                    more &= more - 1
        done[start] = 1
        count = 0
        for word in range(words):
            more = seen[word]
            while more:
                order[count] = 64 * word + lowest(more)
                count += 1
                more &= more - 1
        _mark(board, found, reached, start, order, count)
    return reached


@bare
def _mark(board: Any, found: Any, reached: Any, start: int, order: Any, count: int) -> None:
    """Write the candidates among literals as sets."""
    for value in range(1, board.value_count + 1):
        for word in range(2):
            reached.true[start, value, word] = 0
            reached.false[start, value, word] = 0
    for at in range(count):
        of = order[at]
        if is_group(found, of):
            continue
        cell, value = (of >> 1) // board.value_count, (of >> 1) % board.value_count + 1
        if of & 1:
            reached.true[start, value, cell >> 6] |= 1 << (cell & 63)
        else:
            reached.false[start, value, cell >> 6] |= 1 << (cell & 63)
