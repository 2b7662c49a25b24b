"""Find the links from a puzzle's page to its neighbors and back to the list it was opened from."""

from dataclasses import dataclass
from typing import Any

from flask import request, url_for

from web.http.errors import Problem
from web.pages.selection import Selection, read_selection
from web.results.query import parse_result_query
from worker.job import Job


@dataclass(frozen=True, slots=True)
class Neighbors:
    """URLs of the previous and the next puzzle, if there is one, and of the list of results."""

    previous: str | None
    next: str | None
    back: str


def find_neighbors(job: Job, number: int, *, per_page: int) -> Neighbors:
    """Return the neighbors of a puzzle in the selection in the request's query.

    Without a selection, or if the puzzle isn't at the place in the query, they are its neighbors in
    the job. `number` is the puzzle's number in the job, and `per_page` the number of results on a
    page of the list.
    """
    selection = read_selection(job.id, request.args)
    place = request.args.get("at", -1, type=int)
    numbers = _numbers_around(job, selection, place) if 0 <= place < job.total else {}
    if numbers.get(place) == number:
        urls = [
            selection.puzzle_url(numbers[each], each) if each in numbers else None
            for each in (place - 1, place + 1)
        ]
        offset = place // per_page * per_page
        return Neighbors(urls[0], urls[1], selection.url(offset, anchor=f"n{number}"))
    view = Selection(job.id, view=selection.view)
    query: dict[str, Any] = view.parameters
    back = url_for("pages.job", job_id=job.id, n=number, **query)
    return Neighbors(
        view.puzzle_url(number - 1, 0) if number > 1 else None,
        view.puzzle_url(number + 1, 0) if number < job.total else None,
        back,
    )


def _numbers_around(job: Job, selection: Selection, place: int) -> dict[int, int]:
    """Return the numbers of the puzzle at a place in the selection and of its neighbors.

    The result maps the place, from 0, of each of these puzzles to its number in the job. It is {}
    if the job can't provide the selection.
    """
    start = max(place - 1, 0)
    stop = place + 2 if selection.most is None else min(place + 2, selection.most)
    query = selection.query | {"offset": str(start), "count": str(max(stop - start, 0))}
    try:
        pages = parse_result_query(query, job).pages(job, must_be_complete=False, listed=False)
    except Problem:  # an old URL of a job without such results
        return {}
    rows = [row.n for page in pages for row in page.rows]
    return dict(enumerate(rows, start))
