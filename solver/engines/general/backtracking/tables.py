"""Builds the tables of a layout for backtracking search."""

from bisect import bisect_left
from collections.abc import Collection, Sequence
from functools import lru_cache, partial, reduce
from itertools import chain
from operator import or_

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.parts import Combination, Enclosed, Ranking, Relation, Sum
from solver.board.ranking import sides_of
from solver.compiling.ragged import csr, offsets_of
from solver.engines.general.automaton_tables import tables_of_automata
from solver.engines.general.backtracking.disjunction_tables import (
    UNCHOSEN,
    Propagators,
    cells_of_choice,
    choices_of,
    with_those_of_options,
)
from solver.engines.general.backtracking.region_tables import regions_of
from solver.engines.general.backtracking.state import (
    Combinations,
    Dependents,
    Enclosures,
    Houses,
    Rankings,
    Relations,
    Sums,
    Tables,
)
from solver.engines.general.backtracking.table_building import build_sum_tables, build_tables
from solver.engines.general.graph import Graph, graph_of
from solver.engines.general.implied_sums import sums_of

_FEW = 3  # places of a value in a house up to which locked candidates are looked for
_MOST_CELLS = 36**2  # cells up to which a board has peers per value, which take 8 MB then
_Pairs = tuple[NDArray[np.uint32], NDArray[np.int32], NDArray[np.int32], NDArray[np.uint64]]


@lru_cache(maxsize=32)
def tables_of(layout: Layout) -> Tables:
    """Return the tables of a layout. Houses that aren't full only contribute peers."""
    graph = graph_of(layout)
    alone = Propagators(sums_of(layout), layout.regulars, layout.combinations, layout.enclosed)
    every = with_those_of_options(alone, layout.choices) if layout.choices else alone
    sums, regulars, combinations, enclosed = every
    read: list[Collection[int]] = []
    for own, together in zip(alone.cells(), every.cells(), strict=True):
        read += [*own, *[()] * (len(together) - len(own))]  # options run only when they are tried
    read += [range(layout.cells)] if layout.rankings else []
    read += [(*range(len(part.labels)), *part.cells) for part in layout.partitions]
    choices = choices_of(layout, every, len(read)) if layout.choices else UNCHOSEN
    read += map(cells_of_choice, layout.choices)
    automata = tables_of_automata(
        [(regular.cells, regular.automaton) for regular in regulars], layout.size
    )
    after_sums = slice(len(sums), len(sums) + len(regulars))
    commons = np.zeros(len(read), np.uint64)
    commons[after_sums] = automata.commons
    read_cells, read_ranges = csr(read)
    apart, others = _split(layout)
    propagators, relations, read_twice, conflict_weights = build_tables(
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
        Dependents(graph.houses_of, *propagators),
        _present(layout),
        _peers(words(graph.peer_words), apart, layout.size),
        houses,
        Relations(*relations),
        _sums(sums, layout.lowest, graph) if sums else _NO_SUMS,
        automata,
        read_twice[after_sums],
        _combinations(combinations),
        _enclosures(enclosed, layout.size) if enclosed else _UNENCLOSED,
        _rankings(layout.rankings, layout.size) if layout.rankings else _UNRANKED,
        regions_of(layout) if layout.partitions else _UNCUT,
        choices,
        conflict_weights,
    )


def _split(layout: Layout) -> tuple[list[Relation], list[Relation]]:
    """Split relations into those that only forbid equal values in a pair, and the others."""
    apart: list[Relation] = []
    others: list[Relation] = []
    is_small = layout.cells <= _MOST_CELLS
    for relation in layout.relations:
        is_apart = is_small and relation.pairs and _not_twice(relation.allowed)
        (apart if is_apart else others).append(relation)
    return apart, others


@lru_cache(maxsize=64)
def _not_twice(allowed: tuple[int, ...]) -> tuple[int, ...]:
    """Return the values that a pair can't both have; none if the relation says more."""
    every = (1 << len(allowed)) - 1
    values = tuple(value for value, word in enumerate(allowed) if word != every)
    return values if all(allowed[value] == every ^ 1 << value for value in values) else ()


