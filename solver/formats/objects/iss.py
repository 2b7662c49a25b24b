"""Puzzles of Interactive Sudoku Solver, one a line."""

from solver.formats.format import ReadOptions
from solver.formats.objects.iss_notation import is_iss, iss_object
from solver.formats.objects.puzzle_object import read_translated
from solver.formats.reading.cells import Reading
from solver.formats.reading.one_a_line import OneALine


def read_iss(text: str, *, options: ReadOptions) -> Reading:
    """Read a constraint string, or an address with one."""
    return read_translated(iss_object(text), text=text, options=options)


ISS = OneALine(
    "iss",
    "One puzzle a line in the constraint strings of Interactive Sudoku Solver, or in an "
    "address of it: givens .~R1C1_5 and constraints .Thermo~R1C1~R1C2.",
    ".Shape~4x4.Thermo~R1C1~R2C2~R3C3.WhiteDot~R4C3~R4C4.~R2C3_3\n"
    ".Shape~4x4.WhiteDot~R1C1~R1C2.Palindrome~R2C1~R3C2~R4C3.~R2C3_1~R4C1_2~R4C4_3\n",
    is_iss,
    read_iss,
)
