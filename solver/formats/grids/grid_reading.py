"""Turns the record of a grid into a puzzle, using its cells, drawing, labels, and titles."""

import re
from collections.abc import Sequence
from dataclasses import replace
from math import isqrt

from solver.board.display import shorten
from solver.board.layout import usual_box
from solver.board.puzzle import Invalid, Puzzle
from solver.formats.format import ROWS_AS_BOXES, ReadOptions
from solver.formats.grids.arrows import are_arrows, read_arrows
from solver.formats.grids.candidates_drawn import read_small_grids
from solver.formats.grids.drawn_boxes import NOTHING, Drawn, drawn_boxes
from solver.formats.grids.grid_record import GridRecord
from solver.formats.grids.jigsaw import place
from solver.formats.grids.labels import are_labels, read_labeled, solves
from solver.formats.grids.line_kinds import SECTION
from solver.formats.grids.measured_grid import MeasuredGrid
from solver.formats.grids.row_splits import row_body, usual_split
from solver.formats.reading.cells import (
    Reading,
    clean_name,
    read_cells,
    read_rows,
    refuse,
    with_solution,
)
from solver.rules.variants import with_variants

_TWO_NUMBERS = re.compile(r"\s*(\d{1,3})\s*(?:[xX×,]|\s)\s*(\d{1,3})\s*")
_SHOWN = 60
_SAMURAI = (
    "this looks like a samurai: five 9×9 grids that share boxes. Write it as a JSON object with "
    '"grids": ["r1c1", "r1c13", "r7c7", "r13c1", "r13c13"] and 21 rows of 21 cells in "givens"'
)
# Cells in each of the first twelve rows of a samurai, without the holes between the grids.
_SAMURAI_ROWS = [18] * 6 + [21] * 3 + [9] * 3


def read_record(record: GridRecord, *, text: str, options: ReadOptions) -> Reading:
    """Read the puzzle in a record of a grid upload. `text` is the whole record, for messages.

    The reading has the name of the puzzle, and notes on assumptions and ignored text. If the rows
    of the grid couldn't be measured, each is split in the most likely way, and the reading is
    usually invalid.
    """
    if record.grid is None:
        return _named(_read_broken(record, text, options), record, 0)
    reading = _read(record, record.grid, text, options)
    return _named(reading, record, record.grid.size)


def _read_broken(record: GridRecord, text: str, options: ReadOptions) -> Reading:
    """Read the rows of a broken grid, with an error message unless they are N rows of N cells.

    `text` is the record, for the message.
    """
    if _is_samurai(record.rows):
        return refuse(_SAMURAI, text)
    splits = [usual_split(row) for row in record.rows]
    rows = [list(split.cells) for split in splits if split is not None]
    if len(rows) < len(record.rows) or not any(any(map(str.isdigit, row)) for row in rows):
        begins = record.rows[0].strip()[:_SHOWN]
        found = f"no grid found in the lines that begin with {begins!r}"
        return refuse(f"{found}; expected N rows of N cells", text)
    return read_rows(rows, text=text, options=options)


def _is_samurai(rows: Sequence[str]) -> bool:
    """Return whether the first twelve rows have as many cells as those of a samurai.

    A samurai is five 9×9 grids that share boxes. Each character is counted as a cell, except for
    white space and bars.
    """
    widths = [len(re.sub(r"[\s|]", "", row)) for row in rows[: len(_SAMURAI_ROWS)]]
    return widths == _SAMURAI_ROWS


def _read(record: GridRecord, grid: MeasuredGrid, text: str, options: ReadOptions) -> Reading:
    """Read a measured grid of values, killer arrows, pencil marks, or labels of regions or cages.

    `record` has the labels and sums that belong to the grid. The boxes of a puzzle with values are
    those of the options or those that are drawn. `text` is the record, for error messages.
    """
    if are_arrows(grid.cells):
        return read_arrows(grid.cells, text=text, options=options)
    marked = read_small_grids(grid, text=text, options=options)
    if marked is not None:
        return marked
    if record.labels and not (grid.beside and not are_labels(record.labels)):
        return read_labeled(grid.cells, record.labels, record.sums, text=text, options=options)
    if are_labels(grid.cells):
        blank = ["."] * len(grid.cells)
        return read_labeled(blank, grid.cells, record.sums, text=text, options=options)
    drawn = NOTHING if options.box is not None else drawn_boxes(grid)
    if drawn.fault is not None:
        return refuse(f"{drawn.fault}; correct the lines, or set the option 'box'", text)
    reading = _read_boxed(record, grid, drawn, text, options)
    if isinstance(reading.puzzle, Invalid):
        return reading
    if _are_diagonals_marked(grid.cells):
        layout = with_variants(reading.puzzle.layout, ("diagonal",))
        if isinstance(layout, str):
            return refuse(layout, text)
        reading = replace(reading, puzzle=replace(reading.puzzle, layout=layout))
        reading = _noted(reading, "read as an X-Sudoku, because _ marks the diagonals")
    if grid.beside and solves(grid.cells, record.labels) and isinstance(reading.puzzle, Puzzle):
        reading = with_solution(reading, " ".join(record.labels))
    return reading


