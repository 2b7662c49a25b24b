"""Read Interactive Sudoku Solver's constraints on the grid: its shape, boxes, and extra houses."""

from collections.abc import Callable

from solver.board.layout import filling_box
from solver.formats.objects.iss_arguments import Refused, number
from solver.formats.objects.iss_board import Board
from solver.formats.objects.iss_cells import Place
from solver.formats.objects.object_board import find_board_fault


def _shape(board: Board, args: list[str]) -> None:
    rows, _, columns = args[0].partition("x")
    is_shape = rows.isdecimal() and columns.isdecimal()
    if not is_shape or len(args) > 3 or args[2:] not in ([], ["Sudoku"], ["Raw"]):
        raise Refused(f"{'~'.join(args)[:20]!r} isn't a valid shape; expected one such as 6x8")
    if board.is_begun():
        raise Refused("must come before givens and constraints")
    board.reshape(number(rows), number(columns))
    board.size = max(board.rows, board.columns)
    board.lines_differ = args[2:] != ["Raw"]
    board.boxes = board.lines_differ
    if len(args) > 1 and args[1]:
        first, _, last = args[1].rpartition("-")
        board.lowest = number(first or "1")
        board.size = number(last) - board.lowest + 1
        fault = find_board_fault((1, 1), board.size, board.lowest)
        if fault is not None:
            raise Refused(fault)


def _jigsaw(board: Board, args: list[str]) -> None:
    labels = args[-1]
    if len(labels) != board.rows * board.columns:
        cells = board.rows * board.columns
        raise Refused(f"expected {cells} labels, one for each cell, not {len(labels)}")
    least = max(board.rows, board.columns)
    kinds = set(labels)
    partial = [label for label in kinds if not least <= labels.count(label) <= board.size]
    if len(kinds) > 1:
        board.regions = labels.translate(dict.fromkeys(map(ord, partial), "."))


def _region_size(board: Board, args: list[str]) -> None:
    board.region_size = number(args[0])


def _no_boxes(board: Board, args: list[str]) -> None:
    del args
    board.boxes = False


def _disjoint_sets(board: Board, args: list[str]) -> None:
    """Read the rule that cells in the same position of their boxes differ.

    On a grid without the usual boxes, it applies to the most square boxes that would fill the grid.
    Such a box has as many cells as a region, or else as the longest row or column. If no such boxes
    fill the grid, the rule adds nothing.
    """
    del args
    if board.is_usual():
        board.add_variant("disjointgroups")
        return
    fits = filling_box(board.rows, board.columns, board.region_size or board.longest())
    groups: dict[tuple[int, int], list[Place]] = {}
    for cell in board.grid():
        if fits:
            groups.setdefault(((cell[1] - 1) % fits[0], (cell[2] - 1) % fits[1]), []).append(cell)
    for cells in groups.values():
        if len(cells) > 1:
            board.add("different", board.cells_at(cells))


def _windoku(board: Board, args: list[str]) -> None:
    """Read the rule that box-sized windows contain no value twice.

    The first window begins at r2c2, and there is one cell between two windows.
    """
    del args
    fits = filling_box(board.rows, board.columns, board.region_size or board.size)
    if board.is_usual() and fits and fits[0] == fits[1]:
        board.add_variant("windoku")
        return
    high, wide = fits or (board.rows, board.columns)
    for top in range(2, board.rows - high + 1, high + 1):
        for left in range(2, board.columns - wide + 1, wide + 1):
            square = [("", r, c) for r in range(top, top + high) for c in range(left, left + wide)]
            board.add("different", board.cells_at(square))


def _doppelganger(board: Board, args: list[str]) -> None:
    """Read the doppelganger rule.

    Adds a variable for each column, row, and box, which contains the value that is missing there.
    """
    del args
    board.add_variant("doppelganger")
    grid = board.grid()
    fits = filling_box(board.rows, board.columns, board.longest()) if board.boxes else None
    high, wide = fits or (board.rows, board.columns)
    across = board.columns // wide
    houses: dict[str, list[list[Place]]] = {
        "DGR": [[p for p in grid if p[2] == n + 1] for n in range(board.columns)],
        "DGC": [[p for p in grid if p[1] == n + 1] for n in range(board.rows)],
    }
    if fits:
        houses["DGB"] = [
            [p for p in grid if (p[1] - 1) // high * across + (p[2] - 1) // wide == n]
            for n in range(across * (board.rows // high))
        ]
    for group, some in houses.items():
        # The variables of boxes form rows as wide as a box. Dots and lines rely on that
        # arrangement.
        board.add_group(group, len(some), wide if group == "DGB" else board.columns)
        for index, cells in enumerate(some):
            board.add("different", board.cells_at([*cells, board.place_in(group, index)]))


GRID_READERS: dict[str, Callable[[Board, list[str]], None]] = {
    "DisjointSets": _disjoint_sets,
    "Doppelganger": _doppelganger,
    "Jigsaw": _jigsaw,
    "NoBoxes": _no_boxes,
    "RegionSize": _region_size,
    "Shape": _shape,
    "Windoku": _windoku,
}
