"""A layout as plain search wants it."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Combination, House, Layout, Relation, Sum
from solver.compiling.arrays import inverted, joined, listed, packed, padded, starts
from solver.engines.general.automaton_tables import tables_of_automata
from solver.engines.general.differing import (
    PeerBits,
    Peers,
    as_bits,
    bits_of,
    peers_by,
    peers_of,
    runs_of,
)
from solver.engines.general.implied import implied_sums
from solver.engines.general.plain.regions import regions_of
from solver.engines.general.plain.state import (
    Combinations,
    Dependents,
    Houses,
    Relations,
    Sums,
    Tables,
)

# How much a relation counts where a cell is chosen; a sum, an automaton, a combination count as 1.
# Thousands of guesses on the 84 public variants: 203; 0: 210; 0.15: 209; 0.6: 207.
_RELATION = 0.3


@lru_cache(maxsize=32)
def tables_of(layout: Layout) -> Tables:
    """Return the tables of a layout; a house that is not full only makes peers."""
    peers, listed_peers, packed_peers = _peers(layout)
    peer_bits = bits_of(peers) if layout.sums else ()
    house_bits = [as_bits(house.cells) for house in layout.houses] if layout.sums else []
    sums = (*layout.sums, *implied_sums(layout, peer_bits, house_bits))
    read = [
        *(total.cells for total in sums),
        *(regular.cells for regular in layout.regulars),
        *(combination.cells for combination in layout.combinations),
        *((*range(len(part.labels)), *part.cells) for part in layout.partitions),
    ]
    readers = inverted(read, layout.cells)
    relations = _relations(layout.relations, layout.size, layout.cells)
    scores = 1 + _RELATION * np.diff(relations.ranges) + [*map(len, readers)]
    houses, houses_of = _houses(layout.houses, layout.size, layout.cells)
    return Tables(
        Dependents(houses_of, *joined(readers), np.diff(relations.ranges) > 0),
        np.array([cell for cell in range(layout.cells) if cell not in layout.absent], np.int32),
        listed_peers,
        packed_peers,
        houses,
        relations,
        _sums(sums, layout, peer_bits, house_bits),
        tables_of_automata(
            [(regular.cells, regular.automaton) for regular in layout.regulars], layout.size
        ),
        np.array([len({*reg.cells}) < len(reg.cells) for reg in layout.regulars], np.bool_),
        _combinations(layout.combinations),
        regions_of(layout),
        scores,
    )


def _peers(layout: Layout) -> tuple[Peers, NDArray[np.int32], NDArray[np.uint64]]:
    """Return which cells must differ, the peers of each, and the same as bits."""
    if layout.links:
        peers = peers_of(layout)
        return peers, listed(peers), packed(peers)
    return _peers_by_houses(layout.houses, layout.cells)


@lru_cache(maxsize=4)  # of the largest boards, 16 MB each
def _peers_by_houses(
    houses: tuple[House, ...], cells: int
) -> tuple[Peers, NDArray[np.int32], NDArray[np.uint64]]:
    peers = peers_by(houses, cells)
    return peers, listed(peers), packed(peers)


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
    tables = Houses(
        np.array([house.cells for house in full], np.uint32).reshape(-1, size),
        padded([part for parts in overlaps for part in parts], width=size).reshape(-1, 3, size),
        padded(overlaps_of),
        np.uint64((1 << size) - 1),
    )
    return tables, padded(inverted(cells_of, cells))


def _relations(relations: Sequence[Relation], size: int, cells: int) -> Relations:
    tables = list(dict.fromkeys(relation.allowed for relation in relations))
    pairs = [pair for relation in relations for pair in relation.pairs]
    first, second = np.array(pairs, np.int32).reshape(-1, 2).T
    numbers = {allowed: number for number, allowed in enumerate(tables)}
    lengths = [len(relation.pairs) for relation in relations]
    table = np.repeat([numbers[relation.allowed] for relation in relations], lengths)
    order = np.argsort(first, kind="stable")
    return Relations(
        starts(np.bincount(first, minlength=cells)),
        second[order].astype(np.uint32),
        table[order].astype(np.int32),
        np.array(tables, np.uint64).reshape(-1, size),
    )


def _combinations(combinations: Sequence[Combination]) -> Combinations:
    return Combinations(
        *joined([combination.cells for combination in combinations]),
        np.array([values for each in combinations for values in each.sets], np.uint64),
        starts(len(combination.sets) for combination in combinations),
    )


def _sums(
    sums: Sequence[Sum], layout: Layout, peer_bits: PeerBits, house_bits: Sequence[int]
) -> Sums:
    cells: list[int] = []
    factors: list[int] = []
    runs: list[tuple[int, int]] = []  # of each cell
    for total in sums:
        by_factor: dict[int, list[int]] = {}
        for cell, factor in zip(total.cells, total.factors, strict=True):
            by_factor.setdefault(factor, []).append(cell)
        for factor, same in by_factor.items():
            for run in runs_of(same, peer_bits, house_bits):
                runs += [(len(cells), len(cells) + len(run))] * len(run)
                cells += run
                factors += [factor] * len(run)
    run_starts, run_ends = np.array(runs, np.int32).reshape(-1, 2).T.copy()
    return Sums(
        np.array(cells, np.uint32),
        starts(len(total.cells) for total in sums),
        np.array(factors, np.int64),
        run_starts,
        run_ends,
        np.array([each.target - sum(each.factors) * layout.lowest for each in sums], np.int64),
    )
