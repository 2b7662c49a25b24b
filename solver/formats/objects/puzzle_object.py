"""Read a puzzle object: its cells, its board, and its rules.

Other programs' notations are translated into such an object first, so that all puzzles are checked
in one place.
"""

import contextlib
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from typing import Any, cast

from solver.board.closest import unknown
from solver.board.display import shorten, show_symbols, shown
from solver.board.graphemes import normalize, split_graphemes
from solver.board.layout import Layout
from solver.board.puzzle import Invalid, Puzzle
from solver.board.symbols import Symbols
from solver.formats.format import ROWS_AS_BOXES, ReadOptions
from solver.formats.grids.jigsaw import place
from solver.formats.objects.iss_notation import is_iss, iss_puzzle
from solver.formats.objects.nested import nested_puzzles
from solver.formats.objects.object_board import OBLONG_KEYS, read_board, with_houses
from solver.formats.objects.object_keys import (
    KEYS,
    NAME_KEYS,
    PUZZLE_KEYS,
    SOLUTION_KEYS,
    find_fault,
)
from solver.formats.objects.object_rules import read_candidates, with_rules
from solver.formats.objects.placed_cells import placed_cells
from solver.formats.objects.unknown_keys import (
    find_misspelled_cells,
    find_misspelling,
    find_unread,
)
from solver.formats.objects.written import read_written
from solver.formats.reading.cells import Reading, refuse, whole_name, with_solution
from solver.formats.reading.options import read_box, read_symbols
from solver.rules.regions import read_regions
from solver.rules.registry import RULES
from solver.rules.variants import VARIANTS, known_variant

Object = Mapping[str, object]

_NAME_TYPES = (str, int, float)
_NAMED = re.compile(rf'"({"|".join(NAME_KEYS)})"\s*:\s*("(?:[^"\\]|\\.)*"|-?[0-9]{{1,20}})')
_NOTHING_SAID = ReadOptions()

# With one of these keys, an object without cells is a puzzle whose cells are all empty.
_BOARD_KEYS = (*OBLONG_KEYS, "houses", "candidates", "constraints")


def read_object(value: Object, *, text: str, options: ReadOptions) -> Reading:
    """Read a puzzle object. A key that looks misspelled makes it invalid.

    Other unknown keys are ignored. A note lists those whose values mention cells or rules. The
    reading has the object's name, even if it is invalid. A valid reading also has the solution in
    the object, unless that is partial.
    """
    name = name_in(value)
    fault = find_fault(value) or _find_misspelling(value)
    own = fault if fault is not None else _own_options(value, options)
    if isinstance(own, str):
        return replace(refuse(own, text), name=name)
    reading = _read_cells(value, text=text, options=own)
    if isinstance(reading.puzzle, Invalid):
        return replace(reading, name=name or reading.name)
    puzzle = _with_rules(reading.puzzle, value, own)
    if isinstance(puzzle, str):
        return Reading(Invalid(puzzle, shorten(text)), reading.note, name, reading.expected)
    solutions = (_as_text(value[key]) for key in SOLUTION_KEYS if value.get(key))
    notes = [note for note in (reading.note, find_unread(value)) if note is not None]
    found = Reading(puzzle, "; ".join(notes) or None, name or reading.name, reading.expected)
    return with_solution(found, next(solutions, ""), may_be_partial=True)


def _find_misspelling(value: Object) -> str | None:
    unknown = (key for key in value if key not in KEYS)
    faults = (find_misspelling(key, value[key]) for key in unknown)
    return next((fault for fault in faults if fault is not None), None)


def _as_text(solution: object) -> str:
    """Return a solution as text. It may be given as rows, as cells, or as rows of cells."""
    if not isinstance(solution, list):
        return str(solution)
    parts = [part for row in solution for part in (row if isinstance(row, list) else [row])]
    are_rows = all(isinstance(part, str) and len(part) == len(parts) for part in parts)
    return ("" if are_rows else " ").join(map(str, parts))


