"""Translate the JSON of f-puzzles.com into an object for `puzzle_object`.

Constraints mean the same as in f-puzzles, SudokuPad, and dclamage's SudokuSolver.
`docs/reference/formats.md` lists them.
"""

import re
from typing import Any

from solver.board.layout import usual_box
from solver.formats.format import ReadOptions
from solver.formats.objects.fpuzzles_rules import (
    NEGATIVES,
    READERS,
    SWITCHES,
    Sheet,
    Unreadable,
    cell_name,
)
from solver.formats.objects.puzzle_object import read_translated
from solver.formats.objects.scl_values import is_true, solution_in
from solver.formats.objects.unknown_keys import find_unknown_rule
from solver.formats.reading.cells import Reading

# Members that don't affect the solution.
_IGNORED = frozenset(
    {"size", "grid", "title", "author", "ruleset", "solution", "isSolutionBlank", "negative",
     "line", "rectangle", "circle", "text", "highlightConflicts", "disabledlogic",
     "truecandidatesoptions", "activeConstraints", "metadata", "successMessage", "fogofwar",
     "foglight", "customcellcolor", "triggereffect"}
)  # fmt: skip
# Purely visual members. The puzzle's text may give them a meaning.
_DRAWN = ("line", "rectangle", "circle", "text")
_USUAL_WORDS = re.compile(
    r"\s*(?:(?:normal|standard|usual|classic) (?:sudoku )?rules(?: of sudoku)?"
    r"(?: apply)?[.!]*\s*)?",
    re.IGNORECASE,
)
_OF_REGIONS = ("regionsumline", "disjointgroups")
_KNOWN = _IGNORED | {"extraregion", *READERS, *SWITCHES}


def is_fpuzzles(value: object) -> bool:
    """Return whether a JSON value is an object with a grid of cell objects, as in f-puzzles."""
    grid = value.get("grid") if isinstance(value, dict) else None
    return (
        isinstance(grid, list)
        and bool(grid)
        and all(
            isinstance(row, list) and all(isinstance(cell, dict) for cell in row) for row in grid
        )
    )


def read_fpuzzles(value: dict[str, Any], *, text: str, options: ReadOptions) -> Reading:
    """Read the puzzle in an f-puzzles object. `text` is its JSON, for error messages.

    A note lists the drawings, which aren't applied. In a puzzle without drawings, it states that
    written rules aren't applied.
    """
    sheet = Sheet(value)
    board = _board(sheet)
    drawn = [key for key in _DRAWN if _is_only_drawn(value.get(key), value)]
    if drawn:
        listed = ", ".join(drawn)
        sheet.notes.append(f"ignored drawings ({listed}); rules in them aren't applied")
    elif _has_own_words(value.get("ruleset")):
        sheet.notes.append("the puzzle has written rules, which aren't applied")
    note = "; ".join(dict.fromkeys(sheet.notes)) or None
    return read_translated(board, text=text, options=options, note=note)


def _has_own_words(ruleset: object) -> bool:
    """Return whether a puzzle's written rules go beyond those of a normal sudoku.

    They don't if they are missing or empty, or a single phrase such as "Normal sudoku rules apply."
    """
    return isinstance(ruleset, str) and _USUAL_WORDS.fullmatch(ruleset) is None


def _is_only_drawn(drawn: object, value: dict[str, Any]) -> bool:
    """Return whether a drawing, or any drawing in a list, illustrates no constraint of the puzzle.

    `value` is the puzzle. Plugins draw their constraints as well, for players without the plugin.
    Such a drawing names its constraint in `fromConstraint`. Returns False if nothing is drawn.
    """
    if isinstance(drawn, list):
        return any(_is_only_drawn(one, value) for one in drawn)
    if not drawn:
        return False
    origin = drawn.get("fromConstraint") if isinstance(drawn, dict) else None
    member = str(origin).lower().replace(" ", "")
    return not (value.get(member) or (member.endswith("whispers") and value.get("whispers")))


def _board(sheet: Sheet) -> dict[str, object] | str:
    """Return the translation of an f-puzzles object for `puzzle_object`, or an error message.

    Values that aren't givens, and pencil marks of the player, are ignored. Those of the setter
    become candidates. Unknown keys that may be rules give an error message. The translation has
    regions only if the grid states some, if rows and columns may repeat values, or if a rule needs
    regions on a grid without usual boxes.
    """
    value, grid, size = sheet.value, sheet.grid, sheet.size
    words = value.get("metadata") or {}  # added by SudokuPad
    if any(len(row) != size for row in grid):
        return f"the grid has {size} rows, so each row must have {size} cells"
    unknown = find_unknown_rule(value, _KNOWN)
    if unknown is not None:
        return unknown
    key = "grid"
    try:
        constraints = []
        for key, read in READERS.items():
            constraints += read(sheet, key)
        key = "extraregion"
        houses = [sheet.house(drawn["cells"]) for drawn in sheet.drawn(key) if drawn.get("cells")]
        key = "negative"
        variants = [
            name
            for switch, name in SWITCHES.items()
            if value.get(switch) or is_true(words.get(switch))
        ]
        variants += [NEGATIVES[negative] for negative in value.get("negative") or []]
        key = "grid"
        board: dict[str, object] = {
            "shape": f"{size}x{size}",
            "givens": [
                cell.get("value") if cell.get("given") else None for row in grid for cell in row
            ],
            "lines": "free" if is_true(words.get("norowcol")) else None,
            "candidates": {
                cell_name((row, column)): cell["givenPencilMarks"]
                for row, cells in enumerate(grid, 1)
                for column, cell in enumerate(cells, 1)
                if cell.get("givenPencilMarks") and not (cell.get("given") and cell.get("value"))
            },
            "constraints": constraints,
            "variant": variants,
            "name": value.get("title") or "",
            "houses": houses,
            "solution": solution_in(
                value.get("solution") or words.get("solution"), rows=size, columns=size
            ),
        }
    except Unreadable as error:
        return f"{key}: {error}"
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return f"{key}: not in f-puzzles' format"
    own = any("region" in cell for row in grid for cell in row)
    # Without boxes, f-puzzles takes the rows as regions.
    asked = usual_box(size) is None and any(value.get(key) for key in _OF_REGIONS)
    if own or asked or board["lines"]:
        regions = (sheet.region((row, column)) for row, column in sheet.places())
        board["regions"] = ["." if label is None else str(label) for label in regions]
    return board
