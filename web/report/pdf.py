"""Write a report as a PDF file for print."""

import io
from collections.abc import Sequence
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Flowable, KeepTogether, Paragraph, SimpleDocTemplate, Spacer
from reportlab.platypus import Table as Grid

from web.fonts import BOLD, FALLBACKS, REGULAR, font_file
from web.report.schema import Report
from web.report.view import Cell, Section, Table, numbers_of, sections_of

_REGULAR, _BOLD, _SIGNS = REGULAR, BOLD, FALLBACKS[0]
_MARGIN = 18 * mm
_WIDTH = A4[0] - 2 * _MARGIN
_LINE = HexColor("#b8bdcc")
_BAR = HexColor("#3452c8")
_BAR_WIDTH, _BAR_HEIGHT = 32 * mm, 2.2 * mm
_BAR_RISE = -0.9 * mm  # It moves the bar to the middle of its row.
_TEXT = ParagraphStyle("text", fontName=_REGULAR, fontSize=9.5, leading=12)
_RIGHT = ParagraphStyle("right", parent=_TEXT, alignment=2)
_HEAD = ParagraphStyle("head", parent=_TEXT, fontName=_BOLD, fontSize=8.5)
_RIGHT_HEAD = ParagraphStyle("right-head", parent=_HEAD, alignment=2)
_CAPTION = ParagraphStyle("caption", parent=_TEXT, fontName=_BOLD, spaceBefore=6, spaceAfter=2)
_TITLE = ParagraphStyle("title", fontName=_BOLD, fontSize=18, leading=22, spaceAfter=6)
_SECTION = ParagraphStyle("section", fontName=_BOLD, fontSize=13, leading=17, spaceBefore=10)


class _Bar(Flowable):
    """A bar whose length shows a share, from 0 to 1."""

    def __init__(self, share: float) -> None:
        super().__init__()
        self.share = share
        self.width, self.height = _BAR_WIDTH, _BAR_HEIGHT

    def draw(self) -> None:
        """Draw the bar on the canvas of the page."""
        self.canv.setFillColor(_BAR)
        self.canv.rect(
            0, _BAR_RISE, max(self.share * self.width, 0.5), self.height, stroke=0, fill=1
        )


def write_pdf(report: Report) -> bytes:
    """Return a report as a PDF file in A4.

    It begins with the most important numbers. Its pages are numbered.
    """
    for name in (_REGULAR, _BOLD, _SIGNS):
        if name not in pdfmetrics.getRegisteredFontNames():
            pdfmetrics.registerFont(TTFont(name, str(font_file(name))))
    title = f"Report on {report.name}"
    story: list[Any] = [_paragraph(title, _TITLE)]
    numbers = [
        [Cell(label), Cell(cell.text, is_number=True)] for _, label, cell in numbers_of(report)
    ]
    story.append(_grid(("", ""), numbers))
    for section in sections_of(report):
        story += _section(section)
    target = io.BytesIO()
    document = SimpleDocTemplate(
        target, pagesize=A4, title=title, author="sudokuq", lang="en-US", initialFontName=_REGULAR,
        leftMargin=_MARGIN, rightMargin=_MARGIN, topMargin=_MARGIN, bottomMargin=_MARGIN,
    )  # fmt: skip
    document.build(story, onFirstPage=_number_page, onLaterPages=_number_page)
    return target.getvalue()


def _section(section: Section) -> list[Any]:
    parts: list[Any] = [_paragraph(section.title, _SECTION)]
    parts += [_paragraph(sentence, _TEXT) for sentence in section.sentences]
    for table in section.tables:
        if table.caption != section.title:
            parts.append(_paragraph(table.caption, _CAPTION))
        parts += [_table(table), Spacer(0, 4)]
    # The title stays with the first table.
    return [KeepTogether(parts[:4]), *parts[4:]]


def _table(table: Table) -> Grid:
    return _grid(table.heads, table.rows)


def _grid(heads: Sequence[str], rows: Sequence[Sequence[Cell]]) -> Grid:
    has_head = any(heads)
    styles = [_RIGHT_HEAD if cell.is_number else _HEAD for cell in rows[0]]
    cells: list[list[Any]] = [list(map(_paragraph, heads, styles))] if has_head else []
    cells += [[_cell(cell) for cell in row] for row in rows]
    widths = _widths(heads, rows)
    style: list[Any] = [
        ("FONTNAME", (0, 0), (-1, -1), _REGULAR),
        ("LINEBELOW", (0, 0), (-1, -1), 0.4, _LINE),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("TOPPADDING", (0, 0), (-1, -1), 1.2),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2.2),
        ("LEFTPADDING", (0, 0), (-1, -1), 0),
        ("RIGHTPADDING", (0, 0), (-1, -1), 10),
    ]
    return Grid(
        cells, colWidths=widths, style=style, hAlign="LEFT", repeatRows=1 if has_head else 0
    )


def _widths(heads: Sequence[str], rows: Sequence[Sequence[Cell]]) -> list[float]:
    """Return column widths in points that fit the text and the page.

    If the columns are too wide, the widest one is narrowed, at most to an equal share of the page.
    If that isn't enough, all columns are narrowed in proportion. Columns with bars start from a
    fixed width instead of that of their text.
    """
    widths = []
    for place, head in enumerate(heads):
        if rows and rows[0][place].share is not None:
            widths.append(_BAR_WIDTH + 6)
            continue
        texts = [head, *(row[place].text for row in rows)]
        widths.append(max(map(_width, texts)) + 14)
    surplus = sum(widths) - _WIDTH
    if surplus > 0:
        widest = widths.index(max(widths))
        widths[widest] = max(widths[widest] - surplus, _WIDTH / len(widths))
        widths = [width * min(_WIDTH / sum(widths), 1) for width in widths]
    return widths


def _cell(cell: Cell) -> Any:
    if cell.share is not None:
        return _Bar(cell.share)
    return _paragraph(cell.text, _RIGHT if cell.is_number else _TEXT)


def _paragraph(text: str, style: ParagraphStyle) -> Paragraph:
    """Return a paragraph. Characters that the font of the style lacks are in another font."""
    known = _known(style.fontName)
    parts = [
        escape(each) if ord(each) in known else f'<font name="{_SIGNS}">{escape(each)}</font>'
        for each in text
    ]
    return Paragraph("".join(parts), style)


def _known(font: str) -> Any:
    """Return the codes of the characters that a font has."""
    found: Any = pdfmetrics.getFont(font)
    return found.face.charToGlyph


def _width(text: str) -> float:
    """Return the width, in points, of a text in a table, whose characters can be in two fonts."""
    known = _known(_BOLD)
    return sum(
        pdfmetrics.stringWidth(each, _BOLD if ord(each) in known else _SIGNS, _TEXT.fontSize)
        for each in text
    )


def _number_page(canvas: Any, document: Any) -> None:
    canvas.setFont(_REGULAR, 8.5)
    canvas.drawRightString(A4[0] - _MARGIN, 10 * mm, str(document.page))
