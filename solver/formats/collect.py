"""Puts the readings of single records together to what a whole block holds."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from solver.formats.cells import Reading
from solver.formats.format import Group, Records
from solver.layout import Layout
from solver.puzzle import Invalid
from solver.symbols import Symbols


def collect(
    lines: NDArray[np.int64],
    readings: Iterable[tuple[int, Reading]],
    *,
    groups: tuple[Group, ...] = (),
) -> Records:
    """Return the records of a block from (position, reading) pairs and ready-made groups."""
    rows: dict[tuple[Layout, Symbols], list[int]] = {}
    givens: dict[tuple[Layout, Symbols], list[tuple[int, ...]]] = {}
    invalid: dict[int, Invalid] = {}
    notes: dict[int, str] = {}
    for row, reading in readings:
        puzzle = reading.puzzle
        if isinstance(puzzle, Invalid):
            invalid[row] = puzzle
            continue
        key = (puzzle.layout, puzzle.symbols)
        rows.setdefault(key, []).append(row)
        givens.setdefault(key, []).append(puzzle.givens)
        if reading.note is not None:
            notes[row] = reading.note
    slow = tuple(
        Group(*key, np.array(rows[key], np.int64), np.array(givens[key], np.uint8)) for key in rows
    )
    return Records(lines=lines, groups=groups + slow, invalid=invalid, notes=notes)
