"""The report on a job's puzzles, as a page and as a PDF file."""

from flask import Blueprint, Response, render_template, request, url_for
from msgspec.structs import replace

from web.api.report_routes import MAX_LEVELS, report_of
from web.http import request_context
from web.http.errors import Problem
from web.pages.again import AGAIN_OPTIONS
from web.report.view import Cell, numbers_of, sections_of
from web.results.file_names import file_stem
from web.results.formats import missing_package


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
        sections=list(sections_of(found)),
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
