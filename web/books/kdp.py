"""The requirements of Amazon KDP for the inside of a paperback.

The help pages of KDP contain them: margins, trim sizes, and bleed
(https://kdp.amazon.com/en_US/help/topic/GVBQ3CMEQW3W2VL6), fonts, lines, fills, and contents of the
file (https://kdp.amazon.com/en_US/help/topic/G201857950), the smallest font
(https://kdp.amazon.com/en_US/help/topic/G202145450), and page counts
(https://kdp.amazon.com/en_US/help/topic/G201834180). The largest page counts are those for black
ink on white paper, as the help pages of Book Bolt quote them.

KDP expects a bleed of 0.125 in on three sides of the page, but only in books in which something
reaches the edge. Nothing in these books does, so they have no bleed.
"""

from web.books.parameters import InvalidParameter

_INCH = 72.0
# The smallest inside margin in inches, for books with up to this number of pages.
GUTTERS = ((150, 0.375), (300, 0.5), (500, 0.625), (700, 0.75), (828, 0.875))
OUTSIDE = 0.25  # inches, the smallest other margin without bleed
MIN_FONT, MIN_LINE = 7.0, 0.75  # points
LEAST_PAGES = 24
_WIDTHS, _HEIGHTS = (4.0, 8.5), (6.0, 11.69)  # inches, the smallest and largest trim size
# The largest number of pages for pages of at least this width in inches.
_MOST_PAGES = ((8.4, 590), (8.25, 780), (0, 828))
_TOLERANCE = 0.01  # inches: A4 is a little higher than the largest trim size


def gutter(pages: int) -> float:
    """Return the smallest inside margin of a book with this number of pages, in inches.

    Books with more pages than KDP's table lists get its last margin.
    """
    return next((inches for most, inches in GUTTERS if pages <= most), GUTTERS[-1][1])


def most_pages(page: tuple[float, float]) -> int:
    """Return the largest number of pages that KDP prints with a trim size in points."""
    return next(most for width, most in _MOST_PAGES if page[0] / _INCH >= width)


def check_format(page: tuple[float, float], bleed: float) -> None:
    """Raise InvalidParameter if KDP doesn't print this trim size, or if there is a bleed."""
    for side, name, (least, most) in zip(page, ("wide", "high"), (_WIDTHS, _HEIGHTS), strict=True):
        if not least - _TOLERANCE <= side / _INCH <= most + _TOLERANCE:
            detail = (
                f"the page is {side / _INCH:.2f} in {name}; Amazon KDP prints {least} to {most}"
            )
            raise InvalidParameter(detail, "page")
    if bleed:
        detail = "nothing in the book reaches the edge, so Amazon KDP prints it without bleed"
        raise InvalidParameter(detail, "bleed")
