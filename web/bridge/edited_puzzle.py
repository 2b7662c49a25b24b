"""Read a puzzle from the editor, with the player's entries and the settings of the userscript."""

import json
from dataclasses import dataclass
from typing import Any

from solver.board.display import as_sentence
from solver.board.layout import MOST_IN_A_WORD
from solver.board.puzzle import Invalid, Puzzle
from solver.formats.objects.fpuzzles import is_fpuzzles
from solver.formats.objects.lzstring import decompress
from solver.formats.parse import parse
from solver.logic.technique_table import RULE_TECHNIQUES, TECHNIQUES

_MOST_CHARACTERS = 4_194_304  # of the JSON, as for URLs of f-puzzles
_MOST_SOLUTIONS = 1_000  # that are counted for each candidate
_COLORED = 8  # the bound that earlier versions of the userscript meant with the option "colored"
_BOUND = "truecandidatesnumsolutions="
# The code prefixes of the techniques that each setting of the userscript switches off.
_SETTINGS = {
    "tuples": ("02", "011"),
    "pointing": ("010", "4003"),
    "fishes": ("03",),
    "wings": ("08",),
    "aic": ("04", "05", "07", "09", "11"),
    "contradictions": ("13", "4004", "4005", "4006"),
}


@dataclass(frozen=True, slots=True)
class EditedPuzzle:
    """A puzzle in the editor.

    puzzle     the board with its rules and givens, and the player's entries if they are requested
    shown      the values that the editor shows in each cell, as bits: one bit for a filled cell,
               0 for a cell without center marks
    bound      the number of solutions at which the count for a candidate stops
    logical    whether to mark the values that logic doesn't exclude
    excluded   the codes of techniques that are switched off
    """

    puzzle: Puzzle
    shown: tuple[int, ...]
    bound: int
    logical: bool
    excluded: frozenset[str]


def read_edited(data: str, *, only_givens: bool) -> EditedPuzzle | str:
    """Read the compressed JSON of f-puzzles, or return a message about the fault.

    With `only_givens`, the setter's values and pencil marks are read, and the player's are ignored.
    Otherwise, every value counts as a given, and a cell's center marks as its candidates.
    """
    value = _loaded(data)
    if value is None:
        return (
            "The puzzle can't be read: expected the JSON of f-puzzles, compressed with lz-string."
        )
    cells = [cell for row in value["grid"] for cell in row]
    shown = tuple(map(_shown, cells))
    if not only_givens:
        for cell in cells:
            _accept_entries(cell)
    records = parse(json.dumps(value))
    puzzle = records[0] if len(records) == 1 else Invalid("expected a single puzzle")
    if isinstance(puzzle, Invalid):
        return as_sentence(puzzle.detail)
    settings = _texts(value.get("truecandidatesoptions"))
    return EditedPuzzle(
        puzzle,
        shown,
        bound=_bound(settings),
        logical="logical" in settings,
        excluded=_excluded(_texts(value.get("disabledlogic"))),
    )


def _loaded(data: str) -> dict[str, Any] | None:
    """Return the decompressed JSON object of f-puzzles, or None if `data` isn't that."""
    text = decompress(data, most=_MOST_CHARACTERS)
    try:
        value = json.loads(text or "")
    except (ValueError, RecursionError):
        return None
    return value if is_fpuzzles(value) else None


def _shown(cell: dict[str, Any]) -> int:
    """Return the digit that the editor shows in a cell, or else its center marks, as bits.

    Returns 0 if it shows neither.
    """
    values = [cell.get("value")] if cell.get("value") else cell.get("centerPencilMarks")
    if not isinstance(values, list):
        return 0
    numbers = {value for value in values if isinstance(value, int) and 0 < value <= MOST_IN_A_WORD}
    return sum(1 << (value - 1) for value in numbers)


def _accept_entries(cell: dict[str, Any]) -> None:
    """Change a cell: a player's value becomes a given, and center marks become setter's marks."""
    if cell.get("value"):
        cell["given"] = True
    elif cell.get("centerPencilMarks"):
        cell["givenPencilMarks"] = cell["centerPencilMarks"]


def _texts(value: object) -> list[str]:
    """Return the texts in a list, in lowercase. For any other value, returns []."""
    members = value if isinstance(value, list) else []
    return [member.lower() for member in members if isinstance(member, str)]


def _bound(settings: list[str]) -> int:
    """Return the number of solutions at which the count for a candidate stops.

    `settings` are the options of the command. If they contain no number, it is `_COLORED` with the
    option "colored", and otherwise 1.
    """
    for setting in settings:
        number = setting.removeprefix(_BOUND)
        if number != setting and number.isascii() and number.isdigit():
            return min(max(int(number[:9]), 1), _MOST_SOLUTIONS)
    return _COLORED if "colored" in settings else 1


def _excluded(disabled: list[str]) -> frozenset[str]:
    """Return the codes of the techniques that the settings in `disabled` switch off."""
    prefixes = tuple(prefix for name in disabled for prefix in _SETTINGS.get(name, ()))
    codes = (*TECHNIQUES, *RULE_TECHNIQUES)
    return frozenset(code for code in codes if prefixes and code.startswith(prefixes))