def read_translated(
    value: Object | str, *, text: str, options: ReadOptions, note: str | None = None
) -> Reading:
    """Read an object that was translated from another notation.

    If `value` is an error message instead, the reading is invalid. Such a notation defines its own
    boxes and symbols, so the options only add variants. `note` is a remark on the translation, and
    precedes other notes of the reading.
    """
    if isinstance(value, str):
        return refuse(value, text)
    own = ReadOptions(variant=options.variant) if options.variant else _NOTHING_SAID
    reading = read_object(value, text=text, options=own)
    if note is None:
        return reading
    return replace(reading, note=note if reading.note is None else f"{note}; {reading.note}")


def name_in(value: Object) -> str | None:
    """Return a puzzle's name in an object, under the first known key that has one, or None."""
    written = (value[key] for key in NAME_KEYS if type(value.get(key)) in _NAME_TYPES)
    return next(filter(None, (whole_name(str(each)) for each in written)), None)


def own_key_in(value: Object) -> str | None:
    """Return the client's own id for a puzzle as text, or None if there is none.

    The id is the member `custom_id` of the object. It counts as missing if it is blank, or neither
    a string nor a number. Other members, such as `id` or `name`, are ignored.
    """
    return name_in({key: value[key] for key in NAME_KEYS[:1] if key in value})


def find_name(text: str) -> str | None:
    """Return the name of a puzzle in malformed or truncated JSON, or None if it can't be found.

    Members with known keys for names are searched for anywhere in the text, even inside other
    objects.
    """
    members: dict[str, object] = {}
    for key, written in _NAMED.findall(text):
        with contextlib.suppress(ValueError):
            members.setdefault(key, json.loads(written))
    return name_in(members)


def _own_options(value: Object, options: ReadOptions) -> ReadOptions | str:
    """Return the options changed by an object's own settings, or an error message.

    Its box, symbols, and sign for empty cells replace those of the options. Its variants, including
    those among its constraints, are added.
    """
    box, symbols, blank = value.get("box"), value.get("symbols"), value.get("blank")
    own: dict[str, Any] = {}
    if box not in (None, "none"):
        written = "x".join(map(str, box)) if isinstance(box, list) else str(box)
        own["box"] = read_box(written)
        if own["box"] is None:
            return f"'box' must be {KEYS['box'].must_be}, not {shown(box)}"
    if isinstance(symbols, str):
        own["symbols"] = read_symbols(symbols)
    elif isinstance(symbols, list):
        own["symbols"] = tuple(normalize(str(symbol)) for symbol in symbols)
    if blank is not None:
        own["blank"] = str(blank)
    named = value.get("variant") or []
    names = re.split(r"[,\s]+", named.strip()) if isinstance(named, str) else _listed(named)
    for name in names:
        if known_variant(str(name)) is None:
            return unknown("variant", name, VARIANTS)
    described = [each for each in _constraints(value) if isinstance(each, dict)]
    everywhere = [name for each in described if (name := _variant_in(each)) is not None]
    if names or everywhere:
        own["variant"] = (*options.variant, *map(str, names), *everywhere)
    return replace(options, **own) if own else options


