"""The page that makes a book of a job's puzzles, with a preview of its first pages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from solver.board.display import how_many
from web.books.formats import book_options_of, book_title, stream_book
from web.books.job_images import job_images
from web.books.options import MAX_BOOK, PAGE_SIZES, PER_PAGE
from web.http import request_context
from web.http.errors import Problem
from web.pages.form_labels import JOB_LABELS
from web.pages.outcome_meanings import labels
from web.pages.selection import Selection, describe_filters, read_selection
from web.results.duplicates import known_copies
from web.results.formats import missing_package
from web.results.query import parse_result_query
from worker.job import Job

# Puzzles from which the preview takes its first pages. More would delay it.
_PREVIEWED = 1_000
_WITHOUT_GRIDS = ("invalid", "failed")  # outcomes of puzzles whose grid may be unknown
# The label of each trim size but the other name of 8.5x11in
_SIZES = {
    name: f"{name.removesuffix('in').replace('x', ' × ')} inches" if "x" in name else name.upper()
    for name in PAGE_SIZES
    if name != "letter"
} | {"8.5x11in": "8.5 × 11 inches (Letter)"}
_CHOICES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "preset": ("Made for", {"": "any printer", "kdp": "Amazon KDP"}),
    "page": ("Trim size", {"": "automatic", **_SIZES}),
    "per_page": (
        "Puzzles per page",
        {"": "automatic", **{number: number for number in PER_PAGE}},
    ),
    "chapters": (
        "Chapters",
        {"": "none", "difficulty": "one per difficulty",
         **{str(count): f"{count} levels of equal size" for count in range(2, 11)}},
    ),
    "solutions": (
        "Solutions", {"": "at the end", "upside-down": "upside down on the page", "none": "none"}
    ),
    "hints": ("Hints", {"": "none", "hints": "a hint per puzzle", "explanations": "all steps"}),
    "ink": ("Colors", {"": "black and gray", "color": "color"}),
}  # fmt: skip
# The options that are on or off: the label of each, and whether it is on by default.
_FLAGS = {
    "cover": ("Cover sheet", True),
    "heads": ("Running heads", True),
    "page_numbers": ("Page numbers", True),
    "rules": ("Rules of variants", True),
    "large_print": ("Large print", False),
}
_TEXTS = {"title": "Title", "author": "Author"}
_HELP = {
    "preset": "KDP’s limits are checked.",
    "page": "Automatic is 6 × 9 inches, or 8.5 × 11 in large print.",
    "per_page": "Automatic is 2, or 1 in large print.",
    "heads": "Printed above each page",
    "rules": "Printed below each puzzle",
}


def register(pages: Blueprint) -> None:
    """Add the views of this module to the blueprint."""
    pages.get("/jobs/<job_id>/book")(book)
    pages.get("/jobs/<job_id>/book/download")(download_book)
    pages.get("/jobs/<job_id>/book/preview.png")(preview_picture)


def book(job_id: str) -> str | Response:
    """Show the form with the options, and the preview of the book with the options in the URL.

    If no book can be made, the page states why instead of the preview. With `unfit=without`, it
    redirects to the book without the puzzles that shouldn't be in it.
    """
    job = request_context.find_job(job_id)
    selection = read_selection(job_id, request.args)
    chosen = _chosen()
    if request.args.get("unfit") == "without":
        return redirect(_url_without_unfit(job, selection, chosen), 303)
    selected = parse_result_query(selection.download, job).selected(job)
    unreadable = _unreadable(job, selection, selected)
    problem = _problem(job, selected, chosen)
    query: dict[str, Any] = selection.parameters | chosen
    return render_template(
        "book.html",
        job=job,
        selection=selection,
        selected=selected,
        printed=selected - len(unreadable),
        unreadable=unreadable,
        shown_filter=describe_filters(selection.filters, labels(job)),
        choices=_available(job),
        flags={
            name: (label, (chosen[name] == "true") if name in chosen else usual)
            for name, (label, usual) in _FLAGS.items()
        },
        usual_title=book_title(job.title),
        option_labels=JOB_LABELS,
        unfit=_unfit(job, selection),
        texts=_TEXTS,
        help=_HELP,
        chosen=chosen,
        problem=problem,
        preview=None if problem else url_for("pages.preview_picture", job_id=job_id, **query),
    )


def download_book(job_id: str) -> Response:
    """Redirect to the book of the options in the form, or back to the form if none can be made.

    The form can't send the options to the API itself, because it also sends empty ones.
    """
    job = request_context.find_job(job_id)
    selection = read_selection(job_id, request.args)
    chosen = _chosen()
    selected = parse_result_query(selection.download, job).selected(job)
    query: dict[str, Any] = selection.parameters | chosen
    if _problem(job, selected, chosen):
        return redirect(url_for("pages.book", job_id=job_id, **query), 303)
    download: dict[str, Any] = selection.download | chosen
    return redirect(url_for("api.get_results", job_id=job_id, format="pdf", **download), 303)


def _unreadable(job: Job, selection: Selection, selected: int) -> list[int]:
    """Return the numbers of the selected puzzles that a book leaves out: those without a grid.

    `selected` is the number of selected puzzles. Returns [] if a book can't have so many.
    """
    if not any(map(job.outcomes.get, _WITHOUT_GRIDS)) or selected > MAX_BOOK:
        return []
    query = parse_result_query(selection.query | {"count": str(selected)}, job)
    return [
        row.n
        for page in query.pages(job, must_be_complete=False, listed=False)
        for row, board in page.with_boards()
        if row.outcome in _WITHOUT_GRIDS and (board is None or board.read(row.puzzle) is None)
    ]


@dataclass(frozen=True, slots=True)
class Unfit:
    """Tells which of the selected puzzles a book shouldn't contain.

    `words` is a sentence, or "" if there are no such puzzles or they aren't known. `copies` is the
    number of duplicates in the job.
    """

    words: str
    copies: int


def _unfit(job: Job, selection: Selection) -> Unfit:
    """Return the puzzles among the selected ones that a book shouldn't contain.

    They are known only if all puzzles of the job are selected.
    """
    without_one = job.done - job.outcomes.get("solved", 0)
    copies = len(known_copies(job) or ())
    parts = []
    if without_one:
        parts.append(f"{how_many(without_one, 'puzzle')} without exactly one solution")
    if copies:
        parts.append(how_many(copies, "duplicate"))
    words = f"The selection contains {' and '.join(parts)}." if parts else ""
    return Unfit(words if selection.selects_all else "", copies)


def _url_without_unfit(job: Job, selection: Selection, chosen: Mapping[str, str]) -> str:
    """Return the URL of the page that makes a book with one solution per puzzle, each once.

    `chosen` has the options of the book.
    """
    query: dict[str, Any] = {**selection.parameters, **chosen, "outcome": "solved"}
    if known_copies(job):
        query["duplicates"] = "without"
    return url_for("pages.book", job_id=job.id, **query)


def _problem(job: Job, selected: int, chosen: Mapping[str, str]) -> str | None:
    """Return why no book can be made of the selected puzzles with these options, or None.

    `selected` is the number of selected puzzles, and `chosen` has the options.
    """
    missing = missing_package("pdf")
    if missing is not None:
        return f"On this server, {missing}."
    try:
        book_options_of(chosen, job)
    except Problem as problem:
        return problem.detail
    if selected:
        return None
    if not job.state.final:
        return f"The job is {job.state}, and it has no results yet. Reload this page later."
    return "No puzzles are selected. Change the filter on the job’s page."


def preview_picture(job_id: str) -> Response:
    """Return the first pages of a book as a PNG image.

    Only the first `_PREVIEWED` of the selected puzzles are in it. Raises Problem if the options are
    invalid.
    """
    # An extra.
    from web.books.preview import PAGES, preview  # noqa: PLC0415

    job = request_context.find_job(job_id)
    selection = read_selection(job_id, request.args)
    options = book_options_of(_chosen(), job)
    most = min(selection.most or _PREVIEWED, _PREVIEWED)
    query = parse_result_query(selection.query | {"count": str(most)}, job)
    pages = query.pages(job, must_be_complete=False, listed=False)
    pdf = b"".join(stream_book(pages, options, job_images(job), most=PAGES))
    response = Response(preview(pdf), content_type="image/png")
    response.headers["Cache-Control"] = "private, max-age=60"
    return response


def _chosen() -> dict[str, str]:
    """Return the options of the book in the query, without empty ones and those by default.

    A form sends "false" for each box, and then also "true" if it is checked.
    """
    given = {name: values[-1].strip() for name, values in request.args.lists()}
    chosen = {name: given[name] for name in (*_CHOICES, *_TEXTS) if given.get(name)}
    for name, (_, usual) in _FLAGS.items():
        if given.get(name, "") not in ("", str(usual).lower()):
            chosen[name] = given[name]
    return chosen


def _available(job: Job) -> Mapping[str, tuple[str, Mapping[str, str]]]:
    """Return the `_CHOICES` of the form, without those that need results that the job lacks.

    Chapters need ratings, and hints need explanations.
    """
    needs = {"chapters": job.options.rate, "hints": job.options.explain}
    return {name: choice for name, choice in _CHOICES.items() if needs.get(name, True)}
