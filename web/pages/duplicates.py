"""The page that shows which puzzles of a job are duplicates of others."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from flask import Blueprint, render_template, request

from web.boards.result_drawing import draw_result
from web.boards.svg import Picture
from web.http import request_context
from web.http.errors import Problem
from web.pages.again import source_title
from web.pages.board_drawing import thumbnail
from web.pages.outcome_meanings import labels, meanings
from web.results.duplicate_kinds import kind_of_duplicate
from web.results.duplicates import MAX_PUZZLES, Named, find_duplicates
from web.results.number_list import write_numbers
from web.results.query import parse_result_query
from web.results.rows import Row
from worker.job import Job

GROUPS_PER_PAGE = 24
# Puzzles of a group that are drawn, and further ones that are only listed.
MAX_DRAWN = 6
MAX_LISTED = 20


@dataclass(frozen=True, slots=True)
class Copy:
    """A puzzle in a group of duplicates.

    `kind` is how it differs from the first one, or which other one it repeats. It is "" for the
    first one.
    """

    row: Row
    picture: Picture | None
    kind: str


@dataclass(frozen=True, slots=True)
class Group:
    """Puzzles that are equal up to symmetry.

    `drawn` are the first of them, with their pictures. `others` are the rest, without pictures.
    """

    drawn: Sequence[Copy]
    others: Sequence[Named]


def register(pages: Blueprint) -> None:
    """Add the views of this module to the blueprint."""
    pages.get("/jobs/<job_id>/duplicates")(duplicates)


def duplicates(job_id: str) -> str:
    """Show the puzzles of a job that are equal up to symmetry, in groups, once the job has ended.

    The query parameter `offset` is the number of groups to skip. If the job has no canonical forms,
    the page offers to look for duplicates in a new job. Raises Problem if the job is too large.
    """
    job = request_context.find_job(job_id)
    if not job.options.minlex:
        return render_template("not_compared.html", job=job)
    if job.total > MAX_PUZZLES:
        raise Problem(
            422,
            f"duplicates are listed for jobs of up to {MAX_PUZZLES:,} puzzles, but this one has "
            f"{job.total:,}; download its results, and compare the column minlex",
        )
    results = request_context.service().results
    groups = find_duplicates(lambda: results.read(job_id)) if job.state.final else []
    offset = max(request.args.get("offset", 0, type=int), 0)
    return render_template(
        "duplicates.html",
        job=job,
        groups=_groups(job, groups[offset : offset + GROUPS_PER_PAGE]),
        offset=offset,
        per_page=GROUPS_PER_PAGE,
        most=MAX_LISTED,
        originals=len(groups),
        copies=sum(map(len, groups)) - len(groups),
        labels=labels(job),
        meanings=meanings(job),
        source_title=source_title(job),
    )


def _groups(job: Job, groups: Iterable[Sequence[Named]]) -> list[Group]:
    shown = {record.number for group in groups for record in group[:MAX_DRAWN]}
    copies = _read(job, shown)
    found = []
    for group in groups:
        drawn: list[Copy] = []
        for each in group[:MAX_DRAWN]:
            if copy := copies.get(each.number):
                drawn.append(replace(copy, kind=_kind(drawn, copy.row.puzzle)))
        if drawn:
            found.append(Group(drawn, group[MAX_DRAWN:]))
    return found


def _kind(earlier: Sequence[Copy], puzzle: str) -> str:
    """Return how a puzzle differs from the first one of its group, or which other one it repeats.

    `earlier` are the puzzles of the group before it. Without any, returns "".
    """
    if not earlier:
        return ""
    first, *others = earlier
    for other in others:
        if other.row.puzzle == puzzle != first.row.puzzle:
            return f"identical to puzzle {other.row.n:,}"
    return kind_of_duplicate(first.row.puzzle, puzzle)


def _read(job: Job, numbers: Iterable[int]) -> dict[int, Copy]:
    """Return those of a job's puzzles with these numbers whose results are available, by number.

    `picture` is None if the board can't be drawn, and `kind` is "" for now.
    """
    text = write_numbers(numbers)
    if not text:
        return {}
    pages = parse_result_query({"numbers": text}, job).pages(
        job, must_be_complete=False, listed=False
    )
    images = request_context.service().images.count(job.id)
    copies = {}
    for row, board in (entry for page in pages for entry in page.with_boards()):
        drawing = board and draw_result(board, row.puzzle, None, row.detail)
        copies[row.n] = Copy(row, thumbnail(drawing, images) if drawing else None, "")
    return copies
