"""What printers check in a book before they print it: fonts, sizes, margins, and page boxes."""

import io
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pikepdf
import pytest

from solver.board.layout import Layout
from solver.board.symbols import Symbols
from web.boards.drawing import draw
from web.boards.svg import make_picture
from web.books.options import (
    KDP_GUTTERS,
    KDP_MIN_FONT,
    KDP_MIN_LINE,
    BookOptions,
    read_book_options,
)
from web.books.parameters import InvalidParameter
from web.books.pen import Pen

EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def page(**options: Any) -> pikepdf.Pdf:
    """Return a book of one page with a board that is drawn very small."""
    target = io.BytesIO()
    pen = Pen(target, (432, 648), **options)
    pen.start_page()
    givens = [int(each) if each != "." else 0 for each in EASY]
    drawing = draw(Layout.boxed(3, 3), Symbols.usual(9), givens)
    pen.draw(make_picture(drawing), 100, 400, 0.2)
    pen.write(50, 50, "Sudoku ≥ 🐸", 5)
    pen.save()
    return pikepdf.open(io.BytesIO(target.getvalue()))


def operations(page: Any) -> Iterator[tuple[str, list[float], float]]:
    """Yield (operator, numbers, scale) of a page and of the drawings that it reuses."""
    scale = 1.0
    saved: list[float] = []
    for instruction in pikepdf.parse_content_stream(page):
        operands, name = list(instruction.operands), str(instruction.operator)
        numbers = [float(each) for each in operands if isinstance(each, (int, float, Decimal))]
        if name == "q":
            saved.append(scale)
        elif name == "Q":
            scale = saved.pop()
        elif name == "cm":
            scale *= abs(numbers[0])
        elif name == "Do":
            for inner, values, factor in operations(page.Resources.XObject[str(operands[0])]):
                yield inner, values, factor * scale
        yield name, numbers, scale


def test_all_fonts_are_embedded() -> None:
    pdf = page()
    found = [each for each in pdf.objects if getattr(each, "Type", None) == "/Font"]
    assert len(found) == 3
    assert all("/FontFile2" in each.FontDescriptor for each in found)


def test_lines_and_texts_have_the_minimum_sizes_of_kdp() -> None:
    pdf = page(min_font=KDP_MIN_FONT, min_line=KDP_MIN_LINE)
    assert "/Outlines" not in pdf.Root
    found = list(operations(pdf.pages[0]))
    assert min(numbers[0] * scale for name, numbers, scale in found if name == "w") >= KDP_MIN_LINE
    assert min(numbers[-1] for name, numbers, _ in found if name == "Tf") >= KDP_MIN_FONT


def test_page_has_a_trim_box_inside_the_bleed() -> None:
    pdf = page(bleed=9)
    (sheet,) = pdf.pages
    assert [float(each) for each in sheet["/MediaBox"]] == [0, 0, 450, 666]
    assert [float(each) for each in sheet["/TrimBox"]] == [9, 9, 441, 657]


@pytest.mark.parametrize("pages", [24, 150, 151, 300, 301, 500, 501, 700, 701, 828])
def test_kdp_margins_follow_the_number_of_pages(pages: int) -> None:
    least = next(inches for most, inches in KDP_GUTTERS if pages <= most)
    margins = BookOptions(is_kdp=True).margins(pages)
    assert margins.inside >= least * 72
    assert min(margins.outside, margins.top, margins.bottom) >= 0.25 * 72


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("page", "lettr", "Did you mean 'letter'?"),
        ("page", "1x900in", "must be from 3 to 20 inches long"),
        ("solutions", "upsidedown", "Did you mean 'upside-down'?"),
        ("per_page", "5", "Expected one of: 1, 2, 4, 6, 9, 12"),
        ("bleed", "99", "'bleed' must be a whole number from 0 to 20, not '99'"),
        ("cover", "maybe", "'cover' must be true or false, not 'maybe'"),
    ],
)
def test_invalid_options_are_explained(name: str, value: str, words: str) -> None:
    with pytest.raises(InvalidParameter, match=words.replace("?", r"\?")):
        read_book_options({name: value})
