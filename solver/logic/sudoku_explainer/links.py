"""The links between the candidates of a state, in the order in which Sudoku Explainer follows them.

Candidates are numbered by cell, then by value. A true candidate makes the candidates false to which
it has weak links: the other candidates of its cell, then the same value in its box, row, and
column, and then as the other rules say. A false candidate makes the candidates true to which it has
strong links: the only other candidate of its cell, then the only other place of its value in its
box, row, column, and other houses.

The links of candidate k within its cell come first, and X-chains skip them:

    weak[k]:    other values of the cell … | places of the value: box …, row …, column …, others …
                                           ^ weak_from[k]                               ^ weak_to[k]
"""

from typing import Annotated, Protocol

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import kernel
from solver.compiling.records import record_dtype
from solver.logic.board import Words
from solver.logic.sudoku_explainer.houses import CELL_PLACES, HOUSE_CELLS, KINDS
from solver.logic.sudoku_explainer.rules import NEIGHBORS, house_of, kind_count
from solver.logic.sudoku_explainer.state import State

CANDIDATES = 729
MOST_WEAK = 64  # links of a candidate
_MOST_STRONG = 1 + KINDS


class Links(Protocol):
    """The numbered candidates of a state, and the weak and strong links of each.

    `count` is the number of candidates. `number[cell, value]` is the number of a candidate, or −1
    if the cell doesn't have the value as a candidate. `cell` and `value` are indexed by this
    number, and so are the other fields.

    The candidates to which candidate k has weak links are weak[k, :weak_to[k]]. The first
    weak_from[k] of them are in the same cell. The strong links have the same form, and
    strong_from[k] is 0 or 1. Entries for numbers from `count` on are outdated.
    """

    count: int
    number: Annotated[Words, 81, 9]
    cell: Annotated[Words, CANDIDATES]
    value: Annotated[Words, CANDIDATES]
    weak: Annotated[Words, CANDIDATES, MOST_WEAK]
    weak_from: Annotated[Words, CANDIDATES]
    weak_to: Annotated[Words, CANDIDATES]
    strong: Annotated[Words, CANDIDATES, _MOST_STRONG]
    strong_from: Annotated[Words, CANDIDATES]
    strong_to: Annotated[Words, CANDIDATES]


LINKS = record_dtype(Links)


@kernel
def link(state: State, links: Links) -> None:
    """Find all weak and strong links between the candidates of a state, and number the candidates.

    Overwrites `links`.
    """
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
    links.count = count
    for candidate in range(count):
        _link_cell(state, links, candidate)
        _link_houses(state, links, candidate)
        if state.rules.is_variant:
            _link_neighbors(state, links, candidate)


@kernel
def _link_cell(state: State, links: Links, candidate: int) -> None:
    """Find the links of a candidate within its cell. Its earlier links are discarded."""
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
def _link_houses(state: State, links: Links, candidate: int) -> None:
    """Add the links of a candidate in its houses, where each linked candidate has the same value.

    A candidate that shares several houses with it is added only once.
    """
    cell, value = links.cell[candidate], links.value[candidate]
    weak, strong = links.weak_to[candidate], links.strong_to[candidate]
    for kind in range(kind_count(state.rules)):
        house = house_of(state.rules, cell, kind)
        if house < 0:
            continue
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
            shared = state.rules.house_bits[cell] & state.rules.house_bits[other_cell]
            if shared & ((1 << house) - 1) == 0:  # they share no house of an earlier kind
                links.weak[candidate, weak] = links.number[other_cell, value]
                weak += 1
    links.weak_to[candidate] = weak
    links.strong_to[candidate] = strong


@kernel
def _link_neighbors(state: State, links: Links, candidate: int) -> None:
    """Add the weak links of a candidate that follow from king's and knight's moves.

    On nonconsecutive boards, also adds those to adjacent candidates with consecutive values.
    """
    cell, value = links.cell[candidate], links.value[candidate]
    weak = links.weak_to[candidate]
    for number in range(state.rules.leap_count[cell]):
        other_cell = int(state.rules.leaps[cell, number])
        if state.cells[other_cell] >> value & 1:
            links.weak[candidate, weak] = links.number[other_cell, value]
            weak += 1
    number = 0
    while state.rules.is_nonconsecutive and NEIGHBORS[cell, number] >= 0:
        other_cell = NEIGHBORS[cell, number]
        number += 1
        for other in (value + 1, value - 1):
            if 0 <= other < 9 and state.cells[other_cell] >> other & 1:
                links.weak[candidate, weak] = links.number[other_cell, other]
                weak += 1
    links.weak_to[candidate] = weak
