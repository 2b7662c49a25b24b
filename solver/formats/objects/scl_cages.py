"""The cages of SudokuPad: those whose cells differ, sums, and what is only drawn."""

from collections.abc import Sequence
from dataclasses import dataclass

from solver.board.layout import place_name
from solver.formats.objects.scl_sheet import Sheet, Unreadable
from solver.formats.objects.scl_values import Place, as_number, is_true

# Their sums are those of the first numbers, whatever the values are.
_HOUSES = ("rowcol", "region", "extraregion", "box", "windoku")
# How cages look that say nothing about their cells.
_STYLES = ("outlineC", "fontC", "borderColor")


@dataclass(frozen=True, slots=True)
class Cage:
    """Cells that are drawn together: whether they differ, and their sum if they have one."""

    cells: tuple[Place, ...]
    differ: bool
    sum: int | None
    line: bool  # it stands for a row or a column


def read_cages(sheet: Sheet) -> list[Cage]:
    """Return the cages; as in SudokuPad, what the solution does not keep says nothing."""
    cages: list[Cage] = []
    drawn = unsaid = broken = False
    rules = str(sheet.words.get("rules") or "cage").lower()
    speak = "cage" in rules or "killer" in rules
    for cage in sheet.value.get("cages") or []:
        if not cage.get("cells"):
            continue  # words
        cells = sheet.inside(cage["cells"], "a cage")
        shown, unique = cage.get("value"), cage.get("unique")
        asked = as_number(cage.get("sum"))
        total = as_number(shown) if asked is None else asked
        if cage.get("type") in _HOUSES or cage.get("style") in _HOUSES:
            total = None
        said = unique is not None or cage.get("type") is not None
        words = shown not in (None, "") and total is None
        plain = speak and not words and not any(cage.get(key) for key in _STYLES)
        differ = (is_true(unique) or unique is None) if said else plain
        total = total if said or plain else asked
        drawn |= words or not (differ or total)
        unsaid |= differ and not said
        numbers = [as_number(sheet.told.get(place)) for place in cells]
        wrong = bool(total) and None not in numbers and sum(filter(None, numbers)) != total
        broken |= wrong or (differ and sheet.is_broken(cells))
        differ = differ and not sheet.is_broken(cells)
        line = cage.get("type") == "rowcol"
        cages.append(Cage(cells, differ, None if wrong else total or None, line))
    if broken:
        sheet.notes.append("cages that the solution does not keep are only drawn")
    if unsaid:
        sheet.notes.append("cells of a cage that says nothing of it differ")
    if drawn:
        sheet.notes.append("words in cages, and cages that ask for nothing, are only drawn")
    return cages


def constraints_of(cages: Sequence[Cage], size: int, *, free: bool) -> list[dict[str, object]]:
    """Return the constraints of cages, on a board of so many values.

    Rows and columns are houses unless they are `free`.
    """
    constraints: list[dict[str, object]] = []
    for cage in cages:
        if (
            cage.line
            and not free
            and 1 in (len(set(axis)) for axis in zip(*cage.cells, strict=True))
        ):
            continue  # a part of a row or a column, which is a house
        names = [place_name(*place) for place in cage.cells]
        if cage.differ and len(names) > size:
            raise Unreadable(f"a cage has {len(names)} cells that differ, of {size} values")
        if cage.differ:
            made: dict[str, object] = {"type": "killer", "cells": names}
            constraints.append(made | {"sum": cage.sum} if cage.sum else made)
        elif cage.sum:
            constraints.append({"type": "sum", "cells": names, "sum": cage.sum})
    return constraints
