"""Eliminations from the rule nonconsecutive: by a cell, and by the places of a value in a house."""

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import kernel
from solver.logic.board import Ints
from solver.logic.deduction_buffer import begin, note, note_values
from solver.logic.deduction_rows import BASE, CELL, REMOVE, VALUE
from solver.logic.sudoku_explainer import techniques
from solver.logic.sudoku_explainer.houses import BOX, COLUMN, HOUSE_CELLS, ROW, WINDOW
from solver.logic.sudoku_explainer.rules import NEIGHBORS
from solver.logic.sudoku_explainer.state import State
from solver.logic.sudoku_explainer.techniques import RATINGS

_MOST_IN_BOX, _MOST_IN_LINE = 5, 3  # places that a cell and its neighbors can contain
_SQUARE_HOUSES = 4  # the windows; the groups of cells between them are left out


@kernel
def find_nonconsecutive(state: State, buffer: Ints) -> float:
    """Search for eliminations from the rule nonconsecutive, if the board has it, and write them.

    Returns their rating, or 0.0 if there are none.
    """
    if not state.rules.is_nonconsecutive:
        return 0.0
    return float(_find_by_cell(state, buffer) or _find_by_house(state, buffer))


@kernel
def _find_by_cell(state: State, buffer: Ints) -> float:
    """Search for values that no neighbor of a cell can have, whichever candidate the cell has.

    If the cell's only candidates are two consecutive values, these are both of them. If they are
    three consecutive values, or two that differ by two, it is the value in the middle. Writes the
    first eliminations found, and returns their rating, or 0.0 if there are none.
    """
    for cell in range(81):
        values = state.cells[cell]
        count = popcount(values)
        if count not in (2, 3):
            continue
        lowest = values & -values
        gone = 0
        if values == 3 * lowest:
            gone = values
        elif values & ~(7 * lowest) == 0:
            gone = 2 * lowest
        if gone and _is_in_neighbors(state, cell, gone):
            begin(buffer, techniques.NONCONSECUTIVE_CELL)
            note(buffer, CELL, cell, 0)
            number = 0
            while NEIGHBORS[cell, number] >= 0:
                neighbor = NEIGHBORS[cell, number]
                note_values(buffer, REMOVE, neighbor, state.cells[neighbor] & gone)
                number += 1
            return float(RATINGS[techniques.NONCONSECUTIVE_CELL])
    return 0.0


@kernel
def _is_in_neighbors(state: State, cell: int, values: int) -> bool:
    """Return whether a cell adjacent to `cell` has any of the values (bits) as a candidate."""
    number = 0
    while NEIGHBORS[cell, number] >= 0:
        if state.cells[NEIGHBORS[cell, number]] & values:
            return True
        number += 1
    return False


@kernel
def _find_by_house(state: State, buffer: Ints) -> float:
    """Search for cells that are adjacent to all places of a value in a house.

    Such a cell can't have the value before or after. It can be one of the places itself, if it is
    adjacent to all others. Writes the first eliminations found, and returns their rating, or 0.0 if
    there are none.
    """
    for value in range(9):
        for kind in (WINDOW, COLUMN, ROW, BOX):
            if kind == WINDOW and not state.rules.kinds >> WINDOW & 1:
                continue
            most = _MOST_IN_LINE if kind in (COLUMN, ROW) else _MOST_IN_BOX
            for number in range(_SQUARE_HOUSES if kind == WINDOW else 9):
                house = 9 * kind + number
                if not 0 < popcount(state.places[house, value]) <= most:
                    continue
                if _note_house(state, buffer, house, value):
                    return float(RATINGS[techniques.NONCONSECUTIVE_HOUSE])
    return 0.0


@kernel
def _note_house(state: State, buffer: Ints, house: int, value: int) -> bool:
    """Write the eliminations that follow from a value's places in a house.

    A cell that is adjacent to each place, or is one of them, loses the values one lower and one
    higher. Returns whether there are any eliminations.
    """
    gone = (5 << value) >> 1 & 0x1FF  # the values before and after
    is_removing = False
    first = HOUSE_CELLS[house, ctz(state.places[house, value])]
    for number in range(-1, 4):
        cell = first if number < 0 else NEIGHBORS[first, number]
        if cell < 0:
            break
        if not state.cells[cell] & gone or not _is_near_all(state, cell, house, value):
            continue
        if not is_removing:
            is_removing = True
            begin(buffer, techniques.NONCONSECUTIVE_HOUSE)
            note(buffer, BASE, house, 0)
            note(buffer, VALUE, value + 1, 0)
        note_values(buffer, REMOVE, cell, state.cells[cell] & gone)
    return is_removing


@kernel
def _is_near_all(state: State, cell: int, house: int, value: int) -> bool:
    """Return whether each place of a value in a house is the given cell or adjacent to it."""
    places = state.places[house, value]
    while places:
        place = HOUSE_CELLS[house, ctz(places)]
        places &= places - 1
        is_near = cell == place
        number = 0
        while NEIGHBORS[cell, number] >= 0:
            is_near = is_near or NEIGHBORS[cell, number] == place
            number += 1
        if not is_near:
            return False
    return True
