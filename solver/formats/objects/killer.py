"""Read killer puzzles in compact notation: 81 characters, each a cage sum or an arrow."""

import re
from dataclasses import replace

from solver.board.layout import Layout
from solver.board.puzzle import Puzzle
from solver.board.symbols import Symbols
from solver.formats.format import ReadOptions
from solver.formats.objects.puzzle_object import read_translated
from solver.formats.reading.cells import Reading, clean_name, refuse, show_cell
from solver.formats.reading.one_a_line import OneALine
from solver.rules.registry import RULES, with_constraints
from solver.rules.rule import Constraint
from solver.rules.variants import with_variants

_CELLS = 81
_BOARD = Layout.boxed(3, 3)
_SUMS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij"  # sums 0 to 45
_NO_SUM = -1  # a cage with the sum 0 only requires distinct digits
_LONG = re.compile(r"3x3:d?:k:")
_NUMBER = re.compile(r"[0-9]{1,9}")
_CAGE_UNIT = 256
# The direction of each arrow: rows down and columns right.
_ARROWS = {
    "^": (-1, 0),
    "v": (1, 0),
    "<": (0, -1),
    ">": (0, 1),
    "`": (-1, -1),
    "'": (-1, 1),
    ",": (1, -1),
    ".": (1, 1),
}


def read_killer(text: str, *, options: ReadOptions) -> Reading:
    """Read a killer puzzle.

    Arrows lead from cell to cell of a cage, up to the cell with its sum.
    """
    body = text.strip()
    if _LONG.match(body):
        return _read_long(body, options=options)
    body, _, behind = body.partition(" ")
    return replace(_read_short(body, text=text, options=options), name=clean_name(behind))


def _read_short(body: str, *, text: str, options: ReadOptions) -> Reading:
    if len(body) != _CELLS:
        return refuse(f"{len(body)} characters, expected 81", text)
    layout = with_variants(_BOARD, options.variant)
    if isinstance(layout, str):
        return refuse(layout, text)
    cages: dict[int, list[int]] = {}
    for cell, character in enumerate(body):
        if character not in _ARROWS and character not in _SUMS:
            return refuse(
                f"{show_cell(character)} in {layout.cell_name(cell)} is no sum, no arrow", text
            )
        last = _follow(body, cell)
        if last is None:
            return refuse(f"the arrow in {layout.cell_name(cell)} leads to no sum", text)
        cages.setdefault(last, []).append(cell)
    rule = RULES["killer"]
    constraints = tuple(
        Constraint(rule, tuple(cells), _SUMS.index(body[last]) or _NO_SUM)
        for last, cells in cages.items()
    )
    layout = with_constraints(layout, constraints)
    if isinstance(layout, str):
        return refuse(layout, text)
    return Reading(Puzzle(layout, (0,) * _CELLS, Symbols.usual(9)))


def _read_long(body: str, *, options: ReadOptions) -> Reading:
    """Read the long form: ``3x3:d:k:`` and 81 numbers.

    Each number is 256 times the sum of the cell's cage, plus the number of the cage. Cells with the
    sum 0 have no cage. ``d`` adds the diagonals.
    """
    _, flags, _, *numbers = body.rstrip(":").split(":")
    if len(numbers) != _CELLS:
        return refuse(f"{len(numbers)} cells, expected 81", body)
    cages: dict[int, list[int]] = {}
    for cell, written in enumerate(numbers):
        if not _NUMBER.fullmatch(written):
            return refuse(f"{show_cell(written)} in {_BOARD.cell_name(cell)}", body)
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


def _step(cell: int, arrow: str) -> int | None:
    """Return the cell that an arrow leads to, or None if it leaves the grid."""
    down, right = _ARROWS[arrow]
    row, column = cell // 9 + down, cell % 9 + right
    return 9 * row + column if 0 <= row < 9 and 0 <= column < 9 else None


def _follow(body: str, cell: int) -> int | None:
    """Follow the arrows from a cell to the cell with the sum.

    Returns None if they don't reach one.
    """
    for _ in range(_CELLS):
        if body[cell] not in _ARROWS:
            return cell
        step = _step(cell, body[cell])
        if step is None:
            return None
        cell = step
    return None


def _looks_like_killer(body: str) -> bool:
    """Return whether a line has about 81 characters, mostly valid ones, and many arrows."""
    body = body.strip()
    if _LONG.match(body):
        return True
    body = body.partition(" ")[0]
    right = sum(character in _ARROWS or character in _SUMS for character in body)
    arrows = sum(character in "<>^v`'" for character in body)
    return abs(len(body) - _CELLS) < 9 and right > 0.9 * len(body) and 4 * arrows > len(body)


KILLER = OneALine(
    "killer",
    "One 9×9 killer puzzle a line, 81 characters: the sum of a cage in one of its cells "
    "(0-9, A = 10 … Z = 35, a = 36 … j = 45), in the others arrows that lead there "
    "(^ v < >, and ` ' , . for the diagonals); or the long form 3x3::k: with 81 numbers.",
    "G<<L<K<L<^G>^>^E^^>^IJ<G^<G^>^^I^<>^HC<C^<B^N^^G^<>^>^^E^<DF<^PG^<>^^J<^^<H<<>^>^\n",
    _looks_like_killer,
    read_killer,
)
