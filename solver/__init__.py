"""Read, solve, rate, explain, and make puzzles, without Redis, Celery, Flask, or network."""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solver.board.layout import Layout as Layout
    from solver.board.puzzle import Invalid as Invalid
    from solver.board.puzzle import Puzzle as Puzzle
    from solver.board.result import Batch as Batch
    from solver.board.result import Outcome as Outcome
    from solver.board.result import Result as Result
    from solver.candidates import true_candidates as true_candidates
    from solver.canonical.minlex import minlex as minlex
    from solver.conflicting import conflict as conflict
    from solver.explaining import explain as explain
    from solver.formats import parse as parse
    from solver.generating import GeneratedPuzzle as GeneratedPuzzle
    from solver.generating import generate as generate
    from solver.listing import all_steps as all_steps
    from solver.minimizing import minimality as minimality
    from solver.rating import rate_many as rate_many
    from solver.solving import solve as solve
    from solver.solving import solve_many as solve_many

try:
    __version__ = version("sudokuq")
except PackageNotFoundError:  # The package runs from a source tree and isn't installed.
    __version__ = "0"

# Imported on first use. Engines and techniques import Numba (0.7 s, 90 MB), which isn't needed to
# read formats, and the base installation has none of these packages.
_MODULES = {
    "Batch": "solver.board.result",
    "GeneratedPuzzle": "solver.generating",
    "Invalid": "solver.board.puzzle",
    "Layout": "solver.board.layout",
    "Outcome": "solver.board.result",
    "Puzzle": "solver.board.puzzle",
    "Result": "solver.board.result",
    "all_steps": "solver.listing",
    "conflict": "solver.conflicting",
    "explain": "solver.explaining",
    "generate": "solver.generating",
    "minimality": "solver.minimizing",
    "minlex": "solver.canonical.minlex",
    "parse": "solver.formats",
    "rate_many": "solver.rating",
    "solve": "solver.solving",
    "solve_many": "solver.solving",
    "true_candidates": "solver.candidates",
}
if not TYPE_CHECKING:  # Type checkers take the names from the imports above.
    __all__ = ["__version__", *_MODULES]  # noqa: PLE0604  all of them are strings


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(_MODULES[name]), name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == __name__:
            raise
        raise ImportError(
            f"{__name__}.{name} needs the package {error.name!r}. "
            "Run pip install '.[solver]' in the project's folder."
        ) from error


try:  # lets layouts travel between processes
    import solver.rules.pickling  # noqa: F401
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] == __name__:
        raise