def _read_cells(value: Object, *, text: str, options: ReadOptions) -> Reading:
    """Read the cells of an object. The board is the one it describes, or has the size they imply.

    Exactly one of the keys in PUZZLE_KEYS must have cells. A constraint string has its own board
    and rules. The constraints, candidates, and variants of `value` aren't added here.

    If an object without cells describes a board or constraints, all its cells are empty. Otherwise,
    it may be a saved game of GNOME Sudoku, or contain one puzzle object, which is read in its place
    with its own rules, name, and solution. The reading is invalid if there are several keys with
    cells, several puzzle objects, or no cells at all. `text` is the record, for the error message.
    """
    grids = [value[key] for key in PUZZLE_KEYS if value.get(key)]
    blank = not grids and any(value.get(key) is not None for key in _BOARD_KEYS)
    if len(grids) != 1 and not blank:
        if grids:
            several = [key for key in PUZZLE_KEYS if value.get(key)]
            detail = f"{several[0]!r} and {several[1]!r} both contain cells; keep one of them"
            return refuse(detail, text)
        placed = placed_cells(value)
        if placed is not None:
            return _read_square(value, placed, text=text, options=options)
        nested = list(islice(nested_puzzles([value]), 2))
        if len(nested) > 1:
            return refuse("this object contains several puzzles; send them as a list", text)
        if nested:
            return read_object(nested[0], text=text, options=options)
        missing = "a puzzle object needs its cells as 'puzzle', 'givens', or 'grid'"
        return refuse(find_misspelled_cells(value) or missing, text)
    cells = None if blank else grids[0]
    # The rules are added once the board is known.
    if options.variant:
        options = replace(options, variant=())
    if isinstance(cells, str) and is_iss(cells):
        own = iss_puzzle(cells)
        return refuse(own, text) if isinstance(own, str) else Reading(own)
    own_board = value.get("box") == "none" or any(value.get(k) is not None for k in OBLONG_KEYS)
    if isinstance(cells, (str, list)) and not own_board:
        return _read_square(value, cells, text=text, options=options)
    layout = read_board(value, options)
    if isinstance(layout, str):
        return refuse(layout, text)
    puzzle = _fill(layout, cells, options)
    return refuse(puzzle, text) if isinstance(puzzle, str) else Reading(puzzle)


def _read_square(
    value: Object, cells: str | list[object], *, text: str, options: ReadOptions
) -> Reading:
    """Read a square puzzle whose cells imply its size and its symbols.

    The regions and houses of `value` are added. The reading is invalid if `value` states another
    size.
    """
    labels = None if value.get("regions") is None else read_regions(value["regions"])
    if isinstance(labels, str):
        return refuse(labels, text)
    if labels is not None:
        options = replace(options, box=ROWS_AS_BOXES)
    reading = read_written(cells, text=text, options=options)
    if isinstance(reading.puzzle, Invalid):
        return reading
    size, wanted = reading.puzzle.layout.size, value.get("size")
    if wanted not in (None, size):
        return refuse(f"'size' is {wanted}, but the grid has {size}×{size} cells", text)
    if labels is not None:
        reading = place(reading.puzzle, labels, text)
    if isinstance(reading.puzzle, Invalid) or not value.get("houses"):
        return reading
    layout = with_houses(reading.puzzle.layout, "house", _listed(value["houses"]))
    if isinstance(layout, str):
        return refuse(layout, text)
    return replace(reading, puzzle=replace(reading.puzzle, layout=layout))


def _fill(layout: Layout, cells: object, options: ReadOptions) -> Puzzle | str:
    """Return the puzzle with these cells on a known board, or the reason why they are invalid.

    If `cells` is None, all cells are empty.
    """
    values = options.symbols or tuple(map(str, layout.numbers))
    if len(set(values)) != layout.size:
        return f"'symbols' must be {layout.size} different symbols, one for each value"
    symbols = Symbols(values, options.blank or ".")
    if cells is None:
        return Puzzle(layout, (0,) * layout.cells, symbols)
    digits = None
    if isinstance(cells, str) and options.symbols is None and options.blank is None:
        digits = _digits(cells, layout)
    givens = _values(cells, layout, symbols) if digits is None else digits
    return givens if isinstance(givens, str) else Puzzle(layout, givens, symbols)


