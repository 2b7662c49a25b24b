"""Check, rate, solve, and explain Sudoku puzzles.

>>> import sudokuq
>>> sudokuq.solve([[1, 0, 0, 0], [0, 0, 3, 0], [0, 2, 0, 0], [0, 0, 0, 4]]).unique
True

`Client` talks to a running service and needs nothing but the base installation. All other names
come from `solver` and need the extra `solver`.
"""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from solver import (
        Batch,
        Invalid,
        Layout,
        Outcome,
        Puzzle,
        Result,
        explain,
        minlex,
        parse,
        rate_many,
        solve,
        solve_many,
        true_candidates,
    )
    from web.client import Client

__all__ = [
    "Batch",
    "Client",
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
except PackageNotFoundError:  # run from a source tree that isn't installed
    __version__ = "0"


def __getattr__(name: str) -> Any:
    # Imported on first use, so that the client works without the engines.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("web.client" if name == "Client" else "solver"), name)
