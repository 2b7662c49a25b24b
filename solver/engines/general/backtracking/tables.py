"""Build the tables of a layout for backtracking search."""

from bisect import bisect_left
from collections.abc import Collection, Sequence
from functools import lru_cache, partial, reduce
from itertools import chain
from operator import or_

import numpy as np
from numpy.typing import NDArray

from solver.board.full_rank_automaton import sides_of
from solver.board.layout import Layout
from solver.board.primitive_constraints import Combination, FullRank, Relation, Sandwich, Sum
from solver.compiling.ragged import csr, offsets_of
from solver.engines.general.automaton_tables import tables_of_automata
from solver.engines.general.backtracking.disjunction_tables import (
    NO_DISJUNCTIONS,
    Propagated,
    cells_of_disjunction,
    disjunctions_of,
    with_those_of_options,
)
from solver.engines.general.backtracking.region_tables import regions_of
from solver.engines.general.backtracking.table_building import build_sum_tables, build_tables
from solver.engines.general.backtracking.table_types import (
    AUTOMATON,
    CONNECTED_REGIONS,
    DISJUNCTION,
    FULL_RANK,
    SANDWICH,
    SUM,
    VALUE_SET,
    Dependents,
    FullRanks,
    Houses,
    Propagators,
    Relations,
    Sandwiches,
    Sums,
    Tables,
    ValueSets,
)
from solver.engines.general.graph import Graph, graph_of
from solver.engines.general.implied_sums import sums_of

_FEW = 3  # candidates of a value in a house up to which locked candidates are looked for
_MOST_CELLS = 36**2  # cells up to which a board has peers per value, which take 8 MB then
_OF_OPTIONS = (SUM, AUTOMATON, VALUE_SET, SANDWICH)  # kinds that options of disjunctions have, too
_IDEMPOTENT = (SUM, AUTOMATON, SANDWICH)  # unless a propagator reads a cell twice
_FIND_FAILED_CELLS = (FULL_RANK, CONNECTED_REGIONS)  # see `Propagators.cells`
_Pairs = tuple[NDArray[np.uint32], NDArray[np.int32], NDArray[np.int32], NDArray[np.uint64]]


@lru_cache(maxsize=32)
def tables_of(layout: Layout) -> Tables:
    """Return the tables of a layout for backtracking search.

    Houses with fewer cells than the board has values only determine which cells must differ.
    """
    graph = graph_of(layout)
    alone = Propagated(sums_of(layout), layout.regulars, layout.combinations, layout.sandwiches)
    every = with_those_of_options(alone, layout.disjunctions) if layout.disjunctions else alone
    automata = tables_of_automata(
        [(regular.cells, regular.automaton) for regular in every.regulars], layout.size
    )
    kinds, cells = _propagators(layout, alone, every)
    indices = [index for count in map(kinds.count, dict.fromkeys(kinds)) for index in range(count)]
    commons = np.zeros(len(kinds), np.uint64)
    commons[[kind == AUTOMATON for kind in kinds]] = automata.commons
    read_cells, read_ranges = csr(cells)
    failing = [
        () if kind in _FIND_FAILED_CELLS else own for kind, own in zip(kinds, cells, strict=True)
    ]
    apart, others = _split(layout)
    dependents, relations, reads_twice, conflict_weights = build_tables(
        read_cells, read_ranges, commons, *_pairs(others, layout.size), graph.peer_words
    )
    words = partial(_first_words, graph.peer_words.shape[1] if apart else graph.words)
    houses = Houses(
        graph.houses,
        words(graph.house_words),
        np.uint64((1 << layout.size) - 1),
        np.int64(max(graph.most_shared, _FEW)),
    )
    return Tables(
        Propagators(
            np.array(kinds, np.uint8),
            np.array(indices, np.int32),
            np.array([kind in _IDEMPOTENT for kind in kinds], np.bool_) & ~reads_twice,
            *(csr(failing) if failing != cells else (read_cells, read_ranges)),
        ),
        Dependents(graph.houses_of, *dependents),
        _present(layout),
        _peers(words(graph.peer_words), apart, layout.size),
        houses,
        Relations(*relations),
        _sums(every.sums, layout.lowest, graph) if every.sums else _NO_SUMS,
        automata,
        _value_sets(every.combinations),
        _sandwiches(every.sandwiches, layout.size) if every.sandwiches else _NO_SANDWICHES,
        _full_ranks(layout.full_ranks, layout.size) if layout.full_ranks else _NO_FULL_RANKS,
        regions_of(layout) if layout.partitions else _NO_REGIONS,
        disjunctions_of(layout, every, kinds) if layout.disjunctions else NO_DISJUNCTIONS,
        conflict_weights,
    )


