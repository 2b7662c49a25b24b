"""What stands between the tildes of a constraint string: numbers, and lists of cells."""

from collections.abc import Iterator, Sequence

from solver.formats.reading.cells import read_whole
from solver.rules.registry import LARGEST


class Refused(Exception):
    """A constraint cannot be read; its text says why."""


def number(text: str) -> int:
    """Return the number that a text says."""
    value = read_whole(text)
    if value is None:
        raise Refused(f"{text[:20]!r} is no number")
    if abs(value) > LARGEST:
        raise Refused(f"{text[:20]!r} is more than {LARGEST:,}")
    return value


def lines_of(items: Sequence[str]) -> Iterator[list[str]]:
    """Yield lists of cells, which names (_…) and nothing part."""
    line: list[str] = []
    for item in [*items, ""]:
        if item and not item.startswith("_"):
            line.append(item)
        elif line:
            yield line
            line = []


def pieces_of(names: Sequence[str]) -> Iterator[list[str]]:
    """Yield lists of cells, which hyphens part; they may be empty."""
    piece: list[str] = []
    for name in [*names, "-"]:
        if name != "-":
            piece.append(name)
        else:
            yield piece
            piece = []
