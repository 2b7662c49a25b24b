"""Streaming writer for Excel workbooks (.xlsx) with one sheet, without storing rows or files.

A workbook is a zip archive of XML parts (ECMA-376). Texts are stored in their cells ("inline
strings"), so that strings of digits remain text and no formula is executed. The same rows always
produce the same bytes.
"""

import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence

from web.results.byte_sink import ByteSink
from web.results.table import Cell

MAX_ROWS = 1_048_575  # per sheet, without the heading
# Bytes of XML: the limit of a part of a zip archive without the zip64 extension.
MAX_BYTES = 2_000_000_000
MAX_CHARACTERS = 32_767  # per cell
_CUT = "… (cut here: a cell has no room for all {:,} characters; CSV has them)"
_WHEN = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip archive can represent
_LEVEL = 1
_SHEET = "xl/worksheets/sheet1.xml"
# Characters that XML doesn't allow, and text that Excel would take for an escaped character.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_LOOKS_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_WIDEST = 60
_USUAL_WIDTH, _LONG_WIDTH = 11, 40
_LONG = ("puzzle", "solution", "minlex", "detail", "techniques")

_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_PARTS = {
    "[Content_Types].xml": (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPES}.sheet.main+xml"/>'
        f'<Override PartName="/{_SHEET}" ContentType="{_TYPES}.worksheet+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{_TYPES}.styles+xml"/></Types>'
    ),
    "_rels/.rels": (
        f'<Relationships xmlns="{_RELATIONS}"><Relationship Id="rId1" '
        f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
    ),
    "xl/workbook.xml": (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">'
        '<sheets><sheet name="Results" sheetId="1" r:id="rId1"/></sheets></workbook>'
    ),
    "xl/_rels/workbook.xml.rels": (
        f'<Relationships xmlns="{_RELATIONS}">'
        f'<Relationship Id="rId1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="rId2" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>'
    ),
    # Cell formats: 0 is the default, 1 is bold, 2 is text (49, "@"), which stays text when edited.
    "xl/styles.xml": (
        f'<styleSheet xmlns="{_MAIN}">'
        '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
        '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
        '<fills count="2"><fill><patternFill patternType="none"/></fill>'
        '<fill><patternFill patternType="gray125"/></fill></fills>'
        '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
        '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>'
        "</cellStyleXfs>"
        '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
        '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>'
        '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
        '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/>'
        "</cellStyles></styleSheet>"
    ),
}
_BOLD, _TEXT = 1, 2
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "_x000D_"})


class TooManyRows(Exception):
    """The rows don't fit into one sheet."""

    def __init__(self, limit: str) -> None:
        super().__init__(f"an Excel sheet has no room for more than {limit}; use CSV instead")


def workbook(heading: Sequence[str], pages: Iterable[Iterable[Sequence[Cell]]]) -> Iterator[bytes]:
    """Yield the bytes of a workbook with a heading and rows.

    The rows are given in pages, and each row contains a cell per column of the heading. Raises
    TooManyRows if they don't fit into one sheet, possibly after some bytes have been yielded.
    """
    sink = ByteSink()
    letters = [_letters(number + 1) for number in range(len(heading))]
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED, compresslevel=_LEVEL) as archive:
        for name, text in _PARTS.items():
            archive.writestr(_entry(name), _HEAD + text)
        with archive.open(_entry(_SHEET), "w") as sheet:
            size = sheet.write(_beginning(heading, letters).encode())
            number = 1
            for page in pages:
                rows = []
                for cells in page:
                    number += 1
                    rows.append(_row(number, cells, letters))
                if number > MAX_ROWS + 1:
                    raise TooManyRows(f"{MAX_ROWS:,} rows")
                size += sheet.write("".join(rows).encode())
                if size > MAX_BYTES:
                    raise TooManyRows(f"{MAX_BYTES:,} bytes")
                if data := sink.taken():
                    yield data
            sheet.write(b"</sheetData></worksheet>")
    yield sink.taken()


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _WHEN)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _beginning(heading: Sequence[str], letters: Sequence[str]) -> str:
    """Return the XML of the sheet up to its first row of results.

    This includes the column widths, and a heading row that stays in view.
    """
    columns = "".join(
        f'<col min="{number}" max="{number}" width="{_width(name)}" customWidth="1"/>'
        for number, name in enumerate(heading, 1)
    )
    return (
        f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">'
        '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
        f"</sheetView></sheetViews><cols>{columns}</cols><sheetData>"
        + _row(1, heading, letters, style=_BOLD)
    )


def _width(name: str) -> int:
    if name in _LONG:
        return _LONG_WIDTH
    return min(max(_USUAL_WIDTH, len(name) + 2), _WIDEST)


def _row(number: int, cells: Sequence[Cell], letters: Sequence[str], *, style: int = _TEXT) -> str:
    written = "".join(
        [
            _cell(f"{letter}{number}", cell, style)
            for letter, cell in zip(letters, cells, strict=True)
            if cell is not None and cell != ""
        ]
    )
    return f'<row r="{number}">{written}</row>'


def _cell(place: str, cell: Cell, style: int) -> str:
    if isinstance(cell, str):
        text = f'<is><t xml:space="preserve">{_text(cell)}</t></is>'
        return f'<c r="{place}" s="{style}" t="inlineStr">{text}</c>'
    if isinstance(cell, bool):
        return f'<c r="{place}" t="b"><v>{cell:d}</v></c>'
    return f'<c r="{place}"><v>{cell}</v></c>'


def _letters(number: int) -> str:
    """Return the spreadsheet name of a column, counted from 1: A to Z, AA, AB."""
    name = ""
    while number:
        number, letter = divmod(number - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def _text(text: str) -> str:
    """Return a text escaped for XML.

    If it is too long for a cell, it is truncated, and a note says so.
    """
    if len(text) > MAX_CHARACTERS // 2:  # Excel counts UTF-16 code units
        text = _fitting(text)
    text = _LOOKS_ESCAPED.sub("_x005F_", _FORBIDDEN.sub("\ufffd", text))
    return text.translate(_ESCAPES)


def _fitting(text: str) -> str:
    units = text.encode("utf-16-le", "replace")
    if len(units) <= 2 * MAX_CHARACTERS:
        return text
    end = _CUT.format(len(text))
    room = MAX_CHARACTERS - len(end)
    return units[: 2 * room].decode("utf-16-le", "ignore") + end
