"""Create a job for the position that a visitor has reached on a puzzle's page, to see its steps."""

from dataclasses import replace

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response

from solver.formats.write import write_puzzle
from web.access import authentication
from web.access.job_owner import remember
from web.api.puzzle_json import find_row
from web.http import request_context
from web.http.errors import Problem, raise_if_rejected
from web.pages.hints import describe_wrong, typed_digits, wrong_cells
from web.pages.job_title import title_of
from web.pages.stored_puzzle import stored_puzzle
from worker.ingest.ingest import ingest
from worker.job import JobOptions

_SECONDS = 2.0


def register(pages: Blueprint) -> None:
    """Add the view of this module to the blueprint."""
    pages.post("/jobs/<job_id>/puzzles/<int:number>/position")(steps_from_position)


def steps_from_position(job_id: str, number: int) -> Response:
    """Create a job for a puzzle with typed digits as further givens, and redirect to its steps.

    If it isn't done within 2 seconds, redirects to the page of the job. The form field `typed` is
    described in `read_typed`. The job is added to the client's list. Raises Problem if the puzzle
    has no solution, if the field is malformed, if digits are wrong, if no text describes the
    puzzle, or if the job is rejected.
    """
    job = request_context.find_job(job_id)
    page = find_row(job, number)
    ((row, board),) = page.with_boards()
    if board is None or row.solution is None:
        raise Problem(404, f"there are no steps for puzzle {number:,}")
    typed = typed_digits(board)
    wrong = wrong_cells(typed, board.read(row.solution) or ())
    if wrong:
        raise Problem(422, describe_wrong(board, wrong, typed), field="typed")
    puzzle = stored_puzzle(page, board)
    givens = tuple(typed.get(cell, value) for cell, value in enumerate(puzzle.givens))
    text = write_puzzle(replace(puzzle, givens=givens))
    if text is None:
        raise Problem(422, f"puzzle {number:,} has rules that no text describes")
    new_id = raise_if_rejected(
        ingest(
            authentication.service(),
            [text.encode()],
            options=JobOptions(explain=True),
            name=f"{title_of(job)}, from a position",
            client=authentication.client(),
        )
    )
    remember(new_id)
    if not request_context.wait_for_end(request_context.find_job(new_id), _SECONDS).state.final:
        return redirect(url_for("pages.job", job_id=new_id), 303)
    return redirect(url_for("pages.puzzle", job_id=new_id, number=1, _anchor="steps"), 303)
