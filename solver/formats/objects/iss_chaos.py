"""Chaos construction as Interactive Sudoku Solver writes it.

CC1, CC2 … are the regions of the grid's cells, which may stand for them here.
"""

from collections.abc import Callable, Sequence

from solver.formats.objects.iss_board import Board, Place, Refused, number, pieces_of

_GROUP = "CC"


def _construction(board: Board, args: list[str]) -> None:
    """Read that regions are to be found; the labels are cells beside the grid."""
    del args
    count = board.rows * board.columns
    board.add_group(_GROUP, count, board.columns)
    size = board.region_size or max(board.rows, board.columns)
    board.add("chaosconstruction", tuple(board.cells_in(_GROUP)), size)


def _begin(board: Board, args: Sequence[str]) -> tuple[Place, int]:
    """Return the control cell, and what the first of the other cells counts."""
    if _GROUP not in board.groups:
        raise Refused("it needs a ChaosConstruction")
    offset = number(args[1]) if len(args) > 1 and args[1] else 0
    return board.place(args[0]), 1 - offset


def _labels(board: Board, names: Sequence[str]) -> list[Place]:
    return [_label(cell) for cell in board.places(names)]


def _label(cell: Place) -> Place:
    return (_GROUP, *cell[1:]) if cell[0] == "" else cell


def _count(board: Board, args: list[str]) -> None:
    """Read a clue on the regions of some cells, or of all around one."""
    control, first = _begin(board, args)
    labels = _labels(board, args[2:])
    if not labels:
        _, row, column = control
        square = [("", row + down, column + right) for down in (0, -1, 1) for right in (0, -1, 1)]
        labels = [_label(cell) for cell in square if board.has(cell)]
    board.add("chaoscount", board.cells_at([control, *labels]), first)


def _arrow(board: Board, args: list[str]) -> None:
    """Read a clue on arms that begin with the same cell, or on the four from one to the edges."""
    control, first = _begin(board, args)
    arms = [_labels(board, piece) for piece in pieces_of(args[2:]) if piece]
    if not arms:
        arms = [list(_straight(board, control, *step)) for step in _STEPS]
    start = arms[0][0]
    if any(arm[0] != start for arm in arms):
        raise Refused("its arms begin with different cells")
    others = [cell for arm in arms for cell in arm[1:]]
    lengths = [first, *(len(arm) - 1 for arm in arms)]
    board.add("chaosarrow", board.cells_at([control, start, *others]), lengths)


_STEPS = ((0, -1), (0, 1), (-1, 0), (1, 0))


def _straight(board: Board, cell: Place, down: int, right: int) -> list[Place]:
    _, row, column = cell
    arm = []
    while board.has(("", row, column)):
        arm.append((_GROUP, row, column))
        row, column = row + down, column + right
    return arm


CHAOS_READERS: dict[str, Callable[[Board, list[str]], None]] = {
    "ChaosConstruction": _construction,
    "ChaosCount": _count,
    "ChaosArrow": _arrow,
}
