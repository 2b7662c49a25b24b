"""The page of one result."""

from typing import Any

import numpy as np
from flask import Blueprint, render_template

from solver.board.layout import Layout, usual_box
from solver.formats.reading.options import read_box
from web import access, current
from web.boards.drawing import Drawing
from web.elsewhere import addresses
from web.explained import explained
from web.explanations import can_be_explained, find_explanation
from web.pages.board_drawing import draw_result, is_small
from web.pages.meanings import meanings
from web.pages.puzzle_views import Solutions, views_of, with_ground
from web.puzzle_json import find_row, open_values
from web.results import Portion
from worker.boards import StoredBoard

_EXPLAIN_SECONDS = 2.0
_MOST_LISTED = 50


def register(pages: Blueprint) -> None:
    """Add the views of this module."""
    pages.get("/jobs/<job_id>/puzzles/<int:number>")(puzzle)


def puzzle(job_id: str, number: int) -> str:
    """Show one result."""
    job = current.find_job(job_id)
    portion = find_row(job, number)
    ((row, board),) = portion.with_boards()
    pictures = current.service().store.count_pictures(job_id)
    explanation = find_explanation(job, portion, client=access.client(), seconds=_EXPLAIN_SECONDS)
    drawing = None
    if board is not None:
        drawing = draw_result(board, row.puzzle, row.solution, row.detail, row.regions)
    shown: dict[str, Any] = {}
    if board is not None and drawing is not None:
        shown = _shown(portion, board, drawing, pictures, box=job.options.box)
    return render_template(
        "puzzle.html",
        job=job,
        row=row,
        drawing=drawing,
        meaning=meanings(job)[row.outcome],
        explained=None if explanation is None else explained(explanation),
        awaited=explanation is None and can_be_explained(portion),
        pictures=pictures,
        most_listed=_MOST_LISTED,
        **shown,
    )


def _shown(
    portion: Portion, board: StoredBoard, drawing: Drawing, pictures: int, *, box: str | None
) -> dict[str, Any]:
    """Return what there is to show of a result that is a puzzle; `box` is the job's."""
    (row,), result = portion.rows, portion.result
    givens = board.read(row.puzzle) or ()
    listed = result.listed.get(0, [])[:_MOST_LISTED]
    solutions = Solutions.of(board, listed) if len(listed) > 1 else None
    left = result.candidates.get(0)
    masks = None if left is None else np.frombuffer(left, "<u8").tolist()
    candidates = open_values(board, givens, left)
    stored = result.true_candidates.get(0)
    if stored is not None:
        true = stored.read(board.layout, board.symbols)
        candidates = tuple(
            tuple(value + 1 for value in true.values(cell)) if given == 0 else ()
            for cell, given in enumerate(givens)
        )
    gallery = []
    if solutions is not None and is_small(board):
        drawings = [draw_result(board, row.puzzle, text) for text in listed]
        gallery = [
            with_ground(each, pictures, "differs", solutions.differing) for each in drawings if each
        ]
    return {
        "views": views_of(
            drawing,
            pictures,
            candidates=candidates,
            are_true=stored is not None,
            solutions=solutions,
        ),
        "gallery": gallery,
        "addresses": addresses(board.layout, givens, masks),
        # As text, a puzzle has no more than its cells: rules would be lost.
        "can_be_sent_again": left is None and _is_told(board.layout, box=box) and len(listed) < 2,
    }


def _is_told(layout: Layout, *, box: str | None) -> bool:
    """Return whether the cells alone, with the box that the job has, tell the whole board."""
    usual = usual_box(layout.size) if box is None else read_box(box)
    return layout is Layout.boxed(*(usual or (1, layout.size)))
