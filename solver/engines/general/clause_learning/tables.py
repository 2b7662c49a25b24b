"""Build the tables of a layout for clause learning."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.board.automaton import adding_up
from solver.board.full_rank_automaton import regulars_of
from solver.board.layout import Layout
from solver.board.primitive_constraints import Relation
from solver.board.sandwich_automaton import sandwich_automaton_of
from solver.compiling.ragged import offsets_of, transposed_csr
from solver.engines.general.all_different import bits_of, runs_of
from solver.engines.general.automaton_tables import tables_of_automata
from solver.engines.general.clause_learning.set_variables import (
    as_combination,
    candidate_pairs,
    set_variables_of,
)
from solver.engines.general.clause_learning.state import Consequences, Problem
from solver.engines.general.graph import graph_of
from solver.engines.general.implied_sums import sums_of

_Needs = tuple[NDArray[Any], Any]  # the literals of some clauses, and the length of each


@lru_cache(maxsize=8)  # tables can be large
def problem_of(layout: Layout) -> Problem:
    """Return the tables of a layout for clause learning.

    Houses with fewer cells than the board has values only determine which cells must differ.
    """
    size, cells = layout.size, layout.cells
    candidates = np.arange(cells * size).reshape(cells, size)
    full = [np.array(house.cells) for house in layout.houses if len(house.cells) == size]
    present = [cell for cell in range(cells) if cell not in layout.holes]
    somewhere = np.concatenate([candidates[present], *(candidates[house].T for house in full)])
    graph = graph_of(layout)
    sums = sums_of(layout)
    peer_bits, houses = bits_of(graph.peer_words), bits_of(graph.own_words)
    cages = [as_combination(total, layout, peer_bits) for total in sums]
    few = (each for each in layout.combinations if len(each.sets) <= size)
    combinations = [*few, *(cage for cage in cages if cage)]
    auxiliary = set_variables_of(combinations, size, cells)
    needs = [
        (2 * somewhere.ravel(), np.full(len(somewhere), size)),
        *_supports(layout.relations, size),
        (np.array([*chain.from_iterable(auxiliary.needs)], np.int64), [*map(len, auxiliary.needs)]),
    ]
    barred = [*_barred(layout.relations, size), *auxiliary.barred]
    # Auxiliary variables have no peers.
    peers = np.pad(graph.peers, ((0, len(combinations)), (0, 0)), constant_values=-1)
    bars, bar_ranges = _bars(barred, len(peers) * size)
    spelled = [each for rank in layout.full_ranks for each in regulars_of(rank, layout.numbers)]
    automata = [(each.cells, each.automaton) for each in (*layout.regulars, *spelled)]
    automata += [(each.cells, sandwich_automaton_of(each, size)) for each in layout.sandwiches]
    for total, cage in zip(sums, cages, strict=True):
        if cage:
            continue
        runs = runs_of(total.cells, peer_bits, houses)
        factor_of = dict(zip(total.cells, total.factors, strict=True))
        cells_read = tuple(cell for run in runs for cell in run)
        factors = tuple(factor_of[cell] for cell in cells_read)
        lengths = tuple(map(len, runs))
        automata.append((cells_read, adding_up(factors, total.target, layout.numbers, lengths)))
    tables = tables_of_automata(automata, size)
    readers, reader_ranges = transposed_csr([read for read, _ in automata], len(peers))
    consequences = Consequences(
        size, peers, bars, bar_ranges, readers, reader_ranges, tables.commons[readers]
    )
    return Problem(consequences, tables, *_joined(needs), auxiliary.domains)


def _barred(relations: Iterable[Relation], size: int) -> Iterator[NDArray[np.int64]]:
    """Yield, for each relation, the pairs of candidates (n, 2) that exclude each other.

    A candidate is cell · `size` + value, with values from 0.
    """
    for relation in relations:
        yield candidate_pairs(relation.pairs, _barred_by(relation.allowed, size), size)


@lru_cache(maxsize=256)
def _barred_by(allowed: tuple[int, ...], size: int) -> list[tuple[int, int]]:
    """Return the pairs of values (from 0) that a relation forbids for its two cells.

    allowed[v] are the values, as bits, that the second cell can have if the first one has v.
    """
    return [(a, b) for a in range(size) for b in range(size) if not allowed[a] >> b & 1]


def _bars(
    barred: Sequence[NDArray[np.int64]], candidates: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the candidates that each candidate excludes, in CSR form.

    `barred` has arrays (n, 2) of candidates that exclude each other. `candidates` is the number of
    all candidates. The result is the concatenated candidates, and the offsets per candidate.
    """
    first, second = np.concatenate([np.zeros((0, 2), np.int64), *barred]).T
    # Pairs are sorted as single numbers, which is many times as fast.
    both = np.unique(np.concatenate((first * candidates + second, second * candidates + first)))
    first, second = np.divmod(both, candidates)
    return second.astype(np.int32), offsets_of(np.bincount(first, minlength=candidates))


def _supports(relations: Iterable[Relation], size: int) -> Iterator[_Needs]:
    """Yield the support clauses of each relation, for all of its pairs of cells.

    A support clause states that if the first cell of a pair has a certain value, the second one has
    one of the values allowed with it. The clauses of a relation are an array of concatenated
    literals, and the length of each clause.
    """
    for relation in relations:
        is_second, places, lengths = _supports_of(relation.allowed, size)
        pairs = 2 * size * np.array(relation.pairs, np.int64).reshape(-1, 2)
        yield (pairs[:, is_second] + places).ravel(), np.tile(lengths, len(pairs))


@lru_cache(maxsize=256)
def _supports_of(
    allowed: tuple[int, ...], size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the support clauses of a relation for one pair of cells, concatenated.

    allowed[v] are the values, as bits, that the second cell can have if the first one has v.
    Returns three arrays. The first two have an item per literal. The first array states whether the
    literal is about the first cell of the pair (0) or the second one (1). The second array has the
    number that the literal would have if that cell were cell 0 of the board. The third array has
    the length of each clause.
    """
    needs = [
        [(0, 2 * value + 1)] + [(1, 2 * other) for other in range(size) if some >> other & 1]
        for value, some in enumerate(allowed)
        if some != (1 << size) - 1
    ]
    is_second, places = np.array([*chain.from_iterable(needs)], np.int64).reshape(-1, 2).T
    return is_second, places, np.array([*map(len, needs)], np.int64)


def _joined(needs: Iterable[_Needs]) -> tuple[NDArray[np.uint32], NDArray[np.int32]]:
    """Concatenate groups of clauses. Return all literals, and the offset of each clause."""
    literals, lengths = zip(*needs, strict=True)
    return np.concatenate(literals).astype(np.uint32), offsets_of(np.concatenate(lengths))
