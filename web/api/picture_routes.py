"""The endpoints that draw one puzzle of a job."""

from flask import Blueprint, Response, request

from web.api.puzzle_json import find_row
from web.api.result_requests import PictureParameters
from web.books.formats import problems
from web.books.job_images import job_images
from web.books.picture_files import PictureOptions, draw_file
from web.http import request_context
from web.http.errors import Problem
from web.results.file_names import file_stem
from web.results.formats import missing_package
from web.schemas.operation import FILE, Returned, operation

picture_api = Blueprint("picture_api", __name__, url_prefix="/api/v1/jobs/<job_id>/puzzles")

_PROBLEMS = ("job-not-found", "puzzle-not-found", "job-not-finished")
_SVG, _PNG = "image/svg+xml", "image/png"


@picture_api.get("/<int:number>.svg")
@operation(
    "Results",
    {200: Returned("The picture.", {_SVG: str})},
    problems=_PROBLEMS,
    query=PictureParameters,
)
def get_svg(job_id: str, number: int) -> Response:
    """Draw one puzzle or its solution as an SVG picture."""
    return _picture(job_id, number, kind="svg", media_type=_SVG)


@picture_api.get("/<int:number>.png")
@operation(
    "Results",
    {200: Returned("The picture.", {_PNG: FILE})},
    problems=_PROBLEMS,
    query=PictureParameters,
)
def get_png(job_id: str, number: int) -> Response:
    """Draw one puzzle or its solution as a PNG picture."""
    return _picture(job_id, number, kind="png", media_type=_PNG)


def _picture(job_id: str, number: int, *, kind: str, media_type: str) -> Response:
    """Return a picture of one puzzle as a response. `kind` is the file extension, svg or png.

    Raises Problem if the puzzle can't be drawn, or if a package is missing on the server.
    """
    job = request_context.find_job(job_id)
    request_context.check_parameters(*PictureParameters.__struct_fields__)
    missing = missing_package(kind)
    if missing is not None:
        raise Problem(422, f"on this server, {missing}")
    with problems():
        options = PictureOptions.read({"show": "puzzle", **request.args})
        data = draw_file(find_row(job, number), options, job_images(job), kind=kind)
    if not data:
        shown = "solution" if options.show == "solution" else "board"
        detail = f"puzzle {number:,} has no {shown} to draw"
        raise Problem(404, detail, kind="puzzle-not-found")
    response = Response(data, content_type=media_type)
    name = f"{file_stem(job, {}).removesuffix('-results')}-{number}.{kind}"
    response.headers["Content-Disposition"] = f'inline; filename="{name}"'
    return response
