"""The state of a 9×9 puzzle for Sudoku Explainer's techniques, and tables of the board.

Houses have Sudoku Explainer's numbers: boxes 0–8, rows 9–17, columns 18–26. So do the places of a
cell in its houses:

    box    0 1 2    row  0 1 2 3 4 5 6 7 8    column  0
           3 4 5                                      ⋮
           6 7 8                                      8

Values are stored as 0–8. A set of values, or of places in a house, is nine bits. A set of cells is
two words: cell c is bit c % 64 of word c // 64.
"""

from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.compiling.bitops import ctz, popcount
from solver.compiling.jit import always_inline, kernel

BOX, ROW, COLUMN = range(3)
BOXES, ROWS, COLUMNS = 0, 9, 18  # number of the first house of each kind
ALL_VALUES = 0x1FF

Words = NDArray[np.int64]


def _houses() -> Words:
    cells = np.arange(81).reshape(9, 9)
    boxes = cells.reshape(3, 3, 3, 3).swapaxes(1, 2).reshape(9, 9)
    return np.concatenate([boxes, cells, cells.T]).astype(np.int64)


def _words(members: NDArray[np.bool_]) -> Words:
    """Convert rows of booleans to sets of cells."""
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


# Placed values and remaining candidates.
STATE = np.dtype(
    [
        ("values", "i8", (81,)),  # 1–9, 0 for an open cell
        ("cells", "i8", (81,)),  # candidates as bits, 0 once a cell has a value
        ("places", "i8", (27, 9)),  # places of a value in a house, as bits
        ("sets", "i8", (9, 2)),  # cells that have the value as a candidate
        ("open", "i8", (27,)),  # number of open cells in a house
        ("placed", "i8", (9,)),  # number of cells that have the value
    ],
    align=True,
)


@kernel
def fill(state: Any, givens: Any) -> None:
    """Start a puzzle with the candidates that its givens allow."""
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
def copy_candidates(state: Any, source: Any) -> None:
    """Copy another state, except for its values."""
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
def remove(state: Any, cell: int, value: int) -> None:
    """Remove a candidate, if it is there."""
    if state.cells[cell] >> value & 1:
        state.cells[cell] ^= 1 << value
        for kind in range(3):
            state.places[CELL_HOUSES[cell, kind], value] ^= 1 << CELL_PLACES[cell, kind]
        state.sets[value, cell >> 6] ^= 1 << (cell & 63)


@kernel
def place(state: Any, cell: int, value: int) -> None:
    """Place a value in an open cell."""
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
