"""Turns the cells of one record into a puzzle, and cleans texts of cells, numbers, and names."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isqrt

from solver.board.display import how_many, printable, shorten, show_symbols
from solver.board.graphemes import normalize, split_graphemes
from solver.board.layout import MAX_SIZE, Layout
from solver.board.puzzle import Invalid, Puzzle
from solver.formats.format import ReadOptions
from solver.formats.reading.deduce import BLANKS, choose_symbols
from solver.rules.variants import with_variants

# The beginning of the note about a solution that can't be compared with the computed one.
UNREADABLE_SOLUTION = "the solution in the upload is unreadable"
_SMALLEST_BOARD = 4
# NumPy, pandas, and spreadsheets write whole numbers like this if some values are missing.
_FLOAT = re.compile(r"-?\d{1,9}\.\d*(?:e[+-]\d{1,3})?", re.ASCII)
_WHOLE = re.compile(r"\s*-?[0-9]{1,18}\s*")  # No number in a puzzle is longer.
_NOT_A_NUMBER = frozenset({"nan", "NaN", "NA", "<NA>"})


@dataclass(frozen=True, slots=True)
class Reading:
    """The result of reading one record of an upload.

    puzzle    the puzzle, or an error message
    note      remark on how it was read, such as an assumption or ignored text
    name      the name of the puzzle in the upload
    expected  the solution in the upload as values 1…N, if there is one
    own       the fields of the user's additional columns in a table
    """

    puzzle: Puzzle | Invalid
    note: str | None = None
    name: str | None = None
    expected: tuple[int, ...] | None = None
    own: tuple[str, ...] | None = None


def is_square(number: int) -> bool:
    """Return whether a number is N² for a possible grid size N, which is 1 to 100."""
    return 0 < number <= MAX_SIZE**2 and isqrt(number) ** 2 == number


def are_boards(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether rows of equal length can be complete boards of N×N cells, one per row.

    Then each row has N² cells, with N at least 4. All rows together have at most N different
    values, and no number above N.
    """
    width = len(rows[0])
    size = isqrt(width)
    values = {cell for row in rows for cell in row} - BLANKS
    large = any(value.isdecimal() and int(value) > size for value in values)
    return size >= _SMALLEST_BOARD and is_square(width) and len(values) <= size and not large


def as_whole(cell: str) -> str:
    """Return the text of a cell, but "5" for a whole float such as 5.0, and "" for NaN or NA."""
    if len(cell) > 1 and _FLOAT.fullmatch(cell) and float(cell).is_integer():
        return str(int(float(cell)))
    return "" if cell in _NOT_A_NUMBER else cell


def read_whole(text: str) -> int | None:
    """Return the whole number of up to 18 digits in a text, or None for any other text.

    A minus sign and spaces around the number are allowed. Unlike `int`, this rejects underscores,
    plus signs, and digits of other scripts.
    """
    return int(text) if _WHOLE.fullmatch(text) else None


def show_cell(cell: str) -> str:
    """Return a description of the content of a cell for use in a message.

    It is the content in quotation marks, truncated to 20 characters. For a cell with invalid
    UTF-8 or a control character, it is only "invalid UTF-8" or the code of the first such
    character ("the character U+0007"), without the rest of the content.
    """
    if "\ufffd" in cell:
        return "invalid UTF-8"
    strange = next((c for c in cell if unicodedata.category(c) == "Cc"), None)
    return f"the character U+{ord(strange):04X}" if strange else repr(cell[:20])


def clean_name(text: str) -> str | None:
    """Return a record's name without white space, separators, and quotation marks around it.

    Each unprintable character becomes a space. Returns None if nothing is left. The name may be too
    long: `collect` limits its length and adds a note.
    """
    name = text.strip().strip(" \t\r\n#,;|/\"'`>").strip()
    return printable(name) if name else None


def whole_name(text: str) -> str | None:
    """Return the name or id in a separate field, or None if the field is blank.

    Surrounding white space is removed. Each unprintable character becomes a space.
    """
    name = text.strip()
    return printable(name) if name else None


def read_rows(rows: Sequence[Sequence[str]], *, text: str, options: ReadOptions) -> Reading:
    """Read a square grid from its rows of cells. `text` is the record, for error messages.

    The reading is invalid if the rows have unequal lengths, if their number differs from the number
    of cells in each, or if `read_cells` finds an error. A single row of more than 100 cells is read
    as all cells of a grid.
    """
    widths = Counter(len(row) for row in rows)
    size = len(rows)
    # The most frequent width is expected. In a tie, the width that makes the grid square is.
    expected = max(widths, key=lambda width: (widths[width], width == size), default=0)
    for number, row in enumerate(rows, 1):
        if len(row) != expected:
            return refuse(
                f"row {number} has {how_many(len(row), 'cell')}, expected {expected}", text
            )
    found = f"{how_many(size, 'row')} of {how_many(expected, 'cell')}"
    if size != expected and expected <= MAX_SIZE:
        return refuse(f"the grid has {found}, expected {how_many(expected, 'row')}", text)
    if size != expected and size > 1:
        return refuse(f"the grid has {found}; the limit is {MAX_SIZE}×{MAX_SIZE}", text)
    return read_cells([cell for row in rows for cell in row], text=text, options=options)


