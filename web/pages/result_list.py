"""Prepare the results on a job's page: a page of rows with their boards, and a bar of choices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.board.display import how_many
from solver.logic.technique_table import name_of
from web.boards.drawing import Drawing
from web.boards.result_drawing import draw_result
from web.boards.svg import Picture
from web.books.formats import DRAWN
from web.http import request_context
from web.pages.board_drawing import is_small, thumbnail
from web.pages.outcome_meanings import labels
from web.pages.rating_bands import Band, bands_of
from web.pages.selection import GALLERY, ORDERS, TABLE, TIES, VIEWS, Selection
from web.report.patterns import LABELS, NAMES, NONE, symmetries
from web.results.duplicates import known_copies
from web.results.formats import missing_package
from web.results.query import ResultQuery, parse_result_query
from web.results.read_filter import MAX_SEARCHED
from web.results.rows import Row
from web.results.sort_orders import MOST_RATED_HELD
from web.results.writers import WRITERS
from worker.job import Job
from worker.records.boards import StoredBoard
from worker.records.generation_block import GENERATED

PER_PAGE = 50
# Outcomes of uploads that always have a large number. The others have one only if they occur.
_MAIN_OUTCOMES = ("solved", "multiple", "invalid")
# Tables come first, because most users continue in a spreadsheet.
_WRITERS = ("csv", "xlsx", "jsonl", "json", "parquet", "sdm", "txt", "grid", "svg", "png", "pdf")


@dataclass(frozen=True, slots=True)
class Item:
    """A result on the page. `drawing` and `picture` are None if its board isn't drawn.

    `url` leads to the result's own page. `original` is the number of the first equal puzzle, if the
    puzzle is a duplicate.
    """

    row: Row
    board: StoredBoard | None
    drawing: Drawing | None
    picture: Picture | None
    url: str
    original: int | None = None

    @property
    def pattern(self) -> str:
        """The number of givens and their symmetry if they have one, or "" without givens."""
        if self.drawing is None or not self.drawing.count("given", "wrong"):
            return ""
        rows = [[cell.kind in ("given", "wrong") for cell in row] for row in self.drawing.rows]
        givens = how_many(sum(map(sum, rows)), "given")
        [symmetry] = symmetries(np.array([rows]))
        return givens if symmetry == NONE else f"{givens}, {LABELS[NAMES[symmetry]]}"


def list_variables(job: Job, selection: Selection, *, offset: int) -> dict[str, Any]:
    """Return the template variables for the result list of a job, from `offset` on.

    The list has at most `PER_PAGE` results. Raises Problem if the selection is invalid for the job.
    """
    last = offset + PER_PAGE if selection.most is None else min(offset + PER_PAGE, selection.most)
    query = selection.query | {"offset": str(offset), "count": str(max(last - offset, 0))}
    result_query = parse_result_query(query, job)
    matching = result_query.matching(job)
    if selection.most is not None:
        matching = min(matching, selection.most)
    copies = known_copies(job)
    items = _items(job, result_query, selection, copies or {}) if offset < matching else []
    usual = GALLERY if job.format == GENERATED else TABLE
    tiles = _level_tiles(job)
    return {
        "selection": selection,
        "shows_gallery": (selection.view or usual) == GALLERY,
        "views": {view: "" if view == usual else view for view in VIEWS},
        "level_tiles": tiles,
        "offset": offset,
        "per_page": PER_PAGE,
        "matching": matching,
        "selected": matching if selection.filters else min(matching, job.done),
        "copies": None if copies is None else len(copies),
        "can_search": job.total <= MAX_SEARCHED and job.format != GENERATED,
        "note": _note(job, selection, matching),
        "items": items,
        "caption": _caption(job, selection, matching, items, offset=offset),
        "has_solutions": any(item.drawing and item.drawing.count("found") for item in items),
        "main_outcomes": _main_outcomes(job, tiles),
        "has_numbers": _has_numbers(job, tiles),
        "difficulties": [] if tiles else bands_of(job.ratings),
        "own_rating": _own_rating(job, selection),
        "technique_choices": _technique_choices(job),
        "knows_duplicates": job.options.minlex and job.state.final,
        "orders": _orders(job),
        "writers": [
            DRAWN[name] if name in DRAWN else WRITERS[name]
            for name in _WRITERS
            if not missing_package(name)
        ],
    }


def _items(
    job: Job, result_query: ResultQuery, selection: Selection, copies: Mapping[int, int]
) -> list[Item]:
    """Return the results of the page with their boards, pictures, and links.

    `copies` has the number of the first equal puzzle for each duplicate.
    """
    # Listed solutions are shown only on a puzzle's own page: here they could take a gigabyte.
    pages = result_query.pages(job, must_be_complete=False, listed=False)
    images = request_context.service().images.count(job.id)
    found = [entry for page in pages for entry in page.with_boards()]
    items = []
    for place, (row, board) in enumerate(found, result_query.offset):
        drawing = None
        if board is not None and is_small(board):
            drawing = draw_result(board, row.puzzle, row.solution, row.detail, row.regions)
        picture = None if drawing is None else thumbnail(drawing, images)
        url = selection.puzzle_url(row.n, place)
        items.append(Item(row, board, drawing, picture, url, copies.get(row.n)))
    return items


def _note(job: Job, selection: Selection, matching: int) -> str:
    """Return how equal results are sorted, and how many are left out because they are unrated.

    `matching` is the number of results that aren't left out. Returns "" in upload order.
    """
    tie = TIES.get(selection.sort, "")
    is_by_score = selection.sort in ("rating", "-rating")
    if is_by_score and max(job.ratings.values(), default=0) > MOST_RATED_HELD:
        tie += f" Ratings of more than {MOST_RATED_HELD:,} puzzles in this job: only by number."
    unrated = job.done - matching if selection.sorts_by_rating and selection.selects_all else 0
    return f"{tie} Without the {unrated:,} unrated." if unrated else tie


def _caption(
    job: Job, selection: Selection, matching: int, items: list[Item], *, offset: int
) -> str:
    """Return the caption of the list: which results these are, in which order, and of how many.

    `offset` is the number of results before them, and `matching` the number of all selected
    results.
    """
    if not items:
        return ""
    kind = "Rated results" if selection.rating or selection.sorts_by_rating else "All results"
    if selection.outcome:
        kind = f"Outcome {labels(job)[selection.outcome].lower()}"
    if selection.sort:
        order = ORDERS[selection.sort]
        return f"{kind}, {order}, {offset + 1:,}–{offset + len(items):,} of {matching:,}"
    return f"{kind}, from puzzle {items[0].row.n:,} to {items[-1].row.n:,}"


def _level_tiles(job: Job) -> list[Band]:
    """Return the difficulty bands whose numbers of puzzles the page shows in large type.

    Final jobs with generated puzzles have them instead of the outcome "solved", if all solved
    puzzles are rated. For other jobs, returns [].
    """
    bands = bands_of(job.ratings) if job.format == GENERATED and job.state.final else []
    return bands if sum(band.records for band in bands) == job.outcomes["solved"] else []


def _main_outcomes(job: Job, tiles: Sequence[Band]) -> tuple[str, ...]:
    """Return the outcomes whose counts the page shows in large type.

    `tiles` are the page's `_level_tiles`. For generated puzzles, they take the place of the
    number of solved ones.
    """
    if job.format != GENERATED:
        return _MAIN_OUTCOMES
    return () if tiles else ("solved",)


def _has_numbers(job: Job, tiles: Sequence[Band]) -> bool:
    """Return whether the page shows counts in large type.

    It doesn't if they would all be the same number, as for generated puzzles of one difficulty.
    `tiles` are the page's `_level_tiles`.
    """
    others = any(number for outcome, number in job.outcomes.items() if outcome != "solved")
    return job.format != GENERATED or others or job.options.minlex or len(tiles) > 1


def _own_rating(job: Job, selection: Selection) -> str:
    """Return the selected range of ratings in words, or "" if it is that of a difficulty."""
    if not selection.rating or selection.rating in {band.range for band in bands_of(job.ratings)}:
        return ""
    return f"rated {selection.rating.replace('..', ' to ')}"


def _technique_choices(job: Job) -> dict[str, str]:
    if not job.techniques:
        return {}
    found = {name_of(code): number for code, number in job.techniques.items()}
    return {"": "all"} | {name: name + _count(job, number) for name, number in found.items()}


def _count(job: Job, number: int) -> str:
    """Return a number in parentheses, or "" while it can still change."""
    return f" ({number:,})" if job.state.final else ""


def _orders(job: Job) -> dict[str, str]:
    hidden = set() if job.options.rate else {"rating"}
    hidden |= set() if job.sudokuq_ratings else {"sudokuq_rating"}
    orders = ORDERS | ({"": "order of making"} if job.format == GENERATED else {})
    return {name: label for name, label in orders.items() if name.removeprefix("-") not in hidden}
