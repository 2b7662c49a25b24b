"""A layout as the search wants it."""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from solver.arrays import inverted, joined, listed, starts
from solver.automata import automata_of
from solver.automaton import adding_up
from solver.differing import peers_of, runs_of
from solver.implied import implied_sums
from solver.layout import Layout, Relation
from solver.learning.state import Board, Problem


@lru_cache(maxsize=8)  # they may be large
def problem_of(layout: Layout) -> Problem:
    """Return the tables of a layout; a house that is not full only makes peers."""
    size, cells = layout.size, layout.cells
    candidates = np.arange(cells * size).reshape(cells, size)
    full = [np.array(house.cells) for house in layout.houses if len(house.cells) == size]
    present = [cell for cell in range(cells) if cell not in layout.absent]
    somewhere = np.concatenate([candidates[present], *(candidates[house].T for house in full)])
    needs = [*(2 * somewhere).tolist(), *_supports(layout.relations, size)]
    bars, bar_ranges = _bars(layout.relations, size, cells)
    peers = peers_of(layout)
    automata = [(regular.cells, regular.automaton) for regular in layout.regulars]
    for one in (*layout.sums, *implied_sums(layout)):
        runs = runs_of(one.cells, peers, layout)
        factor_of = dict(zip(one.cells, one.factors, strict=True))
        cells_read = tuple(cell for run in runs for cell in run)
        factors = tuple(factor_of[cell] for cell in cells_read)
        lengths = tuple(map(len, runs))
        automata.append((cells_read, adding_up(factors, one.target, layout.numbers, lengths)))
    readers = inverted([read for read, _ in automata], cells)
    board = Board(size, listed(peers), bars, bar_ranges, *joined(readers))
    return Problem(board, automata_of(automata, layout.size), *joined(needs))


def _bars(
    relations: Iterable[Relation], size: int, cells: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the candidates that relations bar beside each, and the range of each."""
    by_table: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    for relation in relations:
        by_table.setdefault(relation.allowed, []).append((relation.first, relation.second))
    found = [np.zeros((0, 2), np.int64)]
    for allowed, pairs in by_table.items():
        barred = [(a, b) for a in range(size) for b in range(size) if not allowed[a] >> b & 1]
        values = np.array(barred, np.int64).reshape(-1, 2)
        here = np.array(pairs)[:, None, :] * size + values[None, :, :]
        found += [here.reshape(-1, 2), here.reshape(-1, 2)[:, ::-1]]
    both = np.unique(np.concatenate(found), axis=0)
    counts = np.bincount(both[:, 0], minlength=cells * size)
    return both[:, 1].astype(np.int32), starts(counts.tolist())


def _supports(relations: Iterable[Relation], size: int) -> list[list[int]]:
    """Return, for each value that leaves another cell only some, that it needs one of them."""
    return [
        [2 * (relation.first * size + value) + 1]
        + [2 * (relation.second * size + other) for other in range(size) if allowed >> other & 1]
        for relation in relations
        for value, allowed in enumerate(relation.allowed)
        if allowed != (1 << size) - 1
    ]
