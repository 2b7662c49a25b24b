"""Array operations for compiled code, written as loops.

Numba takes three times as long to compile its own functions, from `zeros` to `cumsum`. Its own sort
takes two seconds. A slice assignment also takes long, because it includes the error messages for
mismatched shapes.
"""

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from solver.compiling.jit import always_inline, helper, kernel


@kernel
def fill(array: NDArray[Any], value: int) -> None:
    """Set every item of a flat array to a value."""
    for place in range(array.shape[0]):
        array[place] = value


@helper
def zeros(length: int, dtype: DTypeLike) -> NDArray[Any]:
    """Return a flat array of zeros."""
    array = np.empty(length, dtype)
    for place in range(length):
        array[place] = 0
    return array


@helper
def zero_rows(rows: int, length: int, dtype: DTypeLike) -> NDArray[Any]:
    """Return an array (rows, length) of zeros."""
    array = np.empty((rows, length), dtype)
    for row in range(rows):
        for place in range(length):
            array[row, place] = 0
    return array


@helper
def offsets_from(lengths: NDArray[Any]) -> NDArray[np.int32]:
    """Return the CSR offsets of rows with these lengths, from 0 to the sum of the lengths."""
    offsets = np.empty(lengths.shape[0] + 1, np.int32)
    offsets[0] = 0
    for row in range(lengths.shape[0]):
        offsets[row + 1] = offsets[row] + lengths[row]
    return offsets


@always_inline
def copy(source: NDArray[Any], target: NDArray[Any]) -> None:
    """Copy a flat array to the start of another one that is at least as long."""
    for place in range(source.shape[0]):
        target[place] = source[place]


@always_inline
def copy_rows(source: NDArray[Any], target: NDArray[Any]) -> None:
    """Copy the rows of an array to an array with at least as many rows and columns."""
    for row in range(source.shape[0]):
        copy(source[row], target[row])


@kernel
def nth_smallest(numbers: NDArray[Any], count: int, place: int) -> Any:
    """Return the number that would be at index `place` if the first `count` numbers were sorted.

    These numbers are reordered in place, with Hoare's FIND: https://doi.org/10.1145/366622.366647.
    """
    low, high = 0, count - 1
    while low < high:
        pivot = numbers[place]
        i, j = low, high
        while i <= j:
            while numbers[i] < pivot:
                i += 1
            while pivot < numbers[j]:
                j -= 1
            if i <= j:
                numbers[i], numbers[j] = numbers[j], numbers[i]
                i += 1
                j -= 1
        if j < place:
            low = i
        if place < i:
            high = j
    return numbers[place]
