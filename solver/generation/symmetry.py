"""Find the orbits of a board's cells under the symmetries that a pattern of givens can have.

A pattern has a symmetry if either all cells of an orbit have givens or none of them has one.
"""

from collections.abc import Callable

from solver.board.layout import Layout

Place = tuple[int, int]  # row and column, from 0
_Move = Callable[[int, int, int, int], Place]  # row, column, last row, last column

_MOVES: dict[str, _Move] = {
    "half turn": lambda row, column, last_row, last_column: (last_row - row, last_column - column),
    "quarter turn": lambda row, column, last_row, _: (column, last_row - row),
    "left-right": lambda row, column, _, last_column: (row, last_column - column),
    "top-bottom": lambda row, column, last_row, _: (last_row - row, column),
    "diagonal": lambda row, column, *_: (column, row),
    "antidiagonal": lambda row, column, last_row, last_column: (
        last_column - column,
        last_row - row,
    ),
}

# By the name in a request: the moves that must map the pattern of givens to itself.
SYMMETRIES: dict[str, tuple[str, ...]] = {
    "none": (),
    "180": ("half turn",),
    "90": ("quarter turn",),
    "mirror": ("left-right",),
    "mirror-horizontal": ("top-bottom",),
    "diagonal": ("diagonal",),
    "antidiagonal": ("antidiagonal",),
    "both-mirrors": ("left-right", "top-bottom"),
    "both-diagonals": ("diagonal", "antidiagonal"),
    "full": ("quarter turn", "left-right"),
}

_SQUARE_ONLY = ("quarter turn", "diagonal", "antidiagonal")


def fits(layout: Layout, symmetry: str) -> bool:
    """Return whether a symmetry, named as in SYMMETRIES, maps the board to itself.

    Quarter turns and reflections in a diagonal need as many rows as columns. Holes must be
    mapped to holes. Rules and regions don't matter.
    """
    moves = SYMMETRIES[symmetry]
    if layout.rows != layout.columns and any(move in _SQUARE_ONLY for move in moves):
        return False
    return all(
        (_moved(layout, cell, move) in layout.holes) == (cell in layout.holes)
        for move in moves
        for cell in range(layout.cells)
    )


def orbits(layout: Layout, symmetry: str) -> tuple[tuple[int, ...], ...]:
    """Return the orbits: the smallest sets of cells that a symmetry maps to themselves.

    `symmetry` is a name in SYMMETRIES. With "none", each cell is an orbit. Holes don't belong to
    any orbit. The cells of an orbit are in ascending order, and so are the first cells of the
    orbits.
    """
    left = set(range(layout.cells)) - layout.holes
    found = []
    while left:
        orbit = {min(left)}
        grown: set[int] = set()
        while grown != orbit:
            grown = set(orbit)
            orbit |= {_moved(layout, cell, move) for cell in grown for move in SYMMETRIES[symmetry]}
        left -= orbit
        found.append(tuple(sorted(orbit)))
    return tuple(found)


def _moved(layout: Layout, cell: int, move: str) -> int:
    """Return the cell to which a move of the grid, such as a rotation, brings a cell."""
    row, column = divmod(cell, layout.columns)
    row, column = _MOVES[move](row, column, layout.rows - 1, layout.columns - 1)
    return row * layout.columns + column
