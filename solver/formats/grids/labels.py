"""Read a second grid below or next to the rows, which labels the cells of regions or cages.

Labels of N regions with N cells each make a jigsaw. With sums, as in `a=12 b=7`, they are cages.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from solver.board.display import as_sentence
from solver.board.puzzle import Invalid, Puzzle
from solver.formats.format import ROWS_AS_BOXES, ReadOptions
from solver.formats.grids.jigsaw import place
from solver.formats.grids.row_splits import split_ways
from solver.formats.reading.cells import Reading, read_cells, refuse
from solver.formats.reading.deduce import BLANKS
from solver.rules.regions import read_regions
from solver.rules.registry import read_constraint, with_constraints
from solver.rules.rule import Constraint

_NO_LABELS = frozenset({"", " ", ".", "-", "_", "*", "?", "<", ">", "^", "←", "↑", "→", "↓"})
_SUM = re.compile(r"\s*(\w{1,3})\s*[=:]\s*(\d{1,4})\s*[,;]?(?=\s|\w|$)")
_SUM_LINE = re.compile(r"(?:\s*\w{1,3}\s*[=:]\s*\d{1,4}\s*[,;]?(?=\s|$))+\s*")
_PAIR_LINE = re.compile(r"\s*(\w{1,3})\s+(\d{1,4})\s*")


def are_labels(cells: Sequence[str]) -> bool:
    """Return whether the cells of an N×N grid are region or cage labels rather than a puzzle.

    No label is an empty cell or an arrow. Pairs of equal neighbors are frequent among labels, but
    rare in a puzzle, except for empty cells. So there must be at least N such pairs. At least N/2
    of them, rounded down, must be horizontal. At least N/2 must be left without those of the most
    frequent symbol, which may be a sign for empty cells such as 0.
    """
    size = int(len(cells) ** 0.5)
    if not _NO_LABELS.isdisjoint(cells):
        return False
    beside = [(cells[n], cells[n + 1]) for n in range(len(cells) - 1) if (n + 1) % size]
    below = list(zip(cells, cells[size:], strict=False))
    if sum(one == other for one, other in beside) < size // 2:
        return False
    alike = Counter(one for one, other in beside + below if one == other)
    return alike.total() >= size and alike.total() - max(alike.values()) >= size // 2


def may_be_labels(line: str) -> bool:
    """Return whether a line can be split so that two neighboring cells are equal labels."""
    return any(
        one == other and one not in _NO_LABELS
        for split in split_ways(line)
        for one, other in zip(split.cells, split.cells[1:], strict=False)
    )


def solves(cells: Sequence[str], others: Sequence[str]) -> bool:
    """Return whether the grid `others` may be the solution of the puzzle `cells`.

    Both are the N² cells of a grid in reading order. `others` has N different values, repeats none
    in a row, and agrees with the givens. At least one cell of the puzzle is empty. Columns and
    boxes aren't checked.
    """
    size = int(len(cells) ** 0.5)
    given = [(cell, other) for cell, other in zip(cells, others, strict=True) if cell not in BLANKS]
    rows = [others[start : start + size] for start in range(0, len(others), size)]
    return (
        len(set(others)) == size
        and all(len(set(row)) == size for row in rows)
        and all(cell == other for cell, other in given)
        and len(given) < len(cells)
    )


def is_sum_line(line: str) -> bool:
    """Return whether a line gives the sums of cages: `a=12 b=7`, or `a 12`."""
    return _SUM_LINE.fullmatch(line) is not None or _PAIR_LINE.fullmatch(line) is not None


def read_labeled(
    cells: Sequence[str],
    labels: Sequence[str],
    sums: Iterable[str],
    *,
    text: str,
    options: ReadOptions,
) -> Reading:
    """Read cells and their labels. The labels are jigsaw regions, or cages if there are sums.

    `sums` are lines such as `a=12 b=7`. If there are any, the reading is invalid unless each label
    has exactly one sum, and each sum a label.
    """
    totals: dict[str, int] = {}
    for line in sums:
        for label, total in _SUM.findall(line) or _PAIR_LINE.findall(line):
            if totals.setdefault(label, int(total)) != int(total):
                return refuse(f"the cage {label!r} has two sums", text)
    if totals:
        reading = read_cells(cells, text=text, options=options)
        return _with_cages(reading, labels, totals, text)
    regions = read_regions(list(labels))
    if isinstance(regions, str):
        hint = "If the labels are cages, add their sums, such as a=12 b=7."
        return refuse(f"{as_sentence(regions)} {hint}", text)
    reading = read_cells(cells, text=text, options=replace(options, box=ROWS_AS_BOXES))
    if isinstance(reading.puzzle, Invalid):
        return reading
    placed = place(reading.puzzle, regions, text)
    return replace(placed, note=reading.note) if isinstance(placed.puzzle, Puzzle) else placed


def _with_cages(
    reading: Reading, labels: Sequence[str], totals: dict[str, int], text: str
) -> Reading:
    """Return the reading with a killer cage for each label. `labels` has the label of each cell.

    `totals` has the sum of each cage by its label. If a cage lacks a sum, or a sum lacks its cage,
    the reading is invalid. `text` is the record, for the error message.
    """
    if isinstance(reading.puzzle, Invalid):
        return reading
    layout = reading.puzzle.layout
    without = next((label for label in labels if label not in totals), None)
    if without is not None:
        return refuse(f"the cage {without!r} has no sum; add one, such as {without}=12", text)
    unused = next((label for label in totals if label not in labels), None)
    if unused is not None:
        return refuse(f"there is a sum for {unused!r}, but no cell has this label", text)
    cages: list[Constraint] = []
    for label, total in totals.items():
        names = [layout.cell_name(cell) for cell, own in enumerate(labels) if own == label]
        cage = read_constraint({"type": "killer", "cells": names, "sum": total}, layout=layout)
        if isinstance(cage, str):
            return refuse(cage, text)
        cages.append(cage)
    made = with_constraints(layout, tuple(cages))
    if isinstance(made, str):
        return refuse(made, text)
    return replace(reading, puzzle=replace(reading.puzzle, layout=made))
