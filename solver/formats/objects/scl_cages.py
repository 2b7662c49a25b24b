"""Read the cages of SudokuPad: distinct cells, sums, and purely visual ones."""

from collections.abc import Sequence
from dataclasses import dataclass

from solver.board.layout import place_name
from solver.formats.objects.scl_sheet import Sheet, Unreadable
from solver.formats.objects.scl_values import Place, as_number, is_true

# Cages that are houses. Their sums assume values from 1, even on boards with other values.
_HOUSES = ("rowcol", "region", "extraregion", "box", "windoku")
# Styles of purely visual cages.
_STYLES = ("outlineC", "fontC", "borderColor")


@dataclass(frozen=True, slots=True)
class Cage:
    """A cage in a SudokuPad puzzle.

    cells   its cells as (row, column) from 0
    differ  whether they must have different values
    sum     the sum of its values, or None
    line    whether SudokuPad marks the cage as a row or column
    """

    cells: tuple[Place, ...]
    differ: bool
    sum: int | None
    line: bool  # the cage is a row or a column


def read_cages(sheet: Sheet) -> list[Cage]:
    """Return the cages. As in SudokuPad, a requirement that the solution violates is dropped.

    Cages without cells are skipped. The values of a cage with `unique` or a `type` must differ
    unless `unique` is off. Those of any other cage must differ if it has no text apart from a
    number and no style for drawings, and if the written rules mention cages or are missing. If not,
    a number that the cage shows isn't its sum. Rows, regions, and other houses have no sum. Adds
    notes to the sheet about requirements that are assumed or dropped, and about text that is
    ignored. Raises Unreadable if a cage has a cell outside the grid.
    """
    cages: list[Cage] = []
    drawn = assumed = broken = False
    rules = str(sheet.words.get("rules") or "cage").lower()
    mentions_cages = "cage" in rules or "killer" in rules
    for cage in sheet.value.get("cages") or []:
        if not cage.get("cells"):
            continue  # metadata
        cells = sheet.inside(cage["cells"], "a cage")
        shown, unique = cage.get("value"), cage.get("unique")
        declared = as_number(cage.get("sum"))
        total = as_number(shown) if declared is None else declared
        if cage.get("type") in _HOUSES or cage.get("style") in _HOUSES:
            total = None
        is_typed = unique is not None or cage.get("type") is not None
        words = shown not in (None, "") and total is None
        plain = mentions_cages and not words and not any(cage.get(key) for key in _STYLES)
        differ = (is_true(unique) or unique is None) if is_typed else plain
        total = total if is_typed or plain else declared
        drawn |= words or not (differ or total)
        assumed |= differ and not is_typed
        numbers = [as_number(sheet.solved.get(place)) for place in cells]
        wrong = bool(total) and None not in numbers and sum(filter(None, numbers)) != total
        broken |= wrong or (differ and sheet.is_broken(cells))
        differ = differ and not sheet.is_broken(cells)
        line = cage.get("type") == "rowcol"
        cages.append(Cage(cells, differ, None if wrong else total or None, line))
    if broken:
        sheet.notes.append("ignored cage rules that the solution violates")
    if assumed:
        sheet.notes.append("assumed that values don't repeat in cages")
    if drawn:
        sheet.notes.append("ignored text in cages, and cages without a rule")
    return cages


def constraints_of(cages: Sequence[Cage], size: int, *, free: bool) -> list[dict[str, object]]:
    """Return the constraints of cages on a board with `size` values.

    A cage marked as a line (`Cage.line`) adds nothing if it is in one row or column, unless these
    are `free`, because it already is part of a house. Raises Unreadable if more than `size` cells
    of a cage must differ.
    """
    constraints: list[dict[str, object]] = []
    for cage in cages:
        if (
            cage.line
            and not free
            and 1 in (len(set(axis)) for axis in zip(*cage.cells, strict=True))
        ):
            continue  # part of a row or column, which is a house
        names = [place_name(*place) for place in cage.cells]
        if cage.differ and len(names) > size:
            raise Unreadable(
                f"the cage at {names[0]} has {len(names)} cells that must all differ, but there "
                f"are only {size} values"
            )
        if cage.differ:
            made: dict[str, object] = {"type": "killer", "cells": names}
            constraints.append(made | {"sum": cage.sum} if cage.sum else made)
        elif cage.sum:
            constraints.append({"type": "sum", "cells": names, "sum": cage.sum})
    return constraints
