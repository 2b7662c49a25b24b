"""Draw charts of a job's statistics: outcome bars, histograms, and a curve of progress over time.

A histogram of ratings has one column for every half point. All columns have the same width, so that
the histograms of different jobs can be compared. A histogram of guesses has one column for each
power of two.

Coordinates are those of an SVG drawing: x from 0 to CHART, and y from 0 to 150 from top to bottom.
Columns and curves start at y = 150. Only outcome bars and throughput lines are `WIDTH` wide.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil

from solver.logic.technique_table import name_of
from worker.store.statistics import Times

WIDTH = 1000
CHART = 460
FOOT = 150
_COLUMN = 20
_FEWEST_IN_CURVE = 10  # with fewer records, a curve over time shows nothing
_MOST_TICKS = 5
_TICKS = (
    *(unit * number for unit in (0.001, 0.01, 0.1) for number in (1, 2, 5)),
    *(1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400),
)
# Minimum number of columns for guesses, so that a few columns don't become too wide.
_FEWEST_COLUMNS = 9
_FIRST, _LAST = 2, 24  # ratings 1.0 to 12.4, in half points
_HIGHEST = 145
_LOWEST = 1.5  # minimum height of a column, so that it is visible
_MAX_TECHNIQUES = 9


@dataclass(frozen=True, slots=True)
class Share:
    """A segment of a bar that shows how often each outcome occurs.

    `label` is the outcome. `x` is the left edge of the segment, and `width` its width. The whole
    bar is `WIDTH` wide.
    """

    label: str
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a histogram.

    `x` is its left edge. `description` is the text for screen readers and the tooltip. `range` is
    the value of the query parameter `rating` that selects its records, or "".
    """

    x: float
    height: float
    description: str
    range: str = ""


@dataclass(frozen=True, slots=True)
class Histogram:
    """A histogram, without its empty columns. All columns have the same width.

    `ticks` maps the labels on the axis to their x positions.
    """

    columns: list[Column]
    ticks: Mapping[str, float]
    column_width: float


@dataclass(frozen=True, slots=True)
class Curve:
    """The number of finished records over time, as an SVG path.

    `records` is the number of finished records at the end. `ticks` maps seconds to x positions on
    the axis. `reached` maps 25, 50, and 75 percent to the seconds until this share of them was
    done.
    """

    path: str
    records: int
    ticks: dict[float, float]
    reached: dict[int, float]


@dataclass(frozen=True, slots=True)
class Bar:
    """The bar of a technique: its name, and the number of records that need it.

    `width` is in percent of the longest bar.
    """

    name: str
    records: int
    width: float


def shares(outcomes: Mapping[str, int], *, total: int = 0) -> list[Share]:
    """Return the outcomes as segments of a bar whose full width represents all records.

    `outcomes` maps each outcome to its number of records. `total` is the number of all records,
    some of which may not have an outcome yet.
    """
    total, before, parts = max(sum(outcomes.values()), total, 1), 0, []
    for label, number in outcomes.items():
        x, end = WIDTH * before / total, WIDTH * (before + number) / total
        parts.append(Share(label, round(x, 1), round(end - x, 1)))
        before += number
    return parts


