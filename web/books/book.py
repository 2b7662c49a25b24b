"""Draws the pages of a book into a PDF file."""

from collections.abc import Sequence
from typing import Any

from web.boards.drawing import Drawing
from web.boards.svg import make_picture
from web.books.entries import Chapter, Entry
from web.books.options import KDP_PAGES, BookOptions, Margins
from web.books.pen import BookError, Pen, text_width, wrap_text
from web.books.picture_files import Images
from web.books.plan import (
    GAP,
    LEADING,
    STRIP_GAP,
    Area,
    Kind,
    Page,
    head_height,
    plan_book,
    rule_lines,
    strip_height,
    strip_rows,
    strip_width,
    text_area,
    texts_height,
)
from web.books.sizes import MARGIN, board_size


def write_book(
    chapters: Sequence[Chapter],
    options: BookOptions,
    images: Images,
    target: Any,
    *,
    most: int | None = None,
) -> int:
    """Write a book to a file-like object, and return its number of pages.

    `images` are those of `svg_file`. If `most` is given, only this many pages are written.
    Raises BookError if the book can't be printed.
    """
    pages, margins = plan_book(chapters, options)
    least, greatest = KDP_PAGES
    if options.is_kdp and most is None and not least <= len(pages) <= greatest:
        raise BookError(
            f"the book has {len(pages)} pages, and Amazon KDP prints {least} to {greatest}; change "
            "the number of puzzles, or of puzzles per page"
        )
    book = _Book(chapters, options, images=images, target=target, pages=pages, margins=margins)
    for number, page in enumerate(pages[:most], 1):
        book.draw(page, number)
    book.save()
    return len(pages)


