"""Give hints for the next step, and check the digits that a visitor has typed on a page."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from flask import Blueprint, render_template, request

from solver.board.puzzle import Puzzle
from solver.formats.write import write_puzzle
from solver.logic.explanation import Explanation
from solver.logic.hint import marked_hints
from web.access import authentication
from web.api.puzzle_json import find_row
from web.api.step_requests import read_after
from web.explanations.service import find_explanation
from web.http import request_context
from web.http.errors import Problem, raise_if_rejected
from web.pages.stored_puzzle import stored_puzzle
from web.results.writers import stored_explanation
from worker.ingest.ingest import ingest
from worker.job import JobOptions
from worker.records.boards import StoredBoard

_SECONDS = 8.0
_NUMBER = re.compile("[0-9]{1,5}")
_MAX_NAMED = 4
_SOLVED = "Solved. All of your entries are correct."
_LATE = "Working out a hint takes longer than usual. Try again in a moment."


def register(pages: Blueprint) -> None:
    """Add the views of this module to the blueprint."""
    pages.post("/jobs/<job_id>/puzzles/<int:number>/hints")(hints)


def hints(job_id: str, number: int) -> str:
    """Return the hints for a puzzle with typed digits, as HTML for the script of its page.

    The form field `typed` contains the digits as pairs of cell and value, such as "0:5,3:7". Cells
    are counted from 0, and values from 1. If digits are wrong, the grid is complete, or the hints
    aren't ready in time, the HTML contains a message about that instead. `after` is the number of
    steps after these digits that the visitor has seen. The hints are for the step after them.
    Raises Problem if the puzzle has no solution, if `typed` or `after` is malformed, or if the
    temporary job that explains the position is rejected.
    """
    job = request_context.find_job(job_id)
    page = find_row(job, number)
    ((row, board),) = page.with_boards()
    if board is None or row.solution is None:
        raise Problem(404, f"there are no hints for puzzle {number:,}")
    givens, solution = board.read(row.puzzle), board.read(row.solution)
    typed = typed_digits(board)
    after = read_after(request.form.get("after", "0"))
    if givens is None or solution is None:
        raise Problem(404, f"there are no hints for puzzle {number:,}")
    wrong = wrong_cells(typed, solution)
    if wrong:
        problem = describe_wrong(board, wrong, typed)
        return render_template("hints.html", problem=problem, wrong=wrong)
    filled = [typed.get(cell, value) for cell, value in enumerate(givens)]
    if all(filled[cell] for cell in range(len(filled)) if cell not in board.layout.holes):
        return render_template("hints.html", problem=_SOLVED, is_solved=True)
    if typed:
        explanation = _explain(replace(stored_puzzle(page, board), givens=tuple(filled)))
    else:
        client = authentication.client()
        explanation = find_explanation(job, page, client=client, seconds=_SECONDS)
    if explanation is None:
        return render_template("hints.html", problem=_LATE)
    return render_template("hints.html", hints=marked_hints(explanation, after=after))


def typed_digits(board: StoredBoard) -> dict[int, int]:
    """Return the digits in the form field `typed` as {cell: value}.

    Raises Problem if the field is malformed or names a cell or value that the board doesn't have.
    """
    typed = read_typed(request.form.get("typed", ""), board)
    if typed is None:
        raise Problem(422, "'typed' must list cells and values, such as 0:5,3:7", field="typed")
    return typed


def wrong_cells(typed: Mapping[int, int], solution: Sequence[int]) -> list[int]:
    """Return the cells whose typed digit differs from the solution."""
    return [cell for cell, value in typed.items() if solution[cell] != value]


def read_typed(text: str, board: StoredBoard) -> dict[int, int] | None:
    """Return typed values, such as "0:5,3:7", as {cell: value}.

    Cells are counted from 0, and values from 1. Returns None if the text is malformed or names a
    cell or value that the board doesn't have.
    """
    typed = {}
    for pair in filter(None, text.split(",")):
        cell, _, value = pair.partition(":")
        if not (_NUMBER.fullmatch(cell) and _NUMBER.fullmatch(value)):
            return None
        if int(cell) >= board.layout.cells or not 1 <= int(value) <= board.layout.size:
            return None
        typed[int(cell)] = int(value)
    return typed


def describe_wrong(board: StoredBoard, wrong: Sequence[int], typed: Mapping[int, int]) -> str:
    """Return a text that names up to four wrong digits, or three and the number of others.

    `wrong` contains the cells of all wrong digits.
    """
    names = [
        f"{board.symbols.values[typed[cell] - 1]} in {board.layout.cell_name(cell)}"
        for cell in wrong
    ]
    if len(names) > _MAX_NAMED:
        names[_MAX_NAMED - 1 :] = [f"{len(names) - _MAX_NAMED + 1} others"]
    if len(names) == 1:
        return f"{names[0]} is wrong. Remove it first."
    return f"{', '.join(names[:-1])} and {names[-1]} are wrong. Remove them first."


def _explain(puzzle: Puzzle) -> Explanation | None:
    """Have a worker explain a puzzle in a temporary job, and return the explanation.

    The job is deleted afterwards, even if it hasn't ended. Returns None if it takes too long, or if
    the puzzle can't be written as text. Raises Problem if the job is rejected.
    """
    text = write_puzzle(puzzle)
    if text is None:
        return None
    service = authentication.service()
    options = JobOptions(explain=True)
    client = authentication.client()
    job_id = raise_if_rejected(
        ingest(service, [text.encode()], options=options, name="hint", client=client)
    )
    job = request_context.wait_for_end(request_context.find_job(job_id), _SECONDS)
    found = stored_explanation(find_row(job, 1)) if job.state.final else None
    service.jobs.delete(job_id)
    return found
