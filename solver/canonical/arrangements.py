"""Build tables of the column orders that keep stacks together, and of those that minimize a row."""

from functools import cache
from itertools import permutations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

BITS = 4  # per column in an order, and per value in a row


class Arrangements(NamedTuple):
    """Lookup tables for the search, about the 1296 column orders that keep stacks together.

    Two kinds of words occur. Their parts are listed from the highest bits to the lowest:

    order    column at position 8 … column at position 0    36 bits
    pattern  given in column 0 … given in column 8           9 bits, 1 = given

    The tables:

    orders    (1296,) int64: all orders of the columns
    heads     (1296 · 9,) int64: at index 9·n + k, the first k columns of order n, as a pattern
    numbers   (25920,) int64: the indices of the orders that minimize a pattern, pattern by pattern
    starts    (513,) int64: where the indices for each pattern start in `numbers`
    least     (512,) int64: the least pattern that any order makes of each pattern
    within    (6,) int64: the orders of the three columns of a stack, 12 bits
    """

    orders: NDArray[np.int64]
    heads: NDArray[np.int64]
    numbers: NDArray[np.int64]
    starts: NDArray[np.int64]
    least: NDArray[np.int64]
    within: NDArray[np.int64]


@cache
def arrangements() -> Arrangements:
    """Return the lookup tables. They are computed on the first call."""
    in_stack = list(permutations(range(3)))
    columns = np.array(
        [
            [
                3 * stack + place
                for stack, order in zip(stacks, orders, strict=True)
                for place in order
            ]
            for stacks in in_stack
            for orders in product(in_stack, repeat=3)
        ],
        np.int64,
    )
    bits = 1 << 8 - columns
    heads = np.hstack((np.zeros((len(columns), 1), np.int64), np.cumsum(bits, axis=1)[:, :8]))
    patterns = np.arange(1 << 9)
    givens = patterns[:, None] >> 8 - np.arange(9) & 1
    made = (givens[:, columns] << 8 - np.arange(9)).sum(axis=2)
    least = made.min(axis=1)
    rows, numbers = np.nonzero(made == least[:, None])
    return Arrangements(
        orders=(columns << BITS * np.arange(9)).sum(axis=1),
        heads=heads.reshape(-1),
        numbers=numbers,
        starts=np.searchsorted(rows, np.arange(len(patterns) + 1)),
        least=least,
        within=(np.array(in_stack, np.int64) << BITS * np.arange(3)).sum(axis=1),
    )
