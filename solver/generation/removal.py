"""Remove givens from full grids, and test whether puzzles are unique, many at once.

An orbit is a group of cells whose givens are removed together or not at all, because a symmetry of
the pattern of givens requires it. Without a symmetry, each cell is an orbit.
"""

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.random_streams import RandomStreams
from solver.engines.classic.engine import ClassicEngine
from solver.engines.engine import ABANDON, NEVER, StopFlag
from solver.generation.classic_removal import remove_classic_givens
from solver.generation.full_grids import Grids
from solver.generation.solve_all import solve_all

Orbits = tuple[tuple[int, ...], ...]  # see `solver.generation.symmetry`

_STEP_LIMIT = 100_000  # guesses; a given stays if the search for a second solution takes longer
# The share of all orbits in the first block, and how much smaller this share is at the end of the
# order. Other values between 0.25 and 0.4, and 0.5 and 1, make hardly a difference.
_FIRST_BLOCK = 0.3
_DECREASE = 0.6


def remove_givens(
    layout: Layout,
    puzzles: Grids,
    streams: RandomStreams,
    *,
    orbits: Orbits,
    fewest: NDArray[np.int64],
    stop: StopFlag,
) -> Grids:
    """Return copies of puzzles from which whole orbits of givens are removed, in a random order.

    An orbit stays if the solution wouldn't be unique without it, or if fewer than fewest[i] givens
    would be left in puzzle i. The puzzles (n, cells) must have unique solutions. `streams` has a
    random stream for each of them. With `fewest` 0, no orbit of the resulting puzzles can be
    removed. If `stop` becomes ABANDON, returns early, and some orbits weren't tested.
    """
    rank_of_orbit = streams.permutations(len(orbits))
    if ClassicEngine().accepts(layout):
        return remove_classic_givens(
            puzzles,
            rank_of_orbit,
            orbits=orbits,
            blocks=_block_sizes(len(orbits)),
            fewest=fewest,
            stop=stop,
        )
    return _remove_in_blocks(
        layout, puzzles, rank_of_orbit, orbits=orbits, fewest=fewest, stop=stop
    )


def _remove_in_blocks(
    layout: Layout,
    puzzles: Grids,
    rank_of_orbit: NDArray[np.int64],
    *,
    orbits: Orbits,
    fewest: NDArray[np.int64],
    stop: StopFlag,
) -> Grids:
    """Return copies of puzzles from which whole orbits of givens are removed, in a given order.

    `rank_of_orbit` (n, orbits) is the place of each orbit in the order. An orbit stays if the
    solution wouldn't be unique without it, or if fewer than fewest[i] givens would be left in
    puzzle i.
    """
    # Orbits that can be removed together can also be removed one after the other. So each puzzle
    # tries a block of orbits at once, and halves the block if it can't be removed.
    puzzles = puzzles.copy()
    ranks = _ranks(layout, orbits, rank_of_orbit)
    position = np.zeros(len(puzzles), ranks.dtype)
    blocks = _block_sizes(len(orbits)).astype(ranks.dtype)
    block = blocks[position]
    open_ = np.arange(len(puzzles))
    while len(open_):
        own, start = ranks[open_], position[open_, None]
        is_removed = (own >= start) & (own < start + block[open_, None])
        smaller = np.where(is_removed, np.uint8(0), puzzles[open_])
        can_go = np.count_nonzero(smaller, axis=1) >= fewest[open_]
        can_go[can_go] = are_unique(layout, smaller[can_go], stop=stop)
        if stop[0] == ABANDON:
            break
        puzzles[open_[can_go]] = smaller[can_go]
        is_decided = can_go | (block[open_] == 1)
        decided, undecided = open_[is_decided], open_[~is_decided]
        position[decided] += block[decided]
        block[decided] = blocks[position[decided]]
        block[undecided] //= 2
        open_ = open_[position[open_] < len(orbits)]
    return puzzles


def _block_sizes(orbits: int) -> NDArray[np.int64]:
    """Return how many orbits to remove together in one test, as an array (orbits + 1).

    Item n is the size of the block to try after n orbits have been decided. With these sizes, about
    half of the blocks can be removed.
    """
    decided = np.arange(orbits + 1)
    return (_FIRST_BLOCK * orbits - _DECREASE * decided).clip(1).astype(np.int64)


def _ranks(layout: Layout, orbits: Orbits, rank_of_orbit: NDArray[np.int64]) -> NDArray[np.integer]:
    """Return when each cell's orbit is removed, as an array (n, cells).

    The first orbit to be removed has the rank 0. Cells without an orbit get the number of orbits.
    """
    kind = np.uint8 if 2 * len(orbits) < 256 else np.int32
    ranks = np.full((len(rank_of_orbit), layout.cells), len(orbits), kind)
    for orbit, cells in enumerate(orbits):
        ranks[:, cells] = rank_of_orbit[:, orbit, None].astype(kind)
    return ranks


def are_unique(layout: Layout, puzzles: Grids, *, stop: StopFlag = NEVER) -> NDArray[np.bool_]:
    """Return for each puzzle whether it provably has exactly one solution, as an array (n,).

    It is False if the search reaches its limit of guesses. The result is meaningless if `stop`
    became ABANDON during the call.
    """
    if not len(puzzles):
        return np.zeros(0, np.bool_)
    return solve_all(puzzles, layout=layout, limit=2, step_limit=_STEP_LIMIT, stop=stop).are_unique
