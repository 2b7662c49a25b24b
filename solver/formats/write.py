"""Write a puzzle as text that can be uploaded again: its cells, or a JSON object with all rules."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from solver.board.layout import ConstraintLike, Layout
from solver.board.puzzle import Puzzle
from solver.board.symbols import Symbols
from solver.formats.parse import parse
from solver.rules.layout_rules import plain_kind, variants_of
from solver.rules.registry import RULES

# Verifying a text takes time, so puzzles above these limits aren't written as text.
_MAX_CELLS = 2_500
_MAX_CONSTRAINTS = 500


def write_puzzle(puzzle: Puzzle) -> str | None:
    """Return the simplest text that is parsed as exactly this puzzle, or None.

    Each possible text is parsed again and compared, so that no rule is lost. It doesn't contain the
    puzzle's name. The result is None if no text passes, or if the puzzle has more than 2,500 cells
    or 500 constraints.
    """
    layout = puzzle.layout
    if layout.cells > _MAX_CELLS or len(layout.constraints) > _MAX_CONSTRAINTS:
        return None
    return next((text for text in _texts(puzzle) if _is_read_as(text, puzzle)), None)


def _texts(puzzle: Puzzle) -> Iterator[str]:
    """Yield possible texts of a puzzle, the simplest first: just its cells, then a JSON object.

    The cells alone are left out if there are constraints or pencil marks.
    """
    if not puzzle.layout.constraints and puzzle.candidates is None:
        yield str(puzzle)
    yield json.dumps(_object(puzzle), ensure_ascii=False)


def _object(puzzle: Puzzle) -> dict[str, Any]:
    layout, symbols = puzzle.layout, puzzle.symbols
    described = {"puzzle": str(puzzle), **_board(layout)}
    if symbols != Symbols.usual(layout.size):
        described["symbols"] = list(symbols.values)
        described["blank"] = symbols.blank
    variants = [name for name in variants_of(layout) if name not in RULES]
    if variants:
        described["variant"] = variants
    constraints = [each for each in layout.constraints if each.name in RULES]
    if constraints:
        described["constraints"] = [constraint_json(each, layout) for each in constraints]
    if puzzle.candidates is not None:
        described["candidates"] = _candidates(puzzle.candidates, layout)
    return described


def _board(layout: Layout) -> dict[str, Any]:
    """Return the members of a puzzle object for its board, boxes or regions, and extra houses.

    Houses of variants, such as diagonals, aren't included.
    """
    kinds = {kind: _houses(layout, kind) for kind in ("box", "region", "house")}
    described: dict[str, Any] = {}
    corners = _corners(layout)
    if corners:
        described["grids"] = corners
    elif (layout.rows, layout.columns) != (layout.size, layout.size) or layout.lowest != 1:
        described["shape"] = f"{layout.rows}x{layout.columns}"
        described["size"] = layout.size
    if layout.lowest != 1:
        described["lowest"] = layout.lowest
    if kinds["box"]:
        described["box"] = "x".join(map(str, layout.box))
    elif kinds["region"]:
        described["regions"] = _labels(layout, kinds["region"])
    else:
        described["box"] = "none"
    if kinds["house"]:
        described["houses"] = [_labels(layout, [cells]) for cells in kinds["house"]]
    return described


def _corners(layout: Layout) -> list[str]:
    """Return the names of the top left cells of overlapping grids, or [] if there is one grid."""
    grids: dict[str, list[int]] = {}
    for house in layout.houses:
        grid = house.kind.rpartition(", ")[0]
        if grid:
            grids.setdefault(grid, []).extend(house.cells)
    return [
        f"r{min(cells) // layout.columns + 1}c{min(cell % layout.columns for cell in cells) + 1}"
        for cells in grids.values()
    ]


def _houses(layout: Layout, kind: str) -> list[tuple[int, ...]]:
    return [house.cells for house in layout.houses if plain_kind(house) == kind]


def _labels(layout: Layout, houses: list[tuple[int, ...]]) -> list[list[str | None]]:
    """Return a label for each cell, as one list per row of the board.

    `houses` has the cells of each house. The label is the number of the house that contains the
    cell, counted from 1 and written as text, or None if no house does.
    """
    labels: list[str | None] = [None] * layout.cells
    for number, cells in enumerate(houses, 1):
        for cell in cells:
            labels[cell] = str(number)
    starts = range(0, layout.cells, layout.columns)
    return [labels[start : start + layout.columns] for start in starts]


def constraint_json(constraint: ConstraintLike, layout: Layout) -> dict[str, Any]:
    """Return the JSON object that is parsed as a constraint, with the cell names of `layout`.

    The parameter is left out if it is the rule's default.
    """
    rule = RULES[constraint.name]
    if rule.chooses:
        options = [
            [constraint_json(each, layout) for each in group] for group in constraint.options
        ]
        return {"type": rule.name, "options": options}
    described: dict[str, Any] = {
        "type": rule.name,
        "cells": [layout.cell_name(cell) for cell in constraint.cells],
    }
    if rule.value is not None and constraint.value != rule.usual:
        described[rule.value] = constraint.value
    return described


def _candidates(masks: Sequence[int], layout: Layout) -> dict[str, list[int]]:
    every = (1 << layout.size) - 1
    return {
        layout.cell_name(cell): [
            number for place, number in enumerate(layout.numbers) if mask >> place & 1
        ]
        for cell, mask in enumerate(masks)
        if mask & every != every
    }


def _is_read_as(text: str, puzzle: Puzzle) -> bool:
    """Return whether a text is parsed as one puzzle that equals `puzzle`.

    The order of the rules, the name, and the sign for empty cells may differ.
    """
    match parse(text):
        case [Puzzle() as other]:
            return (
                (other.givens, other.symbols.values, other.candidates)
                == (puzzle.givens, puzzle.symbols.values, puzzle.candidates)
            ) and _facts(other.layout) == _facts(puzzle.layout)
    return False


def _facts(layout: Layout) -> tuple[Any, ...]:
    """Return everything that distinguishes two layouts, independent of the order of their rules."""
    return (
        (layout.size, layout.rows, layout.columns, layout.lowest, layout.holes, layout.variables),
        Counter(frozenset(house.cells) for house in layout.houses),
        frozenset(frozenset(pair) for links in layout.links for pair in links.pairs),
        Counter(layout.constraints),
    )
