"""Read Interactive Sudoku Solver's chaos construction constraints.

The auxiliary variables CC1, CC2 … hold the regions of the grid's cells. Constraints may name either
the variable or its cell.
"""

from collections.abc import Callable, Iterator, Sequence

from solver.formats.objects.iss_arguments import Refused, number, pieces_of
from solver.formats.objects.iss_board import Board
from solver.formats.objects.iss_cells import Place

_GROUP = "CC"


def _construction(board: Board, args: list[str]) -> None:
    """Read the rule that regions must be found, and add a variable for each cell's region label."""
    del args
    count = board.rows * board.columns
    board.add_group(_GROUP, count, board.columns)
    size = board.region_size or max(board.rows, board.columns)
    board.add("chaosconstruction", tuple(board.cells_in(_GROUP)), size)


def _begin(board: Board, args: Sequence[str]) -> tuple[int, int]:
    """Return the index of a chaos clue's control cell, and the number 1 minus the clue's offset.

    The control cell contains the clue's count. `args` begins with its name and the offset. The
    number is 1 if the count includes the first cell, and 0 if it doesn't. The first cell is the one
    whose region is counted. Raises Refused if the board has no chaos construction.
    """
    if _GROUP not in board.groups:
        raise Refused("needs a .ChaosConstruction in the same puzzle")
    offset = number(args[1]) if len(args) > 1 and args[1] else 0
    return board.cell(args[0]), 1 - offset


def _labels(board: Board, names: Sequence[str]) -> list[int]:
    """Return the indices of the variables that hold the region labels of the named cells.

    `names` may contain grid cells (R1C1) and region variables (CC1). The index of a region variable
    is returned unchanged.
    """
    labels = board.cells_in(_GROUP)
    return [labels[cell] if 0 <= cell < len(labels) else cell for cell in board.cells(names)]


def _label(board: Board, row: int, column: int) -> int:
    return board.cell_at((_GROUP, row, column))


def _count(board: Board, args: list[str]) -> None:
    """Read a clue that counts the named cells in the region of the first named cell.

    `args` has the control cell, an offset, and the named cells. The control cell contains the
    count, which includes the first named cell unless the offset is 1. If the clue names no cells,
    the control cell is the first one, and the cells around it are the others.
    """
    control, first = _begin(board, args)
    labels = _labels(board, args[2:])
    if not labels:
        _, row, column = board.place(args[0])
        square = [(row + down, column + right) for down in (0, -1, 1) for right in (0, -1, 1)]
        labels = [_label(board, *place) for place in square if board.has(("", *place))]
    board.add("chaoscount", (control, *labels), first)


def _arrow(board: Board, args: list[str]) -> None:
    """Read a clue that counts cells along arms until they leave a region.

    The arms are lines that begin with the same cell. The clue counts the cells of each arm, from
    this start cell on, until the arm leaves the start cell's region. The control cell contains
    the sum of the counts, in which the start cell counts once, or not at all if the clue's offset
    is 1. If the clue names no cells, the arms are the four straight lines from its control cell
    to the edges. Raises Refused if arms begin with different cells.
    """
    control, first = _begin(board, args)
    arms = [_labels(board, piece) for piece in pieces_of(args[2:]) if piece]
    if not arms:
        place = board.place(args[0])
        arms = [list(_straight(board, place, *step)) for step in _STEPS]
    start = arms[0][0]
    if any(arm[0] != start for arm in arms):
        raise Refused("all arms must begin with the same cell")
    others = [cell for arm in arms for cell in arm[1:]]
    lengths = [first, *(len(arm) - 1 for arm in arms)]
    board.add("chaosarrow", (control, start, *others), lengths)


_STEPS = ((0, -1), (0, 1), (-1, 0), (1, 0))


def _straight(board: Board, cell: Place, down: int, right: int) -> Iterator[int]:
    """Yield the region variables of the cells in a straight line from `cell` to the edge.

    `down` and `right` are the step to the next cell.
    """
    _, row, column = cell
    while board.has(("", row, column)):
        yield _label(board, row, column)
        row, column = row + down, column + right


CHAOS_READERS: dict[str, Callable[[Board, list[str]], None]] = {
    "ChaosConstruction": _construction,
    "ChaosCount": _count,
    "ChaosArrow": _arrow,
}
