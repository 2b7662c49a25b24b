"""Find true candidates quickly: each solution that is found proves one candidate per cell.

`solver.candidates` searches once for each candidate, so that a search can be suspended and resumed.
This module makes far fewer searches, but they can't be resumed. Editors use it, because they need
the result within a fraction of a second, and jobs use it as a first attempt.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import MOST_IN_A_WORD
from solver.board.puzzle import Puzzle
from solver.board.result import Batch, Outcome
from solver.board.true_candidates import TrueCandidates
from solver.candidates import candidates_until
from solver.engines.classic.engine import ClassicEngine
from solver.engines.engine import ABANDON, StopFlag
from solver.logic.explanation import start_position
from solver.solving import engine_for, solve_many

# Solutions that the first search lists. A puzzle with fewer is decided by this search alone.
_MOST_LISTED = 200
# After this many searches that reach the step limit, the values without a result stay undecided.
_MOST_AT_LIMIT = 20
_ALL_BITS = (1 << MOST_IN_A_WORD) - 1
_MOST_TOGETHER = 16  # candidates whose solutions are counted by one call of the solver


def candidates_from_solutions(
    puzzle: Puzzle, *, bound: int, step_limit: int, stop: StopFlag
) -> TrueCandidates | None:
    """Return the true candidates of a puzzle with counts up to `bound`, or None if abandoned.

    The result is that of `solver.candidates.candidates_until`, except that the step limit applies
    to other searches. A first search lists up to 200 solutions. If the puzzle has more, searches
    for each cell look for solutions with values that no earlier solution has there. On classic
    boards without pencil marks, and on boards above 64 values, `candidates_until` follows instead.

    After 20 searches that reach the step limit, the remaining values are undecided without a
    search. Only ABANDON stops the searches: if `stop` becomes FINISH, they continue to the end.
    """
    search = _Search(puzzle, bound=bound, step_limit=step_limit, stop=stop)
    first = search.solve(search.givens, None, limit=max(_MOST_LISTED, bound))
    if stop[0] == ABANDON:
        return None
    if first.counts[0] < max(_MOST_LISTED, bound) and first.outcomes[0] != Outcome.STEP_LIMIT:
        return search.result()
    engine = engine_for(puzzle.layout, candidates=puzzle.candidates is not None)
    # The classic engine searches for many candidates in one call, which is faster than the loop
    # below. Large boards have no pencil marks, which the loop needs.
    if isinstance(engine, ClassicEngine) or puzzle.layout.size > MOST_IN_A_WORD:
        counted = candidates_until(puzzle, bound=bound, step_limit=step_limit, stop=stop)
        return counted if isinstance(counted, TrueCandidates) else None
    for cell in search.empty_cells():
        search.find_values(cell)
    if bound > 1:
        search.count_values()
    return None if stop[0] == ABANDON else search.result()


class _Search:
    """Runs the searches for the true candidates of one puzzle, and keeps what they found.

    It has the solutions found so far, in how many of them each cell has each value, and the values
    that no search has excluded yet. These include the values in solutions.
    """

    def __init__(self, puzzle: Puzzle, *, bound: int, step_limit: int, stop: StopFlag) -> None:
        layout = puzzle.layout
        self._puzzle, self._bound = puzzle, bound
        self._step_limit, self._stop = step_limit, stop
        self.givens = np.array([puzzle.givens], np.uint8)
        if layout.size <= MOST_IN_A_WORD:
            start = start_position(layout, puzzle.givens, puzzle.candidates)
            self._masks = np.array(start.domains, np.uint64)
        self._counts = np.zeros((layout.cells, layout.size), np.int64)
        self._decided = np.ones((layout.cells, layout.size), np.bool_)
        self._found: set[bytes] = set()
        self._at_limit = 0  # searches that reached the step limit

    def solve(
        self, givens: NDArray[np.uint8], masks: NDArray[np.uint64] | None, *, limit: int
    ) -> Batch:
        """Solve a batch of grids, and count the values of solutions that weren't found before.

        The rows of `givens` and `masks` (the candidates, as bits) belong together. If `masks` is
        None, all rows have the candidates of the puzzle. At most `limit` solutions are found per
        row.
        """
        marks = self._puzzle.candidates
        if masks is None and marks is not None:
            masks = np.array([marks], np.uint64)
        batch = solve_many(
            givens,
            layout=self._puzzle.layout,
            limit=limit,
            listed=limit > 1,
            step_limit=self._step_limit,
            stop=self._stop,
            candidates=masks,
        )
        if batch.listed is not None:
            solutions = [solution for listed in batch.listed for solution in listed]
        else:
            solutions = list(batch.solutions[batch.counts > 0])
        for solution in solutions:
            self._count(solution)
        return batch

    def _count(self, solution: NDArray[np.uint8]) -> None:
        packed = solution.tobytes()
        if packed not in self._found:
            self._found.add(packed)
            cells = np.flatnonzero(solution)
            self._counts[cells, solution[cells] - 1] += 1

    def empty_cells(self) -> list[int]:
        """Return the cells without a given, those with the fewest values left to find first."""
        cells = np.flatnonzero(self.givens[0] == 0)
        return sorted(cells.tolist(), key=lambda cell: self._missing(cell).bit_count())

    def _missing(self, cell: int) -> int:
        """Return the values of a cell, as bits, that are possible and in no solution so far."""
        found = sum(1 << int(value) for value in np.flatnonzero(self._counts[cell]))
        return int(self._masks[cell]) & ~found

    def find_values(self, cell: int) -> None:
        """Search for solutions with values that the cell has in no solution so far.

        Each solution found adds a value. This ends when the other values are proved impossible, or
        become undecided because of the step limit. They also do, without a search, if too many
        searches reached that limit.
        """
        while self._stop[0] != ABANDON:
            missing = self._missing(cell)
            if not missing:
                return
            if self._at_limit >= _MOST_AT_LIMIT:
                self._decided[cell, list(_values(missing))] = False
                return
            masks = self._masks[None].copy()
            masks[0, cell] = missing
            batch = self.solve(self.givens, masks, limit=1)
            if len(batch) and batch.counts[0] == 0:
                if batch.outcomes[0] == Outcome.STEP_LIMIT:
                    self._at_limit += 1
                    self._decided[cell, list(_values(missing))] = False
                else:
                    self._masks[cell] &= np.uint64(~missing & _ALL_BITS)
                return

    def count_values(self) -> None:
        """Count, up to the bound, the solutions with each value that was found in some solution.

        Values that reach the bound already are skipped. Counts that the step limit leaves
        incomplete become undecided. After too many of them, all that are left do.
        """
        places = np.argwhere((self._counts > 0) & (self._counts < self._bound))
        waiting = [(int(cell), int(value)) for cell, value in places]
        while waiting and self._stop[0] != ABANDON:
            if self._at_limit >= _MOST_AT_LIMIT:
                for cell, value in waiting:
                    self._decided[cell, value] = self._counts[cell, value] >= self._bound
                return
            together: list[tuple[int, int]] = []
            while waiting and len(together) < _MOST_TOGETHER:
                cell, value = waiting.pop()
                if self._counts[cell, value] < self._bound:
                    together.append((cell, value))
            if not together:
                return
            masks = np.tile(self._masks, (len(together), 1))
            givens = np.tile(self.givens, (len(together), 1))
            for row, (cell, value) in enumerate(together):
                masks[row, cell] = np.uint64(1 << value)
            batch = self.solve(givens, masks, limit=self._bound)
            waiting += together[len(batch) :]  # if the flag became FINISH
            for (cell, value), outcome in zip(together, batch.outcomes, strict=False):
                if outcome == Outcome.STEP_LIMIT and self._counts[cell, value] < self._bound:
                    self._at_limit += 1
                    self._decided[cell, value] = False

    def result(self) -> TrueCandidates:
        """Return the counts so far, up to the bound, and which of them are decided."""
        counts = np.minimum(self._counts, self._bound)
        return TrueCandidates(counts, self._decided, self._bound, self._puzzle.symbols)


def _values(mask: int) -> Iterator[int]:
    return (value for value in range(mask.bit_length()) if mask >> value & 1)
