"""Convert one result to the API's schema: its row, grid, and candidates."""

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from solver.logic import explanation as logic
from web.boards.result_drawing import open_values
from web.explanations.explanation_json import explanation_json
from web.http import request_context
from web.http.errors import Problem
from web.results.rows import Row
from web.results.writers import ResultPage, result_page
from web.schemas.explanation import AvailableSteps, Explanation
from worker.job import Job, JobState
from worker.records.boards import StoredBoard

Cells = list[list[str | None]]


class Puzzle(Row, frozen=True, kw_only=True):
    """A result with its board: givens, solution, and candidates by row. Holes are null."""

    size: Annotated[
        int | None,
        Meta(description="Number of values, or null for a record that couldn't be read."),
    ]
    box: Annotated[
        str | None, Meta(description="Rows x columns of a box, or null if boxes aren't rectangles.")
    ]
    grid: Annotated[
        Cells | None, Meta(description="The givens by row. Empty cells and holes are null.")
    ]
    solution_grid: Annotated[
        Cells | None, Meta(description="The solution by row, or null if there is none.")
    ]
    candidates: Annotated[
        list[list[list[str]]] | None, Meta(description="The candidates of each cell by row.")
    ]
    explanation: Annotated[
        Explanation | None,
        Meta(
            description="The steps with which a person would solve the puzzle, or null. For an "
            "unsolvable puzzle, its `detail` names entries that may be wrong, and its "
            "`conflict` has givens and constraints that contradict each other."
        ),
    ]
    available_steps: Annotated[
        AvailableSteps | None,
        Meta(
            description="All steps that are available at one position, if the request has "
            "`steps=all` and they are ready, else null."
        ),
    ]


_POLL_SECONDS = 1
_NO_GRIDS = {"size": None, "box": None, "grid": None, "solution_grid": None, "candidates": None}


def find_row(job: Job, number: int) -> ResultPage:
    """Return the result of one record of a job as a page with a single row.

    `number` is the number of the record, from 1. Raises Problem if the job has no such record, or
    if the record has no result. The status is 409 with Retry-After if it may still get one, and 404
    otherwise.
    """
    parts = (
        request_context.service().results.read(job.id, offset=number - 1, count=1) if number else ()
    )
    for part in parts:
        options = job.options
        return result_page(
            part,
            limit=options.limit,
            rated=options.rate,
            minlex=options.minlex,
            listed=options.lists,
            folders=job.folders,
        )
    is_stored = 1 <= number <= job.total
    if (is_stored and not job.state.final) or (number > 0 and job.state is JobState.UPLOADING):
        detail = f"the job is {job.state}, and puzzle {number:,} isn't solved yet"
        raise Problem(409, detail, retry_after=_POLL_SECONDS, kind="job-not-finished")
    detail = f"the job has no puzzle {number:,}; it has {job.total:,}, numbered from 1"
    if is_stored:
        detail = f"the job is {job.state}, and puzzle {number:,} was not solved"
    raise Problem(404, detail, kind="puzzle-not-found")


def puzzle_json(page: ResultPage, explanation: logic.Explanation | None = None) -> dict[str, Any]:
    """Return the JSON object of a single result: its row, grids, candidates, and explanation.

    `page` has exactly one row. The explanation is null if it isn't given. If the job didn't rate
    the puzzle, the rating comes from the explanation. `available_steps` is always null.
    """
    ((row, board),) = page.with_boards()
    members: dict[str, Any] = msgspec.to_builtins(row)
    left = page.result.candidates.get(0)
    grids = None if board is None else _grids(board, row.puzzle, row.solution, left)
    members |= grids or _NO_GRIDS
    members["available_steps"] = None
    if explanation is None:
        return members | {"explanation": None}
    if members["rating"] is None:
        members["rating"] = explanation.se_rating
    return members | {"explanation": msgspec.to_builtins(explanation_json(explanation))}


def _grids(
    board: StoredBoard, puzzle: str, solution: str | None, left: bytes | None
) -> dict[str, Any] | None:
    """Return the board's size and box, and its givens, solution, and candidates as rows.

    They are returned by the names of the API. Rows contain symbols. Holes and empty cells are None.
    `left` are the candidates that the upload contains, if any, as `ChunkResult` stores them.
    Returns None if the puzzle's text can't be read.
    """
    layout, symbols = board.layout, board.symbols.values
    givens = board.read(puzzle)
    if givens is None:
        return None

    def in_rows(cells: Sequence[Any]) -> list[Sequence[Any]]:
        starts = range(0, layout.cells, layout.columns)
        return [cells[start : start + layout.columns] for start in starts]

    def written(values: Sequence[int]) -> list[Sequence[str | None]]:
        return in_rows([symbols[value - 1] if value else None for value in values])

    solved = board.read(solution) if solution else None
    return {
        "size": layout.size,
        "box": "x".join(map(str, layout.box)) if layout.boxes else None,
        "grid": written(givens),
        "solution_grid": solved and written(solved),
        "candidates": in_rows(
            [[symbols[value - 1] for value in cell] for cell in open_values(board, givens, left)]
        ),
    }
