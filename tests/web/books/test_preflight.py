"""What printers check in a book before they print it: fonts, sizes, margins, and page boxes."""

import io
import subprocess
import sys
from typing import Any

import pikepdf
import pytest
from pdf_operations import operations

from solver.board.layout import Layout
from solver.board.symbols import Symbols
from web.boards.drawing import draw
from web.boards.styles import GRAY
from web.boards.svg import make_picture
from web.books import kdp
from web.books.options import BookOptions, read_book_options
from web.books.parameters import InvalidParameter
from web.books.pen import Pen

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def page(**options: Any) -> pikepdf.Pdf:
    """Return a book of one page with a board that is drawn very small, and a line of small text."""
    target = io.BytesIO()
    pen = Pen(target, (432, 648), **options)
    pen.start_page()
    givens = [int(each) if each != "." else 0 for each in EASY]
    drawing = draw(Layout.boxed(3, 3), Symbols.usual(9), givens)
    pen.draw(make_picture(drawing), 100, 400, 0.2)
    pen.write(50, 50, "Sudoku ≥ 🐸", 5)
    pen.save()
    return pikepdf.open(io.BytesIO(target.getvalue()))


def test_all_fonts_are_embedded() -> None:
    pdf = page()
    found = [each for each in pdf.objects if getattr(each, "Type", None) == "/Font"]
    assert len(found) == 3
    assert all("/FontFile2" in each.FontDescriptor for each in found)


def test_lines_and_texts_have_the_minimum_sizes_of_kdp() -> None:
    pdf = page(min_font=kdp.MIN_FONT, min_line=kdp.MIN_LINE)
    assert "/Outlines" not in pdf.Root
    found = list(operations(pdf.pages[0]))
    assert min(numbers[0] * scale for name, numbers, scale in found if name == "w") >= kdp.MIN_LINE
    assert min(numbers[-1] for name, numbers, _ in found if name == "Tf") >= kdp.MIN_FONT


def test_page_has_a_trim_box_inside_the_bleed() -> None:
    pdf = page(bleed=9)
    (sheet,) = pdf.pages
    assert [float(each) for each in sheet["/MediaBox"]] == [0, 0, 450, 666]
    assert [float(each) for each in sheet["/TrimBox"]] == [9, 9, 441, 657]


@pytest.mark.parametrize("pages", [24, 150, 151, 300, 301, 500, 501, 700, 701, 828])
def test_kdp_margins_follow_the_number_of_pages(pages: int) -> None:
    least = next(inches for most, inches in kdp.GUTTERS if pages <= most)
    margins = BookOptions(is_kdp=True).margins(pages)
    assert margins.inside >= least * 72
    assert min(margins.outside, margins.top, margins.bottom) >= 0.25 * 72


@pytest.mark.parametrize(
    ("page", "pages"), [("6x9in", 828), ("a5", 828), ("a4", 780), ("8.5x11in", 590)]
)
def test_kdp_limits_pages_by_trim_size(page: str, pages: int) -> None:
    assert kdp.most_pages(read_book_options({"preset": "kdp", "page": page}).page) == pages


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("page", "9x12in", "9.00 in wide; Amazon KDP prints 4.0 to 8.5"),
        ("page", "5x5in", "5.00 in high; Amazon KDP prints 6.0 to 11.69"),
        ("bleed", "3", "Amazon KDP prints it without bleed"),
    ],
)
def test_formats_that_kdp_does_not_print_are_explained(name: str, value: str, words: str) -> None:
    with pytest.raises(InvalidParameter, match=words):
        read_book_options({"preset": "kdp", name: value})


def test_gray_fills_have_at_least_ten_percent_black() -> None:
    fills = {GRAY[name] for name in GRAY if "tint" in name or name.startswith("colour")}
    assert max(int(fill[1:3], 16) for fill in fills) <= 0.9 * 255


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("page", "lettr", "Did you mean 'letter'?"),
        ("page", "1x900in", "must be from 3 to 20 inches"),
        ("solutions", "upsidedown", "Did you mean 'upside-down'?"),
        ("per_page", "5", "Expected one of: 1, 2, 4, 6, 9, 12"),
        ("bleed", "99", "'bleed' must be a whole number from 0 to 20, not '99'"),
        ("cover", "maybe", "'cover' must be true or false, not 'maybe'"),
    ],
)
def test_invalid_options_are_explained(name: str, value: str, words: str) -> None:
    with pytest.raises(InvalidParameter, match=words.replace("?", r"\?")):
        read_book_options({name: value})


def test_files_that_are_the_first_at_the_same_time_are_complete() -> None:
    """Start threads that all use the fonts for the first time, in a new process."""
    program = """if True:
        from concurrent.futures import ThreadPoolExecutor
        from io import BytesIO
        from web.books.pen import Pen

        def write(_: int) -> None:
            pen = Pen(BytesIO(), (200, 200))
            pen.start_page()
            pen.write(10, 10, "Sudoku", 12, bold=True)
            pen.save()

        with ThreadPoolExecutor(8) as threads:
            print(len(list(threads.map(write, range(8)))))
    """
    assert subprocess.check_output([sys.executable, "-c", program], text=True) == "8\n"
