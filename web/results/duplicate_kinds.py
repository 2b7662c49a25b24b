"""Find out how a puzzle differs from an equal one, and put it into words."""

from collections.abc import Iterator

_SIZE = 9
_BLANKS = ".0"


def kind_of_duplicate(first: str, other: str) -> str:
    """Return in words how a classic puzzle differs from one that is equal up to symmetry.

    Both are the 81 cells in reading order.
    """
    if first == other:
        return "identical"
    if _renumbered(first) == _renumbered(other):
        return "other digits"
    turned = list(_turned(first))
    if other in turned:
        return "turned or mirrored"
    if _renumbered(other) in map(_renumbered, turned):
        return "turned or mirrored, other digits"
    return "rows or columns swapped"


def _renumbered(puzzle: str) -> tuple[int, ...]:
    """Return a puzzle with its values numbered in the order in which they occur, 0 for a blank."""
    numbers = dict.fromkeys(_BLANKS, 0)
    for symbol in puzzle:
        numbers.setdefault(symbol, len(numbers))
    return tuple(numbers[symbol] for symbol in puzzle)


def _turned(puzzle: str) -> Iterator[str]:
    """Yield the eight rotations and reflections of a puzzle."""
    rows = [puzzle[start : start + _SIZE] for start in range(0, len(puzzle), _SIZE)]
    for _ in range(4):
        yield "".join(rows)
        yield "".join(row[::-1] for row in rows)
        rows = ["".join(column) for column in zip(*reversed(rows), strict=True)]
