"""Boards above 64 values: clauses for a SAT solver of a library, python-sat.

The other engines hold the candidates of a cell in one word, of 64 bits. Boards above that are rare,
and mostly full of givens: what those leave is little for a SAT solver.
"""

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import MOST_IN_A_WORD, Layout
from solver.board.result import Batch
from solver.engines.engine import ABANDON, FINISH, StopFlag
from solver.engines.large.clauses import Clauses, clauses_of
from solver.engines.verdict import (
    EXHAUSTED,
    LIMIT_REACHED,
    STEP_LIMIT_REACHED,
    outcomes_of,
)

_SOLVER = "glucose4"
_SLICE = 500  # conflicts between two looks at the limits


class LargeEngine:
    """A SAT solver for each puzzle; its decisions are the steps."""

    name = "large"

    def accepts(self, layout: Layout, *, candidates: bool = False) -> bool:
        """Return whether the values do not fit into a word."""
        return layout.size > MOST_IN_A_WORD and not candidates

    def warm_up(self) -> None:
        """Do nothing: nothing is compiled."""

    def solve_many(
        self,
        layout: Layout,
        givens: NDArray[np.uint8],
        *,
        limit: int,
        listed: bool = True,
        step_limit: int,
        stop: StopFlag,
        candidates: NDArray[np.uint64] | None = None,
        standing: bytes | None = None,
    ) -> Batch:
        """Solve puzzles as `solver.engines.engine.Engine` says."""
        del candidates, standing  # no candidates are accepted, and a search begins anew
        verdicts: list[int] = []
        solutions: list[NDArray[np.uint8]] = []
        steps: list[int] = []
        for row in givens:
            if verdicts and stop[0] == FINISH:
                break
            answer = _solve(layout, row, limit, step_limit, stop)
            if answer is None:
                break
            verdict, found, taken = answer
            verdicts.append(verdict)
            solutions.append(found)
            steps.append(taken)
        counts = np.array([len(each) for each in solutions], np.int64)
        first = np.zeros((len(verdicts), layout.cells), np.uint8)
        for place, each in enumerate(solutions):
            first[place] = each[0] if len(each) else 0
        return Batch(
            outcomes=outcomes_of(np.array(verdicts, np.uint8), counts),
            solutions=first,
            counts=counts,
            steps=np.array(steps, np.int64),
            listed=tuple(solutions) if limit > 2 and listed else None,
        )


def _solve(
    layout: Layout, givens: NDArray[np.uint8], limit: int, step_limit: int, stop: StopFlag
) -> tuple[int, NDArray[np.uint8], int] | None:
    """Return how the search ended, the solutions (count, cells), and its steps; None if stopped."""
    from pysat.solvers import Solver  # noqa: PLC0415 (loaded where a board needs it)

    asked = clauses_of(layout, givens)
    solutions = np.zeros((0, layout.cells), np.uint8)
    if asked.broken:
        return EXHAUSTED, solutions, 0
    steps = 0
    with Solver(name=_SOLVER, bootstrap_with=asked.clauses) as solver:
        while len(solutions) < limit:
            solver.conf_budget(_SLICE)
            held = solver.solve_limited()
            steps = solver.accum_stats()["decisions"]
            if stop[0] == ABANDON:
                return None
            if steps > step_limit:
                return STEP_LIMIT_REACHED, solutions, step_limit
            if held is False:
                return EXHAUSTED, solutions, steps
            if held:
                solution, chosen = _read(asked, solver.get_model())
                solutions = np.concatenate([solutions, solution[None]])
                solver.add_clause([-literal for literal in chosen])
        return LIMIT_REACHED, solutions, steps


def _read(asked: Clauses, model: list[int]) -> tuple[NDArray[np.uint8], list[int]]:
    """Return the values of a model (cells,), and the variables of the candidates that hold."""
    held = np.zeros(asked.variables + 1, np.bool_)
    true = np.array(model, np.int64)
    held[true[true > 0]] = True
    held[0] = False
    chosen = held[asked.variable_of]
    values = np.where(chosen.any(axis=1), chosen.argmax(axis=1) + 1, 0).astype(np.uint8)
    literals: list[int] = asked.variable_of[chosen].tolist()
    return values, literals
