"""What is drawn of a job's counts: shares of outcomes, and histograms of what ratings say.

A histogram has a column for each half of a rating; all are as wide, so that histograms of
different jobs can be compared.

    viewBox   0 … COLUMNS × 20 across, 0 … 150 down; a column's foot is at 150
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from solver.logic.names import name_of

WIDTH = 1000
_COLUMN = 20
_FIRST, _LAST = 2, 24  # halves: 1.0 to 12.4
_HIGHEST = 145
_LOWEST = 1.5  # what is not nothing is seen
_MOST_TECHNIQUES = 9


@dataclass(frozen=True, slots=True)
class Share:
    """The part of a bar of `WIDTH` that one outcome takes."""

    label: str
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class Column:
    """Records rated within half a point; `range` is what `rating` in a query asks them by."""

    x: int
    height: float
    records: int
    range: str

    @property
    def said(self) -> str:
        """What a screen reader, or a pointer that rests on it, gets to know."""
        return f"{self.records:,} rated {self.range.replace('..', ' to ')}"


@dataclass(frozen=True, slots=True)
class RatingChart:
    """Columns from the lowest rating on, and where each whole rating stands."""

    columns: list[Column]
    ticks: dict[int, int]
    width: int


@dataclass(frozen=True, slots=True)
class Bar:
    """How many records need a technique; `width` is a share of 100."""

    name: str
    records: int
    width: float


def shares(outcomes: Mapping[str, int], *, total: int = 0) -> list[Share]:
    """Return the outcomes that records have as parts of one bar, which stands for `total`."""
    total, before, parts = max(sum(outcomes.values()), total, 1), 0, []
    for label, number in outcomes.items():
        x, end = WIDTH * before / total, WIDTH * (before + number) / total
        parts.append(Share(label, round(x, 1), round(end - x, 1)))
        before += number
    return parts


def rating_chart(ratings: Mapping[str, int]) -> RatingChart | None:
    """Return the histogram of ratings, None without any."""
    if not ratings:
        return None
    halves: Counter[int] = Counter()
    for rating, number in ratings.items():
        halves[min(max(int(float(rating) * 2), _FIRST), _LAST)] += number
    most = max(halves.values())
    columns = [
        Column(
            x=(half - _FIRST) * _COLUMN,
            height=round(max(_HIGHEST * number / most, _LOWEST), 1),
            records=number,
            range=f"{half / 2:.1f}..{half / 2 + 0.4:.1f}",
        )
        for half, number in sorted(halves.items())
    ]
    ticks = {half // 2: (half - _FIRST) * _COLUMN for half in range(_FIRST, _LAST + 1, 2)}
    return RatingChart(columns, ticks, (_LAST - _FIRST + 1) * _COLUMN)


def technique_bars(techniques: Mapping[str, int]) -> list[Bar]:
    """Return how many records need each technique, most needed first."""
    most = max(techniques.values(), default=1)
    usual = sorted(techniques.items(), key=lambda entry: -entry[1])[:_MOST_TECHNIQUES]
    return [Bar(name_of(code), number, round(100 * number / most, 1)) for code, number in usual]


def pace_line(a_second: Sequence[float]) -> str:
    """Return the path of a line through so many records a second, `WIDTH` × 100, 0 at its foot."""
    most, steps = max(a_second, default=0.0) or 1.0, max(len(a_second) - 1, 1)
    points = (
        f"{WIDTH * number / steps:.0f} {98 - 94 * pace / most:.1f}"
        for number, pace in enumerate(a_second)
    )
    return "M" + "L".join(points)
