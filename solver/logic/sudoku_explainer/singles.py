"""Hidden and naked singles."""

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import kernel
from solver.logic.board import Ints
from solver.logic.deduction_buffer import begin, note
from solver.logic.deduction_rows import BASE, PLACE
from solver.logic.sudoku_explainer import techniques
from solver.logic.sudoku_explainer.houses import HOUSE_CELLS, HOUSE_ORDER, ROWS
from solver.logic.sudoku_explainer.rules import house_count
from solver.logic.sudoku_explainer.state import State
from solver.logic.sudoku_explainer.techniques import HIDDEN_SINGLE_IN_LINE, RATINGS


@kernel
def find_hidden_single(state: State, buffer: Ints) -> float:
    """Search for a value with a single place in a house, and write its placement.

    Full houses come first. Returns the rating of the placement, or 0.0 if there is none.
    """
    for fills in range(1, -1, -1):
        for number in range(house_count(state.rules)):
            house = HOUSE_ORDER[number]
            if state.open[house] == 0 or (state.open[house] == 1) != (fills == 1):
                continue
            for value in range(9):
                if popcount(state.places[house, value]) == 1:
                    cell = HOUSE_CELLS[house, ctz(state.places[house, value])]
                    code = techniques.FULL_HOUSE if fills else techniques.HIDDEN_SINGLE
                    begin(buffer, code)
                    note(buffer, PLACE, cell, value + 1)
                    note(buffer, BASE, house, 0)
                    if not fills and house >= ROWS:
                        return HIDDEN_SINGLE_IN_LINE
                    return float(RATINGS[code])
    return 0.0


@kernel
def find_naked_single(state: State, buffer: Ints) -> float:
    """Search for a cell with a single candidate, and write its placement.

    Returns the rating of the placement, or 0.0 if there is none.
    """
    for cell in range(81):
        if popcount(state.cells[cell]) == 1:
            begin(buffer, techniques.NAKED_SINGLE)
            note(buffer, PLACE, cell, ctz(state.cells[cell]) + 1)
            return float(RATINGS[techniques.NAKED_SINGLE])
    return 0.0
