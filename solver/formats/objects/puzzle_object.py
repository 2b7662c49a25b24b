"""Boards of other shapes: an object with rows and columns, houses, candidates and constraints.

Notations of other programs are turned into such an object first, so that all of them are
checked in one place.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from solver.board.graphemes import normalise, split_graphemes
from solver.board.layout import MAX_SIZE, House, Layout, place_named
from solver.board.puzzle import Invalid, Puzzle
from solver.board.symbols import Symbols
from solver.formats.format import ReadOptions
from solver.formats.reading.cells import Reading, clean_name, read_solution, shorten
from solver.rules.registry import read_constraint, with_constraints
from solver.rules.rule import Constraint
from solver.rules.variants import known_variant, with_variants

# What makes an object a board instead of a plain square puzzle.
BOARD_KEYS = frozenset({"shape", "lowest", "candidates", "houses", "grids"})

# What holds the cells of an object.
PUZZLE_KEYS = ("puzzle", "givens", "grid")

_NOT_WITH_GRIDS = ("shape", "size", "regions", "houses", "lowest")
_MOST_GRIDS = 100

_PAIR = re.compile(r"([1-9]\d?)\s*[xX×]\s*([1-9]\d?)")


def read_board(value: Mapping[str, object], *, text: str, options: ReadOptions) -> Reading:
    """Read a board that an object describes."""
    puzzle = _puzzle(value, options)
    name = clean_name(str(value.get("name") or ""))
    if isinstance(puzzle, str):
        return Reading(Invalid(puzzle, shorten(text)), name=name)
    solution = value.get("solution")
    expected = read_solution(solution, puzzle) if isinstance(solution, str) else None
    return Reading(puzzle, name=name, expected=expected)


def _puzzle(value: Mapping[str, object], options: ReadOptions) -> Puzzle | str:
    cells = [value[key] for key in PUZZLE_KEYS if value.get(key)]
    if len(cells) > 1:
        return "an object needs one of the keys puzzle, givens and grid"
    layout = _overlapping(value) if value.get("grids") else _layout(value)
    if isinstance(layout, str):
        return layout
    layout = _with_rules(layout, value, options)
    if isinstance(layout, str):
        return layout
    symbols = _symbols(value, layout)
    if isinstance(symbols, str):
        return symbols
    givens = _givens(cells[0] if cells else None, layout, symbols)
    if isinstance(givens, str):
        return givens
    candidates = _candidates(value.get("candidates"), layout)
    if isinstance(candidates, str):
        return candidates
    return Puzzle(layout, givens, symbols, candidates)


def _overlapping(value: Mapping[str, object]) -> Layout | str:
    """Return the layout of grids that share cells, given their top left cells."""
    other = next((key for key in _NOT_WITH_GRIDS if value.get(key) is not None), None)
    if other is not None:
        return f"grids that share cells cannot have {other!r} besides"
    grids, box = value["grids"], _pair(value.get("box") or "3x3")
    names = grids if isinstance(grids, list) else []
    corners = tuple(place for name in names if (place := place_named(name)) is not None)
    if box is None or not 0 < len(corners) == len(names) <= _MOST_GRIDS:
        return 'grids must be a list of top left cells, such as ["r1c1", "r7c7"], with a box'
    try:
        return Layout.overlapping(corners, box)
    except ValueError as error:
        return str(error)


def _layout(value: Mapping[str, object]) -> Layout | str:
    size, lowest = value.get("size"), value.get("lowest", 1)
    shape = _pair(value.get("shape") or (f"{size}x{size}" if size else "9x9"))
    if shape is None:
        return f"shape must be rows x columns, such as 6x8, not {_show(value.get('shape'))}"
    size = max(shape) if size is None else size
    if not isinstance(size, int) or not 1 <= size <= MAX_SIZE:
        return f"size must be a number from 1 to {MAX_SIZE}, not {_show(size)}"
    if lowest not in (0, 1):
        return f"lowest must be 0 or 1, not {_show(lowest)}"
    box = value.get("box", "usual")
    regions = value.get("regions")
    fits = None if regions or box in (None, "none") else usual_boxes(*shape, size)
    if isinstance(box, (str, list)) and box not in ("none", "usual"):
        fits = _pair(box)
        if fits is None:
            return f"box must be rows x columns, such as 2x3, not {_show(box)}"
    try:
        layout = Layout.grid(*shape, size=size, box=fits)
    except ValueError as error:
        return str(error)
    more = [("region", regions)] if regions else []
    maps = value.get("houses") or []
    if not isinstance(maps, list):
        return "houses must be a list of maps, each with a label for each cell"
    found: list[House] = []
    for kind, labels in [*more, *(("house", labels) for labels in maps)]:
        houses = _houses(kind, labels, layout)
        if isinstance(houses, str):
            return houses
        found += houses
    return _make(layout, tuple(found), int(str(lowest)))


@lru_cache(maxsize=32)
def _make(layout: Layout, houses: tuple[House, ...], lowest: int) -> Layout:
    """Return the same layout for the same houses, for layouts are compared by identity."""
    return replace(layout, houses=(*layout.houses, *houses), lowest=lowest)


def usual_boxes(rows: int, columns: int, size: int) -> tuple[int, int] | None:
    """Return the squarest boxes of `size` cells that fill a grid, lying if both ways fit."""
    for short in range(int(size**0.5), 1, -1):
        for box in ((short, size // short), (size // short, short)):
            if size % short == 0 and rows % box[0] == 0 and columns % box[1] == 0:
                return box
    return None


def _houses(kind: str, labels: object, layout: Layout) -> list[House] | str:
    """Read a map of labels, one for each cell; '.' is a cell of no house."""
    flat = split_graphemes("".join(labels.split())) if isinstance(labels, str) else labels
    if not isinstance(flat, list) or len(flat) != layout.cells:
        return f"{kind}s need a label for each of the {layout.cells} cells"
    cells: dict[str, list[int]] = {}
    for cell, label in enumerate(flat):
        if label not in (None, "", "."):
            cells.setdefault(str(label), []).append(cell)
    for label, found in cells.items():
        if len(found) > layout.size:
            return f"{kind} {label[:20]!r} has {len(found)} cells, {layout.size} at most"
    return [House(kind, number, tuple(found)) for number, found in enumerate(cells.values(), 1)]


def _with_rules(layout: Layout, value: Mapping[str, object], options: ReadOptions) -> Layout | str:
    """Return the layout with the variants and the constraints that the object names."""
    names = value.get("variant") or []
    names = re.split(r"[,\s]+", names.strip()) if isinstance(names, str) else names
    found = value.get("constraints") or []
    if not isinstance(names, list) or not isinstance(found, list):
        return "variant and constraints must be lists"
    constraints: list[Constraint] = []
    for description in found:
        if not isinstance(description, dict):
            return f"a constraint is an object, not {_show(description)}"
        if set(description) == {"type"} and known_variant(str(description["type"])):
            names = [*names, description["type"]]
            continue
        constraint = read_constraint(description, layout=layout)
        if isinstance(constraint, str):
            return constraint
        constraints.append(constraint)
    ruled = with_constraints(layout, tuple(constraints)) if constraints else layout
    return (
        ruled
        if isinstance(ruled, str)
        else with_variants(ruled, (*options.variant, *map(str, names)))
    )


def _symbols(value: Mapping[str, object], layout: Layout) -> Symbols | str:
    written = value.get("symbols")
    if written is None:
        numbers = [str(number) for number in layout.numbers]
        return Symbols(tuple(numbers))
    if isinstance(written, str):
        written = written.split() if " " in written else split_graphemes(written)
    if not isinstance(written, list) or len(written) != layout.size:
        return f"symbols must be {layout.size} different ones"
    return Symbols(tuple(normalise(str(symbol)) for symbol in written))


def _givens(cells: object, layout: Layout, symbols: Symbols) -> tuple[int, ...] | str:
    if cells is None:
        return (0,) * layout.cells
    if isinstance(cells, str):
        cells = cells.split() if " " in cells.strip() else split_graphemes(cells.strip())
    if (
        isinstance(cells, list)
        and all(isinstance(row, (list, str)) and len(row) == layout.columns for row in cells)
        and len(cells) == layout.rows
    ):
        cells = [cell for row in cells for cell in row]
    if not isinstance(cells, list) or len(cells) != layout.cells:
        return f"givens must be {layout.cells} cells, {layout.rows} rows of {layout.columns}"
    value_of = {symbol: value for value, symbol in enumerate(symbols.values, 1)}
    blanks = ["", ".", symbols.blank] + (["0"] if "0" not in value_of else [])
    givens = []
    for cell, written in enumerate(cells):
        blank = written is None or written is False or str(written) in blanks
        value = 0 if blank else value_of.get(normalise(str(written)))
        if cell in layout.absent:
            value = 0
        if value is None:
            return f"{_show(written)} in {layout.cell_name(cell)} is no symbol of this puzzle"
        givens.append(value)
    return tuple(givens)


def _candidates(found: object, layout: Layout) -> tuple[int, ...] | str | None:
    """Read the numbers left to some cells, as {"r1c1": [1, 2, 5]}; the others may be all."""
    if found is None:
        return None
    if not isinstance(found, dict):
        return 'candidates must be an object such as {"r1c1": [1, 2, 5]}'
    masks = [(1 << layout.size) - 1] * layout.cells
    for name, numbers in found.items():
        cell = layout.cell_named(name)
        if cell is None:
            return f"{name[:20]!r} in candidates is no cell of the grid"
        if not isinstance(numbers, list) or not all(n in layout.numbers for n in numbers):
            least, most = layout.numbers[0], layout.numbers[-1]
            return f"candidates of {name} must be a list of numbers from {least} to {most}"
        masks[cell] &= sum(1 << layout.numbers.index(number) for number in set(numbers))
    return tuple(masks)


def _pair(value: object) -> tuple[int, int] | None:
    text = "x".join(map(str, value)) if isinstance(value, list) else str(value)
    match = _PAIR.fullmatch(text)
    return None if match is None else (int(match[1]), int(match[2]))


def _show(value: object) -> str:
    return shorten(repr(value))[:40]
