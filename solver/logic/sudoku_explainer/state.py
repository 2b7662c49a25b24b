"""The state of a 9×9 puzzle for Sudoku Explainer's techniques, and tables of the board.

Houses have Sudoku Explainer's numbers: boxes 0–8, rows 9–17, columns 18–26. The places of a house,
i.e. the positions of its cells, have the numbers 0–8:

    box    0 1 2    row  0 1 2 3 4 5 6 7 8    column  0
           3 4 5                                      ⋮
           6 7 8                                      8

Values have the numbers 0–8, except in `State.values`. A set of values, or of places in a house, is
nine bits. A set of cells is two words: cell c is bit c % 64 of word c // 64.
"""

from itertools import combinations
from typing import Annotated, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import always_inline, kernel
from solver.compiling.records import record_dtype
from solver.logic.board import Bytes, Words

BOX, ROW, COLUMN = range(3)
BOXES, ROWS, COLUMNS = 0, 9, 18  # number of the first house of each kind
ALL_VALUES = 0x1FF


def _houses() -> Words:
    cells = np.arange(81).reshape(9, 9)
    boxes = cells.reshape(3, 3, 3, 3).swapaxes(1, 2).reshape(9, 9)
    return np.concatenate([boxes, cells, cells.T]).astype(np.int64)


def _words(members: NDArray[np.bool_]) -> Words:
    """Convert rows of 81 booleans, one per cell, to sets of cells with two words each."""
    padded = np.zeros((len(members), 128), np.bool_)
    padded[:, : members.shape[1]] = members
    return np.packbits(padded, axis=1, bitorder="little").view(np.int64)


HOUSE_CELLS = _houses()  # (27, 9)
_INSIDE = np.zeros((27, 81), np.bool_)
np.put_along_axis(_INSIDE, HOUSE_CELLS, values=True, axis=1)
CELL_HOUSES = np.ascontiguousarray(np.nonzero(_INSIDE.T)[1].reshape(81, 3).astype(np.int64))
CELL_PLACES = np.array(
    [[int(np.flatnonzero(HOUSE_CELLS[house] == cell)[0]) for house in CELL_HOUSES[cell]]
     for cell in range(81)], np.int64,
)  # fmt: skip
SEES = (_INSIDE.T.astype(np.int64) @ _INSIDE.astype(np.int64) > 0) & ~np.eye(81, dtype=np.bool_)
PEERS = np.nonzero(SEES)[1].reshape(81, 20).astype(np.int64)
PEER_SETS = _words(SEES)
HOUSE_SETS = _words(_INSIDE)

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
    """

    values: Annotated[Words, 81]
    cells: Annotated[Words, 81]
    places: Annotated[Words, 27, 9]
    sets: Annotated[Words, 9, 2]
    open: Annotated[Words, 27]
    placed: Annotated[Words, 9]


STATE = record_dtype(State)


@kernel
def fill(state: State, givens: Bytes) -> None:
    """Reset the state to the beginning of a puzzle: the givens, and the candidates that they allow.

    `givens` (81,) are 1–9, or 0 for empty cells.
    """
    state.values[:] = 0
    state.cells[:] = ALL_VALUES
    state.places[:] = ALL_VALUES
    state.sets[:, 0] = -1
    state.sets[:, 1] = (1 << 17) - 1
    state.open[:] = 9
    state.placed[:] = 0
    for cell in range(81):
        if givens[cell]:
            place(state, cell, int(givens[cell]) - 1)


@kernel
def copy_candidates(state: State, source: State) -> None:
    """Copy everything except `values` from the state `source` to `state`."""
    for cell in range(81):
        state.cells[cell] = source.cells[cell]
    for house in range(27):
        for value in range(9):
            state.places[house, value] = source.places[house, value]
        state.open[house] = source.open[house]
    for value in range(9):
        state.sets[value, 0] = source.sets[value, 0]
        state.sets[value, 1] = source.sets[value, 1]
        state.placed[value] = source.placed[value]


@kernel
def remove(state: State, cell: int, value: int) -> None:
    """Remove the value (0–8) from the candidates of a cell. Do nothing if it isn't a candidate."""
    if state.cells[cell] >> value & 1:
        state.cells[cell] ^= 1 << value
        for kind in range(3):
            state.places[CELL_HOUSES[cell, kind], value] ^= 1 << CELL_PLACES[cell, kind]
        state.sets[value, cell >> 6] ^= 1 << (cell & 63)


@kernel
def place(state: State, cell: int, value: int) -> None:
    """Place a value (0–8) in an open cell, and remove all candidates that this rules out.

    These are the other candidates of the cell and the value's candidates in the peers. The placed
    candidate is removed as well.
    """
    rest = state.cells[cell]
    while rest:
        remove(state, cell, ctz(rest))
        rest &= rest - 1
    for number in range(20):
        remove(state, PEERS[cell, number], value)
    state.values[cell] = value + 1
    state.placed[value] += 1
    for kind in range(3):
        state.open[CELL_HOUSES[cell, kind]] -= 1


@always_inline
def is_pair(bits: Any) -> Any:
    """Return whether exactly two bits are set."""
    return popcount(bits) == 2


class Rated(Protocol):
    """ER, EP, and ED of a puzzle that is being solved (see `solver.logic.difficulty`).

    They take the steps found so far into account. A rating that isn't known yet is 0.0.
    """

    er: float
    ep: float
    ed: float


RATED = record_dtype(Rated)
