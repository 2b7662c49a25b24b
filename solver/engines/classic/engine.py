"""Run the compiled search of the classic engine: requests become arrays, and arrays a batch."""

import logging
from functools import cache
from threading import local
from typing import Any

import numpy as np

from solver.board.layout import Layout
from solver.board.result import Batch
from solver.checks.boards import are_filled
from solver.engines.engine import GO_ON, SolveRequest
from solver.engines.search_outcome import UNFINISHED

logger = logging.getLogger(__name__)

_LAYOUT = Layout.boxed(3, 3)
_CELLS = 81


class _Searches(local):
    """The compiled search and its working memory by number of lanes, separate for each thread.

    The key None stands for the best number of lanes on this processor. Finding that number takes
    longer than solving a puzzle, so it's done once.
    """

    def __init__(self) -> None:
        self.by_lanes: dict[int | None, tuple[Any, Any]] = {}


_searches = _Searches()
_NO_OWNERS = np.zeros(0, np.int64)


def _search_with(lanes: int | None) -> tuple[Any, Any]:
    """Load or compile the search for a number of lanes. Return it with its working memory.

    None stands for the best number of lanes on this processor. The result is stored for the thread.
    """
    from solver.compiling.processor import preferred_lanes
    from solver.engines.classic import search

    memory = search.make_memory(lanes or preferred_lanes())
    return _searches.by_lanes.setdefault(lanes, (search.search, memory))


class ClassicEngine:
    """Solves many 9×9 puzzles side by side, alternating between propagation sweeps and guesses.

    See `board` and `search`.
    """

    name = "classic"

    def __init__(self, *, lanes: int | None = None) -> None:
        """Create an engine for 4, 8, 16, or 32 lanes, or for the best number on this processor."""
        self._lanes = lanes

    def accepts(self, layout: Layout, *, candidates: bool = False) -> bool:
        """Return whether this is the classic 9×9 layout, without pencil marks.

        Returns False as well if the engine doesn't compile on this machine.
        """
        return layout == _LAYOUT and not candidates and is_ready(self._lanes)

    def warm_up(self) -> None:
        """Compile the engine, or load it from the disk cache."""
        is_ready(self._lanes)

    def solve_many(self, request: SolveRequest) -> Batch:
        """Solve puzzles as described in `solver.engines.engine.Engine`.

        No puzzle takes long enough to need a checkpoint.
        """
        return _solve(request, lanes=self._lanes)


def _solve(request: SolveRequest, *, lanes: int | None) -> Batch:
    """Solve the puzzles of a request, up to the first one that isn't finished because of a stop.

    `lanes` is as for `_search_with`.
    """
    search, memory = _searches.by_lanes.get(lanes) or _search_with(lanes)
    count, keep_all = len(request), request.lists_all
    outcomes = np.empty(count, np.uint8)
    counts, steps = np.zeros(count, np.int64), np.zeros(count, np.int64)
    room = max(count, 1) if keep_all else count  # It grows by doubling, so it can't start at zero.
    owners = np.zeros(room, np.int64) if keep_all else _NO_OWNERS
    results = outcomes, counts, steps, np.zeros(room * _CELLS, np.uint8), owners
    flat, owners, rows, done = search(
        request.givens.astype(np.uint8, copy=False).ravel(), count, request.limit,
        request.step_limit, request.stop, memory, results,
    )  # fmt: skip
    solutions, every = flat.reshape(-1, _CELLS), None
    if keep_all:
        order = np.argsort(owners[:rows], kind="stable")
        by_puzzle = solutions[order]
        ends = np.cumsum(counts)
        every = tuple(by_puzzle[end - n : end] for end, n in zip(ends, counts, strict=True))
        solutions = np.zeros((count, _CELLS), np.uint8)
        solutions[np.flatnonzero(counts)] = by_puzzle[(ends - counts)[counts > 0]]
    batch = Batch(outcomes, solutions, counts, steps, every)
    if done == count and request.stop[0] == GO_ON:
        return batch
    unfinished = np.flatnonzero(outcomes[:done] == UNFINISHED)
    return batch.first(int(unfinished[0]) if len(unfinished) else int(done))


@cache
def is_ready(lanes: int | None = None) -> bool:
    """Return whether the engine compiles here and solves a puzzle correctly.

    The result is cached for each number of lanes. A failure is logged once.
    """
    try:
        blank = np.zeros((1, _CELLS), np.uint8)
        batch = _solve(SolveRequest(layout=_LAYOUT, givens=blank, step_limit=81), lanes=lanes)
        if not are_filled(_LAYOUT, blank, batch.solutions).all():
            raise ArithmeticError("its first solution is wrong")
    except Exception:
        # Catches all compiler errors, because the general engine can solve these puzzles, too.
        logger.warning(
            "the classic engine doesn't work here; using the general engine", exc_info=True
        )
        return False
    return True
