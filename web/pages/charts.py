"""Draw charts of statistics: outcome bars, a histogram, tables of bars, and curves over time.

The histogram of ratings has one column for every half point. All columns have the same width, so
that the histograms of different jobs can be compared. Guesses and techniques are rows of a table,
each with its number of records and a bar.

Coordinates are percentages of the plot: x from left to right, and y from top to bottom. So the
browser can stretch a plot without stretching its text. Only outcome bars are `WIDTH` wide.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil

from solver.logic.technique_table import name_of
from web.pages.filters import show_duration
from worker.store.statistics import Times

WIDTH = 1000
_FEWEST_IN_CURVE = 10  # with fewer records, a curve over time shows nothing
_MOST_INTERVALS = 5  # of a y axis
_MOST_TIMES = 4  # labels of an x axis after 0
_TICKS = (
    *(unit * number for unit in (0.001, 0.01, 0.1) for number in (1, 2, 5)),
    *(1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400),
)
_FIRST, _LAST = 2, 24  # ratings 1.0 to 12.4, in half points
_COLUMN = 100 / (_LAST - _FIRST + 1)
_LOWEST = 1.0  # minimum length of a column or bar, so that it is visible
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
class Scale:
    """The scale of a y axis from 0 to a round number, `most`.

    `ticks` maps the labels of round numbers to their y positions.
    """

    most: float
    ticks: Mapping[str, float]

    def share(self, number: float) -> float:
        """Return the height of a number above the x axis."""
        return 100 * number / self.most


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a histogram.

    `x` is its left edge, `middle` its middle, and `y` its upper end. `count` is its number of
    records in at most five characters. `description` is the text for screen readers and the
    tooltip. `range` is the value of the query parameter `rating` that selects its records.
    """

    x: float
    middle: float
    y: float
    count: str
    description: str
    range: str


@dataclass(frozen=True, slots=True)
class Histogram:
    """A histogram, without its empty columns. All columns have the same width.

    `ticks` maps the labels on the x axis to their positions.
    """

    columns: list[Column]
    scale: Scale
    ticks: Mapping[str, float]
    column_width: float


@dataclass(frozen=True, slots=True)
class Curve:
    """The number of finished records over time, as an SVG path.

    `records` is the number of finished records at the end. `ticks` maps the labels of times to
    their x positions. `reached` maps 25, 50, and 75 percent to the seconds until this share of them
    was done.
    """

    path: str
    records: int
    scale: Scale
    ticks: Mapping[str, float]
    reached: dict[int, float]