def _propagators(
    layout: Layout, alone: Propagated, every: Propagated
) -> tuple[list[int], list[Collection[int]]]:
    """Return the kind of each propagator, and the cells whose changes schedule it.

    `alone` are the constraints outside of disjunctions, and `every` are all of them, including
    those in options of disjunctions. The latter have no cells here, because they run only when the
    option is tried.
    """
    kinds: list[int] = []
    cells: list[Collection[int]] = []
    for kind, own, together in zip(_OF_OPTIONS, alone.cells(), every.cells(), strict=True):
        kinds += [kind] * len(together)
        cells += [*own, *[()] * (len(together) - len(own))]
    if layout.full_ranks:
        kinds.append(FULL_RANK)
        cells.append(range(layout.cells))
    for partition in layout.partitions:
        kinds.append(CONNECTED_REGIONS)
        cells.append((*range(len(partition.labels)), *partition.cells))
    for disjunction in layout.disjunctions:
        kinds.append(DISJUNCTION)
        cells.append(cells_of_disjunction(disjunction))
    return kinds, cells


def _split(layout: Layout) -> tuple[list[Relation], list[Relation]]:
    """Split the relations into those that only forbid certain equal values, and all others.

    On large boards, all relations are in the second list.
    """
    apart: list[Relation] = []
    others: list[Relation] = []
    is_small = layout.cells <= _MOST_CELLS
    for relation in layout.relations:
        is_apart = is_small and relation.pairs and _not_twice(relation.allowed)
        (apart if is_apart else others).append(relation)
    return apart, others


@lru_cache(maxsize=64)
def _not_twice(allowed: tuple[int, ...]) -> tuple[int, ...]:
    """Return the values (from 0) that a relation forbids only if both cells have them.

    allowed[v] are the values, as bits, that the second cell can have if the first one has v.
    Returns () if the relation also forbids other pairs of values, or none at all.
    """
    every = (1 << len(allowed)) - 1
    values = tuple(value for value, word in enumerate(allowed) if word != every)
    return values if all(allowed[value] == every ^ 1 << value for value in values) else ()


