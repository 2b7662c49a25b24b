"""Read Interactive Sudoku Solver's chaos construction constraints.

The auxiliary variables CC1, CC2 … hold the regions of the grid's cells. Constraints may name either
the variable or its cell.
"""

from collections.abc import Callable, Iterator, Sequence

from solver.formats.objects.iss_arguments import Refused, number, pieces_of
from solver.formats.objects.iss_board import Board, Place

_GROUP = "CC"


def _construction(board: Board, args: list[str]) -> None:
    """Read that regions must be found. Auxiliary variables hold the region labels."""
    del args
    count = board.rows * board.columns
    board.add_group(_GROUP, count, board.columns)
    size = board.region_size or max(board.rows, board.columns)
    board.add("chaosconstruction", tuple(board.cells_in(_GROUP)), size)


def _begin(board: Board, args: Sequence[str]) -> tuple[int, int]:
    """Return the control cell, and how much the first of the other cells counts (1 − offset)."""
    if _GROUP not in board.groups:
        raise Refused("it needs a ChaosConstruction")
    offset = number(args[1]) if len(args) > 1 and args[1] else 0
    return board.cell(args[0]), 1 - offset


def _labels(board: Board, names: Sequence[str]) -> list[int]:
    """Return the label variables of cells. Label variables in `names` stay as they are."""
    labels = board.cells_in(_GROUP)
    return [labels[cell] if 0 <= cell < len(labels) else cell for cell in board.cells(names)]


def _label(board: Board, row: int, column: int) -> int:
    return board.cell_at((_GROUP, row, column))


def _count(board: Board, args: list[str]) -> None:
    """Read a clue about the regions of the given cells, or of the cells around one cell."""
    control, first = _begin(board, args)
    labels = _labels(board, args[2:])
    if not labels:
        _, row, column = board.place(args[0])
        square = [(row + down, column + right) for down in (0, -1, 1) for right in (0, -1, 1)]
        labels = [_label(board, *place) for place in square if board.has(("", *place))]
    board.add("chaoscount", (control, *labels), first)


def _arrow(board: Board, args: list[str]) -> None:
    """Read a clue about arms that share their first cell.

    Without arms, the four straight lines from the cell to the edges are the arms.
    """
    control, first = _begin(board, args)
    arms = [_labels(board, piece) for piece in pieces_of(args[2:]) if piece]
    if not arms:
        place = board.place(args[0])
        arms = [list(_straight(board, place, *step)) for step in _STEPS]
    start = arms[0][0]
    if any(arm[0] != start for arm in arms):
        raise Refused("its arms begin with different cells")
    others = [cell for arm in arms for cell in arm[1:]]
    lengths = [first, *(len(arm) - 1 for arm in arms)]
    board.add("chaosarrow", (control, start, *others), lengths)


_STEPS = ((0, -1), (0, 1), (-1, 0), (1, 0))


def _straight(board: Board, cell: Place, down: int, right: int) -> Iterator[int]:
    _, row, column = cell
    while board.has(("", row, column)):
        yield _label(board, row, column)
        row, column = row + down, column + right


CHAOS_READERS: dict[str, Callable[[Board, list[str]], None]] = {
    "ChaosConstruction": _construction,
    "ChaosCount": _count,
    "ChaosArrow": _arrow,
}
