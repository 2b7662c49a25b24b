"""A layout as plain search wants it."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Combination, House, Layout, Relation, Sum
from solver.compiling.arrays import inverted, joined, listed, packed, padded, starts
from solver.engines.general.automaton_tables import automata_of
from solver.engines.general.differing import PeerBits, as_bits, bits_of, peers_of, runs_of
from solver.engines.general.implied import implied_sums
from solver.engines.general.plain.state import Board, Combinations, Houses, Relations, Sums, Tables

_BOUND = 0.3  # how much a relation counts where a cell is chosen; a sum counts as 1


@lru_cache(maxsize=32)
def tables_of(layout: Layout) -> Tables:
    """Return the tables of a layout; a house that is not full only makes peers."""
    peers = peers_of(layout)
    peer_bits = bits_of(peers)
    house_bits = [as_bits(house.cells) for house in layout.houses]
    sums = (*layout.sums, *implied_sums(layout, peer_bits, house_bits))
    read = [
        *(one.cells for one in sums),
        *(one.cells for one in layout.regulars),
        *(one.cells for one in layout.combinations),
    ]
    readers = inverted(read, layout.cells)
    relations = _relations(layout.relations, layout.size, layout.cells)
    bound = 1 + _BOUND * np.diff(relations.ranges) + [len(found) for found in readers]
    houses, houses_of = _houses(layout.houses, layout.size, layout.cells)
    board = Board(houses_of, *joined(readers), np.diff(relations.ranges) > 0)
    return Tables(
        board,
        np.array([cell for cell in range(layout.cells) if cell not in layout.absent], np.int32),
        listed(peers),
        packed(peers),
        houses,
        relations,
        _sums(sums, layout, peer_bits, house_bits),
        automata_of([(one.cells, one.automaton) for one in layout.regulars], layout.size),
        np.array([len({*one.cells}) < len(one.cells) for one in layout.regulars], np.bool_),
        _combinations(layout.combinations),
        bound,
    )


@lru_cache(maxsize=32)
def _houses(houses: tuple[House, ...], size: int, cells: int) -> tuple[Houses, NDArray[np.int32]]:
    """Return the full houses, and those of each cell, closed by −1."""
    full = [house for house in houses if len(house.cells) == size]
    cells_of = [frozenset(house.cells) for house in full]
    overlaps: list[list[list[int]]] = []
    overlaps_of: list[list[int]] = [[] for _ in full]
    for first, second in combinations(range(len(full)), 2):
        shared = cells_of[first] & cells_of[second]
        if 1 < len(shared) < size:
            overlaps_of[first].append(len(overlaps))
            overlaps_of[second].append(len(overlaps))
            rests = [sorted(cells_of[house] - shared) for house in (first, second)]
            overlaps.append([sorted(shared), *rests])
    found = Houses(
        np.array([house.cells for house in full], np.uint32).reshape(-1, size),
        padded([part for parts in overlaps for part in parts], width=size).reshape(-1, 3, size),
        padded(overlaps_of),
        np.uint64((1 << size) - 1),
    )
    return found, padded(inverted(cells_of, cells))


def _relations(relations: Sequence[Relation], size: int, cells: int) -> Relations:
    tables = list(dict.fromkeys(one.allowed for one in relations))
    pairs = [np.array(one.pairs, np.int32).reshape(-1, 2) for one in relations]
    first, second = np.concatenate([np.zeros((0, 2), np.int32), *pairs]).T
    numbers = {allowed: number for number, allowed in enumerate(tables)}
    table = np.repeat([numbers[one.allowed] for one in relations], [*map(len, pairs)])
    order = np.argsort(first, kind="stable")
    return Relations(
        starts(np.bincount(first, minlength=cells)),
        second[order].astype(np.uint32),
        table[order].astype(np.int32),
        np.array(tables, np.uint64).reshape(-1, size),
    )


def _combinations(found: Sequence[Combination]) -> Combinations:
    return Combinations(
        *joined([one.cells for one in found]),
        np.array([values for one in found for values in one.sets], np.uint64),
        starts(len(one.sets) for one in found),
    )


def _sums(
    sums: Sequence[Sum], layout: Layout, peer_bits: PeerBits, house_bits: Sequence[int]
) -> Sums:
    cells: list[int] = []
    factors: list[int] = []
    runs: list[tuple[int, int]] = []  # of each cell
    for one in sums:
        by_factor: dict[int, list[int]] = {}
        for cell, factor in zip(one.cells, one.factors, strict=True):
            by_factor.setdefault(factor, []).append(cell)
        for factor, same in by_factor.items():
            for run in runs_of(same, peer_bits, house_bits):
                runs += [(len(cells), len(cells) + len(run))] * len(run)
                cells += run
                factors += [factor] * len(run)
    run_starts, run_ends = np.array(runs, np.int32).reshape(-1, 2).T.copy()
    return Sums(
        np.array(cells, np.uint32),
        starts(len(one.cells) for one in sums),
        np.array(factors, np.int64),
        run_starts,
        run_ends,
        np.array([one.target - sum(one.factors) * layout.lowest for one in sums], np.int64),
    )