@dataclass(frozen=True, slots=True)
class Bar:
    """A row of a table with bars: its name, and its number of records.

    `width` is the length of the bar in percent of the longest one.
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


def scale_to(most: float) -> Scale:
    """Return a scale from 0 to a round number that is at least `most` and at least 1.

    It has up to 5 intervals of equal size.
    """
    units = (10**power for power in range(18))
    steps = (unit * number for unit in units for number in (1, 2, 5))
    step = next(step for step in steps if most <= _MOST_INTERVALS * step)
    end = step * max(ceil(most / step), 1)
    ticks = {
        brief(number, largest=end): round(100 - 100 * number / end, 2)
        for number in range(0, end + 1, step)
    }
    return Scale(end, ticks)


def brief(number: int, *, largest: int = 0) -> str:
    """Format a number in at most five characters, such as "1,234", "12.3k", or "4.56M".

    With `largest`, the largest of the numbers that it is shown with, it has the same unit.
    """
    for power, unit in ((1e9, "B"), (1e6, "M"), (1e3, "k")):
        if number and max(number, largest) >= max(0.9995 * power, 10_000):
            return f"{number / power:.3g}{unit}"
    return f"{number:,}"


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
    scale = scale_to(max(halves.values()))
    columns = [
        Column(
            x=round((half - _FIRST) * _COLUMN, 2),
            middle=round((half - _FIRST + 0.5) * _COLUMN, 2),
            y=round(100 - max(scale.share(number), _LOWEST), 2),
            count=brief(number),
            description=f"{number:,} rated {half / 2:.1f} to {half / 2 + 0.4:.1f}",
            range=f"{half / 2:.1f}..{half / 2 + 0.4:.1f}",
        )
        for half, number in sorted(halves.items())
    ]
    ticks = {
        str(half // 2): round((half - _FIRST) * _COLUMN, 2) for half in range(_FIRST, _LAST + 1, 2)
    }
    return Histogram(columns, scale, ticks, round(_COLUMN, 2))


def guess_bars(steps: Iterable[Mapping[int, int]]) -> list[Bar]:
    """Return the bars of guesses per record, or [] if there are fewer than two records.

    `steps` contains the numbers of records by class of guesses, with one mapping per outcome. A
    class is a range of numbers of guesses, and its key is the smallest number in it. The bars are
    0, 1, 2–3, 4–7, and so on, without gaps up to the last one with records.
    """
    # Number of records by the bit length of their guesses: 0, 1, 2–3, 4–7, and so on.
    doublings: Counter[int] = Counter()
    for classes in steps:
        for least, number in classes.items():
            doublings[least.bit_length()] += number
    if doublings.total() < 2:
        return []
    every = range(max(doublings) + 1)
    return _bars({_guesses(bits): doublings[bits] for bits in every})


def _guesses(bits: int) -> str:
    least, most = 1 << bits >> 1, (1 << bits) - 1
    return f"{least:,}" if least >= most else f"{least:,}–{most:,}"


def technique_bars(techniques: Mapping[str, int]) -> list[Bar]:
    """Return the bars of up to 9 techniques that the most records need, longest first.

    `techniques` maps HoDoKu's technique codes to numbers of records.
    """
    usual = sorted(techniques.items(), key=lambda entry: -entry[1])[:_MAX_TECHNIQUES]
    return _bars({name_of(code): number for code, number in usual})


def _bars(numbers: Mapping[str, int]) -> list[Bar]:
    most = max(numbers.values(), default=1)
    return [
        Bar(name, number, number and round(max(100 * number / most, _LOWEST), 1))
        for name, number in numbers.items()
    ]


def time_curve(times: Times | None) -> Curve | None:
    """Return the curve of finished records over time, or None if it would show nothing.

    That is the case with fewer than two time slots or fewer than 10 records. `times` contains the
    number of records that were finished in each time slot. The last slot is drawn as wide as the
    others, even if it isn't over.
    """
    if times is None or len(times.records) < 2 or sum(times.records) < _FEWEST_IN_CURVE:
        return None
    total, slots = sum(times.records), len(times.records)
    done = list(accumulate(times.records, initial=0))
    reached = {
        share: next(slot for slot, number in enumerate(done) if 100 * number >= share * total)
        for share in (25, 50, 75)
    }
    scale = scale_to(total)
    return Curve(
        line(done, scale),
        total,
        scale,
        _time_ticks(times.width * slots),
        {share: slot * times.width for share, slot in reached.items()},
    )


def line(numbers: Sequence[float], scale: Scale) -> str:
    """Return the SVG path of a line through numbers at equal intervals, from x = 0 to 100."""
    steps = max(len(numbers) - 1, 1)
    points = (
        f"{100 * place / steps:.2f} {100 - scale.share(number):.2f}"
        for place, number in enumerate(numbers)
    )
    return "M" + "L".join(points)


def _time_ticks(seconds: float) -> dict[str, float]:
    """Return the positions of 0 and up to 4 round times on an axis of this many seconds.

    The keys are the labels of the times. The positions are in percent of the axis.
    """
    days = 86_400 * (int(seconds / 86_400 / (_MOST_TIMES + 1)) + 1)
    width = next((width for width in _TICKS if seconds / width < _MOST_TIMES + 1), days)
    numbers = range(1, int(seconds / width + 1e-6) + 1)
    return {"0": 0} | {
        _tick_label(width * n, longest=seconds): round(100 * width * n / seconds, 1)
        for n in numbers
    }


def _tick_label(seconds: float, *, longest: float) -> str:
    """Format a time on an axis that ends at the longest one. Under a minute, all have one unit."""
    if longest < 1:
        return f"{seconds * 1000:.0f} ms"
    return f"{seconds:g} s" if longest < 60 else show_duration(seconds)
