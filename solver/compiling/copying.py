"""Copying arrays in compiled code.

A loop, for an assignment to a slice takes Numba long to compile: it can also say in words which
shapes do not fit.
"""

from typing import Any

from solver.compiling.jit import inlined


@inlined
def copy(source: Any, target: Any) -> None:
    """Copy a flat array to the beginning of another one, which is no shorter."""
    for place in range(source.shape[0]):
        target[place] = source[place]


@inlined
def copy_rows(source: Any, target: Any) -> None:
    """Copy the rows of an array to those of another one, which are no fewer and no shorter."""
    for row in range(source.shape[0]):
        copy(source[row], target[row])
