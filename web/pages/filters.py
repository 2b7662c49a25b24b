"""Format numbers, sizes, times, outcomes, and code in templates."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from markupsafe import Markup

from solver.board.display import as_sentence, how_many
from solver.logic.rating.difficulty import WORDS
from web.boards.svg import make_picture

_OUTCOMES = {"step_limit": "guess limit", "gave_up": "given up"}  # for people


def show_outcome(label: str) -> str:
    """Format an outcome for people: `step_limit` becomes "guess limit"."""
    return _OUTCOMES.get(label, label)


def show_number(number: float) -> str:
    """Format a number with thousands separators.

    It is rounded to a whole number from 10 on. Below 10, it gets one decimal, unless it is whole.
    """
    return f"{number:,.0f}" if number >= 10 or number == int(number) else f"{number:.1f}"


def show_speed(a_second: float) -> str:
    """Format puzzles per second, or per minute if there are fewer than one per second."""
    if 0 < a_second < 1:
        return f"{a_second * 60:.0f} puzzles/min"
    return f"{show_number(a_second)} puzzles/s"


def show_bytes(number: int) -> str:
    """Format a number of bytes in the largest unit that gives a whole number, up to GiB."""
    for power, unit in ((30, "GiB"), (20, "MiB"), (10, "KiB")):
        if number >= 1 << power and number % (1 << power) == 0:
            return f"{number >> power} {unit}"
    return f"{number:,} bytes"


def show_duration(seconds: float) -> str:
    """Format a duration in seconds with its two largest units: 2 d 3 h, 5 min 20 s, 0.4 s.

    Less than 0.1 s is "under 0.1 s".
    """
    if seconds < 0.1:
        return "under 0.1 s"
    if seconds < 10:
        return f"{seconds:.1f} s"
    left = round(seconds)
    parts = []
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)):
        if left >= length:
            parts.append(f"{left // length} {unit}")
            left %= length
        elif parts:
            break
    return " ".join(parts[:2])


def with_code(text: str) -> Markup:
    """Return a text whose parts between backticks are `code` elements."""
    parts = text.split("`")
    return Markup().join(
        Markup("<code>{}</code>").format(part) if number % 2 else part
        for number, part in enumerate(parts)
    )


def indented_json(value: Any) -> str:
    """Return a value as JSON with indentation. Texts that aren't JSON are returned unchanged."""
    try:
        value = json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return str(value)
    return json.dumps(value, indent=2, ensure_ascii=False)


def show_time_span(seconds: float) -> str:
    """Format a duration in seconds for a sentence, such as "7 days".

    Uses the largest unit that gives a whole number.
    """
    whole = round(seconds)
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if whole >= length and whole % length == 0:
            return how_many(whole // length, unit)
    return how_many(whole, "second")


def show_moment_within(seconds: float) -> str:
    """Format a duration in seconds, in milliseconds if it is under a second.

    Longer durations are formatted as in `show_duration`.
    """
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else show_duration(seconds)


def show_moment(seconds: float) -> Markup:
    """Return a `time` element with a Unix time to the minute, in UTC.

    A script replaces its text with the local time.
    """
    moment = datetime.fromtimestamp(seconds, UTC)
    words = moment.strftime("%Y-%m-%d %H:%M UTC")
    return Markup('<time datetime="{}">{}</time>').format(moment.strftime("%FT%TZ"), words)


def show_time_of_day(seconds: float) -> Markup:
    """Return a `time` element with the time of day of a Unix time, in UTC.

    A script replaces its text with the local time. The tooltip contains the date.
    """
    moment = datetime.fromtimestamp(seconds, UTC)
    return Markup('<time datetime="{}" title="{}" data-without-date>{}</time>').format(
        moment.strftime("%FT%TZ"), moment.strftime("%Y-%m-%d %H:%M UTC"), moment.strftime("%H:%M")
    )


def level_of(word: str) -> int:
    """Return the place of a difficulty word on the scale, from 1 for easy."""
    return WORDS.index(word) + 1


def unbroken(name: str) -> str:
    """Return a name whose number, such as that of "Locked Candidates Type 1", keeps its word."""
    words, space, number = name.rpartition(" ")
    return f"{words}\N{NO-BREAK SPACE}{number}" if space and number.isdecimal() else name


FILTERS: dict[str, Callable[..., Any]] = {
    "picture": make_picture,
    "sentence": as_sentence,
    "outcome": show_outcome,
    "level": level_of,
    "thousands": show_number,
    "speed": show_speed,
    "bytes": show_bytes,
    "duration": show_duration,
    "with_code": with_code,
    "indented_json": indented_json,
    "time_span": show_time_span,
    "moment": show_moment,
    "time_of_day": show_time_of_day,
    "moment_within": show_moment_within,
    "unbroken": unbroken,
}
