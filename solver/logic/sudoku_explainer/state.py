"""The state of a 9×9 puzzle for Sudoku Explainer's techniques.

Values have the numbers 0–8, except in `State.values`. A set of values, or of places in a house, is
nine bits. A set of cells is two words: cell c is bit c % 64 of word c // 64. The module `houses`
has the numbers of houses and places.
"""

from itertools import combinations
from typing import Annotated, Any, Protocol

import numpy as np

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import always_inline, kernel
from solver.compiling.records import record_dtype
from solver.logic.board import Bytes, Words
from solver.logic.sudoku_explainer.houses import (
    CELL_HOUSES,
    CELL_PLACES,
    CLASSIC_HOUSES,
    CLASSIC_KINDS,
    HOUSES,
    KINDS,
)
from solver.logic.sudoku_explainer.rules import (
    NEIGHBORS,
    Rules,
    house_of,
    is_on_board,
    kind_count,
)

ALL_VALUES = 0x1FF

# All d-element subsets of nine things, as bits in ascending order: SETS[SETS_FROM[d]:SETS_FROM[d +
# 1]]
_SETS = [sorted(sum(1 << bit for bit in chosen) for chosen in combinations(range(9), size))
         for size in range(10)]  # fmt: skip
SETS = np.array([bits for row in _SETS for bits in row], np.int64)
SETS_FROM = np.cumsum([0, *map(len, _SETS)]).astype(np.int64)


class State(Protocol):
    """Placed values and remaining candidates.

    values[cell]          the placed value, 1–9, or 0 for an open cell
    cells[cell]           the candidates as bits (bit 0 = value 1), 0 once the cell has a value
    places[house, value]  the places of the house that have the value as a candidate, as bits
    sets[value]           the cells that have the value as a candidate, as two words
    open[house]           the number of open cells in the house
    placed[value]         the number of cells that have the value
    rules                 the rules of the board, which don't change

    Houses that aren't on the board have no places and no open cells.
    """

    values: Annotated[Words, 81]
    cells: Annotated[Words, 81]
    places: Annotated[Words, HOUSES, 9]
    sets: Annotated[Words, 9, 2]
    open: Annotated[Words, HOUSES]
    placed: Annotated[Words, 9]
    rules: Rules


STATE = record_dtype(State)


@kernel
def fill(state: State, givens: Bytes) -> None:
    """Reset the state to the beginning of a puzzle: the givens, and the candidates that they allow.

    `givens` (81,) are 1–9, or 0 for empty cells. The rules must have been set before.
    """
    state.values[:] = 0
    state.cells[:] = ALL_VALUES
    state.places[:] = ALL_VALUES
    state.sets[:, 0] = -1
    state.sets[:, 1] = (1 << 17) - 1
    state.open[:] = 9
    for house in range(CLASSIC_HOUSES, HOUSES):
        if not is_on_board(state.rules, house):
            state.places[house] = 0
            state.open[house] = 0
    state.placed[:] = 0
    for cell in range(81):
        if givens[cell]:
            place(state, cell, int(givens[cell]) - 1)


@kernel
def copy_candidates(state: State, source: State) -> None:
    """Copy everything except `values` and `rules` from the state `source` to `state`."""
    for cell in range(81):
        state.cells[cell] = source.cells[cell]
    for house in range(CLASSIC_HOUSES):
        for value in range(9):
            state.places[house, value] = source.places[house, value]
        state.open[house] = source.open[house]
    if state.rules.kinds:
        _copy_added_houses(state, source)
    for value in range(9):
        state.sets[value, 0] = source.sets[value, 0]
        state.sets[value, 1] = source.sets[value, 1]
        state.placed[value] = source.placed[value]


@kernel
def _copy_added_houses(state: State, source: State) -> None:
    """Copy the places and the numbers of open cells of groups, windows, and diagonals."""
    for house in range(CLASSIC_HOUSES, HOUSES):
        for value in range(9):
            state.places[house, value] = source.places[house, value]
        state.open[house] = source.open[house]


@kernel
def remove(state: State, cell: int, value: int) -> None:
    """Remove the value (0–8) from the candidates of a cell. Do nothing if it isn't a candidate."""
    if state.cells[cell] >> value & 1:
        state.cells[cell] ^= 1 << value
        for kind in range(CLASSIC_KINDS):
            state.places[CELL_HOUSES[cell, kind], value] ^= 1 << CELL_PLACES[cell, kind]
        if state.rules.kinds:
            _remove_from_added_houses(state, cell, value)
        state.sets[value, cell >> 6] ^= 1 << (cell & 63)


@kernel
def _remove_from_added_houses(state: State, cell: int, value: int) -> None:
    """Remove a candidate from the places of the groups, windows, and diagonals of its cell.

    The places must still contain it, because its bits are toggled. `value` counts from 0.
    """
    for kind in range(CLASSIC_KINDS, KINDS):
        house = house_of(state.rules, cell, kind)
        if house >= 0:
            state.places[house, value] ^= 1 << CELL_PLACES[cell, kind]


@kernel
def place(state: State, cell: int, value: int) -> None:
    """Place a value (0–8) in an open cell, and remove all candidates that this rules out.

    These are the other candidates of the cell, the value's candidates in the peers, and, if the
    board is nonconsecutive, the values before and after in the adjacent cells. The placed candidate
    is removed as well.
    """
    rest = state.cells[cell]
    while rest:
        remove(state, cell, ctz(rest))
        rest &= rest - 1
    for number in range(state.rules.peer_count[cell]):
        remove(state, int(state.rules.peers[cell, number]), value)
    if state.rules.is_nonconsecutive:
        _remove_consecutive(state, cell, value)
    state.values[cell] = value + 1
    state.placed[value] += 1
    for kind in range(kind_count(state.rules)):
        house = house_of(state.rules, cell, kind)
        if house >= 0:
            state.open[house] -= 1


@kernel
def _remove_consecutive(state: State, cell: int, value: int) -> None:
    """Remove the values before and after a value from the cells adjacent to `cell`."""
    number = 0
    while NEIGHBORS[cell, number] >= 0:
        if value < 8:
            remove(state, NEIGHBORS[cell, number], value + 1)
        if value > 0:
            remove(state, NEIGHBORS[cell, number], value - 1)
        number += 1


@always_inline
def is_pair(bits: Any) -> Any:
    """Return whether exactly two bits are set."""
    return popcount(bits) == 2


class Rated(Protocol):
    """ER, EP, and ED of a puzzle that is being solved (see `solver.logic.rating.difficulty`).

    They take the steps found so far into account. A rating that isn't known yet is 0.0.
    """

    er: float
    ep: float
    ed: float


RATED = record_dtype(Rated)
