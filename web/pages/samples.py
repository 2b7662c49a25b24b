"""Examples that are bundled with the project: puzzles with a picture, and batches.

A click on one creates a job with its puzzles.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response

from solver.board.closest import unknown
from solver.board.puzzle import Invalid
from solver.formats import parse
from web.access import authentication
from web.access.job_owner import remember
from web.boards.drawing import draw
from web.boards.svg import Picture
from web.http.errors import Problem, raise_if_rejected
from web.pages.board_drawing import thumbnail
from worker.ingest.ingest import ingest
from worker.job import JobOptions

_RATED = JobOptions(rate=True, minlex=True)
_DRAWN = 12  # puzzles of a batch that its card shows


@dataclass(frozen=True, slots=True)
class Sample:
    """A bundled file of puzzles.

    `description` is the text of its card on the home page, or "" for batches without a card.
    `options` are those of its job.
    """

    title: str
    description: str = ""
    options: JobOptions = field(default_factory=JobOptions)


SAMPLES = {
    "thermo.jsonl": Sample("Thermometers", "Digits increase along each one. Is it unique?"),
    "killer.jsonl": Sample("Killer", "No givens, only sums. Follow it step by step."),
    "samurai.jsonl": Sample("Samurai", "Five grids that share boxes, on one board."),
    "sample.txt": Sample(
        "500 mixed and rated", "From easy to diabolical. Filter and sort them.", _RATED
    ),
    "hard.txt": Sample("100 very hard puzzles"),
    "16x16.txt": Sample("10 puzzles, 16×16"),
    "25x25.txt": Sample("3 puzzles, 25×25"),
}
BATCHES = {name: sample.title for name, sample in SAMPLES.items() if not sample.description}
_PIECE = 1 << 17


@dataclass(frozen=True, slots=True)
class Example:
    """An example's card on the home page, with the pictures of its first puzzles."""

    title: str
    description: str
    pictures: list[Picture]


def register(pages: Blueprint) -> None:
    """Add the views of this module to the blueprint."""
    pages.post("/samples/<name>")(solve_sample)


@lru_cache(maxsize=1)
def examples() -> dict[str, Example]:
    """Return the cards of the examples by file name. Samples without a description have no card."""
    return {
        name: Example(sample.title, sample.description, list(_pictures(name)))
        for name, sample in SAMPLES.items()
        if sample.description
    }


def _pictures(name: str) -> Iterator[Picture]:
    text = b"".join(_pieces(name)).decode()
    for puzzle in parse("\n".join(text.splitlines()[:_DRAWN])):
        if isinstance(puzzle, Invalid):
            raise ValueError(f"{name}: {puzzle.detail}")
        yield thumbnail(draw(puzzle.layout, puzzle.symbols, puzzle.givens), 0)


def solve_sample(name: str) -> Response:
    """Create a job from a bundled file, add it to the client's list, and redirect to its page.

    Raises Problem if there is no such file, or if the job is rejected.
    """
    if name not in SAMPLES:
        raise Problem(404, unknown("sample", name, SAMPLES))
    sample = SAMPLES[name]
    job_id = raise_if_rejected(
        ingest(
            authentication.service(),
            _pieces(name),
            options=sample.options,
            name=sample.title,
            client=authentication.client(),
        )
    )
    remember(job_id)
    return redirect(url_for("pages.job", job_id=job_id), 303)


def _pieces(name: str) -> Iterator[bytes]:
    with (files("solver") / "samples" / name).open("rb") as file:
        while piece := file.read(_PIECE):
            yield piece