def _peers(
    peer_words: NDArray[np.uint64], apart: Sequence[Relation], size: int
) -> NDArray[np.uint64]:
    """Return the peers of all cells as planes of bits.

    If peers depend on the value, there is a plane per value. The last plane is for all values.
    """
    planes = np.repeat(peer_words[np.newaxis], size + 1 if apart else 1, 0)
    for relation in apart:
        cells, others = np.array(relation.pairs).T
        bits = np.uint64(1) << (others % 64).astype(np.uint64)
        for value in _not_twice(relation.allowed):
            np.bitwise_or.at(planes[value], (cells, others // 64), bits)
    return planes


def _first_words(number: int, rows: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the first `number` words of each row."""
    return np.ascontiguousarray(rows[:, :number])


def _present(layout: Layout) -> NDArray[np.int32]:
    """Return the cells that aren't holes."""
    cells = np.arange(layout.cells, dtype=np.int32)
    return np.delete(cells, list(layout.absent)) if layout.absent else cells


def _pairs(relations: Sequence[Relation], size: int) -> _Pairs:
    """Return the pairs of relations (n, 2), their ranges, each relation's table, and the tables."""
    numbers: dict[tuple[int, ...], int] = {}
    table_of = [numbers.setdefault(relation.allowed, len(numbers)) for relation in relations]
    pairs = chain.from_iterable([relation.pairs for relation in relations])
    return (
        np.fromiter(chain.from_iterable(pairs), np.uint32).reshape(-1, 2),
        offsets_of([len(relation.pairs) for relation in relations]),
        np.array(table_of, np.int32),
        np.fromiter(chain.from_iterable(numbers), np.uint64).reshape(-1, size),
    )


def _combinations(combinations: Sequence[Combination]) -> Combinations:
    if not combinations:
        return _NO_COMBINATIONS
    return Combinations(
        *csr([combination.cells for combination in combinations]),
        np.array([values for each in combinations for values in each.sets], np.uint64),
        offsets_of(len(combination.sets) for combination in combinations),
    )


def _enclosures(enclosed: Sequence[Enclosed], size: int) -> Enclosures:
    ways = np.array([way for each in enclosed for way in each.ways], np.uint64).reshape(-1, 4)
    firsts: list[int] = []
    before = 0
    for each in enclosed:
        many = [way.inside.bit_count() for way in each.ways]  # ascending
        firsts += [before + bisect_left(many, place) for place in range(len(each.cells))]
        before += len(many)
    every = (1 << size) - 1
    ends = [reduce(or_, [way.low | way.high for way in each.ways], 0) for each in enclosed]
    asked = [every if len(each.cells) < size else 0 for each in enclosed]
    return Enclosures(
        *csr([each.cells for each in enclosed]),
        np.array(ends, np.uint64),
        np.array(asked, np.uint64),
        np.array(firsts, np.int32),
        *ways.T.copy(),
    )


def _rankings(rankings: Sequence[Ranking], size: int) -> Rankings:
    sides = sides_of(size, size)
    own = [
        next(n for n, side in enumerate(sides) if propagate_full_rank.line in side)
        for propagate_full_rank in rankings
    ]
    return Rankings(
        np.array(sides, np.int32),
        np.array([propagate_full_rank.line for propagate_full_rank in rankings], np.int32).reshape(
            -1, size
        ),
        np.array(own, np.int32),
        np.array(
            [propagate_full_rank.answers for propagate_full_rank in rankings], np.int32
        ).reshape(-1, len(sides) - 1),
        np.array([1 << propagate_full_rank.begins for propagate_full_rank in rankings], np.uint64),
        np.array([propagate_full_rank.less for propagate_full_rank in rankings], np.int32),
    )


def _sums(sums: Sequence[Sum], lowest: int, graph: Graph) -> Sums:
    cells, ranges = csr([total.cells for total in sums])
    factors = np.fromiter(chain.from_iterable([total.factors for total in sums]), np.int64)
    arranged = build_sum_tables(
        cells, ranges, factors, graph.own, graph.own_ranges, graph.peer_words
    )
    run_cells, run_factors, run_starts, run_ends = arranged
    targets = [total.target - sum(total.factors) * lowest for total in sums]
    return Sums(run_cells, ranges, run_factors, run_starts, run_ends, np.array(targets, np.int64))


_UNCUT = regions_of(Layout.boxed(2, 2))
_UNENCLOSED = _enclosures((), 2)
_UNRANKED = _rankings((), 2)
_NO_CELLS = np.zeros(0, np.uint32)
_NONE = np.zeros(0, np.int32)
_BEGINNING = np.zeros(1, np.int32)  # ranges of an empty list
_NO_NUMBERS = np.zeros(0, np.int64)
_NO_SUMS = Sums(_NO_CELLS, _BEGINNING, _NO_NUMBERS, _NONE, _NONE, _NO_NUMBERS)
_NO_COMBINATIONS = Combinations(_NO_CELLS, _BEGINNING, np.zeros(0, np.uint64), _BEGINNING)
