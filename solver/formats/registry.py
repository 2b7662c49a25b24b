"""All formats, in the order in which they are tried."""

from solver.formats.format import Format
from solver.formats.grids.csv import TableFormat
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

# The first that recognises an upload reads it; the most particular come first.
FORMATS: tuple[Format, ...] = (
    OpenSudokuFormat(),
    HodokuFormat(),
    NdjsonFormat(),
    JsonFormat(),
    ListsFormat(),
    KILLER,
    ISS,
    SUDOKUPAD,
    SUMOCUE,
    SGT,
    PUZZLINK,
    PencilmarksFormat(),
    JigsawFormat(),
    WordsFormat(),
    TableFormat(),
    GridFormat(),
    LineFormat(),
)


def format_named(name: str) -> Format | None:
    """Return the format of a name; None if there is none."""
    return next((format_ for format_ in FORMATS if format_.name == name), None)
