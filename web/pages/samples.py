"""Sample batches of puzzles that are bundled with the project."""

from collections.abc import Iterator
from importlib.resources import files

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response

from solver.board.closest import unknown
from web.access import authentication
from web.access.job_owner import remember
from web.http.errors import Problem, taken
from worker.ingest.ingest import ingest
from worker.job import JobOptions

SAMPLES = {
    "sample.txt": "500 mixed puzzles",
    "hard.txt": "100 very hard puzzles",
    "16x16.txt": "10 puzzles, 16×16",
    "25x25.txt": "3 puzzles, 25×25",
}
_PIECE = 1 << 17


def register(pages: Blueprint) -> None:
    """Add the views of this module to the blueprint."""
    pages.post("/samples/<name>")(solve_sample)


def solve_sample(name: str) -> Response:
    """Create a job from a bundled batch, add it to the client's list, and redirect to its page."""
    if name not in SAMPLES:
        raise Problem(404, unknown("sample", name, SAMPLES))
    job_id = taken(
        ingest(
            authentication.service(),
            _pieces(name),
            options=JobOptions(),
            name=name,
            client=authentication.client(),
        )
    )
    remember(job_id)
    return redirect(url_for("pages.job", job_id=job_id), 303)


def _pieces(name: str) -> Iterator[bytes]:
    with (files("solver") / "samples" / name).open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece
