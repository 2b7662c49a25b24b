"""Carry out the userscript's commands, and send their responses."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from solver.board.display import as_sentence
from solver.board.result import Batch, Outcome
from solver.candidates_from_solutions import candidates_from_solutions
from solver.checks.givens import find_conflict
from solver.engines.engine import ABANDON, StopFlag
from solver.estimating import Estimate, estimates
from solver.explaining import explain_position, explain_unsolvable
from solver.logic.explanation import Explanation, Position, start_position
from solver.logic.hint import WHOLE, hint
from solver.solving import solve_many
from web.bridge.edited_puzzle import EditedPuzzle, read_edited
from web.bridge.messages import (
    Canceled,
    Candidates,
    Count,
    Estimated,
    Logical,
    LogicalCell,
    Refused,
    Request,
    Response,
    Solved,
)

Send = Callable[[Response], None]

# The setter can cancel every search, so the limits on guesses are generous.
_MOST_GUESSES = 1_000_000_000
_MOST_GUESSES_PER_CANDIDATE = 1_000_000
_COUNTS = (1_000, 10_000, 100_000, 1_000_000)  # at which a count reports its progress or ends
_PRECISE = 0.005  # the relative standard error at which an estimate ends
_ROUGH = 0.02  # the same for the estimate after a count
_FEWEST_PROBES = 200  # before an estimate ends, unless it is exact
_MOST_SECONDS = 10.0  # for the estimate after a count
_SECONDS_BETWEEN_ESTIMATES = 0.5
_NO_SOLUTION = "The puzzle has no solution."


@dataclass(frozen=True, slots=True)
class _Task:
    """A request with its puzzle, and the means to respond to it.

    nonce   the number of the request, which its responses repeat
    edited  the puzzle
    stop    becomes ABANDON if the request is canceled
    send    a function that sends a response before the last one
    """

    nonce: int
    edited: EditedPuzzle
    stop: StopFlag
    send: Send  # for responses before the last one

    @property
    def is_canceled(self) -> bool:
        """Whether another request or the end of the connection has canceled this one."""
        return bool(self.stop[0] == ABANDON)

    def refusal(self, message: str) -> Refused:
        """Return a response that shows a message instead of a result."""
        return Refused(nonce=self.nonce, message=message)

    def solve(self, *, limit: int, step_limit: int = _MOST_GUESSES) -> Batch:
        """Search for up to `limit` solutions of the edited puzzle with up to `step_limit` guesses.

        The batch has the number of solutions found, but contains only the first one. It is empty if
        the request was canceled.
        """
        puzzle = self.edited.puzzle
        marks = puzzle.candidates
        return solve_many(
            np.array([puzzle.givens], np.uint8),
            layout=puzzle.layout,
            limit=limit,
            listed=False,
            step_limit=step_limit,
            stop=self.stop,
            candidates=None if marks is None else np.array([marks], np.uint64),
        )


def carry_out(request: Request, *, stop: StopFlag, send: Send) -> None:
    """Carry out a request, which may take long, and send the responses to it.

    If `stop` becomes ABANDON before the last response, this returns soon, after sending `canceled`.
    """
    run, only_givens = _COMMANDS[request.command]
    edited = read_edited(request.data, only_givens=only_givens)
    if isinstance(edited, str):
        send(Refused(nonce=request.nonce, message=edited))
        return
    task = _Task(request.nonce, edited, stop, send)
    last = None if task.is_canceled else run(task)
    send(Canceled(nonce=request.nonce) if last is None else last)


def _true_candidates(task: _Task) -> Response | None:
    """Return the number of solutions for each value of each cell, up to the requested bound.

    In a logical request, a value in no solution that the steps leave has the number -1. The number
    of an undecided value is at least 1. Returns a refusal if the puzzle has no solution, or None if
    the request was canceled.
    """
    edited = task.edited
    found = candidates_from_solutions(
        edited.puzzle,
        bound=edited.bound,
        step_limit=_MOST_GUESSES_PER_CANDIDATE,
        stop=task.stop,
    )
    if found is None:
        return None
    if found.solvable is False:
        return task.refusal(_no_solution(edited))
    # Values that the step limit leaves undecided are shown as possible.
    counts = np.where(found.decided, found.counts, np.maximum(found.counts, 1))
    if edited.logical:
        left = explain_position(edited.puzzle, None, excluded=edited.excluded, stop=task.stop)
        *_, last = left.positions
        counts[(counts == 0) & last.allowed(counts.shape[1])] = -1
        if task.is_canceled:
            return None
    return Candidates(nonce=task.nonce, solutions_per_candidate=counts.ravel().tolist())


def _solve(task: _Task) -> Response | None:
    """Return a solution of the puzzle, or a refusal if none was found.

    Returns None if the request was canceled.
    """
    batch = task.solve(limit=1)
    if not len(batch):
        return None
    if batch.counts[0] == 0:
        return task.refusal(_not_solved(task, batch))
    return Solved(nonce=task.nonce, solution=batch.solutions[0].tolist())


def _check(task: _Task) -> Response | None:
    """Return the number of solutions, up to 2, or a refusal after too many guesses.

    Returns None if the request was canceled.
    """
    batch = task.solve(limit=2)
    if not len(batch):
        return None
    if batch.outcomes[0] == Outcome.STEP_LIMIT:
        return task.refusal(_not_solved(task, batch))
    return Count(nonce=task.nonce, count=int(batch.counts[0]), in_progress=False)


def _count(task: _Task) -> Response | None:
    """Count the solutions, up to a million, and send the numbers found so far in the meantime.

    If there are a million or more, the last response is a message with an estimate. It is a
    message, too, if the search takes too many guesses. Returns None if the request was canceled.
    """
    for limit in _COUNTS:
        batch = task.solve(limit=limit)
        if not len(batch):
            return None
        if batch.outcomes[0] == Outcome.STEP_LIMIT:
            return task.refusal(_not_solved(task, batch))
        count = int(batch.counts[0])
        response = Count(nonce=task.nonce, count=count, in_progress=count >= limit)
        if count < limit:
            return response
        task.send(response)
    began = time.monotonic()
    for estimate in estimates(task.edited.puzzle, stop=task.stop):
        if _is_precise(estimate, _ROUGH) or time.monotonic() - began > _MOST_SECONDS:
            return task.refusal(_too_many(estimate))
    return None


def _too_many(estimate: Estimate) -> str:
    return (
        f"There are at least {_COUNTS[-1]:,} solutions. Their estimated number is "
        f"{estimate.mean:.3g}, with a standard error of {estimate.relative_error:.1%}."
    )


def _estimate(task: _Task) -> Response | None:
    """Return a precise estimate of the number of solutions, and send estimates in the meantime.

    Returns None if the request was canceled.
    """
    due = 0.0
    for estimate in estimates(task.edited.puzzle, stop=task.stop):
        response = Estimated.of(estimate, nonce=task.nonce)
        if _is_precise(estimate, _PRECISE):
            return response
        if time.monotonic() >= due:
            task.send(response)
            due = time.monotonic() + _SECONDS_BETWEEN_ESTIMATES
    return None


def _is_precise(estimate: Estimate, error: float) -> bool:
    """Return whether an estimate is exact, or is based on enough probes and has a low error.

    `error` is the highest relative standard error that is low.
    """
    is_founded = estimate.probes >= _FEWEST_PROBES and estimate.relative_error <= error
    return estimate.is_exact or is_founded


def _solve_path(task: _Task) -> Response | None:
    """Return the position at the end of the explanation, with the text of all steps.

    Returns a refusal if the puzzle has no solution, and None if the request was canceled.
    """
    explanation = _explained(task)
    if not isinstance(explanation, Explanation):
        return explanation
    *_, last = explanation.positions
    return _logical(task, last, explanation.text)


def _step(task: _Task) -> Response | None:
    """Return the position after the next step, with a hint about it.

    If the editor shows other candidates than the initial ones, returns these instead. Returns a
    refusal if the puzzle has no solution, and None if the request was canceled.
    """
    edited = task.edited
    puzzle = edited.puzzle
    start = start_position(puzzle.layout, puzzle.givens, puzzle.candidates)
    if edited.shown != start.domains:
        return _logical(task, start, "Initial candidates.")
    explanation = _explained(task, most_deductions=1)
    if not isinstance(explanation, Explanation):
        return explanation
    *_, last = explanation.positions
    return _logical(task, last, hint(explanation, strength=WHOLE))


def _explained(task: _Task, *, most_deductions: int = 10_000) -> Explanation | Refused | None:
    """Explain the position with up to `most_deductions` steps, or refuse it without a solution.

    A position with several solutions is explained, too. Returns None if the request was canceled.
    """
    puzzle = task.edited.puzzle
    batch = task.solve(limit=2, step_limit=_MOST_GUESSES_PER_CANDIDATE)
    if not len(batch):
        return None
    if batch.outcomes[0] in (Outcome.UNSOLVABLE, Outcome.INVALID):
        conflict = find_conflict(puzzle.layout, np.array(puzzle.givens, np.uint8), puzzle.symbols)
        refused = explain_unsolvable(puzzle, conflict, stop=task.stop)
        return task.refusal(as_sentence(refused.detail or _NO_SOLUTION))
    is_unique = batch.outcomes[0] == Outcome.SOLVED
    explanation = explain_position(
        puzzle,
        batch.solutions[0].tolist() if is_unique else None,
        most_deductions=most_deductions,
        excluded=task.edited.excluded,
        stop=task.stop,
    )
    return None if task.is_canceled else explanation


def _logical(task: _Task, position: Position, message: str) -> Logical:
    """Return the response that shows a position in the editor, and a message in its console."""
    size = task.edited.puzzle.layout.size
    cells = [
        LogicalCell(value, [one + 1 for one in range(size) if left >> one & 1])
        for value, left in zip(position.values, position.candidates, strict=True)
    ]
    # The userscript appends the message to its console without a line break.
    return Logical(nonce=task.nonce, cells=cells, message=f"{message}\n")


def _not_solved(task: _Task, batch: Batch) -> str:
    """Return the message for a puzzle that has no solution or takes too many guesses."""
    if batch.outcomes[0] == Outcome.STEP_LIMIT:
        return f"Undecided after {_MOST_GUESSES:,} guesses."
    return _no_solution(task.edited)


def _no_solution(edited: EditedPuzzle) -> str:
    puzzle = edited.puzzle
    conflict = find_conflict(puzzle.layout, np.array(puzzle.givens, np.uint8), puzzle.symbols)
    return _NO_SOLUTION if conflict is None else f"{_NO_SOLUTION} {as_sentence(conflict)}"


# The function of each command, and whether it ignores the player's entries. A function returns the
# last response, or None if the request was canceled.
_COMMANDS: dict[str, tuple[Callable[[_Task], Response | None], bool]] = {
    "truecandidates": (_true_candidates, True),
    "solve": (_solve, True),
    "check": (_check, True),
    "count": (_count, True),
    "estimate": (_estimate, False),
    "solvepath": (_solve_path, False),
    "step": (_step, False),
}
