"""Copy arrays in compiled code.

These are loops because Numba takes long to compile a slice assignment, which includes the error
messages for mismatched shapes.
"""

from typing import Any

from solver.compiling.jit import inlined


@inlined
def copy(source: Any, target: Any) -> None:
    """Copy a flat array to the start of another one that is at least as long."""
    for place in range(source.shape[0]):
        target[place] = source[place]


@inlined
def copy_rows(source: Any, target: Any) -> None:
    """Copy the rows of an array to an array with at least as many rows and columns."""
    for row in range(source.shape[0]):
        copy(source[row], target[row])
