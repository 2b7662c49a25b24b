"""Icon sets: small images instead of symbols on a job's boards, and the pages that set them.

An icon set has one image for each value, starting with the value 1.
"""

import re
from typing import Any

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.wrappers import Response as AnyResponse

from solver.board.layout import MAX_SIZE
from web.http import request_context
from web.http.errors import Problem
from web.schemas.operation import FILE, empty, operation
from worker.ingest.new_job import STORE_FULL

pictures = Blueprint("pictures", __name__)

MAX_BYTES = 64 * 1024  # of one image
_MAX_FORM_BYTES = MAX_SIZE * (MAX_BYTES + 1024)
# Image types that browsers display and that can't contain scripts. SVG can.
_KINDS = {
    "image/png": re.compile(rb"\x89PNG\r\n\x1a\n"),
    "image/jpeg": re.compile(rb"\xff\xd8\xff"),
    "image/gif": re.compile(rb"GIF8[79]a"),
    "image/webp": re.compile(rb"RIFF....WEBP", re.DOTALL),
}
_FORM: dict[str, Any] = {
    "type": "object",
    "properties": {
        "pictures": {
            "type": "array",
            "items": FILE,
            "description": "One image per value, from 1: PNG, JPEG, GIF, or WebP, each at most 64 "
            "KiB.",
        }
    },
}


def image_kind(picture: bytes) -> str | None:
    """Return the media type of an image, or None if it isn't supported.

    The first bytes of the image determine it.
    """
    return next((kind for kind, start in _KINDS.items() if start.match(picture)), None)


@pictures.post("/jobs/<job_id>/pictures")
def upload_for_page(job_id: str) -> AnyResponse:
    """Store the images sent by the form on a job's page, and redirect to that page.

    The order of their names decides which image shows which value.
    """
    request_context.find_job(job_id)
    _take(job_id, by_name=True)
    return redirect(url_for("pages.job", job_id=job_id), 303)


@pictures.post("/api/v1/jobs/<job_id>/pictures")
@operation(
    "Jobs",
    {204: empty("The images were stored.")},
    problems=("job-not-found", "too-large", "unsupported-type", "invalid-value"),
    body={"multipart/form-data": _FORM},
)
def set_pictures(job_id: str) -> Response:
    """Show images instead of symbols on the job's boards.

    They replace all earlier images. A form without files only removes the earlier images.
    """
    request_context.find_job(job_id)
    _take(job_id)
    return Response(status=204)


def _take(job_id: str, *, by_name: bool = False) -> None:
    """Replace a job's icon set by the images in the submitted form. Without images, it is removed.

    The images are in the order of the files in the form, or in the order of their names if
    `by_name`. Empty files are skipped. Raises Problem if the form or an image isn't acceptable, or
    if Redis is nearly full.
    """
    if request.mimetype not in ("", "multipart/form-data"):
        detail = f"send the images as files of a multipart/form-data form, not {request.mimetype}"
        raise Problem(415, detail)
    if not request_context.service().health.has_room():
        raise Problem.of(STORE_FULL)
    request.max_content_length = _MAX_FORM_BYTES
    try:
        files = request.files.getlist("pictures")
    except RequestEntityTooLarge:
        detail = f"expected at most {MAX_SIZE} images of up to {MAX_BYTES:,} bytes each"
        raise Problem(413, detail, field="pictures") from None
    found = [(file.filename or "an image", file.read(MAX_BYTES + 1)) for file in files]
    found = [(name, picture) for name, picture in found if picture]
    if by_name:  # natural order: 2.png comes before 10.png
        found.sort(key=lambda file: _natural(file[0]))
    if len(found) > MAX_SIZE:
        detail = f"expected at most {MAX_SIZE} images, one per value, not {len(found)}"
        raise Problem(422, detail, field="pictures")
    for name, picture in found:
        if len(picture) > MAX_BYTES:
            detail = f"{name[:100]} is larger than {MAX_BYTES:,} bytes"
            raise Problem(413, detail, field="pictures")
        if image_kind(picture) is None:
            detail = f"{name[:100]} isn't a PNG, JPEG, GIF, or WebP image"
            raise Problem(422, detail, field="pictures")
    request_context.service().images.replace(job_id, [picture for _, picture in found])


@pictures.get("/jobs/<job_id>/pictures/<int:value>")
def show(job_id: str, value: int) -> Response:
    """Return the image of a value (from 1) as a response. Raises Problem if there is none."""
    picture = request_context.service().images.get(job_id, value)
    kind = image_kind(picture) if picture is not None else None
    if picture is None or kind is None:
        raise Problem(404, "this job has no image for this value")
    response = Response(picture, content_type=kind)
    # The client may replace the images, and the URL stays the same.
    response.headers["Cache-Control"] = "private, max-age=60"
    return response


def _natural(name: str) -> list[tuple[int, str]]:
    """Return the key by which names are sorted so that 2.png comes before 10.png."""
    parts = re.findall(r"[0-9]+|[^0-9]+", name.lower())
    return [(int(part), "") if part.isascii() and part.isdigit() else (-1, part) for part in parts]
