"""Which cells of a layout must differ."""

from collections.abc import Sequence
from functools import lru_cache

from solver.layout import House, Layout


def peers_of(layout: Layout) -> tuple[frozenset[int], ...]:
    """Return for each cell the cells that must differ from it."""
    found = _peers_by(layout.houses, layout.cells)
    if not layout.links:
        return found
    peers = [set(others) for others in found]
    for links in layout.links:
        for one, other in links.pairs:
            peers[one].add(other)
            peers[other].add(one)
    return tuple(map(frozenset, peers))


@lru_cache(maxsize=32)
def _peers_by(houses: tuple[House, ...], cells: int) -> tuple[frozenset[int], ...]:
    peers: list[set[int]] = [set() for _ in range(cells)]
    for house in houses:
        for cell in house.cells:
            peers[cell].update(house.cells)
    return tuple(frozenset(found - {cell}) for cell, found in enumerate(peers))


def runs_of(
    cells: Sequence[int], peers: Sequence[frozenset[int]], houses: Sequence[frozenset[int]]
) -> list[list[int]]:
    """Return the cells in runs of some that all differ, long ones first."""
    left = frozenset(cells)
    sets = [house for house in houses if not left.isdisjoint(house)]
    if all(left - {cell} <= peers[cell] for cell in left):
        sets.append(left)
    runs = []
    while left:
        best = max((found & left for found in sets), key=len, default=left)
        run = sorted(best) if best else [min(left)]
        runs.append(run)
        left -= set(run)
    return runs
