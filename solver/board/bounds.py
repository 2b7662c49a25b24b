"""Parse ranges of numbers in requests, such as 6.5..7.5."""

import re
from dataclasses import dataclass

_NUMBER = r"(\d{1,9}(?:\.\d)?)"
_RANGE = re.compile(rf"{_NUMBER}?(?:(\.\.){_NUMBER}?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Bounds:
    """The numbers from `least` to `most`, including both ends. None means no bound."""

    least: float | None = None
    most: float | None = None

    def __contains__(self, number: float) -> bool:
        return (self.least is None or self.least <= number) and (
            self.most is None or number <= self.most
        )


def read_bounds(text: str) -> Bounds | None:
    """Parse a range such as 7.1..8.0. Returns None if malformed or empty.

    One end may be missing, as in ``7.1..`` or ``..3.0``. A single number is the range of only this
    number. Numbers have at most one decimal. A range is empty if its first number is greater than
    its second one.
    """
    match = _RANGE.fullmatch(text)
    if match is None or not (match[1] or match[3]):
        return None
    least = None if match[1] is None else float(match[1])
    if not match[2]:
        return Bounds(least, least)
    most = None if match[3] is None else float(match[3])
    if least is not None and most is not None and least > most:
        return None
    return Bounds(least, most)
