"""Plan the pages of a book: what is on each of them, before anything is drawn."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum, auto
from functools import partial
from itertools import groupby, islice

from web.books.entries import Chapter, Entry
from web.books.measures import (
    GAP,
    Area,
    puzzle_size,
    solution_size,
    strip_height,
    text_area,
    texts_height,
    title_height,
)
from web.books.options import GRIDS, BookOptions, Margins
from web.books.sizes import Grid, smaller_grids
from web.books.text_pages import Line, cut_into_columns, explanation_lines, hint_lines

SOLUTION_GRIDS: tuple[Grid, ...] = ((5, 4), (4, 3), (3, 2), (2, 1), (1, 1))
_MIN_SOLUTION = 7.0  # points: the font size of symbols in solutions
COLUMN_GAP = 18.0  # points between columns of text
# The narrowest column of text, as a multiple of the font size.
_HINT_COLUMN, _STEP_COLUMN = 18, 26


class Kind(StrEnum):
    """The kinds of pages."""

    COVER = auto()
    BLANK = auto()
    CHAPTER = auto()
    PUZZLES = auto()
    TEXT = auto()
    SOLUTIONS = auto()


@dataclass(frozen=True, slots=True)
class BoardRow:
    """Boards next to each other, in slots of which `columns` fit on the page.

    `height` is the height of a slot in points.
    """

    entries: Sequence[Entry]
    columns: int
    height: float


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a book.

    `head` is the running head, and `title` is printed above the contents of the page. Pages of the
    kind CHAPTER open `chapter`. Boards are in `rows`, and text is in `columns`.
    """

    kind: Kind
    head: str = ""
    title: str = ""
    chapter: Chapter | None = None
    rows: Sequence[BoardRow] = ()
    columns: Sequence[Sequence[Line]] = ()

    @property
    def entries(self) -> list[Entry]:
        """The puzzles whose boards are on the page."""
        return [entry for row in self.rows for entry in row.entries]


def plan_book(chapters: Sequence[Chapter], options: BookOptions) -> tuple[list[Page], Margins]:
    """Return the pages of a book and their margins, which may depend on the number of pages."""
    count = 0
    while True:
        margins = options.margins(count)
        pages = list(_turned(_pages(chapters, options, text_area(options, margins))))
        if options.margins(len(pages)).inside <= margins.inside:
            return pages, margins
        count = len(pages)


def _turned(pages: Iterable[Page]) -> Iterator[Page]:
    """Yield the pages, with a blank page before each chapter that would start on a left page."""
    is_left = False
    for page in pages:
        if page.kind is Kind.CHAPTER and is_left:
            yield Page(Kind.BLANK)
            is_left = False
        yield page
        is_left = not is_left


def _pages(chapters: Sequence[Chapter], options: BookOptions, area: Area) -> Iterator[Page]:
    """Yield the pages of a book: the cover, the chapters with their puzzles, hints, and solutions.

    The options determine which of these there are. `area` is that for boards and text on a page.
    """
    if options.cover:
        yield Page(Kind.COVER)
    for chapter in chapters:
        if chapter.title:
            yield Page(Kind.CHAPTER, chapter.title, chapter=chapter)
        yield from _puzzle_pages(chapter, options, area)
    everything = [entry for chapter in chapters for entry in chapter.entries]
    yield from _text_pages(everything, options, area)
    if options.solutions == "end":
        yield from _solution_pages(everything, options, area)


def _puzzle_pages(chapter: Chapter, options: BookOptions, area: Area) -> Iterator[Page]:
    """Yield the pages with the puzzles of a chapter, each divided into slots of equal size.

    A puzzle that needs slots of another size begins a new page.
    """
    head = chapter.title or options.title
    grid_of = partial(_puzzle_grid, options=options, area=area)
    for grid, group in groupby(chapter.entries, grid_of):
        rows, columns = grid
        while entries := list(islice(group, rows * columns)):
            strip = strip_height(entries, options, area.width)
            _, height = Area(area.width, area.height - strip).slot(grid)
            parts = [entries[at : at + columns] for at in range(0, len(entries), columns)]
            yield Page(Kind.PUZZLES, head, rows=[BoardRow(part, columns, height) for part in parts])


def _puzzle_grid(entry: Entry, options: BookOptions, area: Area) -> Grid:
    """Return the grid (rows, columns) with the most puzzles on which this one is legible.

    It has at most `per_page` puzzles. The grid is 1×1 if the puzzle is legible on none.
    """
    size = puzzle_size(entry)
    first = GRIDS[options.per_page]
    for grid in smaller_grids([*GRIDS.values()], first):
        strip = strip_height([entry] * (grid[0] * grid[1]), options, area.width)
        width, height = Area(area.width, area.height - strip).slot(grid)
        scale = size.scale(width, height - texts_height(entry, options, width), options.max_cell)
        if size.is_legible(scale, symbol=options.min_symbol, label=options.min_font):
            return grid
    return (1, 1)


def _text_pages(entries: Sequence[Entry], options: BookOptions, area: Area) -> Iterator[Page]:
    """Yield the pages with hints or explanations of all puzzles, in as many columns as fit."""
    if options.hints == "none":
        return
    size = options.text_size(9)
    is_short = options.hints == "hints"
    narrowest = (_HINT_COLUMN if is_short else _STEP_COLUMN) * size
    count = max(1, int((area.width + COLUMN_GAP) / (narrowest + COLUMN_GAP)))
    width = (area.width - COLUMN_GAP * (count - 1)) / count
    make = hint_lines if is_short else explanation_lines
    title = options.hints.capitalize()
    columns = cut_into_columns(
        make(entries, width=width, size=size),
        area.height,
        shorter=count,
        by=title_height(options),
    )
    page = Page(Kind.TEXT, title, title)
    while lines := tuple(islice(columns, count)):
        yield replace(page, columns=lines)
        page = replace(page, title="")


def _solution_pages(entries: Sequence[Entry], options: BookOptions, area: Area) -> Iterator[Page]:
    """Yield the pages with solutions. All slots of a row have one size, but rows can differ.

    Puzzles without a solution are left out. Only the first page has a title.
    """
    solved = [entry for entry in entries if entry.is_solved]
    page = Page(Kind.SOLUTIONS, "Solutions", "Solutions")
    rows: list[BoardRow] = []
    left = area.height - title_height(options)
    for grid, group in groupby(solved, partial(_solution_grid, options=options, area=area)):
        _, height = area.slot(grid)
        while boards := list(islice(group, grid[1])):
            # A board that fills a page is a little smaller below the title.
            if not rows and page.title:
                height = min(height, left)
            # Heights are rounded.
            if rows and height > left + 0.01:
                yield replace(page, rows=rows)
                page, rows, left = replace(page, title=""), [], area.height
            rows.append(BoardRow(boards, grid[1], height))
            left -= height + GAP
    if rows:
        yield replace(page, rows=rows)


def _solution_grid(entry: Entry, options: BookOptions, area: Area) -> Grid:
    """Return the grid (rows, columns) with the most solutions per page in which this is legible."""
    size = solution_size(entry)
    least = max(_MIN_SOLUTION, options.min_font) * (1.7 if options.large_print else 1)
    for grid in SOLUTION_GRIDS:
        width, height = area.slot(grid)
        scale = size.scale(width, height - options.text_size(8) * 1.5, options.max_cell)
        if size.is_legible(scale, symbol=least, label=0):
            return grid
    return (1, 1)
