"""Write puzzles as constraint strings of Interactive Sudoku Solver."""

from solver.board.puzzle import Puzzle
from solver.formats.objects.iss_cells import DIGITS
from solver.formats.objects.iss_rules import CELLS, DOTS, LEAST_CELLS, NUMBERED, VARIANTS
from solver.formats.objects.square_board import SquareBoard
from solver.rules.rule import Constraint

_VARIANTS = {
    **{variant: kind for kind, variant in VARIANTS.items()},
    "differencenegative": "AntiConsecutive",  # equivalent if there are no dots
    "disjointgroups": "DisjointSets",
    "windoku": "Windoku",
}
_CELLS = {rule: kind for kind, rule in (CELLS | DOTS).items()}
_NUMBERED = {rule: kind for kind, rule in NUMBERED.items()}
_DIAGONALS = {False: "Diagonal~-1", True: "Diagonal~1"}
_SUPPORTED = {"killer", *_VARIANTS, *_CELLS, *_NUMBERED}


def write_iss(puzzle: Puzzle) -> str | None:
    """Return a puzzle as a constraint string of Interactive Sudoku Solver.

    A classic 9×9 puzzle is just its 81 cells. Returns None if that program doesn't support the
    board or a rule, or would treat a rule in another way.
    """
    board = SquareBoard.of(puzzle)
    if board is None or not board.rules <= _SUPPORTED:
        return None
    if "disjointgroups" in board.variants and board.is_jigsaw:
        return None  # the program always uses the usual boxes for these groups
    if "differencenegative" in board.variants and board.has_dots:
        return None  # in the program, the rule also applies to pairs with a dot
    if any(len(each.cells) < LEAST_CELLS.get(_CELLS.get(each.name, ""), 2)
           for each in board.constraints if each.name in _CELLS):  # fmt: skip
        return None  # the program ignores such short lines
    size = board.size
    if not (board.rules or board.diagonals or board.is_jigsaw or board.marks) and size == 9:
        return "".join(map(str, board.givens)).replace("0", ".")
    words = [f"Shape~{size}x{size}"]
    words += sorted({_VARIANTS[name] for name in board.variants})
    words += [_DIAGONALS[rises] for rises in sorted(board.diagonals)]
    if board.is_jigsaw:
        words += ["NoBoxes", "Jigsaw~" + "".join(DIGITS[number] for number in board.regions)]
    words += [_word(each, size) for each in board.constraints]
    givens = {cell: [value] for cell, value in enumerate(board.givens) if value}
    words += [
        f"~{_name(cell, size)}_{'_'.join(map(str, values))}"
        for cell, values in (givens | board.marks).items()
    ]
    return "".join(f".{word}" for word in words)


def _word(constraint: Constraint, size: int) -> str:
    cells = "~".join(_name(cell, size) for cell in constraint.cells)
    name, number = constraint.name, constraint.number
    if name == "killer":
        return f"Cage~{max(number, 0)}~{cells}"
    return f"{_CELLS[name]}~{cells}" if name in _CELLS else f"{_NUMBERED[name]}~{number}~{cells}"


def _name(cell: int, size: int) -> str:
    row, column = divmod(cell, size)
    return f"R{DIGITS[row]}C{DIGITS[column]}"
