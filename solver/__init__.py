"""Read, solve, rate, and explain puzzles, without Redis, Celery, Flask, clock, or network."""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

import solver.rules.pickling  # noqa: F401  lets layouts travel between processes
from solver.board.layout import Layout
from solver.board.puzzle import Invalid, Puzzle
from solver.board.result import Batch, Outcome, Result
from solver.formats import parse

if TYPE_CHECKING:
    from solver.candidates import true_candidates
    from solver.canonical.minlex import minlex
    from solver.explaining import explain
    from solver.rating import rate_many
    from solver.solving import solve, solve_many

__all__ = [
    "Batch",
    "Invalid",
    "Layout",
    "Outcome",
    "Puzzle",
    "Result",
    "__version__",
    "explain",
    "minlex",
    "parse",
    "rate_many",
    "solve",
    "solve_many",
    "true_candidates",
]

try:
    __version__ = version("sudokuq")
except PackageNotFoundError:  # The package runs from a source tree and isn't installed.
    __version__ = "0"

# Imported on first use, because engines and techniques import Numba (0.7 s, 90 MB), which isn't
# needed to read formats.
_IMPORTED_ON_USE = {
    "explain": "solver.explaining",
    "minlex": "solver.canonical.minlex",
    "rate_many": "solver.rating",
    "solve": "solver.solving",
    "solve_many": "solver.solving",
    "true_candidates": "solver.candidates",
}


def __getattr__(name: str) -> Any:
    if name in _IMPORTED_ON_USE:
        return getattr(import_module(_IMPORTED_ON_USE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
