"""The canonical form of 9×9 puzzles and grids, the least that their symmetries make of them."""

from threading import local

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.canonical.arrangements import arrangements
from solver.canonical.search import GRID, Memory, Ways, find_least, make_memory, room

_CLASSIC = Layout.boxed(3, 3)
_WAYS = 1 << 12  # there is room for at first


class _Memories(local):
    """The working memory of each thread."""

    def __init__(self) -> None:
        self.memory: Memory = make_memory()
        self.ways: tuple[Ways, Ways] = (room(_WAYS), room(_WAYS))


_memories = _Memories()


def has_minlex(layout: Layout) -> bool:
    """Return whether the puzzles of a layout have a canonical form: plain 9×9 ones do."""
    return layout == _CLASSIC


def minlex(grids: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the least of the puzzles or grids (n, 81), 0 = blank, that are the same as each.

    The same are those that arise by turning the grid on its side, by changing the order of bands
    and of stacks, of rows in a band and of columns in a stack, and by giving the values other
    names: 2 · 6⁸ · 9! symmetries. The least is the first in the order of what is written row by
    row, blanks before values. No value may come twice in a row or a column. Raises ValueError for
    another shape, or values above 9.
    """
    if grids.ndim != 2 or grids.shape[1] != GRID or (grids > 9).any():
        raise ValueError(f"grids must have the shape (n, {GRID}) and values to 9")
    flat = np.ascontiguousarray(grids, np.uint8).reshape(-1)
    result = np.zeros(len(flat), np.uint8)
    done = 0
    while done < len(grids):
        rest = slice(done * GRID, None)
        done += find_least(
            flat[rest], len(grids) - done, arrangements(), _memories.memory, *_memories.ways,
            result[rest],
        )  # fmt: skip
        if done < len(grids):
            more = 2 * len(_memories.ways[0].orders)
            _memories.ways = (room(more), room(more))
    return result.reshape(-1, GRID)
