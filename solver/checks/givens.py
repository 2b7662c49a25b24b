"""Find conflicts among givens, and the candidates that givens leave."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from solver.board.layout import Layout
from solver.board.symbols import Symbols


def find_conflict(layout: Layout, givens: NDArray[np.uint8], symbols: Symbols) -> str | None:
    """Describe the first conflict among givens (cells,), such as "5 twice in column 2: r1c2, r7c2".

    Conflicts in houses come before those in not-equal pairs. Other constraints aren't checked.
    Returns None if there is no conflict.
    """
    held = givens.tolist()
    for house in layout.houses:
        values = sorted(filter(None, map(held.__getitem__, house.cells)))
        for value in sorted({one for one, other in pairwise(values) if one == other}):
            cells = [cell for cell in house.cells if held[cell] == value]
            if len(cells) > 1:
                times = "twice" if len(cells) == 2 else f"{len(cells)} times"
                places = ", ".join(layout.cell_name(cell) for cell in cells)
                return f"{symbols.values[value - 1]} {times} in {house.name}: {places}"
    for links in layout.links:
        for first, second in links.pairs_in_grid(layout.cells):
            if held[first] and held[first] == held[second]:
                symbol = symbols.values[held[first] - 1]
                pair = f"{layout.cell_name(first)}, {layout.cell_name(second)}"
                return f"{symbol} twice, {links.place}: {pair}"
    return None


def candidates(layout: Layout, givens: NDArray[np.uint8]) -> tuple[tuple[int, ...], ...]:
    """Return, for each cell, the values 1…N that no given excludes, () for givens and holes.

    Givens exclude values through houses and not-equal pairs only, not through other constraints.
    """
    seen: list[set[int]] = [set() for _ in range(layout.cells)]
    for house in layout.houses:
        values = {int(givens[cell]) for cell in house.cells}
        for cell in house.cells:
            seen[cell] |= values
    for links in layout.links:
        for first, second in links.pairs_in_grid(layout.cells):
            seen[first].add(int(givens[second]))
            seen[second].add(int(givens[first]))
    return tuple(
        ()
        if givens[cell] or cell in layout.holes
        else tuple(value for value in range(1, layout.size + 1) if value not in seen[cell])
        for cell in range(layout.cells)
    )
