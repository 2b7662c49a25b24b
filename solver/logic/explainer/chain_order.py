"""Which of the chains that a search comes upon is taken: the shortest, in Sudoku Explainer's order.

A chain has a rating, a complexity (how many assertions it has, those of nested chains included),
a kind that decides between equals, and a place in the order in which the search comes upon it.
"""

from typing import Any

import numpy as np

from solver.compiling.jit import bare

NO_LIMIT = 1 << 20


def _longer() -> Any:
    """Return what is added to the rating of a chain, for each complexity (floats add up)."""
    added, steps, least = 0.0, [4, 6], 0
    table = np.zeros(1024)
    for complexity in range(1024):
        while complexity - 2 > steps[least]:
            added += 0.1
            least += 1
            steps.append(2 * steps[least - 1])
        table[complexity] = added
    return table


LONGER = _longer()


# The best chain so far.
BEST = np.dtype(
    [
        ("rating", "f8", (1,)),  # 0 for none
        ("key", "i8", (3,)),  # complexity, kind, order
        ("data", "i8", (8,)),  # what the chain is, as its finder notes it
    ],
    align=True,
)


@bare
def longer(complexity: int) -> float:
    """Return what the complexity of a chain adds to its rating."""
    if complexity < len(LONGER):
        return float(LONGER[complexity])
    added, least, is_odd = 0.0, 4, False
    while complexity - 2 > least:
        added += 0.1
        least = least * 4 // 3 if is_odd else least * 3 // 2
        is_odd = not is_odd
    return added


@bare
def is_better(best: Any, rating: float, complexity: int, kind: int, order: int) -> bool:
    """Return whether a chain comes before the best one so far."""
    if best.rating[0] == 0.0 or rating != best.rating[0]:
        return bool(best.rating[0] == 0.0 or rating < best.rating[0])
    if complexity != best.key[0]:
        return bool(complexity < best.key[0])
    if kind != best.key[1]:
        return bool(kind < best.key[1])
    return bool(order < best.key[2])


@bare
def keep(best: Any, rating: float, complexity: int, kind: int, order: int) -> None:
    """Make a chain the best one."""
    best.rating[0] = rating
    best.key[0] = complexity
    best.key[1] = kind
    best.key[2] = order


@bare
def most_complex(best: Any, base: float) -> int:
    """Return the greatest complexity with which a chain of a base rating may still be the best.

    A base rating of 0.0 stands for no chains at all.
    """
    if base == 0.0:
        return 0
    if best.rating[0] == 0.0:
        return NO_LIMIT
    complexity = best.key[0]
    if base + longer(complexity) <= best.rating[0]:
        while base + longer(complexity + 1) < best.rating[0]:
            complexity += 1
        return int(complexity)
    while complexity > 0 and base + longer(complexity) > best.rating[0]:
        complexity -= 1
    return int(complexity)
