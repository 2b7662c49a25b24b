"""Read killer cages drawn as a grid: each cell has its cage's sum, or an arrow.

The arrows of a cage lead from cell to cell, and finally to the cell with the sum.
"""

from collections.abc import Sequence
from math import isqrt

from solver.board.layout import Layout
from solver.board.puzzle import Puzzle
from solver.board.symbols import Symbols
from solver.formats.format import ReadOptions
from solver.formats.reading.cells import Reading, refuse, show_cell
from solver.rules.registry import RULES, with_constraints
from solver.rules.rule import Constraint
from solver.rules.variants import with_variants

SUMS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij"  # sums 0 to 45
# The direction of each arrow: rows down and columns right.
ARROWS = {
    "^": (-1, 0),
    "v": (1, 0),
    "<": (0, -1),
    ">": (0, 1),
    "`": (-1, -1),
    "'": (-1, 1),
    ",": (1, -1),
    ".": (1, 1),
}
_DRAWN = str.maketrans("↑↓←→↖↗↙↘", "".join(ARROWS))
_CERTAIN = frozenset("^<>↑↓←→")  # These are never symbols of a puzzle.
_LONGEST_SUM = 3  # digits
_NO_SUM = -1  # a cage with the sum 0 only requires distinct digits


def are_arrows(cells: Sequence[str]) -> bool:
    """Return whether all cells may be cage sums or arrows, and at least a quarter are arrows.

    Only arrows that are never symbols of a puzzle (^ < > ↑ ↓ ← →) count for the quarter.
    """
    arrows = sum(cell in _CERTAIN for cell in cells)
    return 4 * arrows >= len(cells) > 0 and all(map(may_be_arrow_or_sum, cells))


def may_be_arrow_or_sum(cell: str) -> bool:
    """Return whether a cell is an arrow or a cage sum.

    A sum is a number of up to three digits, or a letter: A-Z and a-j are the sums 10 to 45. The
    arrows are ^ v < > ↑ ↓ ← →, and diagonally ` ' , . ↖ ↗ ↙ ↘.
    """
    if len(cell) == 1:
        return cell in SUMS or cell.translate(_DRAWN) in ARROWS
    return len(cell) <= _LONGEST_SUM and cell.isdecimal() and cell.isascii()


def read_arrows(cells: Sequence[str], *, text: str, options: ReadOptions) -> Reading:
    """Read a killer puzzle from a grid with a cage sum or an arrow in each cell.

    `cells` are N² cells in reading order, and `text` is the record, for error messages. The arrows
    of a cage lead from cell to cell, and finally to the cell with its sum. A cage with the sum 0
    only requires distinct digits. The puzzle has no givens.

    The reading is invalid if a cell is neither sum nor arrow, if the arrows from a cell lead to no
    sum, or if a cage, the box, or a variant in the options is invalid. A grid size without a usual
    box needs the option.
    """
    size = isqrt(len(cells))
    box = options.box_of(size)
    if box is None or box[0] * box[1] != size:
        detail = f"a {size}×{size} grid of sums and arrows needs boxes; set the option 'box'"
        return refuse(detail, text)
    layout = with_variants(Layout.boxed(*box), options.variant)
    if isinstance(layout, str):
        return refuse(layout, text)
    signs = [cell.translate(_DRAWN) for cell in cells]
    cages: dict[int, list[int]] = {}
    for cell, sign in enumerate(signs):
        last = _follow(signs, cell, size) if may_be_arrow_or_sum(sign) else None
        if last is None:
            name = layout.cell_name(cell)
            if may_be_arrow_or_sum(sign):
                return refuse(f"{name}: the arrow doesn't lead to a cage sum", text)
            return refuse(f"{name}: expected a cage sum or an arrow, got {show_cell(sign)}", text)
        cages.setdefault(last, []).append(cell)
    constraints = tuple(
        Constraint(RULES["killer"], tuple(cage), _sum_of(signs[last]) or _NO_SUM)
        for last, cage in cages.items()
    )
    layout = with_constraints(layout, constraints)
    if isinstance(layout, str):
        return refuse(layout, text)
    return Reading(Puzzle(layout, (0,) * len(cells), Symbols.usual(size)))


def _sum_of(sign: str) -> int:
    return int(sign) if sign.isdecimal() else SUMS.index(sign)


def _follow(signs: Sequence[str], cell: int, size: int) -> int | None:
    """Return the index of the cell with the sum to which the arrows lead from `cell`.

    `signs` are the sums and arrows of all cells, with arrows as keys of `ARROWS`, and `size` is the
    number of cells per row. Returns None if the arrows leave the grid or form a loop.
    """
    for _ in signs:
        if signs[cell] not in ARROWS:
            return cell
        down, right = ARROWS[signs[cell]]
        row, column = cell // size + down, cell % size + right
        if not (0 <= row < size and 0 <= column < size):
            return None
        cell = row * size + column
    return None
