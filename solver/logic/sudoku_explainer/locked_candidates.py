"""Pointing and claiming, and their direct forms, which also place a hidden single."""

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import kernel
from solver.logic.board import Ints
from solver.logic.deduction_buffer import begin, note
from solver.logic.rows import BASE, COVER, PLACE, REMOVE, VALUE
from solver.logic.sudoku_explainer import techniques
from solver.logic.sudoku_explainer.state import (
    BOX,
    CELL_HOUSES,
    COLUMN,
    HOUSE_CELLS,
    ROW,
    ROWS,
    State,
)
from solver.logic.sudoku_explainer.techniques import RATINGS

# In Sudoku Explainer's order: the kind of house in which the value is locked, and the kind that
# loses it.
SECTIONS = ((BOX, COLUMN), (BOX, ROW), (COLUMN, BOX), (ROW, BOX))

FIRST_ROW, FIRST_COLUMN = 0b000000111, 0b001001001  # places in a box, as bits
FIRST_BOX = 0b000000111  # places in a line, as bits


@kernel
def crossing(state: State, house: int, other_kind: int, value: int) -> int:
    """Return the house of kind `other_kind` that contains all places of a value in `house`, or −1.

    Also returns −1 if there are fewer than two places.
    """
    places = state.places[house, value]
    if popcount(places) < 2:
        return -1
    for number in range(3):
        if house < ROWS:
            line = FIRST_COLUMN << number if other_kind == COLUMN else FIRST_ROW << 3 * number
        else:
            line = FIRST_BOX << 3 * number
        if places & ~line == 0:
            return int(CELL_HOUSES[HOUSE_CELLS[house, ctz(places)], other_kind])
    return -1


@kernel
def is_removing(state: State, house: int, other: int, value: int) -> bool:
    """Return whether the value has places in the house `other` outside `house`.

    All its places in `house` must be in `other`.
    """
    return bool(popcount(state.places[other, value]) > popcount(state.places[house, value]))


@kernel
def find_direct_locked(state: State, buffer: Ints) -> float:
    """Search for a locked value whose eliminations leave a single place in a parallel house.

    A parallel house has the same kind as the house in which the value is locked. Writes the
    placement of the value in that place. Returns the rating of the deduction, or 0.0 if there is
    none.
    """
    for kind, other_kind in SECTIONS:
        for value in range(9):
            for house in range(9 * kind, 9 * kind + 9):
                other = crossing(state, house, other_kind, value)
                if other < 0:
                    continue
                for parallel in range(9 * kind, 9 * kind + 9):
                    cell = _left(state, parallel, other, value)
                    if parallel != house and cell >= 0:
                        code = techniques.DIRECT_POINTING
                        if kind != BOX:
                            code = techniques.DIRECT_CLAIMING
                        begin(buffer, code)
                        note(buffer, PLACE, cell, value + 1)
                        _note(buffer, house, other, value)
                        return float(RATINGS[code])
    return 0.0


@kernel
def _left(state: State, house: int, other: int, value: int) -> int:
    """Return the only cell of `house` outside `other` that has the value as a candidate, or −1.

    The value must also have a place in the intersection of the two houses. Otherwise, or if it has
    several places outside `other`, the result is −1.
    """
    places = state.places[house, value]
    if popcount(places) < 2:
        return -1
    left = 0
    rest = places
    while rest:
        cell = HOUSE_CELLS[house, ctz(rest)]
        if CELL_HOUSES[cell, other // 9] != other:
            left |= rest & -rest
        rest &= rest - 1
    if left == places or popcount(left) != 1:
        return -1
    return int(HOUSE_CELLS[house, ctz(left)])


@kernel
def find_locked_candidates(state: State, buffer: Ints) -> float:
    """Search for a value whose places in one house are all in another house as well.

    Writes the value's eliminations from the rest of the other house. Returns their rating, or 0.0
    if there are none.
    """
    for kind, other_kind in SECTIONS:
        for value in range(9):
            for house in range(9 * kind, 9 * kind + 9):
                other = crossing(state, house, other_kind, value)
                if other >= 0 and is_removing(state, house, other, value):
                    code = techniques.POINTING if kind == BOX else techniques.CLAIMING
                    begin(buffer, code)
                    _note(buffer, house, other, value)
                    for place in range(9):
                        cell = HOUSE_CELLS[other, place]
                        if CELL_HOUSES[cell, kind] != house and state.cells[cell] >> value & 1:
                            note(buffer, REMOVE, cell, value + 1)
                    return float(RATINGS[code])
    return 0.0


@kernel
def _note(buffer: Ints, house: int, other: int, value: int) -> None:
    note(buffer, BASE, house, 0)
    note(buffer, COVER, other, 0)
    note(buffer, VALUE, value + 1, 0)
