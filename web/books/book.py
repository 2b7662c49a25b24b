"""Draws the pages of a book into a PDF file."""

from collections.abc import Callable, Sequence
from typing import Any

from web.boards.drawing import Drawing
from web.boards.svg import make_picture
from web.books import kdp
from web.books.entries import Chapter, Entry
from web.books.measures import (
    GAP,
    HEADING,
    LEADING,
    RULES,
    SECTION,
    STRIP_ABOVE,
    STRIP_GAP,
    STRIP_NUMBER,
    head_height,
    puzzle_size,
    rule_lines,
    solution_size,
    strip_height,
    strip_rows,
    strip_width,
    text_area,
    texts_height,
    title_height,
)
from web.books.options import BookOptions, Margins
from web.books.parameters import BookError
from web.books.pen import Pen, fitted_size, shorten_text, text_width, wrap_text
from web.books.picture_files import Images
from web.books.plan import COLUMN_GAP, BoardRow, Kind, Page, plan_book
from web.books.sizes import MARGIN


def write_book(
    chapters: Sequence[Chapter],
    options: BookOptions,
    images: Images,
    target: Any,
    *,
    most: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> int:
    """Write a book to a file-like object, and return its number of pages.

    `images` are those of `svg_file`. If `most` is given, only this many pages are written, but the
    returned number is still that of the whole book. After each page, `progress` is called with the
    numbers of written pages and of pages of the whole book. Raises BookError if the book can't be
    printed. Amazon KDP's limits on the number of pages apply only without `most`.
    """
    pages, margins = plan_book(chapters, options)
    least, greatest = kdp.LEAST_PAGES, kdp.most_pages(options.page)
    if options.is_kdp and most is None and not least <= len(pages) <= greatest:
        raise BookError(
            f"the book has {len(pages)} pages, but Amazon KDP prints {least} to {greatest} of this "
            "size; change the number of puzzles, or of puzzles per page"
        )
    book = _Book(chapters, options, images=images, target=target, pages=pages, margins=margins)
    for number, page in enumerate(pages[:most], 1):
        book.draw(page, number)
        if progress is not None:
            progress(number, len(pages))
    book.save()
    return len(pages)


class _Book:
    """Draws the pages of a book into a PDF file, one after the other."""

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
            # KDP expects no metadata in the file.
            title="" if options.is_kdp else options.title,
            author="" if options.is_kdp else options.author,
        )

    def save(self) -> None:
        self._pen.save()

    def draw(self, page: Page, number: int) -> None:
        """Draw a page. `number` is its number, from 1. Odd pages are on the right.

        Covers and first pages of chapters have neither a running head nor a printed number. Blank
        pages have nothing.
        """
        margins, options = self._margins, self._options
        self._pen.start_page()
        if page.kind is Kind.BLANK:
            return
        self._left = margins.inside if number % 2 else margins.outside
        self._top = options.page[1] - margins.top
        if page.kind not in (Kind.COVER, Kind.CHAPTER):
            self._draw_head(page, number)
            self._draw_number(number)
        self._top -= head_height(options)
        if page.title:
            size = options.text_size(SECTION)
            self._pen.write(self._left, self._top - size * 0.8, page.title, size, bold=True)
            self._top -= title_height(options)
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
        left, right = (shorten_text(text, width * 0.6, size) for text in (left, right))
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
        title = options.title or "Sudoku"
        width = self._area.width
        longest = max(title.split(), key=len)
        size = fitted_size(longest, width, options.display_size, bold=True)
        for line in wrap_text(title, width, size, bold=True):
            pen.write(center, y, line, size, bold=True, align=0.5)
            y -= size * 1.2
        small = options.text_size(14)
        total = sum(len(chapter.entries) for chapter in self._chapters)
        y -= small * 0.6
        pen.write(center, y, "1 puzzle" if total == 1 else f"{total:,} puzzles", small, align=0.5)
        if options.author:
            y -= small * 2.6
            pen.write(center, y, options.author, small * 1.15, align=0.5)
        self._draw_contents(y - small * 5)

    def _draw_contents(self, y: float) -> None:
        """Write the chapters and other parts of the book with the numbers of their pages.

        The first line is at the height `y`, in points from the foot of the page. Nothing is written
        if there is only one part.
        """
        size = self._options.text_size(11)
        inset = self._area.width * 0.15
        left, right = self._left + inset, self._left + self._area.width - inset
        contents = self._contents()
        for title, number in contents if len(contents) > 1 else ():
            self._pen.write(left, y, title, size)
            self._pen.write(right, y, f"{number}", size, align=1)
            dots = " ." * int((right - left - text_width(f"{title}{number}", size) - 8)
                              / text_width(" .", size))  # fmt: skip
            self._pen.write(right - text_width(f"{number}", size) - 3, y, dots, size, align=1,
                            color="soft")  # fmt: skip
            y -= size * 1.6

    def _contents(self) -> list[tuple[str, int]]:
        found: dict[str, int] = {}
        has_chapters = any(chapter.title for chapter in self._chapters)
        for number, page in enumerate(self._pages, 1):
            if page.kind is Kind.PUZZLES and not has_chapters:
                found.setdefault("Puzzles", number)
            elif page.head and page.kind is not Kind.PUZZLES:
                found.setdefault(page.head, number)
        return [*found.items()]

    def _draw_chapter(self, page: Page) -> None:
        center, y = self._left + self._area.width / 2, self._top - self._area.height * 0.4
        size = self._options.display_size * 0.9
        self._pen.write(center, y, page.head, size, bold=True, align=0.5)
        y -= size * 0.4
        for text in page.chapter.subtitles if page.chapter else ():
            y -= size * 0.6
            self._pen.write(center, y, text, size * 0.45, align=0.5)

    def _draw_puzzles(self, page: Page) -> None:
        strip = strip_height(page.entries, self._options, self._area.width)
        y = self._top
        if page.rows[0].columns == 1:
            used = sum(row.height + GAP for row in page.rows) - GAP
            y -= max(0.0, self._area.height - strip - used) / 2
        for row in page.rows:
            self._draw_puzzle_row(row, y)
            y -= row.height + GAP
        if strip:
            self._draw_strip(page.entries, self._top - self._area.height + strip - STRIP_ABOVE)

    def _draw_puzzle_row(self, row: BoardRow, y: float) -> None:
        """Draw puzzles next to each other. Their headings are at the same height.

        If they don't need the height of the row, they are centered in it. `y` is the upper edge of
        the row, in points from the foot of the page.
        """
        options = self._options
        width, _ = self._area.slot((1, row.columns))
        texts = max(texts_height(entry, options, width) for entry in row.entries)
        sizes = [puzzle_size(entry) for entry in row.entries]
        scales = [size.scale(width, row.height - texts, options.max_cell) for size in sizes]
        highest = max(size.height * scale for size, scale in zip(sizes, scales, strict=True))
        y -= max(0.0, row.height - texts - highest) / 2
        for place, (entry, scale) in enumerate(zip(row.entries, scales, strict=True)):
            self._draw_puzzle(entry, self._left + place * (width + GAP), y, width, scale)

    def _draw_puzzle(self, entry: Entry, x: float, y: float, width: float, scale: float) -> None:
        """Draw a puzzle with its heading above and its rules below, in the middle of its slot.

        (x, y) is the upper left corner of the slot, and `width` the slot's width, in points.
        `scale` is in points per unit of the board.
        """
        options, drawing = self._options, entry.drawing
        if drawing is None:
            return
        size = puzzle_size(entry)
        heading = options.text_size(HEADING)
        x_board = x + (width - size.width * scale) / 2
        room = x + width - x_board
        fitted = fitted_size(entry.title, room, heading, bold=True)
        self._pen.write(x_board + MARGIN * scale, y - heading, entry.title, fitted, bold=True)
        y -= heading * 1.5
        self._draw_board(drawing, x_board, y, scale)
        y -= size.height * scale + 4
        small = options.text_size(RULES)
        for line in rule_lines(entry, options, width):
            y -= small * LEADING
            self._pen.write(x + width / 2, y + small * 0.3, line, small, align=0.5)

    def _draw_board(
        self, drawing: Drawing, x: float, y: float, scale: float, *, upside_down: bool = False
    ) -> None:
        """Draw a board, including its margin, whose upper left corner is at (x, y).

        `scale` is in points per unit.
        """
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
        """Draw the solutions of a page upside down, from `y` down to the foot of the page.

        Each row is filled from right to left, so that it reads normally when the page is turned.
        Puzzles without a solution leave a gap.
        """
        options = self._options
        for row in strip_rows(entries, options, self._area.width):
            x = self._left + self._area.width
            highest = 0.0
            for entry in row:
                size = solution_size(entry)
                width = strip_width(size, options)
                scale = width / size.width
                x -= width
                solution = entry.solution
                if solution is not None:
                    self._draw_board(solution, x, y, scale, upside_down=True)
                    below = y - size.height * scale - STRIP_NUMBER * 0.3
                    self._pen.write(x + width / 2, below, f"{entry.number}", STRIP_NUMBER,
                                    bold=True, align=0.5, upside_down=True)  # fmt: skip
                highest = max(highest, size.height * scale)
                x -= STRIP_GAP
            y -= highest + STRIP_NUMBER * 1.2 + STRIP_GAP

    def _draw_text(self, page: Page) -> None:
        left = self._left
        width = (self._area.width + COLUMN_GAP) / len(page.columns)
        for lines in page.columns:
            y = self._top
            for line in lines:
                y -= line.height
                x = left + line.indent
                self._pen.write(x, y + line.size * 0.3, line.text, line.size, bold=line.bold)
            left += width

    def _draw_solutions(self, page: Page) -> None:
        small, y = self._options.text_size(8), self._top
        for row in page.rows:
            width, _ = self._area.slot((1, row.columns))
            for place, entry in enumerate(row.entries):
                solution = entry.solution
                if solution is None:
                    continue
                size = solution_size(entry)
                scale = size.scale(width, row.height - small * 1.5, self._options.max_cell)
                x = self._left + place * (width + GAP) + (width - size.width * scale) / 2
                self._pen.write(x + MARGIN * scale, y - small, f"{entry.number}", small, bold=True)
                self._draw_board(solution, x, y - small * 1.4, scale)
            y -= row.height + GAP
