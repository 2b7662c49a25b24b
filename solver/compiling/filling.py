"""Filling arrays in compiled code.

Loops, for Numba's own functions, from `zeros` to `cumsum`, take three times as long to compile.
"""

from typing import Any

import numpy as np

from solver.compiling.jit import bare, inner


@bare
def fill(array: Any, value: Any) -> None:
    """Write a value everywhere in a flat array."""
    for place in range(array.shape[0]):
        array[place] = value


@inner
def zeros(length: Any, kind: Any) -> Any:
    """Return a flat array of zeros of a kind of numbers."""
    array = np.empty(length, kind)
    for place in range(length):
        array[place] = 0
    return array


@inner
def zero_rows(rows: Any, length: Any, kind: Any) -> Any:
    """Return rows of zeros of a kind of numbers."""
    array = np.empty((rows, length), kind)
    for row in range(rows):
        for place in range(length):
            array[row, place] = 0
    return array


@inner
def starts(lengths: Any) -> Any:
    """Return where pieces of these lengths begin, and where the last one ends."""
    places = np.empty(lengths.shape[0] + 1, np.int32)
    places[0] = 0
    for piece in range(lengths.shape[0]):
        places[piece + 1] = places[piece] + lengths[piece]
    return places
