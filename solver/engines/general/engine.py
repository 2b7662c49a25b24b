"""The general engine: boards of any size up to 64 values, with any houses and constraints."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import MOST_IN_A_WORD, Layout
from solver.board.result import Batch
from solver.engines.engine import FINISH, GO_ON, StopFlag
from solver.engines.general.beside import narrowed, widened, with_cells_below
from solver.engines.general.learning import search as learning
from solver.engines.general.learning.tables import problem_of
from solver.engines.general.plain.search import search_many
from solver.engines.general.plain.tables import tables_of
from solver.engines.verdict import STOPPED, TOO_HARD, outcomes_of

# Dead ends since the last solution before learning begins anew. Learning needs far fewer of
# them, but under sums and large automata each costs it ten times as much, and only plain search
# sees that what all combinations have cannot be elsewhere.
#
# Measured with half and double, in thousands of guesses: on the 84 public variants (203; at most
# 200 a puzzle), 241 boards of 16×16 (149) and 30 random ones of 25×25 (41).
_PATIENCE = 100  # 50: 202, 136, 43; 200: 204, 170, 43; time within noise
_PATIENCE_WITH_COMBINATIONS = 4_000  # 2,000: 201; 8,000: 207; time within noise
_PATIENCE_IF_DEAR = 80_000  # 40,000: 224, in twice the time; 160,000: the same as here
_LARGE = 400  # states of an automaton; 200: 206; 800: 184, but in twice the time


class GeneralEngine:
    """Plain search first, for it is fast where little guessing is needed; then learning."""

    name = "general"

    def accepts(self, layout: Layout, *, candidates: bool = False) -> bool:
        """Return whether the values of a cell fit into a word."""
        del candidates
        return layout.size <= MOST_IN_A_WORD

    def warm_up(self) -> None:
        """Compile both searches, or load them from Numba's cache."""
        layout = Layout.boxed(2, 2)
        domains = np.full((1, layout.cells), 15, np.uint64)
        stop = np.full(1, GO_ON, np.uint8)
        for limit in (2, 3):
            self.solve_many(
                layout, np.zeros((1, 16), np.uint8), limit=limit, step_limit=9, stop=stop
            )
        learning.search(domains[0], problem_of(layout), 2, 9, 1, stop)

    def solve_many(
        self,
        layout: Layout,
        givens: NDArray[np.uint8],
        *,
        limit: int,
        step_limit: int,
        stop: StopFlag,
        candidates: NDArray[np.uint64] | None = None,
    ) -> Batch:
        """Solve puzzles as `solver.engines.engine.Engine` says."""
        board = with_cells_below(layout)
        if board is not layout:
            batch = self.solve_many(
                board,
                widened(givens, board, 0),
                limit=limit,
                step_limit=step_limit,
                stop=stop,
                candidates=None
                if candidates is None
                else widened(candidates, board, (1 << layout.size) - 1),
            )
            return narrowed(batch, layout.told)
        domains = _domains(layout, givens, candidates)
        answers = _Answers.room(len(domains), layout.cells)
        bounds = _Bounds(limit, step_limit, stop)
        if limit <= 2:  # one solution of each is kept, for which there is room: all in one call
            done, _ = _search_plainly(layout, domains, answers, bounds)
            for row in np.flatnonzero(answers.verdicts[:done] == TOO_HARD).tolist():
                if row > 0 and stop[0] == FINISH:
                    return answers.first(row)
                if _learn(layout, domains, answers, row, bounds) is None:
                    return answers.first(row)
            return answers.first(done)
        listed: list[NDArray[np.uint8]] = []
        for row in range(len(domains)):
            rows = slice(row, row + 1)
            finished, solutions = _search_plainly(layout, domains[rows], answers.part(rows), bounds)
            if not finished or (row > 0 and stop[0] == FINISH):
                return answers.first(row, listed)
            if answers.verdicts[row] == TOO_HARD:
                learned = _learn(layout, domains, answers, row, bounds)
                if learned is None:
                    return answers.first(row, listed)
                solutions = learned
            listed.append(solutions[: answers.counts[row]].copy())
        return answers.first(len(domains), listed)


