"""Remove givens from classic 9×9 puzzles with the vector engine."""

from collections.abc import Sequence
from threading import local
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.engines.classic.engine import is_ready
from solver.engines.engine import NEVER, StopFlag

Grids = NDArray[np.uint8]  # (n, cells), 0 = empty

_CELLS = 81


class _Memories(local):
    """The compiled function and its working memory, separate for each thread."""

    def __init__(self) -> None:
        self.loaded: tuple[Any, Any] | None = None


_memories = _Memories()


def _load() -> tuple[Any, Any]:
    # Most time goes into guesses, which take as long for each lane. So wider vectors don't help:
    # 16 lanes took 15% longer than 8 on a processor with AVX2.
    from solver.compiling.processor import register_words
    from solver.engines.classic import removal

    return removal.remove_givens, removal.make_memory(register_words())


def remove_classic_givens(
    puzzles: Grids,
    ranks: NDArray[np.int64],
    *,
    orbits: Sequence[Sequence[int]],
    blocks: NDArray[np.int64],
    fewest: NDArray[np.int64],
    stop: StopFlag,
) -> Grids:
    """Return the puzzles without the givens of all orbits that their unique solutions don't need.

    The puzzles (n, 81) must have unique solutions. They aren't changed. An orbit is a group of
    cells whose givens are removed together, or stay if the puzzle would have several solutions
    without them. `ranks` (n, orbits) is the place of each orbit in the order of removal. blocks[d]
    is the number of orbits to try together after d orbits have been decided. An orbit isn't removed
    if fewer than fewest[i] givens would be left in puzzle i. If `stop` becomes ABANDON, the
    puzzles are returned as they are at that moment.
    """
    _memories.loaded = _memories.loaded or _load()
    remove, memory = _memories.loaded
    flat = puzzles.astype(np.uint8).ravel()
    starts = np.cumsum([0, *map(len, orbits)])
    cells = np.array([cell for orbit in orbits for cell in orbit], np.int64)
    remove(flat, len(puzzles), ranks, (starts, cells), fewest, blocks, stop, memory)
    return flat.reshape(-1, _CELLS)


def warm_up() -> None:
    """Compile the removal of givens, or load it from the disk cache.

    Does nothing while the classic engine isn't ready.
    """
    if is_ready():
        grid = np.zeros((0, _CELLS), np.uint8)
        ranks = np.zeros((0, _CELLS), np.int64)
        orbits = tuple((cell,) for cell in range(_CELLS))
        fewest = np.zeros(0, np.int64)
        blocks = np.ones(_CELLS, np.int64)
        remove_classic_givens(grid, ranks, orbits=orbits, blocks=blocks, fewest=fewest, stop=NEVER)
