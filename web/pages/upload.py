"""The page where a job begins."""

from flask import Blueprint, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from solver.formats import FORMATS
from web import access, current
from web.errors import Problem, taken
from web.uploads.accept import accept
from web.uploads.typed import Typed
from worker.options import OPTIONS


def register(pages: Blueprint) -> None:
    """Add the views of this module."""
    pages.get("/")(index)
    pages.post("/jobs")(create_job)


def index() -> str:
    """Show the upload page; `?example=FORMAT` fills in the example of a format."""
    wanted = request.args.get("example")
    examples = {format_.name: format_.example for format_ in FORMATS}
    return _upload_page({"text": examples.get(wanted, "")} if wanted else {})


def create_job() -> Response | tuple[str, int]:
    """Take an upload and go to its page; come back with the message if it is refused."""
    typed = Typed(request)
    try:
        job_id = taken(accept(request, access.service(), client=access.client()))
    except Problem as problem:
        return _upload_page(typed.fields(), problem), problem.status
    return redirect(url_for("pages.job", job_id=job_id), 303)


def _upload_page(typed: dict[str, str], problem: Problem | None = None) -> str:
    settings = current.service().settings
    return render_template(
        "index.html",
        formats=FORMATS,
        problem=problem,
        settings=settings,
        typed=typed,
        options=OPTIONS.values(),
    )
