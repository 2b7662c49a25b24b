"""The page of one result."""

from flask import Blueprint, render_template

from web import current
from web.explained import explained
from web.explanations import can_be_explained, find_explanation
from web.pages.board_drawing import draw_result, is_small
from web.pages.meanings import meanings
from web.puzzle_json import find_row

_EXPLAIN_SECONDS = 2.0
_MOST_LISTED = 50


def register(pages: Blueprint) -> None:
    """Add the views of this module."""
    pages.get("/jobs/<job_id>/puzzles/<int:number>")(puzzle)


def puzzle(job_id: str, number: int) -> str:
    """Show one result."""
    current_job = current.find_job(job_id)
    portion = find_row(current_job, number)
    ((row, board),) = portion.with_boards()
    solutions = portion.result.listed.get(portion.places[0], [])
    explanation = find_explanation(current_job, portion, seconds=_EXPLAIN_SECONDS)
    drawing, listed = None, []
    if board is not None:
        drawing = draw_result(board, row.puzzle, row.solution, row.detail)
    if board is not None and drawing is not None and is_small(board):
        listed = [draw_result(board, row.puzzle, text) for text in solutions[:_MOST_LISTED]]
    return render_template(
        "puzzle.html",
        job=current_job,
        row=row,
        drawing=drawing,
        listed=listed,
        meaning=meanings(current_job)[row.outcome],
        explained=None if explanation is None else explained(explanation),
        awaited=explanation is None and can_be_explained(portion),
        pictures=current.service().store.count_pictures(job_id),
    )
