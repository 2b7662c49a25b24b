"""Ranges of numbers in requests, such as 6.5..7.5."""

import re
from dataclasses import dataclass

_RANGE = re.compile(r"(\d{1,9}(?:\.\d)?)?(\.\.)?(\d{1,9}(?:\.\d)?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Bounds:
    """The numbers from `least` to `most`, including both ends. None means no bound."""

    least: float | None = None
    most: float | None = None

    def __contains__(self, number: float) -> bool:
        return (self.least is None or self.least <= number) and (
            self.most is None or number <= self.most
        )

    def __str__(self) -> str:
        if self.least == self.most:
            return f"{self.least:g}"
        least = "" if self.least is None else f"{self.least:g}"
        most = "" if self.most is None else f"{self.most:g}"
        return f"{least}..{most}"


def read_bounds(text: str) -> Bounds | None:
    """Parse a range such as 7.1..8.0, ``7.1..``, ``..3.0``, or a single number.

    Returns None if the text is malformed or the range is empty.
    """
    match = _RANGE.fullmatch(text.strip())
    if match is None or not (match[1] or match[3]):
        return None
    least = None if match[1] is None else float(match[1])
    if not match[2]:
        return Bounds(least, least)
    most = None if match[3] is None else float(match[3])
    if least is not None and most is not None and least > most:
        return None
    return Bounds(least, most)