def find_layout(size: int, options: ReadOptions) -> tuple[Layout, str | None] | str:
    """Return the layout of an N×N grid and a note if its box was assumed, or an error message.

    `size` is N. The options give the box and variants. The note is None if the options give the
    box, or the usual box is a square.
    """
    if size == 1 and options.box is None:
        return "a single cell isn't a puzzle; to read it as a 1×1 grid, set the option 'box' to 1x1"
    box = options.box_of(size)
    if box is None:
        return f"a {size}×{size} grid has no usual box; set the option 'box', such as 1x{size}"
    if box[0] * box[1] != size:
        return f"a box of {box[0]}x{box[1]} cells doesn't fit a {size}×{size} grid"
    layout = with_variants(Layout.boxed(*box), options.variant)
    if isinstance(layout, str):
        return layout
    assumed = options.box is None and box[0] != box[1]
    return layout, f"read with boxes of {box[0]}x{box[1]}" if assumed else None


def read_cells(cells: Sequence[str], *, text: str, options: ReadOptions) -> Reading:
    """Read the cells of a square grid in reading order. `text` is the record, for error messages.

    The box, the symbols, and the sign for empty cells come from the options or are deduced. The
    reading is invalid if the number of cells isn't a square up to 100², an option doesn't fit, or a
    cell is neither empty nor a symbol.
    """
    size = isqrt(len(cells))
    if not cells or size * size != len(cells):
        return refuse(f"{how_many(len(cells), 'cell')}, expected 81 or another square number", text)
    if size > MAX_SIZE:
        return refuse(f"the grid has {size}×{size} cells; the limit is {MAX_SIZE}×{MAX_SIZE}", text)
    board = find_layout(size, options)
    if isinstance(board, str):
        return refuse(board, text)
    layout, assumed = board
    choice = choose_symbols(cells, size, options)
    if isinstance(choice, str):
        return refuse(choice, text)
    symbols, value_of, note = choice
    if assumed is not None:
        note = assumed if note is None else f"{note}; {assumed}"
    givens = []
    for index, cell in enumerate(cells):
        value = value_of.get(cell)
        if value is None:
            place = f"row {index // size + 1}, column {index % size + 1}"
            fault = f"{show_cell(cell)} in {place} isn't a symbol of a {size}×{size} puzzle"
            expected = f"{show_symbols(symbols.values)} or an empty cell"
            return refuse(f"{fault}; expected {expected}", text)
        givens.append(value)
    return Reading(Puzzle(layout, tuple(givens), symbols), note)


def with_solution(reading: Reading, text: str, *, may_be_partial: bool = False) -> Reading:
    """Add the solution in the upload to the reading of a record, or a note if it is unreadable.

    The solution is written in the puzzle's symbols, with spaces between the cells or without. A
    text with fewer cells than a row has, such as "n/a", isn't a solution and is ignored. So is a
    solution with dots for unknown cells if it `may_be_partial`. An invalid reading is returned
    unchanged.
    """
    if isinstance(reading.puzzle, Invalid):
        return reading
    cells = text.split() if " " in text.strip() else split_graphemes(normalize(text.strip()))
    if len(cells) < reading.puzzle.layout.size:
        return reading
    solution = _read_solution(cells, reading.puzzle)
    if not isinstance(solution, str):
        return replace(reading, expected=solution)
    if may_be_partial and "." in cells:
        return reading
    notes = (reading.note, f"{UNREADABLE_SOLUTION}: {solution}")
    return replace(reading, note="; ".join(filter(None, notes)))


def _read_solution(cells: Sequence[str], puzzle: Puzzle) -> tuple[int, ...] | str:
    """Return a solution as values 1…N, or the reason why it is unreadable.

    Missing cells of the board (holes) have the value 0. Every other cell must have a symbol.
    """
    layout, symbols = puzzle.layout, puzzle.symbols
    if len(cells) != layout.cells:
        return f"it has {how_many(len(cells), 'cell')}, expected {layout.cells:,}"
    value_of = {symbol: value for value, symbol in enumerate(symbols.values, 1)}
    values = tuple(value_of.get(cell, 0) for cell in cells)
    for cell, value in enumerate(values):
        if value == 0 and cell not in layout.holes:
            expected = f"expected {show_symbols(symbols.values)}"
            return f"it has {show_cell(cells[cell])} in {layout.cell_name(cell)}, {expected}"
    return values


def refuse(detail: str, text: str) -> Reading:
    """Return an invalid reading with the error message `detail`.

    It contains an excerpt of `text`, the record.
    """
    return Reading(Invalid(detail, shorten(text)))
