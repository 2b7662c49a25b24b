"""The pages of a book: what is on each of them, before anything is drawn."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum, auto
from functools import partial
from itertools import groupby, islice

from web.books.entries import Chapter, Entry
from web.books.options import GRIDS, BookOptions, Margins
from web.books.pen import wrap_text
from web.books.sizes import BoardSize, Grid, board_size, smaller_grids
from web.books.text_pages import Line, cut_into_pages, explanation_lines, hint_lines

SOLUTION_GRIDS: tuple[Grid, ...] = ((5, 4), (4, 3), (3, 2), (2, 1), (1, 1))
GAP = 12.0  # points between boards
_MIN_SOLUTION = 7.0  # points: the font size of symbols in solutions
LEADING = 1.3  # distance of lines, as a multiple of the font size
# The width of a board that is printed upside down, in points, unless its symbols need more.
_STRIP_BOARD = 84.0
STRIP_GAP = 10.0  # points between such boards


class Kind(StrEnum):
    """The kinds of pages."""

    COVER = auto()
    CHAPTER = auto()
    PUZZLES = auto()
    TEXT = auto()
    SOLUTIONS = auto()


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a book. `grid` has the rows and columns of its boards."""

    kind: Kind
    head: str = ""
    entries: Sequence[Entry] = ()
    grid: Grid = (1, 1)
    lines: Sequence[Line] = field(default=())


@dataclass(frozen=True, slots=True)
class Area:
    """The size of the area inside the margins, below the running head and above the number."""

    width: float
    height: float

    def slot(self, grid: Grid) -> tuple[float, float]:
        """Return the width and height of the area for one board of a grid."""
        rows, columns = grid
        return (
            (self.width - GAP * (columns - 1)) / columns,
            (self.height - GAP * (rows - 1)) / rows,
        )


def text_area(options: BookOptions, margins: Margins) -> Area:
    """Return the area for boards and text on a page."""
    width, height = options.page
    return Area(
        width - margins.inside - margins.outside,
        height - margins.top - margins.bottom - head_height(options) - foot_height(options),
    )


def head_height(options: BookOptions) -> float:
    """Return the height of the running head with the space below it."""
    return options.text_size(8.5) * 2 if options.heads else 0


def foot_height(options: BookOptions) -> float:
    """Return the height of the page number with the space above it."""
    return options.text_size(9) * 1.9 if options.page_numbers else 0


def rule_lines(entry: Entry, options: BookOptions, width: float) -> list[str]:
    """Return the rules of a puzzle in words, in lines of a width."""
    drawing = entry.drawing
    if not options.rules or drawing is None:
        return []
    text = " ".join(f"{rule.title}: {rule.sentence}" for rule in drawing.rules)
    return list(wrap_text(text, width, options.text_size(8)))


def texts_height(entry: Entry, options: BookOptions, width: float) -> float:
    """Return the height of the heading above a puzzle, and of the rules below it."""
    lines = len(rule_lines(entry, options, width))
    below = lines * options.text_size(8) * LEADING + (4 if lines else 0)
    return options.text_size(10) * 1.5 + below


def strip_width(size: BoardSize, options: BookOptions) -> float:
    """Return the width of a solution that is printed upside down at the foot of a page."""
    return max(_STRIP_BOARD, size.width * options.min_font / size.symbol)


def strip_rows(entries: Sequence[Entry], options: BookOptions, width: float) -> list[list[Entry]]:
    """Return the rows of upside-down solutions on a page."""
    rows: list[list[Entry]] = []
    used = 0.0
    for entry in entries:
        size = board_size(entry.board.layout, entry.board.symbols)
        wide = strip_width(size, options) + STRIP_GAP
        if not rows or used + wide > width + STRIP_GAP:
            rows.append([])
            used = 0.0
        rows[-1].append(entry)
        used += wide
    return rows