def rating_chart(ratings: Mapping[str, int]) -> Histogram | None:
    """Return the histogram of ratings in steps of 0.5, or None without ratings.

    `ratings` maps each rating, such as "7.1", to the number of records. Ratings below the first or
    above the last column are counted in that column.
    """
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
            description=f"{number:,} rated {half / 2:.1f} to {half / 2 + 0.4:.1f}",
            range=f"{half / 2:.1f}..{half / 2 + 0.4:.1f}",
        )
        for half, number in sorted(halves.items())
    ]
    ticks = {str(half // 2): (half - _FIRST) * _COLUMN for half in range(_FIRST, _LAST + 1, 2)}
    return Histogram(columns, ticks, _COLUMN)


def step_chart(steps: Iterable[Mapping[int, int]]) -> Histogram | None:
    """Return the histogram of guesses per record, or None if there are fewer than two records.

    `steps` contains the numbers of records by class of guesses, with one mapping per outcome. A
    class is a range of numbers of guesses, and its key is the smallest number in it. The columns of
    the histogram are 0, 1, 2–3, 4–7, and so on.
    """
    # Number of records by the bit length of their guesses: 0, 1, 2–3, 4–7, and so on.
    doublings: Counter[int] = Counter()
    for classes in steps:
        for least, number in classes.items():
            doublings[least.bit_length()] += number
    if doublings.total() < 2:
        return None
    most, bits = max(doublings.values()), max(doublings)
    width = round(CHART / max(bits + 1, _FEWEST_COLUMNS), 2)
    columns = [
        Column(
            x=round(n * width, 2),
            height=_height(number, most),
            description=_guesses_description(n, number),
        )
        for n, number in sorted(doublings.items())
    ]
    ticks = {_brief(1 << n >> 1): round((n + 0.5) * width, 2) for n in range(bits + 1)}
    return Histogram(columns, ticks, width)


def _guesses_description(bits: int, number: int) -> str:
    least, most = 1 << bits >> 1, (1 << bits) - 1
    words = f"{least:,} guess{'' if least == 1 else 'es'}"
    return f"{number:,} with {words if least == most else f'{least:,} to {most:,} guesses'}"


def _brief(number: int) -> str:
    """Format 0 or a power of two below 2^50 in at most four characters, such as "64k"."""
    for power, unit in ((40, "T"), (30, "G"), (20, "M"), (10, "k")):
        if number >= 1 << power:
            return f"{number >> power}{unit}"
    return str(number)


def _height(number: int, most: int) -> float:
    return round(max(_HIGHEST * number / most, _LOWEST), 1)


def time_curve(times: Times | None) -> Curve | None:
    """Return the curve of finished records over time, or None if it would show nothing.

    That is the case with fewer than two time slots or fewer than 10 records. `times` contains the
    number of records that were finished in each time slot. The last slot is drawn as wide as the
    others, even if it isn't over.
    """
    if times is None or len(times.records) < 2 or sum(times.records) < _FEWEST_IN_CURVE:
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
        _time_ticks(times.width * slots),
        {share: slot * times.width for share, slot in reached.items()},
    )


def _time_ticks(seconds: float) -> dict[float, float]:
    """Return up to 5 round durations on an axis of this many seconds, with their x positions."""
    days = 86_400 * ceil(seconds / 86_400 / _MOST_TICKS)
    width = next((width for width in _TICKS if seconds / width < _MOST_TICKS + 1), days)
    numbers = range(1, int(seconds / width + 1e-6) + 1)
    return {width * n: round(CHART * width * n / seconds, 1) for n in numbers}


def technique_bars(techniques: Mapping[str, int]) -> list[Bar]:
    """Return the bars of up to 9 techniques that the most records need, longest first.

    `techniques` maps HoDoKu's technique codes to numbers of records.
    """
    most = max(techniques.values(), default=1)
    usual = sorted(techniques.items(), key=lambda entry: -entry[1])[:_MAX_TECHNIQUES]
    return [Bar(name_of(code), number, round(100 * number / most, 1)) for code, number in usual]


def pace_line(a_second: Sequence[float]) -> str:
    """Return the SVG path of a line chart of throughputs, in a box of `WIDTH` × 100 units.

    `a_second` contains records per second at equal intervals. The y axis starts at 0, and the
    maximum is near the top.
    """
    most, steps = max(a_second, default=0.0) or 1.0, max(len(a_second) - 1, 1)
    points = (
        f"{WIDTH * number / steps:.0f} {98 - 94 * pace / most:.1f}"
        for number, pace in enumerate(a_second)
    )
    return "M" + "L".join(points)
