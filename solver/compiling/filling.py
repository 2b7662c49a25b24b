"""Create and fill arrays in compiled code.

These are loops because Numba's own functions, from `zeros` to `cumsum`, take three times as long to
compile.
"""

from typing import Any

import numpy as np

from solver.compiling.jit import bare, inner


@bare
def fill(array: Any, value: Any) -> None:
    """Set every item of a flat array to a value."""
    for place in range(array.shape[0]):
        array[place] = value


@inner
def zeros(length: Any, kind: Any) -> Any:
    """Return a flat array of zeros with the number type `kind`."""
    array = np.empty(length, kind)
    for place in range(length):
        array[place] = 0
    return array


@inner
def zero_rows(rows: Any, length: Any, kind: Any) -> Any:
    """Return a two-dimensional array of zeros with the number type `kind`."""
    array = np.empty((rows, length), kind)
    for row in range(rows):
        for place in range(length):
            array[row, place] = 0
    return array


@inner
def starts(lengths: Any) -> Any:
    """Return where pieces of these lengths start, and where the last one ends."""
    places = np.empty(lengths.shape[0] + 1, np.int32)
    places[0] = 0
    for piece in range(lengths.shape[0]):
        places[piece + 1] = places[piece] + lengths[piece]
    return places