@dataclass(frozen=True, slots=True)
class _Bounds:
    limit: int
    step_limit: int
    stop: StopFlag

    @property
    def kept(self) -> int:
        """How many solutions of a puzzle are wanted, not only counted."""
        return 1 if self.limit <= 2 else self.limit


@dataclass(frozen=True, slots=True)
class _Answers:
    """What became of the puzzles, a row for each."""

    verdicts: NDArray[np.uint8]
    solutions: NDArray[np.uint8]
    counts: NDArray[np.int64]
    steps: NDArray[np.int64]

    @staticmethod
    def room(puzzles: int, cells: int) -> "_Answers":
        return _Answers(
            np.full(puzzles, TOO_HARD, np.uint8),
            np.zeros((puzzles, cells), np.uint8),
            np.zeros(puzzles, np.int64),
            np.zeros(puzzles, np.int64),
        )

    def part(self, rows: slice) -> "_Answers":
        return _Answers(
            self.verdicts[rows], self.solutions[rows], self.counts[rows], self.steps[rows]
        )

    def first(self, done: int, listed: Sequence[NDArray[np.uint8]] | None = None) -> Batch:
        """Return the answers of the first puzzles."""
        return Batch(
            outcomes=outcomes_of(self.verdicts[:done], self.counts[:done]),
            solutions=self.solutions[:done],
            counts=self.counts[:done],
            steps=self.steps[:done],
            listed=None if listed is None else tuple(listed),
        )


def _search_plainly(
    layout: Layout,
    domains: NDArray[np.uint64],
    answers: _Answers,
    bounds: _Bounds,
) -> tuple[int, NDArray[np.uint8]]:
    """Return how many puzzles were done, some of them too hard, and the solutions of the last."""
    done, solutions = search_many(
        domains, tables_of(layout), bounds.limit, bounds.step_limit, _patience(layout), bounds.kept,
        bounds.stop,
        answers.verdicts, answers.solutions, answers.counts, answers.steps,
    )  # fmt: skip
    return done, solutions


def _learn(
    layout: Layout,
    domains: NDArray[np.uint64],
    answers: _Answers,
    row: int,
    bounds: _Bounds,
) -> NDArray[np.uint8] | None:
    """Solve a puzzle that was too hard anew; return its solutions, None if it was stopped."""
    left = bounds.step_limit - answers.steps[row]
    verdict, count, steps, solutions = learning.search(
        domains[row], problem_of(layout), bounds.limit, left, bounds.kept, bounds.stop
    )
    if verdict == STOPPED:
        return None
    answers.verdicts[row] = verdict
    answers.counts[row] = count
    answers.steps[row] += steps
    answers.solutions[row] = solutions[0] if count else 0
    return np.asarray(solutions)


def _patience(layout: Layout) -> int:
    large = any(regular.automaton.states > _LARGE for regular in layout.regulars)
    if layout.sums or large:
        return _PATIENCE_IF_DEAR
    if layout.combinations and not layout.regulars:
        return _PATIENCE_WITH_COMBINATIONS
    return _PATIENCE


def _domains(
    layout: Layout, givens: NDArray[np.uint8], candidates: NDArray[np.uint64] | None
) -> NDArray[np.uint64]:
    """Return the values left to each cell (n, cells), as bits, bit 0 for the first value."""
    domains = np.full(layout.cells, (1 << layout.size) - 1, np.uint64)
    for domain in layout.domains:
        domains[domain.cell] &= np.uint64(domain.allowed)
    domains[list(layout.absent)] = 0
    shifts = np.maximum(givens, 1).astype(np.uint64) - np.uint64(1)
    given = np.where(givens > 0, np.uint64(1) << shifts, ~np.uint64(0))
    return domains & given if candidates is None else domains & given & candidates
