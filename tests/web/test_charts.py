"""Charts of a job's counts."""

import pytest

from web.pages.charts import brief, guess_bars, rating_chart, scale_to, time_curve
from worker.store.statistics import Times


def test_every_doubling_of_guesses_has_a_bar_up_to_the_last_one() -> None:
    bars = guess_bars([{0: 5, 1: 1, 3: 2, 17: 1}, {2: 2, 20: 9}])
    assert [(bar.name, bar.records) for bar in bars] == [
        ("0", 5), ("1", 1), ("2–3", 4), ("4–7", 0), ("8–15", 0), ("16–31", 10),
    ]  # fmt: skip
    assert [bar.width for bar in bars] == [50, 10, 40, 0, 0, 100]


@pytest.mark.parametrize("counts", [[], [{}], [{7: 1}]])
def test_guesses_of_fewer_than_two_records_are_not_drawn(counts: list[dict[int, int]]) -> None:
    assert guess_bars(counts) == []


def test_columns_of_ratings_are_as_high_as_the_scale_says() -> None:
    chart = rating_chart({"1.2": 150, "1.5": 80, "7.1": 1})
    assert chart is not None
    assert dict(chart.scale.ticks) == {"0": 100, "50": 66.67, "100": 33.33, "150": 0}
    assert [(column.y, column.count, column.description) for column in chart.columns] == [
        (0, "150", "150 rated 1.0 to 1.4"),
        (46.67, "80", "80 rated 1.5 to 1.9"),
        (99, "1", "1 rated 7.0 to 7.4"),
    ]
    assert list(chart.ticks) == [str(rating) for rating in range(1, 13)]
    assert max(column.x for column in chart.columns) < chart.ticks["8"]


@pytest.mark.parametrize(
    ("most", "ticks"),
    [
        (0, ["0", "1"]),
        (1, ["0", "1"]),
        (7, ["0", "2", "4", "6", "8"]),
        (78, ["0", "20", "40", "60", "80"]),
        (9_486, ["0", "2k", "4k", "6k", "8k", "10k"]),
        (10_000_000, ["0", "2M", "4M", "6M", "8M", "10M"]),
    ],
)
def test_scale_ends_at_a_round_number(most: int, ticks: list[str]) -> None:
    assert list(scale_to(most).ticks) == ticks


@pytest.mark.parametrize(
    ("number", "shown"),
    [(9_999, "9,999"), (12_345, "12.3k"), (999_499, "999k"), (999_999, "1M"), (4_560_000, "4.56M")],
)
def test_large_numbers_are_written_in_few_characters(number: int, shown: str) -> None:
    assert brief(number) == shown


def test_curve_rises_to_all_records_and_has_the_times_of_each_quarter() -> None:
    curve = time_curve(Times(0.5, (0, 10, 0, 30)))
    assert curve is not None
    assert curve.records == 40
    assert curve.path == "M0.00 100.00L25.00 100.00L50.00 75.00L75.00 75.00L100.00 0.00"
    assert curve.reached == {25: 1.0, 50: 2.0, 75: 2.0}
    assert curve.ticks == {"0": 0, "0.5 s": 25, "1 s": 50, "1.5 s": 75, "2 s": 100}


@pytest.mark.parametrize(
    ("seconds", "ticks"),
    [
        (0.05, ["0", "20 ms", "40 ms"]),
        (11.2, ["0", "5 s", "10 s"]),
        (482, ["0", "2 min", "4 min", "6 min", "8 min"]),
        (700_000, ["0", "2 d", "4 d", "6 d", "8 d"]),
    ],
)
def test_ticks_of_a_curve_are_round_durations(seconds: float, ticks: list[str]) -> None:
    curve = time_curve(Times(seconds / 2, (10, 10)))
    assert curve is not None
    assert list(curve.ticks) == ticks


@pytest.mark.parametrize("times", [None, Times(0.01, (7,)), Times(0.01, (4, 5))])
def test_small_job_and_job_that_finishes_immediately_have_no_curve(times: Times | None) -> None:
    assert time_curve(times) is None
