"""Read the JSON documents of f-puzzles, SudokuPad, and lisudoku."""

from dataclasses import replace
from typing import Any

from solver.formats.format import ReadOptions
from solver.formats.objects.fpuzzles import is_fpuzzles, read_fpuzzles
from solver.formats.objects.lisudoku import is_lisudoku, read_lisudoku
from solver.formats.objects.puzzle_object import name_in, own_key_in
from solver.formats.objects.scl import is_scl, read_scl
from solver.formats.reading.cells import Reading

_KINDS = ((is_fpuzzles, read_fpuzzles), (is_scl, read_scl), (is_lisudoku, read_lisudoku))


def read_document(value: Any, *, text: str, options: ReadOptions) -> Reading | None:
    """Read a JSON document of f-puzzles, SudokuPad, or lisudoku, or return None for any other.

    `value` is the parsed JSON, and `text` is the JSON itself, for error messages. The reading has
    the puzzle's name even if it is invalid. The member `custom_id` of the document takes precedence
    over the puzzle's title.
    """
    for fits, read in _KINDS:
        if fits(value):
            reading = read(value, text=text, options=options)
            return replace(reading, name=own_key_in(value) or reading.name or name_in(value))
    return None
