"""The page of one result, with pictures of its steps, and its text for the grid editor."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from flask import Blueprint, render_template

from solver.board.puzzle import Puzzle
from solver.formats.write import write_puzzle
from web.access import authentication
from web.api.puzzle_json import find_row
from web.boards.deduction_drawing import LARGEST_SIZE
from web.boards.drawing import Drawing
from web.boards.result_drawing import draw_result, open_values
from web.explanations.service import can_be_explained, find_explanation
from web.explanations.view import ExplanationView, explanation_view, step_picture
from web.http import request_context
from web.http.errors import Problem
from web.pages.board_drawing import is_small
from web.pages.compiling import compiling_worker
from web.pages.export_links import export_links
from web.pages.neighbors import find_neighbors
from web.pages.outcome_meanings import labels, meanings
from web.pages.puzzle_summary import is_unrated, summarize
from web.pages.puzzle_views import Differences, views_of, with_ground
from web.pages.result_list import PER_PAGE
from web.pages.several_solutions import reason_for_several
from web.pages.stored_puzzle import stored_puzzle
from web.pages.unique_givens import of_candidates, of_solutions
from web.results.rows import Row, minimality_sentences
from web.results.writers import ResultPage
from worker.job import Job, JobOptions
from worker.records.boards import StoredBoard

_EXPLAIN_SECONDS = 2.0
_MAX_DRAWN = 50  # solutions
# Maximum number of solutions that a new job counts, and of cells in them: larger boards have fewer.
# Up to there, the number is exact.
_MAX_COUNTED = 1_000
_MAX_COUNTED_CELLS = 100_000
# Maximum number of cells in the solutions that are compared. More would delay the page.
_MAX_COMPARED = 500_000
# Maximum number of cells of boards on which repeated digits are marked while a solver types. The
# houses of larger boards would make the page several times as large.
_MAX_CLASHING = 1_000


def register(pages: Blueprint) -> None:
    """Add the views of this module to the blueprint."""
    pages.get("/jobs/<job_id>/puzzles/<int:number>")(puzzle)
    pages.get("/jobs/<job_id>/puzzles/<int:number>/steps/<int:step>")(step)


def text_to_edit(job_id: str, number: int, *, given: str = "") -> str:
    """Return the text of one record of a job with all of its rules, its name, and its author.

    `given` adds a given, such as r4c3:5. It is ignored if the board has no such cell or symbol.
    Returns the record as stored if no text describes its rules, or if it isn't a puzzle.
    """
    job = request_context.find_job(job_id)
    page = find_row(job, number)
    ((row, board),) = page.with_boards()
    text = None
    if board is not None:
        text = write_puzzle(_with_given(stored_puzzle(page, board), given))
    words = words_of(job) | ({} if row.name is None else {"title": row.name})
    if text is None or not words:
        return text or row.puzzle
    described = json.loads(text) if text.startswith("{") else {"puzzle": text}
    return json.dumps(described | words, ensure_ascii=False)


def words_of(job: Job) -> dict[str, str]:
    """Return the author and the rules in words of the only puzzle of a job, as far as it has any.

    The grid editor stores them in the job's metadata. They are under the keys that they have in a
    puzzle object.
    """
    if job.total != 1:
        return {}
    words = {key: job.metadata.get(key, "") for key in ("author", "rules")}
    return {key: text.replace("\r\n", "\n") for key, text in words.items() if text}


def _with_given(puzzle: Puzzle, given: str) -> Puzzle:
    """Return the puzzle with one more given, such as r4c3:5, in place of any given of this cell.

    The puzzle is returned unchanged if it doesn't have this cell or symbol.
    """
    name, _, symbol = given.partition(":")
    cell = puzzle.layout.cell_named(name)
    if cell is None or cell >= len(puzzle.givens) or symbol not in puzzle.symbols.values:
        return puzzle
    givens = list(puzzle.givens)
    givens[cell] = puzzle.symbols.values.index(symbol) + 1
    return replace(puzzle, givens=tuple(givens))


def puzzle(job_id: str, number: int) -> str:
    """Show the page of one result. `number` is the number of its record in the job, from 1.

    Requests the explanation of the puzzle if there is none yet, and waits up to 2 seconds for it.
    """
    job = request_context.find_job(job_id)
    page = find_row(job, number)
    ((row, board),) = page.with_boards()
    pictures = request_context.service().images.count(job_id)
    explanation = find_explanation(
        job, page, client=authentication.client(), seconds=_EXPLAIN_SECONDS
    )
    awaited = explanation is None and can_be_explained(page)
    detail = row.detail
    if explanation is not None and row.outcome == "unsolvable":
        detail = explanation.detail
    drawing = None
    if board is not None:
        marked = detail
        conflict = None if explanation is None else explanation.conflict
        if conflict is not None and conflict.is_small:
            # The detail also names cells of constraints, whose givens can be right.
            marked = " ".join(map(board.layout.cell_name, conflict.givens))
        drawing = draw_result(board, row.puzzle, row.solution, marked, row.regions)
    all_counted = _is_exhaustive(row, job.options)
    explained = None if explanation is None else explanation_view(explanation)
    shown: dict[str, Any] = {}
    if board is not None and drawing is not None:
        marks = None if explanation is None else explanation.pencil_marks
        shown = _shown(
            page, board, drawing, explained, pictures, marks=marks, all_counted=all_counted
        )
    return render_template(
        "puzzle.html",
        job=job,
        words=words_of(job),
        row=row,
        neighbors=find_neighbors(job, number, per_page=PER_PAGE),
        drawing=drawing,
        all_counted=all_counted,
        detail=detail,
        label=labels(job)[row.outcome],
        meaning=meanings(job)[row.outcome],
        explained=explained,
        awaited=awaited,
        compiling=compiling_worker() if awaited else None,
        pictures=pictures,
        minimality=minimality_sentences(row),
        **shown,
    )


def step(job_id: str, number: int, step: int) -> str:
    """Return the picture of a step, for the script of a puzzle's page, as SVG in HTML.

    `number` is the number of the puzzle's record, and `step` that of the step, both from 1. Raises
    Problem if the step has no picture, or if the explanation isn't ready within 2 seconds.
    """
    job = request_context.find_job(job_id)
    page = find_row(job, number)
    client = authentication.client()
    explanation = find_explanation(job, page, client=client, seconds=_EXPLAIN_SECONDS)
    picture = None if explanation is None else step_picture(explanation, step)
    if picture is None:
        raise Problem(404, f"puzzle {number:,} has no picture of step {step:,}")
    return render_template("step.html", picture=picture, step=step, job=job)


def _shown(
    page: ResultPage,
    board: StoredBoard,
    drawing: Drawing,
    explained: ExplanationView | None,
    pictures: int,
    *,
    marks: Sequence[int] | None,
    all_counted: bool,
) -> dict[str, Any]:
    """Return the template variables for a result that has a board.

    `pictures` is the number of images that are stored for the job. `marks` are the candidates that
    the givens and each rule leave, as bits, or None if they aren't known. `all_counted` states
    whether the number of solutions is exact.
    """
    (row,), stored = page.rows, page.result
    givens = board.read(row.puzzle) or ()
    listed = stored.listed.get(0, [])
    left = stored.candidates.get(0)
    candidates, are_true = open_values(board, givens, left), False
    if marks is not None:
        values = range(board.layout.size)
        candidates = tuple(
            tuple(value + 1 for value in values if mask >> value & 1) for mask in marks
        )
    differences, unique_givens, reason = None, None, ""
    if len(listed) > 1:
        most = max(_MAX_DRAWN, _MAX_COMPARED // board.layout.cells)
        grids = [grid for text in listed[:most] if (grid := board.read(text)) is not None]
        reason = reason_for_several(grids, board) if len(grids) > 1 else ""
        differences = Differences.of_solutions(grids, total=row.solutions if all_counted else None)
        if all_counted and len(grids) == row.solutions:
            unique_givens = of_solutions(grids, board)
    true_candidates = stored.true_candidates.get(0)
    if true_candidates is not None:
        true = true_candidates.read(board.layout, board.symbols)
        are_true = bool(true.decided.all())
        unique_givens = unique_givens or of_candidates(true, board)
        if differences is None or differences.note is not None:
            differences = Differences.of_candidates(true)
        candidates = tuple(
            tuple(value + 1 for value in true.values(cell)) if given == 0 else ()
            for cell, given in enumerate(givens)
        )
    read = stored_puzzle(page, board)
    text = write_puzzle(read)
    gallery = []
    if differences is not None and len(listed) > 1 and is_small(board):
        drawings = [draw_result(board, row.puzzle, text) for text in listed[:_MAX_DRAWN]]
        gallery = [
            with_ground(each, pictures, "differs", differences.cells) for each in drawings if each
        ]
    return {
        "views": views_of(
            drawing,
            pictures,
            candidates=candidates,
            are_true=are_true,
            differences=differences,
            is_unique=row.unique is True,
            has_steps=explained is not None and bool(explained.groups),
        ),
        "typing": _typing(drawing, candidates),
        "summary": summarize(row, drawing, explained, all_counted=all_counted),
        "is_unrated": is_unrated(row, drawing, explained),
        "difference_note": differences and differences.cells and differences.note,
        "differing": 0 if differences is None else len(differences.cells),
        "gallery": gallery,
        "export_links": export_links(read),
        "puzzle_text": text,
        "unique_givens": unique_givens,
        "most_counted": _most_counted(board.layout.cells),
        "reason_for_several": reason,
        "can_be_sent_again": unique_givens is None and text is not None,
    }


def _typing(drawing: Drawing, candidates: Sequence[Sequence[int]]) -> dict[str, Any]:
    """Return the data with which a script lets solvers type digits on the board.

    These are the number of columns, the symbols of the values, the positions (row by row, from 0)
    of the cells without a given, the value of each given, or 0, and the houses, in which no value
    may repeat. Boards with more than `_MAX_CLASHING` cells have no houses here. Boards that are
    drawn without their candidates have the candidates of each cell here.
    """
    cells = [cell for row in drawing.rows for cell in row]
    is_open = [cell.kind in ("open", "found") for cell in cells]
    houses = drawing.layout.houses if len(cells) <= _MAX_CLASHING else ()
    return {
        "columns": drawing.layout.columns,
        "symbols": drawing.symbols.values,
        "open": [place for place, empty in enumerate(is_open) if empty],
        "givens": [0 if empty else cell.value for cell, empty in zip(cells, is_open, strict=True)],
        "houses": [list(map(int, house.cells)) for house in houses],
        "candidates": candidates if drawing.layout.size > LARGEST_SIZE else None,
    }


def _is_exhaustive(row: Row, options: JobOptions) -> bool:
    """Return whether the search found all solutions, so that the number of solutions is exact."""
    searched = row.outcome in ("solved", "multiple", "unsolvable")
    return searched and row.solutions < options.limit


def _most_counted(cells: int) -> int:
    """Return how many solutions a new job counts at most for a board with this many cells."""
    most = min(_MAX_COUNTED, max(_MAX_DRAWN, _MAX_COUNTED_CELLS // cells))
    return min(most, request_context.service().settings.max_limit)
