"""The links between the candidates of a state, in the order in which Sudoku Explainer follows them.

Candidates are numbered by cell, then by value. A true candidate makes its weak links false: the
other candidates of its cell, then the same value in its box, row, and column. A false candidate
makes its strong links true: the other one of two candidates in its cell, then the other one of two
places in its box, row, and column.

    weak[k]:    other values of the cell … | places of the value: box …, row …, column …
                                           ^ weak_from[k]: X-chains begin here
"""

from typing import Any

import numpy as np

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import kernel
from solver.logic.explainer.state import CELL_HOUSES, CELL_PLACES, HOUSE_CELLS

CANDIDATES = 729
_WEAK = 8 + 20
_STRONG = 4

# Links by candidate number. Entries beyond `count` are outdated.
LINKS = np.dtype(
    [
        ("count", "i8", (1,)),  # number of candidates
        ("number", "i8", (81, 9)),  # number of the candidate with a cell and value, or −1
        ("cell", "i8", (CANDIDATES,)),
        ("value", "i8", (CANDIDATES,)),
        ("weak", "i8", (CANDIDATES, 28)),
        ("weak_from", "i8", (CANDIDATES,)),  # index of the first link within houses
        ("weak_to", "i8", (CANDIDATES,)),
        ("strong", "i8", (CANDIDATES, 4)),
        ("strong_from", "i8", (CANDIDATES,)),  # 1 if the first link is within the cell, else 0
        ("strong_to", "i8", (CANDIDATES,)),
    ],
    align=True,
)


@kernel
def link(state: Any, links: Any) -> None:
    """Find all links of a state."""
    count = 0
    for cell in range(81):
        for value in range(9):
            if state.cells[cell] >> value & 1:
                links.number[cell, value] = count
                links.cell[count] = cell
                links.value[count] = value
                count += 1
            else:
                links.number[cell, value] = -1
    links.count[0] = count
    for candidate in range(count):
        _link_cell(state, links, candidate)
        _link_houses(state, links, candidate)


@kernel
def _link_cell(state: Any, links: Any, candidate: int) -> None:
    cell, value = links.cell[candidate], links.value[candidate]
    others = state.cells[cell] & ~(1 << value)
    end = 0
    while others:
        links.weak[candidate, end] = links.number[cell, ctz(others)]
        end += 1
        others &= others - 1
    links.weak_from[candidate] = end
    links.weak_to[candidate] = end
    links.strong_from[candidate] = 0
    if end == 1:
        links.strong[candidate, 0] = links.weak[candidate, 0]
        links.strong_from[candidate] = 1
    links.strong_to[candidate] = links.strong_from[candidate]


@kernel
def _link_houses(state: Any, links: Any, candidate: int) -> None:
    cell, value = links.cell[candidate], links.value[candidate]
    weak, strong = links.weak_to[candidate], links.strong_to[candidate]
    box = CELL_HOUSES[cell, 0]
    for kind in range(3):
        house = CELL_HOUSES[cell, kind]
        places = state.places[house, value] & ~(1 << CELL_PLACES[cell, kind])
        if popcount(places) == 1:
            other = links.number[HOUSE_CELLS[house, ctz(places)], value]
            is_new = True
            for earlier in range(links.strong_from[candidate], strong):
                is_new = is_new and links.strong[candidate, earlier] != other
            if is_new:
                links.strong[candidate, strong] = other
                strong += 1
        while places:
            other_cell = HOUSE_CELLS[house, ctz(places)]
            places &= places - 1
            if kind == 0 or CELL_HOUSES[other_cell, 0] != box:
                links.weak[candidate, weak] = links.number[other_cell, value]
                weak += 1
    links.weak_to[candidate] = weak
    links.strong_to[candidate] = strong