def _peers(
    peer_words: NDArray[np.uint64], apart: Sequence[Relation], size: int
) -> NDArray[np.uint64]:
    """Return the peers of all cells as bits (planes, cells, words).

    `peer_words` (cells, words) are the cells that must differ from each cell. The relations in
    `apart` only forbid that both cells of a pair have certain values. If there are any, the result
    has a plane per value, and a last one without these relations. Otherwise, `peer_words` is its
    single plane.
    """
    planes = np.repeat(peer_words[np.newaxis], size + 1 if apart else 1, 0)
    for relation in apart:
        cells, others = np.array(relation.pairs).T
        bits = np.uint64(1) << (others % 64).astype(np.uint64)
        for value in _not_twice(relation.allowed):
            np.bitwise_or.at(planes[value], (cells, others // 64), bits)
    return planes


def _first_words(number: int, rows: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the first `number` columns of a two-dimensional array, as a contiguous array."""
    return np.ascontiguousarray(rows[:, :number])


def _present(layout: Layout) -> NDArray[np.int32]:
    """Return the cells of a layout that aren't holes."""
    cells = np.arange(layout.cells, dtype=np.int32)
    return np.delete(cells, list(layout.holes)) if layout.holes else cells


def _pairs(relations: Sequence[Relation], size: int) -> _Pairs:
    """Return the cell pairs of all relations as arrays: pairs, ranges, table numbers, and tables.

    The pairs (n, 2) of relation k are in the range ranges[k] to ranges[k + 1]. Its table, with the
    values allowed for each value of the first cell, is tables[numbers[k]]. Equal tables are stored
    once, as (tables, size).
    """
    numbers: dict[tuple[int, ...], int] = {}
    table_of = [numbers.setdefault(relation.allowed, len(numbers)) for relation in relations]
    pairs = chain.from_iterable([relation.pairs for relation in relations])
    return (
        np.fromiter(chain.from_iterable(pairs), np.uint32).reshape(-1, 2),
        offsets_of([len(relation.pairs) for relation in relations]),
        np.array(table_of, np.int32),
        np.fromiter(chain.from_iterable(numbers), np.uint64).reshape(-1, size),
    )


def _value_sets(combinations: Sequence[Combination]) -> ValueSets:
    """Return the tables of value-set constraints."""
    if not combinations:
        return _NO_VALUE_SETS
    return ValueSets(
        *csr([combination.cells for combination in combinations]),
        np.array([values for each in combinations for values in each.sets], np.uint64),
        offsets_of(len(combination.sets) for combination in combinations),
    )


def _sandwiches(sandwiches: Sequence[Sandwich], size: int) -> Sandwiches:
    """Return the tables of sandwich constraints. `size` is the number of the board's values."""
    fillings = np.array(
        [filling for each in sandwiches for filling in each.fillings], np.uint64
    ).reshape(-1, 4)
    firsts: list[int] = []
    before = 0
    for each in sandwiches:
        many = [filling.inside.bit_count() for filling in each.fillings]  # ascending
        firsts += [before + bisect_left(many, place) for place in range(len(each.cells))]
        before += len(many)
    every = (1 << size) - 1
    crusts = [
        reduce(or_, [filling.low | filling.high for filling in each.fillings], 0)
        for each in sandwiches
    ]
    unchecked = [every if len(each.cells) < size else 0 for each in sandwiches]
    return Sandwiches(
        *csr([each.cells for each in sandwiches]),
        np.array(crusts, np.uint64),
        np.array(unchecked, np.uint64),
        np.array(firsts, np.int32),
        *fillings.T.copy(),
    )


def _full_ranks(full_ranks: Sequence[FullRank], size: int) -> FullRanks:
    """Return the tables of full-rank clues. `size` is the number of rows and of columns."""
    sides = sides_of(size, size)
    own_sides = [
        next(number for number, side in enumerate(sides) if full_rank.line in side)
        for full_rank in full_ranks
    ]
    lines = [full_rank.line for full_rank in full_ranks]
    comparisons = [full_rank.answers for full_rank in full_ranks]
    return FullRanks(
        np.array(sides, np.int32),
        np.array(lines, np.int32).reshape(-1, size),
        np.array(own_sides, np.int32),
        np.array(comparisons, np.int32).reshape(-1, len(sides) - 1),
        np.array([1 << full_rank.begins for full_rank in full_ranks], np.uint64),
        np.array([full_rank.less for full_rank in full_ranks], np.int32),
    )


def _sums(sums: Sequence[Sum], lowest: int, graph: Graph) -> Sums:
    """Return the tables of sums, whose cells are divided into runs.

    `lowest` is the board's lowest number. Values count from 0 in the tables, so targets are
    reduced.
    """
    cells, ranges = csr([total.cells for total in sums])
    factors = np.fromiter(chain.from_iterable([total.factors for total in sums]), np.int64)
    arranged = build_sum_tables(
        cells, ranges, factors, graph.own, graph.own_ranges, graph.peer_words
    )
    run_cells, run_factors, run_starts, run_ends = arranged
    targets = [total.target - sum(total.factors) * lowest for total in sums]
    return Sums(run_cells, ranges, run_factors, run_starts, run_ends, np.array(targets, np.int64))


_NO_REGIONS = regions_of(Layout.boxed(2, 2))
_NO_SANDWICHES = _sandwiches((), 2)
_NO_FULL_RANKS = _full_ranks((), 2)
_NO_CELLS = np.zeros(0, np.uint32)
_NONE = np.zeros(0, np.int32)
_NO_RANGES = np.zeros(1, np.int32)  # ranges of an empty list
_NO_NUMBERS = np.zeros(0, np.int64)
_NO_SUMS = Sums(_NO_CELLS, _NO_RANGES, _NO_NUMBERS, _NONE, _NONE, _NO_NUMBERS)
_NO_VALUE_SETS = ValueSets(_NO_CELLS, _NO_RANGES, np.zeros(0, np.uint64), _NO_RANGES)
