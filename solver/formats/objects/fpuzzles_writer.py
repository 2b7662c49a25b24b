"""Write puzzles as f-puzzles objects, which SudokuPad reads, too."""

from solver.board.puzzle import Puzzle
from solver.formats.objects.fpuzzles_rules import DOTS, LINES, SWITCHES
from solver.formats.objects.square_board import SquareBoard
from solver.rules.rule import Constraint

# The lines without a number that f-puzzles itself supports. Its plugins support more.
_LINES = {
    LINES[key]: key
    for key in ("thermometer", "palindrome", "renban", "betweenline", "regionsumline")
}
_DOTS = {usual: key for key, (usual, _, _) in DOTS.items()}
_SWITCHES = {variant: key for key, variant in SWITCHES.items()}
_SWITCHES["nonconsecutive"] = _SWITCHES["differencenegative"]  # equivalent if there are no dots
_DIAGONALS = {False: "diagonal-", True: "diagonal+"}
_SUPPORTED = {"killer", *_LINES, *_DOTS, *_SWITCHES}


def write_fpuzzles(puzzle: Puzzle) -> dict[str, object] | None:
    """Return a puzzle as an f-puzzles object, with its name as the title.

    Returns None if f-puzzles doesn't support the board, a rule, or the combination of rules.
    """
    board = SquareBoard.of(puzzle)
    if board is None or not board.rules <= _SUPPORTED:
        return None
    if "nonconsecutive" in board.variants and board.has_dots:
        return None  # f-puzzles exempts pairs with a dot
    size = board.size
    cells = [_cell(board, cell) for cell in range(size * size)]
    written: dict[str, object] = {
        "size": size,
        "grid": [cells[start : start + size] for start in range(0, size * size, size)],
    }
    if puzzle.name:
        written["title"] = puzzle.name
    written |= {_SWITCHES[name]: True for name in sorted(board.variants)}
    written |= {_DIAGONALS[rises]: True for rises in sorted(board.diagonals)}
    entries: dict[str, list[object]] = {}
    for constraint in board.constraints:
        key, entry = _entry(constraint, size)
        entries.setdefault(key, []).append(entry)
    return written | entries


def _cell(board: SquareBoard, cell: int) -> dict[str, object]:
    value = board.givens[cell]
    written: dict[str, object] = {"value": value, "given": True} if value else {}
    if cell in board.marks:
        written["givenPencilMarks"] = board.marks[cell]
    if board.is_jigsaw:
        written["region"] = board.regions[cell]
    return written


def _entry(constraint: Constraint, size: int) -> tuple[str, dict[str, object]]:
    """Return the f-puzzles key of a constraint, and its object in the list under that key.

    The constraint must be a line, a dot, or a killer cage. If it isn't in `_LINES` or `_DOTS`, it
    is written as a cage. `size` is the number of cells per row.
    """
    places = [divmod(cell, size) for cell in constraint.cells]
    cells = [f"R{row + 1}C{column + 1}" for row, column in places]
    if constraint.name in _LINES:
        return _LINES[constraint.name], {"lines": [cells]}
    if constraint.name in _DOTS:
        return _DOTS[constraint.name], {"cells": cells}
    total = {"value": str(constraint.number)} if constraint.number > 0 else {}
    return "killercage", {"cells": cells, **total}
