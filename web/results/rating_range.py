"""A range of ratings in a query: 7.1.. or ..3.0 or 7.1..8.0, including both ends."""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_RANGE = re.compile(r"(\d{1,2}(?:\.\d)?)?(\.\.)?(\d{1,2}(?:\.\d)?)?", re.ASCII)


@dataclass(frozen=True, slots=True)
class RatingRange:
    """The ratings from `least` to `most`, including both ends."""

    least: float = 0.0
    most: float = 99.0

    def __contains__(self, rating: float) -> bool:
        return self.least <= rating <= self.most

    def includes(self, tenths: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return a Boolean array that is True for the ratings in the range.

        `tenths` contains ratings multiplied by 10. Missing ratings are negative, so they are never
        in it.
        """
        return (tenths >= round(10 * self.least)) & (tenths <= round(10 * self.most))


def read_range(text: str) -> RatingRange | None:
    """Parse a range of ratings such as 7.1..8.0, or return None if it is malformed or empty.

    One end may be missing, as in 7.1.. or ..3.0. A single number is the range of only this rating.
    """
    match = _RANGE.fullmatch(text)
    if match is None or not (match[1] or match[3]):
        return None
    least = float(match[1] or 0.0)
    if not match[2]:
        return RatingRange(least, least)
    most = float(match[3] or 99.0)
    return RatingRange(least, most) if least <= most else None
