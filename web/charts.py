"""What is drawn of a job's counts: shares of outcomes, histograms, a curve over time.

A histogram of ratings has a column for each half of a rating; all are as wide, so that histograms
of different jobs can be compared. One of steps has a column for each doubling.

    viewBox   0 … CHART across, 0 … 150 down; the foot of columns and curves is at 150
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from solver.logic.names import name_of
from worker.store.tally import Times

WIDTH = 1000
CHART = 460
FOOT = 150
_COLUMN = 20
_FEWEST_COLUMNS = 9  # of steps, so that few are not as wide as the chart
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
    """How many records there are of a kind, as a column of a histogram.

    `said` is what a screen reader, or a pointer that rests on it, gets to know; `range` is what
    `rating` in a query asks these records by.
    """

    x: float
    height: float
    said: str
    range: str = ""


@dataclass(frozen=True, slots=True)
class Histogram:
    """Columns of one width, and the words at their foot, each with its place."""

    columns: list[Column]
    ticks: Mapping[str, float]
    column_width: float


@dataclass(frozen=True, slots=True)
class Curve:
    """How many records were done by when, as the path of a line.

    `ticks` are seconds, each with its place at the foot; `reached` tells after how many seconds
    how many hundredths were done.
    """

    path: str
    records: int
    ticks: dict[float, float]
    reached: dict[int, float]


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


def rating_chart(ratings: Mapping[str, int]) -> Histogram | None:
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
            height=_height(number, most),
            said=f"{number:,} rated {half / 2:.1f} to {half / 2 + 0.4:.1f}",
            range=f"{half / 2:.1f}..{half / 2 + 0.4:.1f}",
        )
        for half, number in sorted(halves.items())
    ]
    ticks = {str(half // 2): (half - _FIRST) * _COLUMN for half in range(_FIRST, _LAST + 1, 2)}
    return Histogram(columns, ticks, _COLUMN)


def step_chart(steps: Iterable[Mapping[int, int]]) -> Histogram | None:
    """Return the histogram of steps from the records of each class; None for fewer than two."""
    doublings: Counter[int] = Counter()  # 0; 1; 2 and 3; 4 to 7; by the bits of the number
    for classes in steps:
        for least, number in classes.items():
            doublings[least.bit_length()] += number
    if doublings.total() < 2:
        return None
    most, bits = max(doublings.values()), max(doublings)
    width = round(CHART / max(bits + 1, _FEWEST_COLUMNS), 2)
    columns = [
        Column(x=round(n * width, 2), height=_height(number, most), said=_steps_said(n, number))
        for n, number in sorted(doublings.items())
    ]
    ticks = {_brief(1 << n >> 1): round((n + 0.5) * width, 2) for n in range(bits + 1)}
    return Histogram(columns, ticks, width)


def _steps_said(bits: int, number: int) -> str:
    least, most = 1 << bits >> 1, (1 << bits) - 1
    words = f"{least:,} step{'' if least == 1 else 's'}"
    return f"{number:,} with {words if least == most else f'{least:,} to {most:,} steps'}"


def _brief(number: int) -> str:
    """Write a power of two, or 0, in at most four characters."""
    for power, unit in ((20, "M"), (10, "k")):
        if number >= 1 << power:
            return f"{number >> power}{unit}"
    return str(number)


def _height(number: int, most: int) -> float:
    return round(max(_HIGHEST * number / most, _LOWEST), 1)


def time_curve(times: Times | None) -> Curve | None:
    """Return the records done by each slot's end as a curve; None where there are fewer than two.

    The last slot counts as a whole one.
    """
    if times is None or len(times.records) < 2:
        return None
    total, slots = sum(times.records), len(times.records)
    points, reached = [f"M0 {FOOT}"], dict.fromkeys((25, 50, 75), 0)
    for slot, done in enumerate(accumulate(times.records), 1):
        points.append(f"L{CHART * slot / slots:.1f} {FOOT - _HIGHEST * done / total:.1f}")
        for share, known in reached.items():
            if not known and 100 * done >= share * total:
                reached[share] = slot
    return Curve(
        "".join(points),
        total,
        {times.width * slots * n / 4: CHART * n / 4 for n in range(1, 5)},
        {share: slot * times.width for share, slot in reached.items()},
    )


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
