"""The SAT engine, which uses the python-sat library.

The other engines keep the candidates of a cell in a 64-bit word. Larger boards are rare and mostly
full of givens, so that little is left for a SAT solver. The other engines also don't support
nondeterministic automata, disjunctions that can't be reified, rules that require the cells with
certain values to be connected, and regions that are found while solving if a rule reads their
numbers.
"""

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import MOST_IN_A_WORD, Layout
from solver.board.result import Batch
from solver.engines.auxiliary_cells import narrowed, widened, with_cells_below
from solver.engines.engine import ABANDON, FINISH, SolveRequest
from solver.engines.sat.board import Encoding, encode
from solver.engines.sat.clauses import TooManyLiterals
from solver.engines.search_outcome import (
    EXHAUSTED,
    LIMIT_REACHED,
    STEP_LIMIT_REACHED,
    outcomes_of,
)

_SOLVER = "glucose4"
_SLICE = 500  # conflicts between two checks of the limits


class SatEngine:
    """Runs a SAT solver on each puzzle. The decisions of the SAT solver count as guesses."""

    name = "sat"

    def accepts(self, layout: Layout, *, candidates: bool = False) -> bool:
        """Return whether the engine supports a board.

        It supports all of them, but pencil marks only on boards of at most 64 values.
        """
        return layout.size <= MOST_IN_A_WORD or not candidates

    def warm_up(self) -> None:
        """Do nothing: this engine has no compiled code."""

    def solve_many(self, request: SolveRequest) -> Batch:
        """Solve puzzles as described in `solver.engines.engine.Engine`.

        This engine has no checkpoints, because the SAT solver doesn't reveal its state. A puzzle
        whose clauses would need too much memory ends at its step limit.
        """
        layout = request.layout
        board = with_cells_below(layout)
        search_outcomes: list[int] = []
        solutions: list[NDArray[np.uint8]] = []
        steps: list[int] = []
        for place, row in enumerate(widened(request.givens, board, 0)):
            if search_outcomes and request.stop[0] == FINISH:
                break
            marked = None if request.candidates is None else request.candidates[place]
            try:
                encoding = encode(board, row, marked, solution_size=layout.solution_size)
                result = _solve(encoding, request)
            except TooManyLiterals:
                none = np.zeros((0, board.cells), np.uint8)
                result = STEP_LIMIT_REACHED, none, request.step_limit
            if result is None:
                break
            search_outcome, found, guesses = result
            search_outcomes.append(search_outcome)
            solutions.append(found)
            steps.append(guesses)
        counts = np.array([len(each) for each in solutions], np.int64)
        first = np.zeros((len(search_outcomes), board.cells), np.uint8)
        for place, each in enumerate(solutions):
            first[place] = each[0] if len(each) else 0
        batch = Batch(
            outcomes=outcomes_of(np.array(search_outcomes, np.uint8), counts),
            solutions=first,
            counts=counts,
            steps=np.array(steps, np.int64),
            listed=tuple(solutions) if request.lists_all else None,
        )
        return narrowed(batch, layout.solution_size)


def _solve(encoding: Encoding, request: SolveRequest) -> tuple[int, NDArray[np.uint8], int] | None:
    """Solve one puzzle. Return the search outcome, the solutions (count, cells), and the guesses.

    Returns None if the search was stopped. The stop flag and the step limit are only checked every
    `_SLICE` conflicts and after each solution.
    """
    from pysat.solvers import Solver  # noqa: PLC0415 (loaded where a board needs it)

    solutions = np.zeros((0, len(encoding.variable_of)), np.uint8)
    if encoding.clauses.broken:
        return EXHAUSTED, solutions, 0
    steps = 0
    with Solver(name=_SOLVER, bootstrap_with=encoding.clauses.clauses) as solver:
        while len(solutions) < request.limit:
            solver.conf_budget(_SLICE)
            is_satisfiable = solver.solve_limited()
            steps = solver.accum_stats()["decisions"]
            if request.stop[0] == ABANDON:
                return None
            if steps > request.step_limit:
                return STEP_LIMIT_REACHED, solutions, request.step_limit
            if is_satisfiable is False:
                return EXHAUSTED, solutions, steps
            if is_satisfiable:
                solution, others = _read(encoding, solver.get_model())
                solutions = np.concatenate([solutions, solution[None]])
                solver.add_clause(others)
        return LIMIT_REACHED, solutions, steps


def _read(encoding: Encoding, model: list[int]) -> tuple[NDArray[np.uint8], list[int]]:
    """Return the values of the cells in a model of the SAT solver, 0 for holes.

    Also returns the clause that excludes this solution.
    """
    holds = np.zeros(encoding.clauses.variables + 1, np.bool_)
    true = np.array(model, np.int64)
    holds[true[true > 0]] = True
    chosen = holds[encoding.variable_of] & (encoding.variable_of > 0)
    values = np.where(chosen.any(axis=1), chosen.argmax(axis=1) + 1, 0).astype(np.uint8)
    # Regions of one size can differ only if some pair of cells no longer shares a region.
    others: list[int] = (-encoding.identifying[holds[encoding.identifying]]).tolist()
    return values, others
