"""Read one puzzle from any Python source: a Puzzle, text, a file, an array, or lists."""

from collections.abc import Sequence
from math import isqrt
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solver.board.display import how_many
from solver.board.layout import MAX_SIZE, Layout, usual_box
from solver.board.puzzle import Invalid, Puzzle
from solver.board.symbols import Symbols
from solver.formats import parse

PuzzleLike = Puzzle | Invalid | str | bytes | PathLike[str] | NDArray[np.integer] | Sequence[object]


def single_puzzle(source: PuzzleLike) -> Puzzle | Invalid:
    """Return the puzzle in `source`.

    source  a Puzzle or Invalid, which is returned unchanged; text in any format; the path of a
            file with one puzzle, which isn't a string but a `Path`; or the cells of a square board
            as an integer array or as nested lists, in the shape (N, N) or (N·N,), with 0 (in lists
            also None) for an empty cell

    Arrays and lists get the usual boxes for their size, such as 3×3 for N = 9 or 2×3 for N = 6, or
    no boxes if there are no usual ones. The result is an Invalid if a text doesn't contain exactly
    one puzzle, or if the cells don't form a board. Raises TypeError for other types, and OSError if
    a file can't be read.
    """
    if isinstance(source, Puzzle | Invalid):
        return source
    if isinstance(source, PathLike):
        source = Path(source).read_bytes()
    if isinstance(source, str | bytes):
        records = parse(source)
        if len(records) != 1:
            return Invalid(f"expected a single puzzle, found {len(records):,}")
        return records[0]
    if isinstance(source, np.ndarray | list | tuple):
        return _from_cells(source)
    raise TypeError(
        "expected a Puzzle, text, a path, an integer array, or lists of integers, "
        f"not {type(source).__name__}"
    )


def _from_cells(cells: NDArray[np.integer] | Sequence[object]) -> Puzzle | Invalid:
    array = cells if isinstance(cells, np.ndarray) else _as_array(cells)
    if isinstance(array, Invalid):
        return array
    if array.dtype.kind not in "iu":
        raise TypeError(f"cells must be integers with 0 for an empty cell, not {array.dtype}")
    size = isqrt(array.size)
    if array.size == 0 or array.shape not in ((size, size), (size * size,)) or size > MAX_SIZE:
        return Invalid(
            f"an array of the shape {array.shape} isn't a square board; expected (N, N) or (N·N,), "
            f"with N from 1 to {MAX_SIZE}"
        )
    box = usual_box(size)
    layout = Layout.grid(size, size, size=size, box=None) if box is None else Layout.boxed(*box)
    values = array.ravel().tolist()
    for cell, value in enumerate(values):
        if not 0 <= value <= size:
            name = layout.cell_name(cell)
            return Invalid(f"{value} in {name} isn't a value of this board; expected 0 to {size}")
    return Puzzle(layout, tuple(values), Symbols.usual(size))


def _as_array(cells: Sequence[object]) -> NDArray[np.integer] | Invalid:
    """Return flat or nested lists as an array of the same shape, with 0 for None.

    Returns an Invalid if the rows of nested lists aren't as long as their number. Raises TypeError
    if a cell is neither an integer nor None.
    """
    is_nested = any(isinstance(row, list | tuple) for row in cells)
    rows = [list(row) if isinstance(row, list | tuple) else [row] for row in cells]
    width = len(rows) if is_nested else 1
    for number, row in enumerate(rows, 1):
        if len(row) != width:
            return Invalid(f"row {number} has {how_many(len(row), 'cell')}, expected {width}")
    values = [0 if cell is None else cell for row in rows for cell in row]
    if not all(isinstance(value, int | np.integer) for value in values):
        wrong = next(value for value in values if not isinstance(value, int | np.integer))
        raise TypeError(f"cells must be integers or None, not {wrong!r}")
    array = np.array(values or np.zeros(0, np.int64))
    return array.reshape(width, width) if is_nested else array
