"""Drawings of stored results, and the candidates of their empty cells."""

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from msgspec import UnsetType

from solver.board.layout import Layout
from solver.board.primitive_constraints import House
from solver.checks.givens import candidates
from web.boards.drawing import Drawing, draw
from worker.records.boards import StoredBoard

_CELL_NAME = re.compile(r"\br\d+c\d+\b")


def draw_result(
    board: StoredBoard,
    puzzle: str,
    solution: str | None,
    detail: str | None = None,
    regions: Sequence[int] | UnsetType | None = None,
) -> Drawing | None:
    """Return the drawing of a result, or None if the puzzle's text doesn't fit the board.

    `puzzle`, `solution`, and `detail` are those of the result. Givens in the cells that `detail`
    names are highlighted. `regions` contains the region of each cell, from 1, if the solver had to
    find the regions.
    """
    givens = board.read(puzzle)
    if givens is None:
        return None
    solved = board.read(solution) if solution else None
    layout = _cut(board.layout, regions) if regions else board.layout
    return draw(layout, board.symbols, givens, solved, wrong=named_cells(detail))


def named_cells(detail: str | None) -> frozenset[str]:
    """Return the names of all cells in the description of a problem, such as r1c1.

    The result is empty for None.
    """
    return frozenset(_CELL_NAME.findall(detail or ""))


def open_values(
    board: StoredBoard, givens: Sequence[int], left: bytes | None
) -> tuple[tuple[int, ...], ...]:
    """Return the values of each cell that no given excludes, () for givens and holes.

    Givens exclude values only in cells that must differ from them, not through other rules. `left`
    contains the pencil marks in the upload, encoded as in `ChunkResult`, or is None if there are
    none. Values that aren't among them are left out, too.
    """
    values = candidates(board.layout, np.array(givens, np.uint8))
    if left is None:
        return values
    return tuple(
        tuple(value for value in mine if mask >> (value - 1) & 1)
        for mine, mask in zip(values, np.frombuffer(left, "<u8").tolist(), strict=True)
    )


def _cut(layout: Layout, regions: Sequence[int]) -> Layout:
    """Return a layout in which regions replace the boxes.

    `regions` contains the region of each cell, from 1.
    """
    cells = range(layout.cells)
    cut = [
        House("region", number, tuple(cell for cell in cells if regions[cell] == number))
        for number in range(1, max(regions) + 1)
    ]
    others = [house for house in layout.houses if house.kind != "box"]
    return replace(layout, houses=(*others, *cut))
