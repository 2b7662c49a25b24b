"""Boards from the text of a result."""

from collections.abc import Sequence
from dataclasses import replace
from math import isqrt

from solver.board.graphemes import split_graphemes
from solver.board.layout import usual_box
from solver.board.puzzle import Invalid
from solver.formats.reading.cells import read_cells
from web.boards.drawing import Drawing, draw
from worker.job import JobOptions
from worker.options import read_options


def draw_text(
    puzzle: str, solution: str | None, *, options: JobOptions, wrong: frozenset[str] = frozenset()
) -> Drawing | None:
    """Return the drawing of a puzzle with its solution filled in; None for what is no grid.

    Givens in the cells named by `wrong` (r1c1) stand out.
    """
    chosen = read_options(options)
    cells = written = split_cells(puzzle)
    if solution:  # which has all of the symbols
        written = split_cells(solution)
        chosen = replace(chosen, box=fitting_box(written, options=options))
    read = read_cells(written, text=puzzle, options=chosen).puzzle
    if isinstance(read, Invalid):
        return None
    if not solution:
        return draw(read.layout, read.symbols, read.givens, wrong=wrong)
    value_of = {symbol: value for value, symbol in enumerate(read.symbols.values, 1)}
    givens = [value_of.get(cell, 0) for cell in cells]
    return draw(read.layout, read.symbols, givens, read.givens, wrong=wrong)


def split_cells(text: str) -> list[str]:
    """Return the symbols of a puzzle or solution as `Symbols.write` wrote it, cell by cell."""
    return text.split(" ") if " " in text else split_graphemes(text)


def fitting_box(solved: Sequence[str], *, options: JobOptions) -> tuple[int, int]:
    """Return the rows and columns of a box, such as the solution has.

    A record may have said its own box, which is not kept.
    """
    size = isqrt(len(solved))
    likely = (read_options(options).box, usual_box(size))
    others = ((rows, size // rows) for rows in range(2, size) if size % rows == 0)
    fitting = (box for box in (*likely, *others) if box and _has_boxes(solved, size, box))
    return next(fitting, (size, size))


def _has_boxes(solved: Sequence[str], size: int, box: tuple[int, int]) -> bool:
    rows, columns = box
    if rows * columns != size:
        return False
    boxes: dict[tuple[int, int], set[str]] = {}
    for cell, symbol in enumerate(solved):
        boxes.setdefault((cell // size // rows, cell % size // columns), set()).add(symbol)
    return all(len(symbols) == size for symbols in boxes.values())
