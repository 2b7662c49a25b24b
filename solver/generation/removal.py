"""Removal of givens from full grids, for many puzzles at once."""

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.random_streams import RandomStreams
from solver.board.result import Outcome
from solver.engines.engine import ABANDON, StopFlag
from solver.generation.full_grids import Grids
from solver.solving import solve_many

Orbits = tuple[tuple[int, ...], ...]  # see `solver.generation.symmetry`

_STEP_LIMIT = 100_000  # guesses; a given stays if the search for a second solution takes longer
_FIRST_BLOCK = 0.35  # of all orbits, for the first block
_DECREASE = 0.6  # how much smaller a block is at the end of the order


def remove_givens(
    layout: Layout,
    puzzles: Grids,
    streams: RandomStreams,
    *,
    orbits: Orbits,
    fewest: NDArray[np.int64],
    stop: StopFlag,
) -> Grids:
    """Remove the givens of whole orbits in a random order, as long as the solution stays unique.

    The puzzles (n, cells) must have unique solutions. `streams` has a stream for each of them. An
    orbit isn't removed if fewer than fewest[i] givens would be left in puzzle i. With `fewest` 0,
    no orbit of the resulting puzzles can be removed. If `stop` becomes ABANDON, returns early.
    """
    # Orbits that can be removed together can also be removed one after the other. So each puzzle
    # tries a block of orbits at once, and halves the block if it can't be removed.
    puzzles = puzzles.copy()
    ranks = _ranks(layout, orbits, streams)
    position = np.zeros(len(puzzles), ranks.dtype)
    block = _first_blocks(position, len(orbits))
    open_ = np.arange(len(puzzles))
    while len(open_) and stop[0] != ABANDON:
        own, start = ranks[open_], position[open_, None]
        is_removed = (own >= start) & (own < start + block[open_, None])
        smaller = np.where(is_removed, np.uint8(0), puzzles[open_])
        can_go = np.count_nonzero(smaller, axis=1) >= fewest[open_]
        can_go[can_go] = are_unique(layout, smaller[can_go])
        puzzles[open_[can_go]] = smaller[can_go]
        is_decided = can_go | (block[open_] == 1)
        decided, undecided = open_[is_decided], open_[~is_decided]
        position[decided] += block[decided]
        block[decided] = _first_blocks(position[decided], len(orbits))
        block[undecided] //= 2
        open_ = open_[position[open_] < len(orbits)]
    return puzzles


def _first_blocks(position: NDArray[np.integer], count: int) -> NDArray[np.integer]:
    """Return how many of `count` orbits to remove at once, given how many have been decided.

    About half of such blocks can be removed.
    """
    share = np.maximum(_FIRST_BLOCK - _DECREASE * position / count, 0)
    sizes: NDArray[np.integer] = np.maximum(share * count, 1).astype(position.dtype)
    return sizes


def _ranks(layout: Layout, orbits: Orbits, streams: RandomStreams) -> NDArray[np.integer]:
    """Return when each cell's orbit is removed, as an array (streams, cells).

    Each stream has its own random order. The first orbit to be removed has the rank 0. Cells
    without an orbit get the number of orbits.
    """
    kind = np.uint8 if 2 * len(orbits) < 256 else np.int32
    ranks = np.full((len(streams), layout.cells), len(orbits), kind)
    rank_of_orbit = streams.permutations(len(orbits)).astype(kind)
    for orbit, cells in enumerate(orbits):
        ranks[:, cells] = rank_of_orbit[:, orbit, None]
    return ranks


def are_unique(layout: Layout, puzzles: Grids) -> NDArray[np.bool_]:
    """Return for each puzzle whether it provably has exactly one solution."""
    if not len(puzzles):
        return np.zeros(0, np.bool_)
    batch = solve_many(puzzles, layout=layout, limit=2, step_limit=_STEP_LIMIT)
    unique: NDArray[np.bool_] = (batch.outcomes == Outcome.SOLVED) & (batch.counts == 1)
    return unique
