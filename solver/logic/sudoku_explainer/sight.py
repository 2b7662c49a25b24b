"""Cells that see several others, and rules that keep two values from being exchanged."""

from solver.compiling.bitops import ctz
from solver.compiling.jit import kernel
from solver.logic.board import Ints
from solver.logic.deduction_buffer import note_cells
from solver.logic.deduction_rows import REMOVE
from solver.logic.sudoku_explainer.houses import HOUSE_CELLS
from solver.logic.sudoku_explainer.rules import NEIGHBORS
from solver.logic.sudoku_explainer.state import State


@kernel
def is_restricted(state: State, cell: int, values: int) -> bool:
    """Return whether a king's or knight's move or consecutive values restrict a cell's values.

    This is the case if a cell that is a move away still has any of the `values` (bits), or if an
    adjacent cell of a nonconsecutive board has the value before or after.
    """
    rules = state.rules
    for number in range(rules.leap_count[cell]):
        if state.cells[int(rules.leaps[cell, number])] & values:
            return True
    near = values << 1 | values >> 1
    number = 0
    while rules.is_nonconsecutive and NEIGHBORS[cell, number] >= 0:
        if state.cells[NEIGHBORS[cell, number]] & near:
            return True
        number += 1
    return False


@kernel
def _seeing(state: State, house: int, members: int, value: int, word: int) -> int:
    """Return the cells that have a value and see all members of a house that have it.

    `members` are the members' places in the house (bits). A set of cells has two words, and `word`
    (0 or 1) selects the one that is returned.
    """
    seeing = state.sets[value, word]
    while members:
        cell = HOUSE_CELLS[house, ctz(members)]
        members &= members - 1
        if state.cells[cell] >> value & 1:
            seeing &= state.rules.peer_sets[cell, word]
    return int(seeing)


@kernel
def is_any_seeing(state: State, house: int, members: int, values: int) -> bool:
    """Return whether a cell with one of the values sees all members of a naked set that have it.

    The arguments are those of `note_seeing`, which would then write an elimination.
    """
    while values:
        value = ctz(values)
        values &= values - 1
        if _seeing(state, house, members, value, 0) | _seeing(state, house, members, value, 1):
            return True
    return False


@kernel
def note_seeing(state: State, buffer: Ints, house: int, members: int, values: int) -> None:
    """Write the eliminations of each value from the cells that see all members that have it.

    `members` are the cells of a naked set, as places in the house, and `values` are its values
    (both bits).
    """
    while values:
        value = ctz(values)
        values &= values - 1
        low = _seeing(state, house, members, value, 0)
        high = _seeing(state, house, members, value, 1)
        note_cells(buffer, REMOVE, low, high, value + 1)
