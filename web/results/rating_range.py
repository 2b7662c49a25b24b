"""Parse a range of ratings in a query: 7.1.. or ..3.0 or 7.1..8.0, including both ends."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.board.bounds import read_bounds

HIGHEST = 99.0  # above all ratings


@dataclass(frozen=True, slots=True)
class RatingRange:
    """The ratings from `least` to `most`, including both ends."""

    least: float = 0.0
    most: float = HIGHEST

    def __contains__(self, rating: float) -> bool:
        return self.least <= rating <= self.most

    def includes(self, tenths: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return a Boolean array that is True for the ratings in the range.

        `tenths` contains ratings multiplied by 10. Missing ratings are negative, so they are never
        in it.
        """
        return (tenths >= round(10 * self.least)) & (tenths <= round(10 * self.most))


def read_range(text: str) -> RatingRange | None:
    """Parse a range of ratings such as 7.1..8.0. Returns None if malformed or empty.

    One end may be missing, as in ``7.1..`` or ``..3.0``. A single number is the range of only this
    number. Numbers have at most one decimal, and are at most 99. A range is empty if its first
    number is greater than its second one.
    """
    bounds = read_bounds(text)
    if bounds is None or max(bounds.least or 0.0, bounds.most or 0.0) > HIGHEST:
        return None
    most = HIGHEST if bounds.most is None else bounds.most
    return RatingRange(bounds.least or 0.0, most)
