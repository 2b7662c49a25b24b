"""The report on a job's puzzles, as a page and as a PDF file."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from flask import Blueprint, Response, render_template, request, url_for
from msgspec.structs import replace

from web.api.report_routes import MAX_LEVELS, report_of
from web.http import request_context
from web.http.errors import Problem
from web.pages.again import AGAIN_OPTIONS
from web.report.view import Cell, Section, numbers_of, sections_of
from web.results.file_names import file_stem
from web.results.formats import missing_package

_MOST_TECHNIQUES = 10  # that a table shows while it is folded


def register(pages: Blueprint) -> None:
    """Add the views of this module to the blueprint."""
    pages.get("/jobs/<job_id>/report")(report)
    pages.get("/jobs/<job_id>/report.pdf")(report_pdf)


def report(job_id: str) -> str | Response:
    """Show the report on a job's puzzles. The query has the parameters of the API's report.

    Raises Problem if one of them is invalid, or if the job hasn't ended.
    """
    job = request_context.find_job(job_id)
    found = report_of(job)
    sections = list(sections_of(found))

    def link(cell: Cell) -> str | None:
        """Return the URL to which a cell of a table links, or None.

        It is the page of the cell's puzzle, or of the results that the number in the cell counts.
        """
        if cell.puzzle is not None:
            return url_for("pages.puzzle", job_id=job_id, number=cell.puzzle)
        if cell.where is None:
            return None
        return url_for("pages.job", job_id=job_id, **cell.where)  # type: ignore[arg-type]

    return render_template(
        "report.html",
        job=job,
        report=found,
        numbers=numbers_of(found),
        sections=sections,
        blocks=list(_arrange(sections)),
        most_techniques=_MOST_TECHNIQUES,
        link=link,
        against=request.args.get("against", ""),
        levels=request.args.get("levels", ""),
        additions={
            "difficulty": ("Rate the puzzles", replace(job.options, rate=True)),
            "minimality": ("Test the minimality", replace(job.options, minimal=True)),
        },
        again_options=AGAIN_OPTIONS,
        has_pdf=missing_package("pdf") is None,
        max_levels=MAX_LEVELS,
    )


def _arrange(sections: Iterable[Section]) -> Iterator[list[list[Section]]]:
    """Yield the sections in blocks, each with one column or two.

    A section with several tables, or with long texts in one, is as wide as the page. The others are
    in columns of about the same height.
    """
    for is_wide, neighbors in groupby(sections, key=_is_wide):
        if is_wide:
            yield from ([[section]] for section in neighbors)
            continue
        columns: list[list[Section]] = [[], []]
        for section in neighbors:
            min(columns, key=lambda column: sum(map(_height, column))).append(section)
        yield [column for column in columns if column]


def _is_wide(section: Section) -> bool:
    tables = [table for table in section.tables if len(table.heads) > 1]
    return len(tables) > 1 or (section.key in ("problems", "claims") and bool(tables))


def _height(section: Section) -> int:
    """Return the height of a section in rows of tables, roughly."""
    return 3 + 2 * len(section.sentences) + sum(2 + len(table.rows) for table in section.tables)


def report_pdf(job_id: str) -> Response:
    """Return the report on a job's puzzles as a PDF file.

    Raises Problem if there is no report, or if this server can't write PDF files.
    """
    job = request_context.find_job(job_id)
    found = report_of(job)
    missing = missing_package("pdf")
    if missing is not None:
        raise Problem(422, f"on this server, {missing}")
    # ReportLab takes a while to import, and belongs to an extra.
    from web.report.pdf import write_pdf  # noqa: PLC0415

    response = Response(write_pdf(found), content_type="application/pdf")
    name = f"{file_stem(job, {})}.pdf".replace("-results.", "-report.")
    response.headers["Content-Disposition"] = f'inline; filename="{name}"'
    return response