def _read_boxed(
    record: GridRecord, grid: MeasuredGrid, drawn: Drawn, text: str, options: ReadOptions
) -> Reading:
    """Read cells with the drawn boxes or regions, or else with the box that a title gives.

    A box in the options takes precedence over a title. Without any of these, the grid has the usual
    box. If a drawn box or that of a title differs from the usual one, a note states it and where it
    was found.
    """
    if drawn.regions is not None:
        boxes = replace(options, box=ROWS_AS_BOXES)
        reading = read_cells(grid.cells, text=text, options=boxes)
        if isinstance(reading.puzzle, Invalid):
            return reading
        placed = place(reading.puzzle, drawn.regions, text)
        return replace(placed, note=reading.note)
    box, origin = drawn.box, "as drawn"
    if box is None and options.box is None:
        box, origin = _box_above(record.above, grid.size), "from the line above"
    if box is None or box == usual_box(grid.size):
        return read_cells(grid.cells, text=text, options=options)
    reading = read_cells(grid.cells, text=text, options=replace(options, box=box))
    return _noted(reading, f"read with boxes of {box[0]}x{box[1]}, {origin}")


def _box_above(above: Sequence[str], size: int) -> tuple[int, int] | None:
    """Return the box from a title line of two numbers, such as 2x3, or None.

    `above` has the lines above the grid. The product of the two numbers is `size`, the number of
    rows, and neither is 1.
    """
    for line in above:
        numbers = _TWO_NUMBERS.fullmatch(line)
        if numbers and int(numbers[1]) * int(numbers[2]) == size and "1" not in numbers.groups():
            return int(numbers[1]), int(numbers[2])
    return None


def _is_size(line: str, size: int) -> bool:
    """Return whether a line consists of the size (9 9) or the box (3x3) of the grid below it."""
    numbers = _TWO_NUMBERS.fullmatch(line)
    if numbers is None:
        return False
    first, second = int(numbers[1]), int(numbers[2])
    return first == second == size or first * second == size


def _are_diagonals_marked(cells: Sequence[str]) -> bool:
    """Return whether empty cells are written as _ on the diagonals and as . elsewhere.

    Both kinds must occur. `cells` are those of a square grid in reading order.
    """
    if "_" not in cells or "." not in cells:
        return False
    size = isqrt(len(cells))
    on: set[str] = set()
    off: set[str] = set()
    for cell, written in enumerate(cells):
        row, column = divmod(cell, size)
        (on if column in (row, size - 1 - row) else off).add(written)
    return "_" in on and "." in off and "." not in on and "_" not in off


def _named(reading: Reading, record: GridRecord, size: int) -> Reading:
    """Name a puzzle after its title or a remark, and note which text around the grid is unused.

    The last title is the name, or without titles the first remark. Lines above the grid that only
    give its size (`size` is the number of rows) or box aren't titles. An invalid reading gets no
    note.
    """
    above = [line for line in record.above if not _is_size(line, size)]
    remarks = [
        line[len(row_body(line)) :]
        for line in (record.grid.texts if record.grid is not None else ())
    ]
    after = [text for text in map(clean_name, (*record.after, *remarks)) if text]
    titles = [title for title in map(clean_name, above) if title]
    if titles:
        name, unused = titles[-1], [clean_name(line) for line in above[:-1] if _is_text(line)]
    elif after:
        name, unused, after = after[0], [], after[1:]
    else:
        return reading
    left = [text for text in (*unused, *dict.fromkeys(after)) if text and text != name]
    reading = replace(reading, name=name)
    if left and not isinstance(reading.puzzle, Invalid):
        shown = shorten(" / ".join(left))
        return _noted(reading, f"ignored text: {shown!r}")
    return reading


def _is_text(line: str) -> bool:
    return not line.lstrip().startswith("#") and SECTION.fullmatch(line) is None


def _noted(reading: Reading, note: str) -> Reading:
    notes = note if reading.note is None else f"{reading.note}; {note}"
    return replace(reading, note=notes)
