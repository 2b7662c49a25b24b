"""Text in, answers out: no Redis, no Celery, no Flask, no clock, no network."""

from typing import TYPE_CHECKING, Any

from solver.board.layout import Layout
from solver.board.puzzle import Invalid, Puzzle
from solver.board.result import Batch, Outcome, Result
from solver.formats import parse

if TYPE_CHECKING:
    from solver.candidates import true_candidates
    from solver.explaining import explain
    from solver.solving import solve, solve_many

__all__ = [
    "Batch",
    "Invalid",
    "Layout",
    "Outcome",
    "Puzzle",
    "Result",
    "explain",
    "parse",
    "solve",
    "solve_many",
    "true_candidates",
]


def __getattr__(name: str) -> Any:
    # Engines and techniques bring Numba with them (0.7 s, 90 MB), which formats do not need.
    if name in ("solve", "solve_many"):
        from solver import solving  # noqa: PLC0415

        return getattr(solving, name)
    if name == "explain":
        from solver.explaining import explain  # noqa: PLC0415

        return explain
    if name == "true_candidates":
        from solver.candidates import true_candidates  # noqa: PLC0415

        return true_candidates
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
