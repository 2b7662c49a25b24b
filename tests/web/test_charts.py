"""Charts of a job's counts."""

import pytest

from web.pages.charts import CHART, FOOT, step_chart, time_curve
from worker.store.statistics import Times


def test_steps_have_a_column_for_each_doubling() -> None:
    chart = step_chart([{0: 5, 1: 1, 3: 2, 700: 1}, {2: 2, 1000: 9}])
    assert chart is not None
    assert [column.description for column in chart.columns] == [
        "5 with 0 guesses",
        "1 with 1 guess",
        "4 with 2 to 3 guesses",
        "10 with 512 to 1,023 guesses",
    ]
    assert list(chart.ticks) == ["0", "1", "2", "4", "8", "16", "32", "64", "128", "256", "512"]
    highest = max(chart.columns, key=lambda column: column.height)
    assert highest.description.startswith("10 ")
    assert highest.x + chart.column_width <= CHART + 0.1


@pytest.mark.parametrize("counts", [[], [{}], [{7: 1}]])
def test_fewer_than_two_records_are_no_histogram(counts: list[dict[int, int]]) -> None:
    assert step_chart(counts) is None


@pytest.mark.parametrize(
    ("guesses", "ticks"),
    [(3_000_000, ["512k", "1M", "2M"]), (3_000_000_000_000, ["512G", "1T", "2T"])],
)
def test_many_steps_are_written_in_few_letters(guesses: int, ticks: list[str]) -> None:
    chart = step_chart([{guesses: 2}])
    assert chart is not None
    assert list(chart.ticks)[-3:] == ticks


def test_curve_rises_to_all_records_and_has_the_times_of_each_quarter() -> None:
    curve = time_curve(Times(0.5, (0, 10, 0, 30)))
    assert curve is not None
    assert curve.records == 40
    assert curve.path.startswith(f"M0 {FOOT}L")
    assert curve.path.endswith(f"L{CHART}.0 5.0")
    assert curve.reached == {25: 1.0, 50: 2.0, 75: 2.0}
    assert list(curve.ticks) == [0.5, 1.0, 1.5, 2.0]


@pytest.mark.parametrize(
    ("seconds", "ticks"),
    [
        (0.05, [0.01, 0.02, 0.03, 0.04, 0.05]),
        (482, [120, 240, 360, 480]),
        (700_000, [172_800, 345_600, 518_400, 691_200]),
    ],
)
def test_ticks_of_a_curve_are_round_durations(seconds: float, ticks: list[float]) -> None:
    curve = time_curve(Times(seconds / 2, (10, 10)))
    assert curve is not None
    assert list(curve.ticks) == pytest.approx(ticks)


@pytest.mark.parametrize("times", [None, Times(0.01, (7,)), Times(0.01, (4, 5))])
def test_small_job_and_job_that_finishes_immediately_have_no_curve(times: Times | None) -> None:
    assert time_curve(times) is None
