"""Parse the values in SudokuPad's JSON: metadata, numbers, cells, and solutions."""

import re
from typing import Any

Place = tuple[int, int]  # row and column from 0

_WORDS = re.compile(r"([^: ]+):\s*(.+)", re.DOTALL)
_NUMBER = re.compile(r"\s*[0-9]{1,6}\s*")
_BLANKS = (".", "?", "_", "-", " ", "")


def metadata_in(value: dict[str, Any]) -> dict[str, Any]:
    """Return a puzzle's metadata: its title, rules, solution, and switches such as antiknight.

    Older puzzles store them in cages without cells (``title: …``), or as members of the puzzle's
    object.
    """
    words = {key: value[key] for key in ("title", "rules", "solution") if value.get(key)}
    for cage in value.get("cages") or []:
        said = None if cage.get("cells") else _WORDS.fullmatch(str(cage.get("value") or ""))
        if said:
            words.setdefault(said[1].lower(), said[2].strip())
    for key in ("metaData", "metadata"):
        words |= value.get(key) or {}
    return words


def as_number(written: object) -> int | None:
    """Return a whole number given as a number or as digits, or None for anything else.

    Text may have up to six digits.
    """
    if isinstance(written, str):
        return int(written) if _NUMBER.fullmatch(written) else None
    return written if isinstance(written, int) and not isinstance(written, bool) else None


def is_true(written: object) -> bool:
    """Return whether a setting is on, which is written as true, 1, or text such as yes."""
    return str(written).strip().lower() in ("true", "t", "1", "yes", "on")


def places(written: Any) -> list[Place]:
    """Return cells as (row, column) from 0. Raises TypeError or ValueError if one is invalid."""
    found = []
    for row, column in written:
        if type(row) is not int or type(column) is not int:
            raise TypeError("a cell must be two whole numbers")
        found.append((row, column))
    return found


def solution_in(written: object, *, rows: int, columns: int) -> str | None:
    """Return a solution as symbols separated by spaces, in reading order, or None.

    An unknown symbol is a dot, and so is 0 if it can't be a value. The result is None if all
    symbols are unknown, or if their number isn't `rows` × `columns`.
    """
    if isinstance(written, str) and "," in written:
        symbols = written.split(",")
    elif isinstance(written, (str, list)):
        symbols = [str(symbol) for symbol in written]
    else:
        return None
    symbols = ["." if symbol.strip() in _BLANKS else symbol.strip() for symbol in symbols]
    if "0" in symbols and (str(max(rows, columns)) in symbols or set(symbols) <= {"0", "."}):
        symbols = ["." if symbol == "0" else symbol for symbol in symbols]
    is_usable = len(symbols) == rows * columns and set(symbols) != {"."}
    return " ".join(symbols) if is_usable else None
