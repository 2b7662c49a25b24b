"""Parse and write lists of record numbers in a query, such as 3,7,10-20."""

import re
from collections.abc import Iterable

from web.results.formats import MAX_NUMBERS, NUMBERS_PATTERN


def read_numbers(text: str) -> list[int] | None:
    """Parse a list of numbers and ranges, and return its numbers in ascending order.

    Returns None if it is malformed, has a range that ends before it starts, or has more than
    10,000 numbers.
    """
    if not re.fullmatch(NUMBERS_PATTERN, text, re.ASCII):
        return None
    numbers: set[int] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        span = range(int(first), int(last or first) + 1)
        if not 0 < len(span) <= MAX_NUMBERS:
            return None
        numbers.update(span)
    return sorted(numbers) if len(numbers) <= MAX_NUMBERS else None


def write_numbers(numbers: Iterable[int]) -> str:
    """Return the shortest list that `read_numbers` parses to these numbers."""
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)
