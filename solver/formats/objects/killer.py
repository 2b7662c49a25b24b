"""Read killer puzzles in one line: 81 cage sums and arrows, or numbers after "3x3::k:"."""

import re
from dataclasses import replace

from solver.board.display import how_many
from solver.board.layout import Layout
from solver.formats.format import ReadOptions
from solver.formats.grids.arrows import ARROWS, SUMS, read_arrows
from solver.formats.objects.puzzle_object import read_translated
from solver.formats.reading.cells import Reading, clean_name, refuse, show_cell
from solver.formats.reading.one_a_line import OneALine

_CELLS = 81
_BOARD = Layout.boxed(3, 3)
_LONG = re.compile(r"3x3:d?:k:")
_NUMBER = re.compile(r"[0-9]{1,9}")
_CAGE_UNIT = 256


def read_killer(text: str, *, options: ReadOptions) -> Reading:
    """Read a 9×9 killer puzzle in one line, in the short or the long form.

    In the short form, 81 characters are cage sums and arrows, as in `solver.formats.grids.arrows`.
    A space and a name may follow. The long form is that of `_read_long`, and has no name.
    """
    body = text.strip()
    if _LONG.match(body):
        return _read_long(body, options=options)
    body, _, name = body.partition(" ")
    return replace(_read_short(body, text=text, options=options), name=clean_name(name))


def _read_short(body: str, *, text: str, options: ReadOptions) -> Reading:
    """Read the 81 cage sums and arrows in `body`. `text` is the record, for error messages."""
    if len(body) != _CELLS:
        return refuse(f"{how_many(len(body), 'character')}, expected 81", text)
    return read_arrows(body, text=text, options=options)


def _read_long(body: str, *, options: ReadOptions) -> Reading:
    """Read the long form: ``3x3:d:k:`` and 81 numbers with colons between them.

    Each number is 256 times the sum of the cell's cage, plus the number of the cage. Cells with the
    sum 0 have no cage. The optional ``d`` adds the rule that both diagonals have distinct values.
    """
    _, flags, _, *numbers = body.rstrip(":").split(":")
    if len(numbers) != _CELLS:
        return refuse(f"{how_many(len(numbers), 'cell')}, expected 81", body)
    cages: dict[int, list[int]] = {}
    for cell, written in enumerate(numbers):
        if not _NUMBER.fullmatch(written):
            place = _BOARD.cell_name(cell)
            return refuse(f"{show_cell(written)} in {place} isn't a whole number", body)
        if int(written) >= _CAGE_UNIT:
            cages.setdefault(int(written), []).append(cell)
    constraints = [
        {
            "type": "killer",
            "cells": [_BOARD.cell_name(cell) for cell in cells],
            "sum": number // _CAGE_UNIT,
        }
        for number, cells in cages.items()
    ]
    board = {"constraints": constraints, "variant": ["diagonal"] if "d" in flags else []}
    return read_translated(board, text=body, options=options)


def _looks_like_killer(body: str) -> bool:
    """Return whether a line may be a killer puzzle in the short or the long form.

    In the short form, the text before the first space has 73 to 89 characters. More than 90% of
    them are cage sums or arrows, and more than a quarter are arrows. A line is recognized as the
    long form by its beginning.
    """
    body = body.strip()
    if _LONG.match(body):
        return True
    body = body.partition(" ")[0]
    right = sum(character in ARROWS or character in SUMS for character in body)
    arrows = sum(character in "<>^v`'" for character in body)
    return abs(len(body) - _CELLS) < 9 and right > 0.9 * len(body) and 4 * arrows > len(body)


KILLER = OneALine(
    "killer",
    "One 9×9 killer puzzle per line, as 81 characters. One cell of each cage has its sum (0-9, A "
    "= 10 … Z = 35, a = 36 … j = 45), and the others have arrows that lead there (^ v < >, and ` "
    "' , . for the diagonals). The long form 3x3::k: with 81 numbers works, too.",
    "G<<L<K<L<^G>^>^E^^>^IJ<G^<G^>^^I^<>^HC<C^<B^N^^G^<>^>^^E^<DF<^PG^<>^^J<^^<H<<>^>^\n",
    _looks_like_killer,
    read_killer,
)
