"""A layout as the search wants it."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from solver.board.automaton import adding_up
from solver.board.layout import Layout, Relation
from solver.compiling.arrays import holders, joined, listed, starts
from solver.engines.general.automaton_tables import tables_of_automata
from solver.engines.general.differing import as_bits, bits_of, peers_of, runs_of
from solver.engines.general.implied import implied_sums
from solver.engines.general.learning.hidden import as_combination, candidate_pairs, hidden_cells
from solver.engines.general.learning.state import Consequences, Problem


@lru_cache(maxsize=8)  # they may be large
def problem_of(layout: Layout) -> Problem:
    """Return the tables of a layout; a house that is not full only makes peers."""
    size, cells = layout.size, layout.cells
    candidates = np.arange(cells * size).reshape(cells, size)
    full = [np.array(house.cells) for house in layout.houses if len(house.cells) == size]
    present = [cell for cell in range(cells) if cell not in layout.absent]
    somewhere = np.concatenate([candidates[present], *(candidates[house].T for house in full)])
    differing = peers_of(layout)
    peer_bits = bits_of(differing)
    house_bits = [as_bits(house.cells) for house in layout.houses]
    sums = [*layout.sums, *implied_sums(layout, peer_bits, house_bits)]
    cages = [as_combination(total, layout, peer_bits) for total in sums]
    few = (each for each in layout.combinations if len(each.sets) <= size)
    combinations = [*few, *(cage for cage in cages if cage)]
    hidden = hidden_cells(combinations, size, cells)
    needs = [*(2 * somewhere).tolist(), *_supports(layout.relations, size), *hidden.needs]
    barred = [*_barred(layout.relations, size), *hidden.barred]
    peers = np.pad(differing, (0, len(combinations)))
    bars, bar_ranges = _beside(barred, len(peers) * size)
    automata = [(regular.cells, regular.automaton) for regular in layout.regulars]
    for total, cage in zip(sums, cages, strict=True):
        if cage:
            continue
        runs = runs_of(total.cells, peer_bits, house_bits)
        factor_of = dict(zip(total.cells, total.factors, strict=True))
        cells_read = tuple(cell for run in runs for cell in run)
        factors = tuple(factor_of[cell] for cell in cells_read)
        lengths = tuple(map(len, runs))
        automata.append((cells_read, adding_up(factors, total.target, layout.numbers, lengths)))
    readers = holders([read for read, _ in automata], len(peers))
    consequences = Consequences(size, listed(peers), bars, bar_ranges, *readers)
    return Problem(consequences, tables_of_automata(automata, size), *joined(needs), hidden.domains)


def _barred(relations: Iterable[Relation], size: int) -> Iterator[NDArray[np.int64]]:
    """Return pairs of candidates (n, 2) of which a relation bars one if the other is there."""
    for relation in relations:
        allowed = relation.allowed
        barred = [(a, b) for a in range(size) for b in range(size) if not allowed[a] >> b & 1]
        yield candidate_pairs(relation.pairs, barred, size)


def _beside(
    barred: Sequence[NDArray[np.int64]], candidates: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the candidates that are barred beside each, and the range of each."""
    pairs = np.concatenate([np.zeros((0, 2), np.int64), *barred])
    both = np.unique(np.concatenate([pairs, pairs[:, ::-1]]), axis=0)
    counts = np.bincount(both[:, 0], minlength=candidates)
    return both[:, 1].astype(np.int32), starts(counts)


def _supports(relations: Iterable[Relation], size: int) -> list[list[int]]:
    """Return, for each value that leaves another cell only some, that it needs one of them."""
    return [
        [2 * (first * size + value) + 1]
        + [2 * (second * size + other) for other in range(size) if allowed >> other & 1]
        for relation in relations
        for first, second in relation.pairs
        for value, allowed in enumerate(relation.allowed)
        if allowed != (1 << size) - 1
    ]
