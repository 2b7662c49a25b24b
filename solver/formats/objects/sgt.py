"""Read game ids of Simon Tatham's Solo.

Examples are ``3x3:5_3b7d6b1…``, ``9j:…`` with blocks, and ``x`` for diagonals. The encoding is that
of `solo.c` in his puzzle collection (MIT license).
"""

import re

from solver.board.display import how_many
from solver.board.layout import MAX_SIZE, place_name
from solver.formats.format import ReadOptions
from solver.formats.objects.puzzle_object import read_translated
from solver.formats.reading.cells import Reading, refuse
from solver.formats.reading.one_a_line import OneALine

# The URL of its page or the name of the game may come first.
_ID = re.compile(
    r"\s*(?:\S*solo\.html[?#]|(?i:solo):)?(\d{1,2})(?:x(\d{1,2}))?((?:d[a-z]|[jxka])*)"
    r":([0-9a-z_]+(?:,[0-9a-z_]+)*)\s*"
)
_SEED = re.compile(r"\s*\d{1,2}(?:x\d{1,2})?[a-z0-9]*#\d+\s*")
_DIFFICULTY = re.compile("d[a-z]")
_CELL = re.compile(r"\d+|[a-z]|_")
_LONGEST_NUMBER = 9  # digits
_LONG_RUN = "z"  # 25 lines that aren't edges, without an edge after them


def read_sgt(text: str, *, options: ReadOptions) -> Reading:
    """Read a puzzle in one game id of Simon Tatham's Solo.

    It may be a jigsaw or a killer, and have distinct diagonals. The difficulty is ignored. The
    reading is invalid for a malformed id, and for a random seed, which doesn't contain the puzzle.
    """
    match = _ID.fullmatch(text)
    if _SEED.fullmatch(text):
        return refuse("this is a random seed; send the game ID, which contains a colon", text)
    if match is None:
        return refuse("this isn't a game ID of Solo; expected one such as 2x2:1e3b2e4", text)
    first, second, flags, description = match.groups()
    flags = _DIFFICULTY.sub("", flags)
    cells, *others = description.split(",")
    jigsaw, killer = second is None or "j" in flags, "k" in flags
    if len(others) != jigsaw + 2 * killer:
        parts = how_many(len(others) + 1, "part")
        fault = f"the game ID has {parts} separated by commas"
        return refuse(f"{fault}, expected {1 + jigsaw + 2 * killer}", text)
    size = int(first) * int(second or 1)
    if not 1 <= size <= MAX_SIZE:
        return refuse(f"the board has {size} values, expected 1 to {MAX_SIZE}", text)
    givens = _numbers(cells)
    if len(givens) != size * size:
        return refuse(
            f"the game ID has {how_many(len(givens), 'cell')}, expected {size * size}", text
        )
    board: dict[str, object] = {
        "shape": f"{size}x{size}",
        "givens": givens,
        "variant": ["diagonal"] if "x" in flags else [],
    }
    if jigsaw:
        regions = _regions(others[0], size)
        if isinstance(regions, str):
            return refuse(regions, text)
        board["regions"] = regions
    else:
        board["box"] = f"{first}x{second}"
    if killer:
        cages = _cages(others[-2], _numbers(others[-1]), size)
        if isinstance(cages, str):
            return refuse(cages, text)
        board["constraints"] = cages
    return read_translated(board, text=text, options=options)


def _numbers(written: str) -> list[str | None]:
    """Return the number written in each cell as text, or None for an empty cell.

    A letter is a run of empty cells.
    """
    numbers: list[str | None] = []
    for part in _CELL.findall(written):
        if part.isdigit():
            numbers.append(part)
        elif part != "_":
            numbers += [None] * (ord(part) - ord("a") + 1)
    return numbers


def _cages(blocks: str, sums: list[str | None], size: int) -> list[dict[str, object]] | str:
    """Return the cages whose outlines are encoded in `blocks`, or an error message.

    `blocks` encodes the cage borders, in the same way as region borders, see `_regions`. `sums` has
    an entry for each cell, and one cell of each cage contains its sum. A cage without a sum gets
    −1, which means that any sum is allowed.
    """
    regions = _regions(blocks, size)
    if isinstance(regions, str):
        return regions
    if len(sums) != size * size:
        return f"the list of sums has {how_many(len(sums), 'cell')}, expected {size * size}"
    if any(said is not None and len(said) > _LONGEST_NUMBER for said in sums):
        return f"a sum has more than {_LONGEST_NUMBER} digits, the limit"
    cages: list[dict[str, object]] = []
    for region in dict.fromkeys(regions):
        cells = [cell for cell, own in enumerate(regions) if own == region]
        total = [int(said) for cell in cells if (said := sums[cell]) is not None]
        names = [place_name(*divmod(cell, size)) for cell in cells]
        cages.append({"type": "killer", "cells": names, "sum": sum(total) if total else -1})
    return cages


def _regions(blocks: str, size: int) -> list[str] | str:
    """Return the region label of each cell, or an error message.

    The board has `size` rows and columns. `blocks` describes the pairs of neighboring cells: first
    the horizontal ones, row by row, and then the vertical ones, column by column. A letter from a
    (1) to y (25) is the number of pairs in the same region before the next pair that a border
    separates, and _ is 0. The letter z is 25 pairs in the same region, without a border after them.
    """
    edges = []
    for letter in blocks:
        run = 0 if letter == "_" else ord(letter) - ord("a") + 1
        edges += [False] * (run - (letter == _LONG_RUN)) + [True] * (letter != _LONG_RUN)
    lines = 2 * size * (size - 1)
    if len(edges) not in (lines, lines + 1):
        return f"the list of blocks has {how_many(len(edges), 'edge')}, expected {lines}"
    region = list(range(size * size))

    def find(cell: int) -> int:
        while region[cell] != cell:
            cell = region[cell]
        return cell

    for number, edge in enumerate(edges[:lines]):
        if not edge:
            major, minor = divmod(number % (lines // 2), size - 1)
            across = number < lines // 2
            here = major * size + minor if across else minor * size + major
            region[find(here)] = find(here + (1 if across else size))
    return [str(find(cell)) for cell in range(size * size)]


SGT = OneALine(
    "sgt",
    "One game ID of Simon Tatham's Solo per line: the box and the cells, with letters for runs of "
    "empty cells. Diagonals have the flag x, jigsaws the flag j and their blocks, and killers the "
    "flag k, their blocks, and the sums.",
    "3x3:5_3b7d6b1_9_5d9_8d6a8c6c3_4b8a3b1_7c2c6a6d2_8d4_1_9b5d8b7_9\n2x2:1e3b2e4\n",
    lambda line: (_ID.fullmatch(line) or _SEED.fullmatch(line)) is not None,
    read_sgt,
)
