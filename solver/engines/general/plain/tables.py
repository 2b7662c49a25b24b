"""A layout as plain search wants it."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import MOST_IN_A_WORD, Combination, Layout, Ranking, Relation, Sum
from solver.board.ranking import sides_of
from solver.compiling.arrays import holders, joined, starts
from solver.engines.general.automaton_tables import tables_of_automata
from solver.engines.general.differing import (
    PeerWords,
    as_bits,
    cells_of,
    runs_by_house,
    which_differ,
)
from solver.engines.general.graph import graph_of
from solver.engines.general.implied import house_bits, sums_of
from solver.engines.general.plain.regions import regions_of
from solver.engines.general.plain.state import (
    Combinations,
    Dependents,
    Houses,
    Rankings,
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
    graph = graph_of(layout)
    sums = sums_of(layout)
    read = [
        *(total.cells for total in sums),
        *(regular.cells for regular in layout.regulars),
        *(combination.cells for combination in layout.combinations),
        *([range(layout.cells)] if layout.rankings else []),
        *((*range(len(part.labels)), *part.cells) for part in layout.partitions),
    ]
    readers, reader_ranges = holders(read, layout.cells)
    automata = tables_of_automata(
        [(regular.cells, regular.automaton) for regular in layout.regulars], layout.size
    )
    commons = np.zeros(len(read), np.uint64)
    commons[len(sums) : len(sums) + len(layout.regulars)] = automata.commons
    relations = _relations(layout.relations, layout.size, graph.differ)
    related = relations.ranges[1:] - relations.ranges[:-1]
    houses = Houses(
        graph.houses,
        graph.houses.ravel(),
        graph.overlaps,
        graph.overlaps_of,
        np.uint64((1 << layout.size) - 1),
        np.bool_(layout.links != () or len(graph.houses) < len(layout.houses)),
        np.bool_((graph.overlaps[:, 0] >= 0).sum(1).min(initial=layout.size) >= layout.size - 3),
    )
    return Tables(
        Dependents(graph.houses_of, readers, reader_ranges, commons[readers], related > 0),
        _present(layout),
        graph.peers,
        graph.peer_words,
        houses,
        relations,
        _sums(sums, layout, graph.peer_words),
        automata,
        np.array([len({*reg.cells}) < len(reg.cells) for reg in layout.regulars], np.bool_),
        _combinations(layout.combinations),
        _rankings(layout.rankings, layout.size) if layout.rankings else _UNRANKED,
        regions_of(layout) if layout.partitions else _UNCUT,
        1 + _RELATION * related + (reader_ranges[1:] - reader_ranges[:-1]),
    )


def _present(layout: Layout) -> NDArray[np.int32]:
    """Return the cells that are no holes."""
    cells = np.arange(layout.cells, dtype=np.int32)
    return np.delete(cells, list(layout.absent)) if layout.absent else cells


def _relations(relations: Sequence[Relation], size: int, differ: NDArray[np.bool_]) -> Relations:
    """Return the relations; where cells differ besides, no value goes with itself."""
    cells = len(differ)
    if not relations:
        allowed = np.zeros((0, size), np.uint64)
        return Relations(np.zeros(cells + 1, np.int32), _NO_CELLS, _NONE, allowed)
    numbers: dict[tuple[int, ...], int] = {}  # of tables
    table = [numbers.setdefault(relation.allowed, len(numbers)) for relation in relations]
    lengths = [len(relation.pairs) for relation in relations]
    pairs = chain.from_iterable([relation.pairs for relation in relations])
    first, second = np.fromiter(chain.from_iterable(pairs), np.uint32).reshape(-1, 2).T
    order = first.argsort(kind="stable")
    tables = np.fromiter(chain.from_iterable(numbers), np.uint64).reshape(-1, size)
    table_of = np.array(table, np.int32).repeat(lengths)
    table_of += len(tables) * differ[first, second]
    return Relations(
        starts(np.bincount(first, minlength=cells)),
        second[order],
        table_of[order],
        np.concatenate((tables, tables & _OTHERS[:size])),
    )


def _combinations(combinations: Sequence[Combination]) -> Combinations:
    if not combinations:
        return _NO_COMBINATIONS
    return Combinations(
        *joined([combination.cells for combination in combinations]),
        np.array([values for each in combinations for values in each.sets], np.uint64),
        starts(len(combination.sets) for combination in combinations),
    )


def _rankings(rankings: Sequence[Ranking], size: int) -> Rankings:
    sides = sides_of(size, size)
    own = [next(n for n, side in enumerate(sides) if rank.line in side) for rank in rankings]
    return Rankings(
        np.array(sides, np.int32),
        np.array([rank.line for rank in rankings], np.int32).reshape(-1, size),
        np.array(own, np.int32),
        np.array([rank.answers for rank in rankings], np.int32).reshape(-1, len(sides) - 1),
        np.array([1 << rank.begins for rank in rankings], np.uint64),
        np.array([rank.less for rank in rankings], np.int32),
    )


def _sums(sums: Sequence[Sum], layout: Layout, peer_words: PeerWords) -> Sums:
    if not sums:
        return _NO_SUMS
    groups: list[tuple[int, list[int]]] = []  # cells of a sum by their factor
    for total in sums:
        by_factor: dict[int, list[int]] = {}
        for cell, factor in zip(total.cells, total.factors, strict=True):
            by_factor.setdefault(factor, []).append(cell)
        groups += by_factor.items()
    runs: list[list[int]] = []
    factors: list[int] = []  # of runs
    differ = which_differ([same for _, same in groups], peer_words)
    houses = house_bits(layout)
    for (factor, same), do in zip(groups, differ, strict=True):
        pieces = [sorted(same)] if do else [*map(cells_of, runs_by_house(as_bits(same), houses))]
        runs += pieces
        factors += [factor] * len(pieces)
    lengths = np.array([*map(len, runs)])
    bounds = starts(lengths)
    return Sums(
        np.fromiter(chain.from_iterable(runs), np.uint32),
        starts(len(total.cells) for total in sums),
        np.repeat(factors, lengths),
        np.repeat(bounds[:-1], lengths),
        np.repeat(bounds[1:], lengths),
        np.array([each.target - sum(each.factors) * layout.lowest for each in sums], np.int64),
    )


_OTHERS = ~(np.uint64(1) << np.arange(MOST_IN_A_WORD, dtype=np.uint64))  # than each value
_UNCUT = regions_of(Layout.boxed(2, 2))
_UNRANKED = _rankings((), 2)
_NO_CELLS = np.zeros(0, np.uint32)
_NONE = np.zeros(0, np.int32)
_BEGINNING = np.zeros(1, np.int32)  # of nothing
_NO_NUMBERS = np.zeros(0, np.int64)
_NO_SUMS = Sums(_NO_CELLS, _BEGINNING, _NO_NUMBERS, _NONE, _NONE, _NO_NUMBERS)
_NO_COMBINATIONS = Combinations(_NO_CELLS, _BEGINNING, np.zeros(0, np.uint64), _BEGINNING)
