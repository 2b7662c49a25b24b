"""Classes for counting records by guesses: exact up to 511, then within 1/256.

A class contains all numbers of guesses that have the same nine leading bits and the same length. It
is represented by its smallest number:

    1 1 0 1 0 0 1 0 0 | 1 1 1        3,367 is in the class of 3,360 … 3,367
          kept           any
"""

import numpy as np
from numpy.typing import NDArray

_KEPT_BITS = 9


def classes_of(steps: NDArray[np.int64]) -> NDArray[np.int64]:
    """Replace each number of guesses with the smallest number in its class.

    Up to 511, each number has a class of its own, so it stays unchanged. Numbers must be from 0 to
    2⁵³ − 1.
    """
    if steps.max(initial=0) < 1 << _KEPT_BITS:
        return steps
    _, bits = np.frexp(steps.astype(np.float64))
    dropped: NDArray[np.int64] = np.maximum(bits - _KEPT_BITS, 0).astype(np.int64)
    classes: NDArray[np.int64] = steps >> dropped << dropped
    return classes


def most_in_class(least: int) -> int:
    """Return the largest number in the class of guesses whose smallest number is `least`."""
    return least + (1 << max(least.bit_length() - _KEPT_BITS, 0)) - 1
