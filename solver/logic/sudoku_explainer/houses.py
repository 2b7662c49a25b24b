"""The houses of 9×9 boards in Sudoku Explainer's numbering.

The number of a house is 9 × kind + its number among the houses of the kind:

    boxes 0–8, rows 9–17, columns 18–26      on all boards
    disjoint groups 27–35                    one for each position in a box
    windows 36–44                            the four windows, and five groups that follow from them
    falling diagonal 45, rising diagonal 54

If the four windows contain each value once, so do the cells in the same rows between them (two
groups of three rows by three columns), the cells in the same columns (two groups), and the nine
remaining cells. SukakuExplainer uses these five groups like windows.

The places of a house, i.e. the positions of its cells, have the numbers 0–8:

    box    0 1 2    row  0 1 2 3 4 5 6 7 8    column  0
           3 4 5                                      ⋮
           6 7 8                                      8
"""

import numpy as np
from numpy.typing import NDArray

from solver.logic.board import Words

BOX, ROW, COLUMN, GROUP, WINDOW, FALLING, RISING = range(7)
KINDS, CLASSIC_KINDS = 7, 3
BOXES, ROWS, COLUMNS = 0, 9, 18  # number of the first house of each kind
HOUSES, CLASSIC_HOUSES = 9 * RISING + 1, 27
HOUSE_COUNTS = (9, 9, 9, 9, 9, 1, 1)  # by kind


def _windows(cells: NDArray[np.int64]) -> list[Words]:
    one, other, between = slice(1, 4), slice(5, 8), slice(0, 9, 4)
    return [
        *(cells[rows, columns].ravel() for rows in (one, other) for columns in (one, other)),
        *(cells[between, columns].ravel() for columns in (one, other)),
        *(cells[rows, between].T.ravel() for rows in (one, other)),
        cells[between, between].ravel(),
    ]


def _houses() -> Words:
    cells = np.arange(81).reshape(9, 9)
    boxes = cells.reshape(3, 3, 3, 3).swapaxes(1, 2).reshape(9, 9)
    houses = np.zeros((HOUSES, 9), np.int64)
    houses[: 9 * FALLING] = np.concatenate([boxes, cells, cells.T, boxes.T, _windows(cells)])
    houses[9 * FALLING] = cells.diagonal()
    houses[9 * RISING] = cells[:, ::-1].diagonal()
    return houses


def sets_of(members: NDArray[np.bool_]) -> Words:
    """Convert rows of 81 booleans, one per cell, to sets of cells with two words each."""
    padded = np.zeros((len(members), 128), np.bool_)
    padded[:, : members.shape[1]] = members
    return np.packbits(padded, axis=1, bitorder="little").view(np.int64)


HOUSE_CELLS = _houses()  # (HOUSES, 9)
ALL_HOUSES = np.array(
    [9 * kind + number for kind in range(KINDS) for number in range(HOUSE_COUNTS[kind])]
)
INSIDE = np.zeros((HOUSES, 81), np.bool_)
for _house in ALL_HOUSES.tolist():
    INSIDE[_house, HOUSE_CELLS[_house]] = True
HOUSE_SETS = sets_of(INSIDE)
ASCENDING_CELLS = np.sort(HOUSE_CELLS, axis=1)

# By cell and kind: the cell's house, −1 if it has none of this kind, and the cell's place in it.
CELL_HOUSES = np.full((81, KINDS), -1, np.int64)
CELL_PLACES = np.zeros((81, KINDS), np.int64)
for _house in ALL_HOUSES.tolist():
    CELL_HOUSES[HOUSE_CELLS[_house], _house // 9] = _house
    CELL_PLACES[HOUSE_CELLS[_house], _house // 9] = np.arange(9)

# The order in which most techniques visit the houses. The diagonals come last.
HOUSE_ORDER = np.array(
    [9 * kind + number
     for kind in (BOX, COLUMN, ROW, GROUP, WINDOW, FALLING, RISING)
     for number in range(HOUSE_COUNTS[kind])], np.int64,
)  # fmt: skip
