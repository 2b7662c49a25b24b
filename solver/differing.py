"""Which cells of a layout must differ."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from solver.layout import House, Layout

Peers = NDArray[np.bool_]  # (cells, cells): whether two of them must differ


def peers_of(layout: Layout) -> Peers:
    """Return which cells must differ."""
    peers = _peers_by(layout.houses, layout.cells)
    if layout.links:
        peers = peers.copy()
        found = [pair for links in layout.links for pair in links.pairs]
        one, other = np.array(found, np.int64).reshape(-1, 2).T
        peers[one, other] = True
        peers[other, one] = True
    return peers


@lru_cache(maxsize=4)  # of the largest boards, 16 MB each
def _peers_by(houses: tuple[House, ...], cells: int) -> Peers:
    peers = np.zeros((cells, cells), np.bool_)
    for house in houses:
        peers[np.ix_(house.cells, house.cells)] = True
    peers[np.diag_indices(cells)] = False
    return peers


def do_differ(cells: Sequence[int], peers: Peers) -> bool:
    """Return whether all of the cells must differ."""
    return bool(np.count_nonzero(peers[np.ix_(cells, cells)]) == len(cells) * (len(cells) - 1))


def runs_of(cells: Sequence[int], peers: Peers, layout: Layout) -> list[list[int]]:
    """Return the cells in runs of some that all differ, long ones first."""
    if do_differ(cells, peers):
        return [sorted(cells)]
    left = frozenset(cells)
    sets = [set(house.cells) & left for house in layout.houses]
    runs = []
    while left:
        best = max((found & left for found in sets), key=len, default=left)
        run = sorted(best) if best else [min(left)]
        runs.append(run)
        left -= set(run)
    return runs
