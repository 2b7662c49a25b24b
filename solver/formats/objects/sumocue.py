"""Read SumoCue's notation: for each cell a value or a cage sum, and a region."""

import re

from solver.board.display import how_many, shorten
from solver.board.layout import Layout
from solver.formats.format import ReadOptions
from solver.formats.objects.puzzle_object import read_translated
from solver.formats.reading.cells import Reading, refuse
from solver.formats.reading.one_a_line import OneALine

_HEAD = re.compile(r"\s*SumoCueV1", re.IGNORECASE)
_ENTRY = re.compile(r"([=+])(\d{1,9})(?:J(\d{1,9}))?", re.IGNORECASE)
_ENTRIES = re.compile(rf"(?:{_ENTRY.pattern})*+", re.IGNORECASE)
_BOARD = Layout.boxed(3, 3)


def read_sumocue(text: str, *, options: ReadOptions) -> Reading:
    """Read a 9×9 SumoCue puzzle: ``=`` and a value for each cell, with ``J`` and a region after it.

    In a killer, ``+`` and a cell number (from 0) puts a cell into another cell's cage. The values
    of the other cells are then cage sums, where 0 means no cage.
    """
    head = _HEAD.match(text)
    body = "".join((text[head.end() :] if head else text).split())
    read = _ENTRIES.match(body)
    read_end = read.end() if read else 0
    entries = _ENTRY.findall(body[:read_end])
    if read_end < len(body):
        wrong, count = shorten(body[read_end : read_end + 10]), how_many(len(entries), "cell")
        fault = f"{wrong!r} after {count} isn't a valid cell"
        return refuse(f"{fault}; expected one such as =5, =5J2, or +12", text)
    if len(entries) != 81:
        return refuse(f"{how_many(len(entries), 'cell')}, expected 81", text)
    cages: dict[int, list[int]] = {}
    if any(sign == "+" for sign, _, _ in entries):
        for cell in range(81):
            first, hops = cell, 0
            while entries[first][0] == "+" and hops <= 81:
                first, hops = int(entries[first][1]), hops + 1
                if first >= 81:
                    place = _BOARD.cell_name(cell)
                    return refuse(f"{place} refers to cell {first}, expected 0 to 80", text)
            if hops > 81:
                return refuse(f"the cage of {_BOARD.cell_name(cell)} has no sum", text)
            cages.setdefault(first, []).append(cell)
    board: dict[str, object] = {
        "shape": "9x9",
        "givens": [None if cages or number == "0" else number for _, number, _ in entries],
        "constraints": [
            {
                "type": "killer",
                "cells": [_BOARD.cell_name(cell) for cell in cells],
                "sum": int(entries[first][1]),
            }
            for first, cells in cages.items()
            if entries[first][1] != "0"
        ],
    }
    if any(region for _, _, region in entries):
        board["regions"] = [region or "." for _, _, region in entries]
    return read_translated(board, text=text, options=options)


SUMOCUE = OneALine(
    "sumocue",
    "One SumoCue puzzle per line: SumoCueV1, and then for each cell its value (= and a number, 0 "
    "for empty cells) and region (J and a number). In killers, each cell has its cage's sum (= "
    "and a number), or refers to another cell of the same cage (+ and a number).",
    "SumoCueV1=3J0=0J0=0J0=0J0=0J0=0J0=0J0=0J2=7J1=1J4=0J5=0J3=0J3=0J0=0J3=0J0=0J2=5J1=0J4=0J5="
    "0J3=0J3=6J3=8J3=0J2=0J2=0J1=0J4=0J5=5J3=0J3=1J2=9J2=0J2=0J2=0J1=0J4=0J5=0J5=9J5=0J6=0J6=0J"
    "1=0J2=0J1=0J4=0J4=0J5=0J6=0J6=0J6=0J1=0J1=2J1=8J4=0J4=0J5=0J5=0J6=3J6=0J6=0J6=0J7=0J4=0J8="
    "0J8=2J8=3J8=5J7=0J7=0J7=1J7=0J8=0J8=0J8=0J8=0J8=0J7=0J7=9J7=0J7\n",
    lambda line: _HEAD.match(line) is not None,
    read_sumocue,
)
