"""List all formats in the order in which they are tried.

One exception: a complete grid at the beginning counts right after `BEFORE_GRIDS`.
"""

from solver.formats.format import Format
from solver.formats.grids.csv_tables import TableFormat
from solver.formats.grids.grid import GridFormat
from solver.formats.grids.hodoku import HodokuFormat
from solver.formats.grids.jigsaw import JigsawFormat
from solver.formats.grids.line import LineFormat
from solver.formats.grids.lists import ListsFormat
from solver.formats.grids.pencilmarks import PencilmarksFormat
from solver.formats.grids.words import WordsFormat
from solver.formats.objects.iss import ISS
from solver.formats.objects.json_document import JsonFormat
from solver.formats.objects.json_values import NdjsonFormat
from solver.formats.objects.killer import KILLER
from solver.formats.objects.opensudoku import OpenSudokuFormat
from solver.formats.objects.puzzlink import PUZZLINK
from solver.formats.objects.sgt import SGT
from solver.formats.objects.sudokupad import SUDOKUPAD
from solver.formats.objects.sumocue import SUMOCUE

GRID = GridFormat()
# An upload that begins with a complete grid is a grid regardless of its title, unless it is in one
# of these formats.
BEFORE_GRIDS: tuple[Format, ...] = (OpenSudokuFormat(), HodokuFormat(), PUZZLINK)

# The first format that recognizes an upload reads it. The most specific ones come first.
FORMATS: tuple[Format, ...] = (
    *BEFORE_GRIDS,
    NdjsonFormat(),
    JsonFormat(),
    ListsFormat(),
    KILLER,
    ISS,
    SUDOKUPAD,
    SUMOCUE,
    SGT,
    PencilmarksFormat(),
    JigsawFormat(),
    WordsFormat(),
    TableFormat(),
    GRID,
    LineFormat(),
)


def format_named(name: str) -> Format | None:
    """Return the format with this name, or None if the name is unknown."""
    return next((format_ for format_ in FORMATS if format_.name == name), None)