def strip_height(entries: Sequence[Entry], options: BookOptions, width: float) -> float:
    """Return the height of the upside-down solutions on a page."""
    if options.solutions != "upside-down":
        return 0
    total = 0.0
    for row in strip_rows(entries, options, width):
        sizes = [board_size(entry.board.layout, entry.board.symbols) for entry in row]
        highest = max(strip_width(each, options) * each.height / each.width for each in sizes)
        total += highest + options.min_font * 1.6 + STRIP_GAP
    return total


def plan_book(chapters: Sequence[Chapter], options: BookOptions) -> tuple[list[Page], Margins]:
    """Return the pages of a book and their margins, which may depend on the number of pages."""
    count = 0
    while True:
        margins = options.margins(count)
        pages = list(_pages(chapters, options, text_area(options, margins)))
        if options.margins(len(pages)).inside <= margins.inside:
            return pages, margins
        count = len(pages)


def _pages(chapters: Sequence[Chapter], options: BookOptions, area: Area) -> Iterator[Page]:
    if options.cover:
        yield Page(Kind.COVER)
    for chapter in chapters:
        if chapter.title:
            yield Page(Kind.CHAPTER, chapter.title, chapter.entries)
        head = chapter.title or options.title
        grid_of = partial(_puzzle_grid, options=options, area=area)
        for grid, entries in _runs(chapter.entries, grid_of):
            yield Page(Kind.PUZZLES, head, entries, grid)
    everything = [entry for chapter in chapters for entry in chapter.entries]
    yield from _text_pages(everything, options, area)
    if options.solutions == "end":
        yield from _solution_pages(everything, options, area)


def _runs(
    entries: Sequence[Entry], grid_of: Callable[[Entry], Grid]
) -> Iterator[tuple[Grid, list[Entry]]]:
    """Yield the boards of each page with their grid. All boards of a page have the same grid.

    `grid_of` returns the grid on which the board of a puzzle is printed.
    """
    for grid, group in groupby(entries, grid_of):
        while boards := list(islice(group, grid[0] * grid[1])):
            yield grid, boards


def _puzzle_grid(entry: Entry, options: BookOptions, area: Area) -> Grid:
    """Return the grid with the most puzzles, up to `per_page`, on which the puzzle is legible."""
    size = board_size(entry.board.layout, entry.board.symbols)
    first = GRIDS[options.per_page]
    for grid in smaller_grids([*GRIDS.values()], first):
        strip = strip_height([entry] * (grid[0] * grid[1]), options, area.width)
        width, height = Area(area.width, area.height - strip).slot(grid)
        scale = size.scale(width, height - texts_height(entry, options, width))
        if size.is_legible(scale, symbol=options.min_symbol, label=options.min_font):
            return grid
    return (1, 1)


def _text_pages(entries: Sequence[Entry], options: BookOptions, area: Area) -> Iterator[Page]:
    if options.hints == "none":
        return
    size = options.text_size(9)
    make = hint_lines if options.hints == "hints" else explanation_lines
    lines = make(entries, width=area.width, size=size)
    for page in cut_into_pages(lines, area.height):
        yield Page(Kind.TEXT, options.hints.capitalize(), lines=page)


def _solution_pages(entries: Sequence[Entry], options: BookOptions, area: Area) -> Iterator[Page]:
    solved = [entry for entry in entries if entry.solution is not None]
    for grid, boards in _runs(solved, partial(_solution_grid, options=options, area=area)):
        yield Page(Kind.SOLUTIONS, "Solutions", boards, grid)


def _solution_grid(entry: Entry, options: BookOptions, area: Area) -> Grid:
    size = board_size(entry.board.layout, entry.board.symbols)
    least = max(_MIN_SOLUTION, options.min_font) * (1.7 if options.large_print else 1)
    for grid in SOLUTION_GRIDS:
        width, height = area.slot(grid)
        scale = size.scale(width, height - options.text_size(8) * 1.5)
        if scale * size.symbol >= least:
            return grid
    return (1, 1)
