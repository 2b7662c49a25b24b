"""The remaining time that progress bars show."""

import random
from collections.abc import Iterator

import pytest
from rich.progress import Progress

from web.commands.progress_bars import TimeLeftColumn, puzzles_bar

_PUZZLES, _BLOCK = 20_000, 400
_REFRESH_SECONDS = 0.5


def _shown(finished: list[float]) -> Iterator[tuple[float, float | None]]:
    """Yield the time, and the number of seconds that the column shows as left, until the end.

    The blocks of puzzles are reported at the given times.
    """
    now, column = 0.0, TimeLeftColumn()
    with Progress(column, disable=True, get_time=lambda: now) as progress:
        task = progress.add_task("", total=_PUZZLES)
        blocks = 0
        while now < finished[-1]:
            arrived = sum(time <= now for time in finished) - blocks
            blocks += arrived
            progress.update(task, advance=arrived * _BLOCK)
            text = column.render(progress.tasks[0]).plain
            yield now, _seconds(text.removesuffix(" left")) if text else None
            now += _REFRESH_SECONDS


def _seconds(text: str) -> float:
    hours, minutes, seconds = text.split(":")
    return 3600 * int(hours) + 60 * int(minutes) + int(seconds)


@pytest.mark.parametrize("compiling", [0.0, 85.0])
def test_remaining_time_is_steady_if_slow_blocks_delay_others(compiling: float) -> None:
    draw = random.Random(5)
    finished: list[float] = []
    time = compiling
    for number in range(_PUZZLES // _BLOCK):
        # Results are in order, so those of three blocks wait for each slow one.
        time += 48.0 if number % 4 == 0 else draw.uniform(0.0, 0.5)
        finished.append(time)
    end = finished[-1]
    late = [
        (now, left) for now, left in _shown(finished) if now > compiling + (end - compiling) / 4
    ]
    assert len(late) > 500
    for now, left in late:
        assert left is not None
        # A delayed block changes the estimate by its own time.
        assert abs(left - (end - now)) < 60 + (end - now) / 4


def test_no_remaining_time_is_shown_in_the_first_seconds() -> None:
    early = [left for now, left in _shown([1.0 + number for number in range(50)]) if now < 5.0]
    assert early == [None] * 10


def test_bars_for_puzzles_show_the_remaining_time_if_there_is_an_end() -> None:
    assert isinstance(puzzles_bar("solving").columns[-1], TimeLeftColumn)
    columns = puzzles_bar("solving", has_end=False).columns
    assert not any(isinstance(column, TimeLeftColumn) for column in columns)
