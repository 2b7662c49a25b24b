"""Read the options of a book, and compute the sizes that follow from them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from solver.board.closest import unknown
from solver.board.display import shown
from web.boards.styles import INKS
from web.books import kdp
from web.books.parameters import InvalidParameter, read_choice, read_flag, read_whole_number

INCH, MILLIMETER = 72.0, 72.0 / 25.4
PAGE_SIZES = {
    "6x9in": (6 * INCH, 9 * INCH),
    "5x8in": (5 * INCH, 8 * INCH),
    "5.5x8.5in": (5.5 * INCH, 8.5 * INCH),
    "7x10in": (7 * INCH, 10 * INCH),
    "8x10in": (8 * INCH, 10 * INCH),
    "8.5x11in": (8.5 * INCH, 11 * INCH),
    "letter": (8.5 * INCH, 11 * INCH),
    "a4": (210 * MILLIMETER, 297 * MILLIMETER),
    "a5": (148 * MILLIMETER, 210 * MILLIMETER),
}
_CUSTOM = re.compile(r"(\d{1,4}(?:\.\d{1,3})?)x(\d{1,4}(?:\.\d{1,3})?)(mm|in)")
_LEAST_SIDE, _MOST_SIDE = 3 * INCH, 20 * INCH
MAX_BLEED = 20  # millimeters
PER_PAGE = ("1", "2", "4", "6", "9", "12")
# Rows and columns of puzzles per page.
GRIDS = {1: (1, 1), 2: (2, 1), 4: (2, 2), 6: (3, 2), 9: (3, 3), 12: (4, 3)}
SOLUTIONS = ("end", "upside-down", "none")
HINTS = ("none", "hints", "explanations")
CHAPTERS = ("none", "difficulty", "2", "3", "4", "5", "6", "7", "8", "9", "10")
PRESETS = ("none", "kdp")
MAX_TITLE = 120  # characters
MAX_BOOK = 10_000  # puzzles


@dataclass(frozen=True, slots=True)
class Margins:
    """The margins of a page in points. `inside` is the side of the binding."""

    inside: float
    outside: float
    top: float
    bottom: float


@dataclass(frozen=True, slots=True)
class BookOptions:
    """The options of a book. Lengths are in points.

    `chapters` is always text: "none", "difficulty" for a chapter per difficulty word, or a number
    such as "4", the number of chapters of equal size by rating. `is_kdp` states whether the preset
    is "kdp". `page` is the (width, height) of a page. The other members are parameters of the API.
    """

    title: str = ""
    author: str = ""
    page: tuple[float, float] = PAGE_SIZES["6x9in"]
    bleed: float = 0
    per_page: int = 2
    chapters: str = "none"
    cover: bool = True
    heads: bool = True
    page_numbers: bool = True
    solutions: str = "end"
    hints: str = "none"
    rules: bool = True
    large_print: bool = False
    ink: str = "gray"
    is_kdp: bool = False

    @property
    def min_font(self) -> float:
        """The smallest font size in points, for any text."""
        return kdp.MIN_FONT if self.is_kdp else 6.0

    @property
    def min_line(self) -> float:
        """The width of the thinnest line in points."""
        return kdp.MIN_LINE if self.is_kdp else 0.4

    @property
    def min_symbol(self) -> float:
        """The smallest font size, in points, of symbols in the cells of a puzzle."""
        return 20.0 if self.large_print else 9.0

    @property
    def max_cell(self) -> float:
        """The maximum width of a cell in points. Larger ones waste paper."""
        return 60.0 if self.large_print else 46.0

    @property
    def display_size(self) -> float:
        """The font size of the titles of the book and its chapters, in points.

        It grows with the page.
        """
        return 34.0 * max(1.0, self.page[0] / (6 * INCH))

    def text_size(self, size: float) -> float:
        """Return the font size for text, given the usual one. It is larger in large print."""
        return size * 1.5 if self.large_print else size

    def margins(self, pages: int) -> Margins:
        """Return the margins of a book with this number of pages.

        They depend on the number only with the preset kdp.
        """
        if not self.is_kdp:
            return Margins(0.7 * INCH, 0.5 * INCH, 0.5 * INCH, 0.5 * INCH)
        side = 2 * kdp.OUTSIDE * INCH
        return Margins((kdp.gutter(pages) + 0.125) * INCH, side, side, side)


def read_book_options(query: Mapping[str, str], *, title: str = "") -> BookOptions:
    """Return the options of a book in a query. `title` is the title by default.

    Raises InvalidParameter if an option is invalid, or if the preset is kdp and Amazon KDP doesn't
    print the page size or the bleed. The default page is larger in large print, and has one puzzle
    instead of two.
    """
    is_kdp = read_choice(query, "preset", PRESETS, "none") == "kdp"
    large = read_flag(query, "large_print", usual=False)
    page = _page_size(query.get("page") or ("8.5x11in" if large else "6x9in"))
    bleed = read_whole_number(query, "bleed", least=0, most=MAX_BLEED, usual=0) * MILLIMETER
    if is_kdp:
        kdp.check_format(page, bleed)
    return BookOptions(
        title=_text(query, "title", title),
        author=_text(query, "author", ""),
        page=page,
        bleed=bleed,
        per_page=int(read_choice(query, "per_page", PER_PAGE, "1" if large else "2")),
        chapters=read_choice(query, "chapters", CHAPTERS, "none"),
        cover=read_flag(query, "cover", usual=True),
        heads=read_flag(query, "heads", usual=True),
        page_numbers=read_flag(query, "page_numbers", usual=True),
        solutions=read_choice(query, "solutions", SOLUTIONS, "end"),
        hints=read_choice(query, "hints", HINTS, "none"),
        rules=read_flag(query, "rules", usual=True),
        large_print=large,
        ink=read_choice(query, "ink", INKS, "gray"),
        is_kdp=is_kdp,
    )


def _text(query: Mapping[str, str], name: str, usual: str) -> str:
    """Return the text in a parameter without superfluous spaces, or `usual` without a value.

    Raises InvalidParameter if it is too long.
    """
    text = " ".join((query.get(name) or usual).split())
    if len(text) > MAX_TITLE:
        detail = f"{name!r} has {len(text)} characters; the limit is {MAX_TITLE}"
        raise InvalidParameter(detail, name)
    return text


def _page_size(text: str) -> tuple[float, float]:
    known = PAGE_SIZES.get(text.lower())
    if known is not None:
        return known
    found = _CUSTOM.fullmatch(text.lower().replace(" ", ""))
    if found is None:
        detail = unknown("page size", text, PAGE_SIZES)
        raise InvalidParameter(f"{detail}, or width x height such as 170x240mm", "page")
    unit = INCH if found[3] == "in" else MILLIMETER
    width, height = (float(found[place]) * unit for place in (1, 2))
    if not all(_LEAST_SIDE <= side <= _MOST_SIDE for side in (width, height)):
        detail = (
            "the sides of a page must be from 3 to 20 inches (77 to 508 mm) long, not "
            f"{shown(text)}"
        )
        raise InvalidParameter(detail, "page")
    return width, height
