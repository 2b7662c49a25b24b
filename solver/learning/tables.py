"""A layout as the search wants it."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from solver.automaton import Automaton, adding_up
from solver.implied import implied_sums
from solver.layout import Layout, Relation
from solver.learning.state import Automata, Board, Problem


def peers_of(layout: Layout) -> list[list[int]]:
    """Return for each cell the cells that must differ from it."""
    peers: list[set[int]] = [set() for _ in range(layout.cells)]
    for house in layout.houses:
        for cell in house.cells:
            peers[cell].update(house.cells)
    for links in layout.links:
        for one, other in links.pairs:
            peers[one].add(other)
            peers[other].add(one)
    return [sorted(found - {cell}) for cell, found in enumerate(peers)]


def padded(rows: Sequence[Sequence[int]], *, width: int | None = None) -> NDArray[np.int64]:
    """Return rows of unequal length as one array, closed by −1."""
    width = max([1, *map(len, rows)]) if width is None else width
    return np.array([[*row, *[-1] * (width - len(row))] for row in rows], np.int64).reshape(
        -1, width
    )


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
        runs = _runs(one.cells, layout, peers)
        factor_of = dict(zip(one.cells, one.factors, strict=True))
        cells_read = tuple(cell for run in runs for cell in run)
        factors = tuple(factor_of[cell] for cell in cells_read)
        lengths = tuple(map(len, runs))
        automata.append((cells_read, adding_up(factors, one.target, layout.numbers, lengths)))
    readers: list[list[int]] = [[] for _ in range(cells)]
    for number, (read, _) in enumerate(automata):
        for cell in dict.fromkeys(read):
            readers[cell].append(number)
    templates = list(dict.fromkeys(automaton for _, automaton in automata))
    layers = [layer for template in templates for layer in template.layers]
    board = Board(size, padded(peers).astype(np.int32), bars, bar_ranges, *_joined(readers))
    read_by = Automata(
        *_joined([read for read, _ in automata]),
        np.array([templates.index(automaton) for _, automaton in automata], np.int32),
        np.array([template.states for template in templates], np.int32),
        _starts([len(template.layers) for template in templates])[:-1],
        _starts([len(layer) for layer in layers]),
        np.concatenate([*layers, np.zeros((0, 3), np.int32)]),
        *_by_state(templates),
    )
    return Problem(board, read_by, *_joined(needs))


def _runs(cells: Sequence[int], layout: Layout, peers: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the cells in runs of some that all differ, long ones first."""
    left = set(cells)
    sets = [set(house.cells) for house in layout.houses]
    if all(left - {cell} <= set(peers[cell]) for cell in left):
        sets.append(left.copy())
    runs = []
    while left:
        best = max((found & left for found in sets), key=len, default=set())
        run = sorted(best) or [min(left)]
        runs.append(run)
        left -= set(run)
    return runs


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
    return both[:, 1].astype(np.int32), _starts(counts)


def _by_state(templates: Sequence[Automaton]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return where the states of each template begin, and the range of each state's edges."""
    counts = [
        np.bincount(np.concatenate(template.layers)[:, 0], minlength=template.states)
        for template in templates
    ]
    firsts = _starts([template.states for template in templates])[:-1]
    return firsts, _starts(np.concatenate([*counts, np.zeros(0, np.int64)]))


def _supports(relations: Iterable[Relation], size: int) -> list[list[int]]:
    """Return, for each value that leaves another cell only some, that it needs one of them."""
    return [
        [2 * (relation.first * size + value) + 1]
        + [2 * (relation.second * size + other) for other in range(size) if allowed >> other & 1]
        for relation in relations
        for value, allowed in enumerate(relation.allowed)
        if allowed != (1 << size) - 1
    ]


def _starts(lengths: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int32]:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)


def _joined(rows: Sequence[Sequence[int]]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    flat = [item for row in rows for item in row]
    return np.array(flat, np.int32), _starts([len(row) for row in rows])
