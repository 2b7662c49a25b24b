"""The page that makes a book of a job's puzzles, with a preview of its first pages."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, render_template, request, url_for

from web.books.formats import book_options_of, stream_book
from web.books.job_images import job_images
from web.books.options import PAGE_SIZES, PER_PAGE
from web.http import request_context
from web.http.errors import Problem
from web.pages.outcome_meanings import labels
from web.pages.selection import describe_filters, read_selection
from web.results.formats import missing_package
from web.results.query import parse_result_query
from worker.job import Job

_YES = {"": "yes", "false": "no"}
# Puzzles from which the preview takes its first pages. More would delay it.
_PREVIEWED = 1_000
# The label of each trim size but the default and the other name of 8.5x11in
_SIZES = {
    name: f"{name.removesuffix('in').replace('x', ' × ')} inches" if "x" in name else name.upper()
    for name in PAGE_SIZES
    if name not in ("6x9in", "letter")
} | {"8.5x11in": "8.5 × 11 inches (Letter)"}
_CHOICES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "preset": ("Made for", {"": "any printer", "kdp": "Amazon KDP"}),
    "page": ("Trim size", {"": "6 × 9 inches", **_SIZES}),
    "per_page": (
        "Puzzles per page",
        {"": "2, or 1 in large print", **{number: number for number in PER_PAGE}},
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
    "large_print": ("Large print", {"": "no", "true": "yes"}),
    "ink": ("Colors", {"": "black and gray", "color": "color"}),
    "rules": ("Rules under each puzzle", _YES),
    "cover": ("Cover sheet", _YES),
    "heads": ("Running heads", _YES),
    "page_numbers": ("Page numbers", _YES),
}  # fmt: skip
_TEXTS = {"title": "Title", "author": "Author"}


def register(pages: Blueprint) -> None:
    """Add the views of this module to the blueprint."""
    pages.get("/jobs/<job_id>/book")(book)
    pages.get("/jobs/<job_id>/book/preview.png")(preview_picture)


def book(job_id: str) -> str:
    """Show the form with the options, and the preview of the book with the options in the URL."""
    job = request_context.find_job(job_id)
    selection = read_selection(job_id, request.args)
    chosen = _chosen()
    selected = parse_result_query(selection.download, job).selected(job)
    problem = _problem(job, selected, chosen)
    query: dict[str, Any] = selection.parameters | chosen
    return render_template(
        "book.html",
        job=job,
        selection=selection,
        selected=selected,
        shown_filter=describe_filters(selection.filters, labels(job)),
        choices=_available(job),
        texts=_TEXTS,
        chosen=chosen,
        problem=problem,
        preview=None if problem else url_for("pages.preview_picture", job_id=job_id, **query),
    )


def _problem(job: Job, selected: int, chosen: Mapping[str, str]) -> str | None:
    """Return why no book can be made of the selected puzzles with these options, or None.

    `selected` is their number.
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
    """Return the first pages of a book as a PNG image."""
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
    """Return the options of the book in the query, without empty ones."""
    names = (*_CHOICES, *_TEXTS)
    return {name: value for name in names if (value := request.args.get(name, "").strip())}


def _available(job: Job) -> Mapping[str, tuple[str, Mapping[str, str]]]:
    """Return the choices that the job can provide."""
    needs = {"chapters": job.options.rate, "hints": job.options.explain}
    return {name: choice for name, choice in _CHOICES.items() if needs.get(name, True)}
