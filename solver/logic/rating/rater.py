"""Rates puzzles one by one as HoDoKu and Sudoku Explainer do, in memory kept between calls."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.engines.engine import StopFlag
from solver.logic.board import Board
from solver.logic.progress import Progress
from solver.logic.rating import hodoku
from solver.logic.rating.difficulty import Difficulty
from solver.logic.sudoku_explainer import rating as explainer
from solver.logic.sudoku_explainer.variants import variant_of

_CLASSIC = Layout.boxed(3, 3)
_NOTHING = np.zeros(0, np.uint8)
_UNSOLVED = 200  # tenths; the ER of puzzles that the techniques don't solve


class Rater:
    """Rates puzzles of one layout as HoDoKu and Sudoku Explainer do, one after the other.

    Finishing a puzzle before starting the next limits the work that a stop can lose. `progress` is
    the progress on the puzzle whose rating was abandoned last, or None.
    """

    def __init__(self, layout: Layout, board: Board, stop: StopFlag) -> None:
        self.layout = layout
        self._hodoku = hodoku.Solver(board, stop)
        variant = variant_of(layout)
        self._memory = None if variant is None else explainer.new_memory(variant)
        self.progress: Progress | None = None  # of the abandoned rating

    def use_stop(self, stop: StopFlag) -> None:
        """Set the flag whose change to ABANDON stops the rater."""
        self._hodoku.stop = stop

    def rate(
        self,
        givens: NDArray[np.uint8],
        solution: NDArray[np.uint8],
        *,
        counts: dict[str, int] | None = None,
        ratings: tuple[int, int, int] | None = None,
        earlier: Progress | None = None,
    ) -> Difficulty | None:
        """Rate a puzzle. Return None, and set `progress`, if `stop` is ABANDON.

        `counts` (HoDoKu's techniques) and `ratings` (Sudoku Explainer's ER, EP, and ED in tenths)
        are given if they are already known. `earlier` is progress to resume from. Sudoku
        Explainer's ratings are None for boards that it doesn't support, and for puzzles other than
        classic ones that its techniques don't solve.
        """
        hodoku_progress = None
        if earlier is not None and len(earlier.grid):
            hodoku_progress = earlier.grid, earlier.counts
        elif earlier is not None and len(earlier.counts):
            counts = hodoku.by_code(earlier.counts)
        if counts is None:
            counts = self._hodoku.counts(givens, solution, progress=hodoku_progress)
        if counts is None:
            self.progress = Progress(*self._hodoku.progress, _NOTHING)
            return None
        score = hodoku.rating_of(counts, layout=self.layout)
        known = Difficulty(score.score, score.level, counts=score.counts)
        if self._memory is None:
            return known
        if ratings is None:
            state = earlier.explainer if earlier is not None and len(earlier.explainer) else None
            rated = explainer.rate_many(
                givens[None], stop=self._hodoku.stop, memory=self._memory, progress=state
            )
            if len(rated.er) == 0:
                state = explainer.progress_of(self._memory)
                self.progress = Progress(_NOTHING, hodoku.codes_of(counts), state)
                return None
            ratings = int(rated.er[0]), int(rated.ep[0]), int(rated.ed[0])
        if self.layout is not _CLASSIC and ratings[0] == _UNSOLVED:
            return known
        er, ep, ed = (tenths / 10 for tenths in ratings)
        return replace(known, rating=er, pearl=ep, diamond=ed)


# The rater that the last call returned, if it isn't borrowed: at most one.
_idle: list[Rater] = []


@contextmanager
def borrowed_rater(layout: Layout, board: Board, stop: StopFlag) -> Iterator[Rater]:
    """Lend a rater for the puzzles of one layout.

    The process keeps the last rater that was returned, because creating one takes several times as
    long as rating an easy puzzle: its memory is large, and the system clears each page at its first
    use. The hardest classic puzzles use 85 MB. Concurrent callers get different raters.
    """
    try:
        rater = _idle.pop()  # A single operation, so that no two threads get the same one.
    except IndexError:
        rater = None
    if rater is None or rater.layout is not layout:
        rater = Rater(layout, board, stop)
    else:
        rater.use_stop(stop)
    try:
        yield rater
    finally:
        _idle[:] = [rater]