class _Book:
    """Draws pages one after the other."""

    def __init__(
        self,
        chapters: Sequence[Chapter],
        options: BookOptions,
        *,
        images: Images,
        target: Any,
        pages: Sequence[Page],
        margins: Margins,
    ) -> None:
        self._chapters, self._options, self._images = chapters, options, images
        self._margins, self._pages = margins, pages
        self._area = text_area(options, margins)
        self._left = self._top = 0.0
        self._pen = Pen(
            target,
            options.page,
            bleed=options.bleed,
            ink=options.ink,
            min_font=options.min_font,
            min_line=options.min_line,
            title=options.title,
            author=options.author,
        )

    def save(self) -> None:
        self._pen.save()

    def draw(self, page: Page, number: int) -> None:
        """Draw a page. `number` is its number, from 1. Odd pages are on the right."""
        margins, options = self._margins, self._options
        self._pen.start_page()
        self._left = margins.inside if number % 2 else margins.outside
        self._top = options.page[1] - margins.top
        if page.kind not in (Kind.COVER, Kind.CHAPTER):
            self._draw_head(page, number)
            self._draw_number(number)
        self._top -= head_height(options)
        {
            Kind.COVER: self._draw_cover,
            Kind.CHAPTER: self._draw_chapter,
            Kind.PUZZLES: self._draw_puzzles,
            Kind.TEXT: self._draw_text,
            Kind.SOLUTIONS: self._draw_solutions,
        }[page.kind](page)

    def _draw_head(self, page: Page, number: int) -> None:
        options, width = self._options, self._area.width
        if not options.heads:
            return
        size = options.text_size(8.5)
        baseline = self._top - size
        left, right = (page.head, options.title) if number % 2 else (options.title, page.head)
        if left == right:
            left, right = ("", right) if number % 2 else (left, "")
        self._pen.write(self._left, baseline, left, size, color="soft")
        self._pen.write(self._left + width, baseline, right, size, align=1, color="soft")
        self._pen.rule(self._left, baseline - size * 0.4, width)

    def _draw_number(self, number: int) -> None:
        if self._options.page_numbers:
            x = self._left + (self._area.width if number % 2 else 0)
            size = self._options.text_size(9)
            self._pen.write(x, self._margins.bottom, f"{number}", size, align=number % 2)

    def _draw_cover(self, page: Page) -> None:
        del page
        options, pen = self._options, self._pen
        center, y = self._left + self._area.width / 2, self._top - self._area.height * 0.25
        size = 34.0
        for line in wrap_text(options.title or "Sudoku", self._area.width, size, bold=True):
            pen.write(center, y, line, size, bold=True, align=0.5)
            y -= size * 1.2
        total = sum(len(chapter.entries) for chapter in self._chapters)
        pen.write(center, y - 8, "1 puzzle" if total == 1 else f"{total:,} puzzles", 14, align=0.5)
        if options.author:
            pen.write(center, y - 48, options.author, 16, align=0.5)
        self._draw_contents(y - 110)

    def _draw_contents(self, y: float) -> None:
        """Write the chapters and other parts of the book with the numbers of their pages."""
        size = self._options.text_size(11)
        inset = self._area.width * 0.15
        left, right = self._left + inset, self._left + self._area.width - inset
        for title, number in self._contents():
            self._pen.write(left, y, title, size)
            self._pen.write(right, y, f"{number}", size, align=1)
            dots = " ." * int((right - left - text_width(f"{title}{number}", size) - 8)
                              / text_width(" .", size))  # fmt: skip
            self._pen.write(right - text_width(f"{number}", size) - 3, y, dots, size, align=1,
                            color="soft")  # fmt: skip
            y -= size * 1.6

    def _contents(self) -> list[tuple[str, int]]:
        found: dict[str, int] = {}
        for number, page in enumerate(self._pages, 1):
            title = page.head if page.kind is not Kind.PUZZLES else ""
            if title:
                found.setdefault(title, number)
        return [*found.items()]

    def _draw_chapter(self, page: Page) -> None:
        center, y = self._left + self._area.width / 2, self._top - self._area.height * 0.4
        self._pen.write(center, y, page.head, 30, bold=True, align=0.5)
        first, last = page.entries[0].number, page.entries[-1].number
        text = f"Puzzle {first}" if first == last else f"Puzzles {first}–{last}"
        self._pen.write(center, y - 28, text, 14, align=0.5)

    def _draw_puzzles(self, page: Page) -> None:
        strip = strip_height(page.entries, self._options, self._area.width)
        area = Area(self._area.width, self._area.height - strip)
        width, height = area.slot(page.grid)
        for place, entry in enumerate(page.entries):
            row, column = divmod(place, page.grid[1])
            x = self._left + column * (width + GAP)
            self._draw_puzzle(entry, x, self._top - row * (height + GAP), width, height)
        if strip:
            self._draw_strip(page.entries, self._top - area.height)

    def _draw_puzzle(self, entry: Entry, x: float, y: float, width: float, height: float) -> None:
        options, drawing = self._options, entry.drawing
        if drawing is None:
            return
        size = board_size(entry.board.layout, entry.board.symbols)
        texts = texts_height(entry, options, width)
        scale = size.scale(width, height - texts)
        heading = options.text_size(10)
        y -= max(0.0, height - texts - size.height * scale) / 2
        x_board = x + (width - size.width * scale) / 2
        self._pen.write(x_board + MARGIN * scale, y - heading, entry.title, heading, bold=True)
        y -= heading * 1.5
        self._draw_board(drawing, x_board, y, scale)
        y -= size.height * scale + 4
        small = options.text_size(8)
        for line in rule_lines(entry, options, width):
            y -= small * LEADING
            self._pen.write(x, y + small * 0.3, line, small)

    def _draw_board(
        self, drawing: Drawing, x: float, y: float, scale: float, *, upside_down: bool = False
    ) -> None:
        self._pen.draw(
            make_picture(drawing, len(self._images)),
            x + MARGIN * scale,
            y - MARGIN * scale,
            scale,
            ruled=bool(drawing.rules),
            images=self._images,
            upside_down=upside_down,
        )

    def _draw_strip(self, entries: Sequence[Entry], y: float) -> None:
        """Draw the solutions of a page upside down, from `y` down to the foot of the page."""
        options = self._options
        for row in strip_rows(entries, options, self._area.width):
            x = self._left + self._area.width
            highest = 0.0
            for entry in row:
                size = board_size(entry.board.layout, entry.board.symbols)
                width = strip_width(size, options)
                scale = width / size.width
                x -= width
                solution = entry.solution
                if solution is not None:
                    top = y - options.min_font * 0.5
                    self._draw_board(solution, x, top, scale, upside_down=True)
                    baseline = top - size.height * scale - options.min_font
                    self._pen.write(x + width / 2, baseline, f"{entry.number}", options.min_font,
                                    align=0.5)  # fmt: skip
                highest = max(highest, size.height * scale)
                x -= STRIP_GAP
            y -= highest + options.min_font * 1.6 + STRIP_GAP

    def _draw_text(self, page: Page) -> None:
        y = self._top
        for line in page.lines:
            y -= line.height
            x = self._left + line.indent
            self._pen.write(x, y + line.size * 0.3, line.text, line.size, bold=line.bold)

    def _draw_solutions(self, page: Page) -> None:
        width, height = self._area.slot(page.grid)
        small = self._options.text_size(8)
        for place, entry in enumerate(page.entries):
            row, column = divmod(place, page.grid[1])
            x, y = self._left + column * (width + GAP), self._top - row * (height + GAP)
            solution = entry.solution
            if solution is None:
                continue
            size = board_size(entry.board.layout, entry.board.symbols)
            scale = size.scale(width, height - small * 1.5)
            x += (width - size.width * scale) / 2
            self._pen.write(x + MARGIN * scale, y - small, f"{entry.number}", small, bold=True)
            self._draw_board(solution, x, y - small * 1.4, scale)
