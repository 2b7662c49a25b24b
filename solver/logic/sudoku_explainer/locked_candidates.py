"""Pointing and claiming, and their direct forms, which also place a hidden single.

Values count from 0.
"""

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import kernel
from solver.logic.board import Ints
from solver.logic.deduction_buffer import begin, note
from solver.logic.deduction_rows import BASE, COVER, PLACE, REMOVE, VALUE
from solver.logic.sudoku_explainer import techniques
from solver.logic.sudoku_explainer.houses import (
    BOX,
    CELL_HOUSES,
    COLUMN,
    GROUP,
    HOUSE_CELLS,
    ROW,
    ROWS,
    WINDOW,
)
from solver.logic.sudoku_explainer.state import State
from solver.logic.sudoku_explainer.techniques import RATINGS

# In Sudoku Explainer's order: the kind of house in which the value is locked, and the kind that
# loses it.
SECTIONS = ((BOX, COLUMN), (BOX, ROW), (COLUMN, BOX), (ROW, BOX))
# The same for boards with groups or windows, in SukakuExplainer's order.
ADDED_SECTIONS = (
    (GROUP, COLUMN), (GROUP, ROW), (COLUMN, GROUP), (ROW, GROUP), (BOX, GROUP), (GROUP, BOX),
    (WINDOW, COLUMN), (WINDOW, ROW), (COLUMN, WINDOW), (ROW, WINDOW), (BOX, WINDOW), (WINDOW, BOX),
    (WINDOW, GROUP), (GROUP, WINDOW),
)  # fmt: skip

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
                if other >= 0:
                    rating = _find_parallel(state, buffer, house, other, value)
                    if rating:
                        return float(rating)
    if not state.rules.kinds:
        return 0.0
    for kind, other_kind in ADDED_SECTIONS:
        if not (_has_kind(state, kind) and _has_kind(state, other_kind)):
            continue
        for value in range(9):
            for house in range(9 * kind, 9 * kind + 9):
                other = _meeting(state, house, other_kind, value)
                if other >= 0:
                    rating = _find_parallel(state, buffer, house, other, value)
                    if rating:
                        return float(rating)
    return 0.0


@kernel
def _has_kind(state: State, kind: int) -> bool:
    """Return whether the board has houses of a kind. It always has boxes, rows, and columns."""
    return bool(kind < GROUP or state.rules.kinds >> kind & 1)


@kernel
def _meeting(state: State, house: int, other_kind: int, value: int) -> int:
    """Return the house of kind `other_kind` that contains all places of a value in `house`, or −1.

    Like `crossing`, but for all kinds of houses except diagonals.
    """
    places = state.places[house, value]
    if popcount(places) < 2:
        return -1
    other = CELL_HOUSES[HOUSE_CELLS[house, ctz(places)], other_kind]
    places &= places - 1
    while places:
        if CELL_HOUSES[HOUSE_CELLS[house, ctz(places)], other_kind] != other:
            return -1
        places &= places - 1
    return int(other)


@kernel
def _find_parallel(state: State, buffer: Ints, house: int, other: int, value: int) -> float:
    """Search for a parallel house that keeps a single place for a value, and write its placement.

    The value is locked in `house`, and loses its places in the rest of `other`. Returns the rating
    of the deduction, or 0.0 if there is no such house.
    """
    kind = house // 9
    for parallel in range(9 * kind, 9 * kind + 9):
        cell = _left(state, parallel, other, value)
        if parallel != house and cell >= 0:
            code = techniques.DIRECT_POINTING if kind == BOX else techniques.DIRECT_CLAIMING
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
                    return float(_note_locked(state, buffer, house, other, value))
    if not state.rules.kinds:
        return 0.0
    for kind, other_kind in ADDED_SECTIONS:
        if not (_has_kind(state, kind) and _has_kind(state, other_kind)):
            continue
        for value in range(9):
            for house in range(9 * kind, 9 * kind + 9):
                other = _meeting(state, house, other_kind, value)
                if other >= 0 and is_removing(state, house, other, value):
                    return float(_note_locked(state, buffer, house, other, value))
    return 0.0


@kernel
def _note_locked(state: State, buffer: Ints, house: int, other: int, value: int) -> float:
    """Write the eliminations of a value that is locked in `house` from the rest of `other`.

    Returns their rating. Values that lose places in a row or column have that of pointing, others
    that of claiming.
    """
    kind = house // 9
    code = techniques.POINTING if other // 9 in (ROW, COLUMN) else techniques.CLAIMING
    begin(buffer, code)
    _note(buffer, house, other, value)
    for place in range(9):
        cell = HOUSE_CELLS[other, place]
        if CELL_HOUSES[cell, kind] != house and state.cells[cell] >> value & 1:
            note(buffer, REMOVE, cell, value + 1)
    return float(RATINGS[code])


@kernel
def _note(buffer: Ints, house: int, other: int, value: int) -> None:
    """Write the house in which a value is locked, the house that loses it, and the value."""
    note(buffer, BASE, house, 0)
    note(buffer, COVER, other, 0)
    note(buffer, VALUE, value + 1, 0)
