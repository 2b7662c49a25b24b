"""Write results as CSV, row by row.

`fast_csv_and_json` writes the results that have no extra details.
"""

import csv
import io
from collections.abc import Iterable

from web.results.csv_formulas import guard
from web.results.rows import Row
from web.results.table import Cell, Table

BOM = "\ufeff".encode()  # without it, Excel assumes the system's local encoding instead of UTF-8
_WORDS = {True: "true", False: "false"}


def csv_heading(table: Table) -> bytes:
    """Return the line of CSV with the column names."""
    return _written([table.heading])


def csv_rows(rows: Iterable[Row], table: Table) -> bytes:
    """Return result rows as lines of CSV, without the heading.

    Fields that a spreadsheet would execute get an apostrophe before them.
    """
    return _written(map(table.cells, rows))


def _written(rows: Iterable[Iterable[Cell]]) -> bytes:
    buffer = io.StringIO()
    csv.writer(buffer).writerows([_field(cell) for cell in row] for row in rows)
    return buffer.getvalue().encode()


def _field(cell: Cell) -> Cell:
    if isinstance(cell, str):
        return guard(cell)
    return _WORDS[cell] if isinstance(cell, bool) else cell
