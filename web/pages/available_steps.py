"""List the steps that are available at the position on a puzzle's page, for its script."""

from itertools import groupby

from flask import Blueprint, render_template, request

from solver.logic.available_steps import AvailableSteps
from solver.logic.technique_table import heading_of
from web.access import authentication
from web.api.puzzle_json import find_row
from web.api.step_requests import read_after
from web.explanations.service import find_available_steps
from web.http import request_context
from web.http.errors import Problem
from web.pages.hints import describe_wrong, typed_digits, wrong_cells
from worker.records.explanations import AFTER

_SECONDS = 12.0
_LATE = "Listing the steps takes longer than usual. Try again in a moment."


def register(pages: Blueprint) -> None:
    """Add the view of this module to the blueprint."""
    pages.post("/jobs/<job_id>/puzzles/<int:number>/available-steps")(available_steps)


def available_steps(job_id: str, number: int) -> str:
    """Return all steps that are available at a position, as HTML for the script of the page.

    The position is the puzzle with the digits in the form field `typed`, such as "0:5,3:7" (see
    `read_typed`). If some of them are wrong, the HTML names them instead. Without this field,
    `after` is the number of steps of the explanation that lead to the position. If the steps aren't
    ready in time, the HTML contains a message about that. Raises Problem if a field is invalid, or
    if the puzzle has no solution.
    """
    job = request_context.find_job(job_id)
    page = find_row(job, number)
    ((row, board),) = page.with_boards()
    if board is None or row.solution is None:
        raise Problem(404, f"there are no steps for puzzle {number:,}")
    typed = typed_digits(board)
    after = read_after(request.form.get("after", "0"))
    wrong = wrong_cells(typed, board.read(row.solution) or ())
    if wrong:
        return _shown(problem=describe_wrong(board, wrong, typed))
    position = ",".join(f"{cell}:{value}" for cell, value in sorted(typed.items()))
    available = find_available_steps(
        job,
        page,
        position or f"{AFTER}{after}",
        client=authentication.client(),
        seconds=_SECONDS,
    )
    return _shown(problem=_LATE) if available is None else _shown(available)


def _shown(available: AvailableSteps | None = None, *, problem: str | None = None) -> str:
    groups = []
    if available is not None:
        numbered = enumerate(available.steps, 1)
        groups = [
            (code, heading_of(code), list(steps))
            for code, steps in groupby(numbered, lambda entry: entry[1].deduction.code)
        ]
    return render_template(
        "available_steps.html", available=available, groups=groups, problem=problem
    )
