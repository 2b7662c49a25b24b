"""Select the chain that Sudoku Explainer would take: the easiest, then the shortest one.

A chain has a rating, a complexity (its number of assertions, including those of nested chains), a
kind that breaks ties, and a position in the order in which the search finds chains.
"""

from typing import Any, Protocol

import numpy as np

from solver.compiling.jit import kernel
from solver.compiling.records import record_dtype

NO_LIMIT = 1 << 20


def _length_ratings() -> Any:
    """Return a table of the amounts that complexities add to the ratings of chains.

    The index is the complexity, from 0 to 1023. The amounts are sums of floats, with the same
    rounding errors as in Sudoku Explainer.
    """
    added, steps, least = 0.0, [4, 6], 0
    table = np.zeros(1024)
    for complexity in range(1024):
        while complexity - 2 > steps[least]:
            added += 0.1
            least += 1
            steps.append(2 * steps[least - 1])
        table[complexity] = added
    return table


LENGTH_RATINGS = _length_ratings()


class Best(Protocol):
    """The best chain that a search has found so far.

    The sort keys, the lowest of which come first:

    rating      the difficulty rating. In `forcing_x_xy`, it is 0 if there is no chain yet. In
                `search`, it is always 0, and `kind` is NO_KIND if there is no chain yet.
    complexity  the number of assertions, including those of nested chains
    kind        a number from 0 that decides between kinds of chains of equal complexity
    order       the position in the order in which the search finds chains, 0 in `search`

    Numbers with which the search finds the chain again:

    type    in `forcing_x_xy`: CYCLE, CHAIN_OFF, or CHAIN_ON; in `search`: CONTRADICTION, DOUBLE,
            CELL, or REGION
    one     in `forcing_x_xy`: the first candidate; in `search`: the run for CONTRADICTION, the
            candidate for DOUBLE, the cell for CELL, the house for REGION
    other   in `forcing_x_xy`: the mode X, Y, or XY; in `search`: the value (0–8) for REGION, else 0
    target  in `search`: the assertion that is proven; not used in `forcing_x_xy`
    """

    rating: float
    complexity: int
    kind: int
    order: int
    type: int
    one: int
    other: int
    target: int


BEST = record_dtype(Best)


@kernel
def length_rating(complexity: int) -> float:
    """Return the amount that a chain's complexity (its number of assertions) adds to its rating."""
    if complexity < len(LENGTH_RATINGS):
        return float(LENGTH_RATINGS[complexity])
    added, least, is_odd = 0.0, 4, False
    while complexity - 2 > least:
        added += 0.1
        least = least * 4 // 3 if is_odd else least * 3 // 2
        is_odd = not is_odd
    return added


@kernel
def is_better(best: Best, rating: float, complexity: int, kind: int, order: int) -> bool:
    """Return whether a chain with these sort keys comes before the best one so far.

    Lower ratings come first, then lower complexities, kinds, and orders of discovery. Any chain is
    better if there is none so far, which `best.rating` 0.0 means.
    """
    if best.rating == 0.0 or rating != best.rating:
        return bool(best.rating == 0.0 or rating < best.rating)
    if complexity != best.complexity:
        return bool(complexity < best.complexity)
    if kind != best.kind:
        return bool(kind < best.kind)
    return bool(order < best.order)


@kernel
def keep(best: Best, rating: float, complexity: int, kind: int, order: int) -> None:
    """Store the sort keys of a chain as those of the best one, without comparing them."""
    best.rating = rating
    best.complexity = complexity
    best.kind = kind
    best.order = order


@kernel
def most_complex(best: Best, base: float) -> int:
    """Return the highest complexity with which a new chain could become the best one.

    `best` is the best chain so far. If there is none, the result is NO_LIMIT. `base` is the new
    chain's rating without the addition for its complexity. A base rating of 0.0 means that the
    search finds no such chains, so the result is 0.
    """
    if base == 0.0:
        return 0
    if best.rating == 0.0:
        return NO_LIMIT
    complexity = best.complexity
    if base + length_rating(complexity) <= best.rating:
        while base + length_rating(complexity + 1) < best.rating:
            complexity += 1
        return int(complexity)
    while complexity > 0 and base + length_rating(complexity) > best.rating:
        complexity -= 1
    return int(complexity)
