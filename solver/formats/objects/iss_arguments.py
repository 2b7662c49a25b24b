"""Parse the arguments of a constraint string: numbers and lists of cells."""

from collections.abc import Iterator, Sequence

from solver.formats.reading.cells import read_whole
from solver.rules.registry import LARGEST


class Refused(Exception):
    """Raised with the reason when a constraint can't be read."""


def number(text: str) -> int:
    """Return the whole number in `text`. Raises Refused if it is malformed or too large."""
    value = read_whole(text)
    if value is None:
        raise Refused(f"{text[:20]!r} isn't a whole number")
    if abs(value) > LARGEST:
        raise Refused(f"{text[:20]!r} isn't between -{LARGEST:,} and {LARGEST:,}")
    return value


def lines_of(items: Sequence[str]) -> Iterator[list[str]]:
    """Yield the lists of cell names in the arguments of a constraint, one by one.

    `items` are the arguments. An empty item separates two lists. So does an item that begins with
    _, which is the name that the program displays for the constraint. Separators aren't yielded,
    and neither are empty lists.
    """
    line: list[str] = []
    for item in [*items, ""]:
        if item and not item.startswith("_"):
            line.append(item)
        elif line:
            yield line
            line = []


def pieces_of(names: Sequence[str]) -> Iterator[list[str]]:
    """Yield the lists of cell names between hyphens. A list may be empty.

    `names` contains cell names and hyphens.
    """
    piece: list[str] = []
    for name in [*names, "-"]:
        if name != "-":
            piece.append(name)
        else:
            yield piece
            piece = []
