"""Compute the sizes of the parts of a book's page and of the area that they share, in points."""

from collections.abc import Sequence
from dataclasses import dataclass

from web.books.entries import Entry
from web.books.options import BookOptions, Margins
from web.books.pen import wrap_text
from web.books.sizes import BoardSize, Grid, board_size

GAP = 12.0  # points between boards
LEADING = 1.3  # distance of lines, as a multiple of the font size
# The width of a board that is printed upside down, in points, unless its symbols need more.
_STRIP_BOARD = 84.0
STRIP_GAP = 10.0  # points between such boards
STRIP_ABOVE = 16.0  # points between the puzzles of a page and these boards
STRIP_NUMBER = 7.0  # font size of their numbers
HEADING, RULES = 10.0, 8.5  # font sizes of the texts above and below a puzzle
SECTION = 20.0  # font size of the title of a part of the book


@dataclass(frozen=True, slots=True)
class Area:
    """The size, in points, of the area inside the margins, between running head and page number."""

    width: float
    height: float

    def slot(self, grid: Grid) -> tuple[float, float]:
        """Return the width and height, in points, of the area for one board of a grid.

        `grid` is (rows, columns).
        """
        rows, columns = grid
        return (
            (self.width - GAP * (columns - 1)) / columns,
            (self.height - GAP * (rows - 1)) / rows,
        )


def text_area(options: BookOptions, margins: Margins) -> Area:
    """Return the area for boards and text on a page, in points."""
    width, height = options.page
    return Area(
        width - margins.inside - margins.outside,
        height - margins.top - margins.bottom - head_height(options) - foot_height(options),
    )


def head_height(options: BookOptions) -> float:
    """Return the height, in points, of the running head with the space below it, 0 without one."""
    return options.text_size(8.5) * 2.6 if options.heads else 0


def foot_height(options: BookOptions) -> float:
    """Return the height, in points, of the page number with the space above it, 0 without one."""
    return options.text_size(9) * 1.9 if options.page_numbers else 0


def title_height(options: BookOptions) -> float:
    """Return the height, in points, of the title of a part of the book, with the space below it."""
    return options.text_size(SECTION) * 1.7


def rule_lines(entry: Entry, options: BookOptions, width: float) -> list[str]:
    """Return the rules of a puzzle in words, in lines of at most `width` points.

    Returns no lines if the options omit the rules.
    """
    if not options.rules:
        return []
    text = " ".join(f"{rule.title}: {rule.sentence}" for rule in entry.rules)
    return list(wrap_text(text.replace("'", "’"), width, options.text_size(RULES)))


def texts_height(entry: Entry, options: BookOptions, width: float) -> float:
    """Return the height, in points, of the heading above a puzzle and of the rules below it.

    `width` is the width of the lines, in points.
    """
    lines = len(rule_lines(entry, options, width))
    below = lines * options.text_size(RULES) * LEADING + (4 if lines else 0)
    return options.text_size(HEADING) * 1.5 + below


def puzzle_size(entry: Entry) -> BoardSize:
    """Return the size of the board of a puzzle, drawn with its rules."""
    return board_size(entry.board.layout, entry.board.symbols)


def solution_size(entry: Entry) -> BoardSize:
    """Return the size of the board of a solution, which has no rules."""
    return board_size(entry.solved_board.layout, entry.solved_board.symbols)


def strip_width(size: BoardSize, options: BookOptions) -> float:
    """Return the width, in points, of a solution that is printed at the foot of a page."""
    return max(_STRIP_BOARD, size.width * size.smallest(options.min_font) / size.symbol)


def strip_rows(entries: Sequence[Entry], options: BookOptions, width: float) -> list[list[Entry]]:
    """Return the solutions in rows, which aren't wider than `width` points, in order.

    A wider solution is alone in its row.
    """
    rows: list[list[Entry]] = []
    used = 0.0
    for entry in entries:
        wide = strip_width(solution_size(entry), options) + STRIP_GAP
        if not rows or used + wide > width + STRIP_GAP:
            rows.append([])
            used = 0.0
        rows[-1].append(entry)
        used += wide
    return rows


def strip_height(entries: Sequence[Entry], options: BookOptions, width: float) -> float:
    """Return the height of the upside-down solutions on a page, with the space above them.

    Lengths are in points. The height is 0 without solutions, or if the option `solutions` isn't
    "upside-down".
    """
    if options.solutions != "upside-down" or not entries:
        return 0
    total = STRIP_ABOVE
    for row in strip_rows(entries, options, width):
        sizes = [solution_size(entry) for entry in row]
        highest = max(strip_width(each, options) * each.height / each.width for each in sizes)
        total += highest + STRIP_NUMBER * 1.2
    return total + STRIP_GAP * (len(strip_rows(entries, options, width)) - 1)
