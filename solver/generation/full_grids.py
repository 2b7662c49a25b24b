"""Make random full grids: solutions of a board with some random givens.

The engine decides how to fill the cells that are left, so the grids aren't a uniform sample. With
more random givens, the sample is closer to a uniform one, but more of the boards have no solution.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.random_streams import RandomStreams
from solver.engines.engine import ABANDON, StopFlag
from solver.generation.solve_all import solve_all
from solver.logic.board_tables import seen_cells

Grids = NDArray[np.uint8]  # (n, cells), 0 = empty

# The shares of the cells that get random givens, one after the other. On classic boards, three of
# five boards with the first share have a solution.
_SHARES = (0.27, 0.27, 0.2, 0.15, 0.1, 0.05, 0.0)
_LEAST_SHARE_IN_HOUSES = 0.25
_STEP_LIMIT = 1_000  # guesses for one full grid; another attempt is cheaper than a long search
_EMPTY_STEP_LIMIT = 1_000_000  # for an empty board


def random_full_grids(
    layout: Layout,
    streams: RandomStreams,
    *,
    stop: StopFlag,
    empty_step_limit: int = _EMPTY_STEP_LIMIT,
) -> Grids:
    """Return a random full grid per stream, with zeros if none was found.

    At first, houses that don't affect each other get random values, such as the three boxes on a
    diagonal. If there are too few such houses, or if the board then has no solution within the step
    limit, random cells get values. Further boards have fewer and fewer of them. The last one is
    empty, so all streams without a grid get the same solution. Its step limit is
    `empty_step_limit`. If `stop` becomes ABANDON, returns soon, and the result is meaningless.
    """
    cells = layout.cells - len(layout.holes)
    grids = np.zeros((len(streams), layout.cells), np.uint8)
    open_ = np.arange(len(streams))
    for number, share in enumerate((None, *_SHARES)):
        if share == 0:
            # The search can be long, and it is the same for all streams.
            start = np.zeros((1, layout.cells), np.uint8)
            solved = solve_all(
                start, layout=layout, limit=1, step_limit=empty_step_limit, stop=stop
            )
            grids[open_] = solved.solutions
            break
        own = streams.subset(open_).spawn(number)
        if share is not None:
            start = random_givens(layout, own, round(share * cells))
        elif len(_independent_houses(layout)):
            start = _random_houses(layout, own)
        else:
            continue
        solved = solve_all(start, layout=layout, limit=1, step_limit=_STEP_LIMIT, stop=stop)
        found = solved.solutions.any(axis=1)
        grids[open_[found]] = solved.solutions[found]
        open_ = open_[~found]
        if not len(open_) or stop[0] == ABANDON:
            break
    return grids


def _random_houses(layout: Layout, streams: RandomStreams) -> Grids:
    """Return a grid per stream in which some houses have all values in a random order.

    The houses are those of `_independent_houses`. All other cells are empty.
    """
    houses = _independent_houses(layout)
    grids = np.zeros((len(streams), layout.cells), np.uint8)
    words = streams.words(houses.size).reshape(len(streams), *houses.shape)
    grids[:, houses] = words.argsort(axis=2) + 1
    return grids


@lru_cache(maxsize=64)
def _independent_houses(layout: Layout) -> NDArray[np.int64]:
    """Return the cells of houses that don't affect each other, as an array (houses, size).

    Each of them contains every value, and its cells see no cell of another one. The result is empty
    if all of these houses together have too few cells for varied grids.
    """
    peers = _peers(layout)
    seen: set[int] = set()
    chosen = []
    for house in sorted(layout.houses, key=lambda house: house.kind != "box"):
        if len(house.cells) == layout.size and seen.isdisjoint(house.cells):
            chosen.append(house.cells)
            seen.update(house.cells, peers[list(house.cells)].ravel().tolist())
    if len(chosen) * layout.size < _LEAST_SHARE_IN_HOUSES * layout.cells:
        chosen = []
    return np.array(chosen, np.int64).reshape(len(chosen), layout.size)


def random_givens(layout: Layout, streams: RandomStreams, count: int) -> Grids:
    """Return a grid per stream with random values in `count` random cells, or in fewer.

    The cells are filled one after the other. Each gets a random value that differs from the values
    of all cells that it sees. If there is no such value, it stays empty.
    """
    peers = _peers(layout)
    cells = np.setdiff1d(np.arange(layout.cells), list(layout.holes))
    chosen = cells[streams.permutations(len(cells))[:, :count]]
    # A dummy cell at the end stands for peers that don't exist.
    grids = np.zeros((len(streams), layout.cells + 1), np.uint8)
    rows = np.arange(len(streams))
    for cell in chosen.T:
        seen = np.zeros((len(streams), layout.size + 1), np.bool_)
        values = grids[rows[:, None], peers[cell]].astype(np.int64)
        np.put_along_axis(seen, values, values=True, axis=1)
        seen[:, 0] = True
        free = ~seen
        count_free = free.sum(axis=1)
        place = streams.below(np.maximum(count_free, 1))
        value = (free.cumsum(axis=1) <= place).sum(axis=1)
        grids[rows, cell] = np.where(count_free > 0, value, 0)
    return grids[:, :-1]


@lru_cache(maxsize=64)
def _peers(layout: Layout) -> NDArray[np.int64]:
    """Return the cells that each cell sees through houses and not-equal pairs (cells, most).

    The row of a cell that sees fewer than the most cells is filled up with the index after the last
    cell.
    """
    seen = [np.flatnonzero(row) for row in seen_cells(layout)]
    peers = np.full((layout.cells, max(map(len, seen))), layout.cells, np.int64)
    for cell, others in enumerate(seen):
        peers[cell, : len(others)] = others
    return peers