def _values(cells: object, layout: Layout, symbols: Symbols) -> tuple[int, ...] | str:
    """Return the values of the cells (0 for empty ones), or the reason why they are invalid.

    `cells` is a text, a list of cells, or a list of rows. Unless they are symbols, null, false, "",
    ".", and 0 are empty cells, too. Holes of the board get the value 0.
    """
    cells = _split(cells, layout)
    if not isinstance(cells, list) or len(cells) != layout.cells:
        rows = f"{layout.rows} rows of {layout.columns}"
        return f"the grid must have {layout.cells} cells ({rows}), not {_count(cells)}"
    value_of: dict[str | None, int] = {
        symbol: value for value, symbol in enumerate(symbols.values, 1)
    }
    for blank in (None, "", ".", "None", "False", symbols.blank, "0"):
        value_of.setdefault(blank, 0)
    try:
        givens = [*map(value_of.get, cells)]
    except TypeError:  # a cell isn't hashable
        givens = [None] * layout.cells
    for cell in layout.holes:
        givens[cell] = 0
    for cell, given in enumerate(givens if None in givens else ()):
        if given is None:
            written = str(cells[cell])
            givens[cell] = value_of.get(written, value_of.get(normalize(written)))
            if givens[cell] is None:
                where = layout.cell_name(cell)
                fault = f"{shown(cells[cell])} in {where} isn't a symbol of this puzzle"
                return f"{fault}; expected {show_symbols(symbols.values)} or an empty cell"
    return cast("tuple[int, ...]", tuple(givens))


def _count(cells: object) -> int:
    """Return the number of cells in a list of cells or of lists, or 0 for any other value.

    A row that is a string counts as one cell.
    """
    rows = cells if isinstance(cells, list) else []
    return sum(len(row) if isinstance(row, list) else 1 for row in rows)


def _digits(text: str, layout: Layout) -> tuple[int, ...] | None:
    """Return the values of a text with a number of the board, a dot, or 0 per cell.

    Dots are empty cells (0), and so is 0 unless it is a number of the board. Returns None for any
    other text, and for a board with holes or with numbers above 9.
    """
    if layout.numbers[-1] > 9 or len(text) != layout.cells or layout.holes or not text.isascii():
        return None
    written = b".0" + bytes(range(ord("0") + layout.lowest, ord("1") + layout.numbers[-1]))
    values = b"\0\0" + bytes(range(1, layout.size + 1))
    data = text.encode()
    if data.translate(None, written):
        return None
    return tuple(data.translate(bytes.maketrans(written, values)))


def _split(cells: object, layout: Layout) -> object:
    """Return the cells of a text, or of complete rows, as one list, and other cells unchanged.

    The result may have the wrong number of cells.
    """
    if isinstance(cells, str):
        words = cells.split()
        cells = words if len(words) > 1 else split_graphemes(cells.strip())
    if not isinstance(cells, list) or len(cells) != layout.rows:
        return cells
    rows = [split_graphemes(row) if isinstance(row, str) else row for row in cells]
    whole = [row for row in rows if isinstance(row, list) and len(row) == layout.columns]
    return [cell for row in whole for cell in row] if len(whole) == len(rows) else cells


def _with_rules(puzzle: Puzzle, value: Object, options: ReadOptions) -> Puzzle | str:
    """Return the puzzle with an object's constraints and candidates, and the options' variants.

    The object's candidates replace those of the puzzle. Returns an error message if one of them is
    invalid.
    """
    described = [
        each
        for each in _constraints(value)
        if not isinstance(each, dict) or _variant_in(each) is None
    ]
    layout = with_rules(puzzle.layout, described, options.variant)
    if isinstance(layout, str):
        return layout
    marked = value.get("candidates")
    candidates = read_candidates(marked, layout) if isinstance(marked, dict) else puzzle.candidates
    if isinstance(candidates, str):
        return candidates
    return Puzzle(layout, puzzle.givens, puzzle.symbols, candidates)


def _constraints(value: Object) -> list[object]:
    return _listed(value.get("constraints"))


def _variant_in(description: Object) -> str | None:
    """Return the name of a variant if it is the type of a constraint without other members.

    Returns None for any other constraint.
    """
    if len(description) > 1 or "type" not in description:
        return None
    name = str(description["type"])
    return None if name in RULES or known_variant(name) is None else name


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []
