"""Read the query parameters of requests for the steps that are available at a position."""

from collections.abc import Mapping

from solver.board.display import shown
from solver.logic.explanation import Explanation
from web.http.errors import Problem

_MOST_DIGITS = 6  # of a number of steps


def read_position(query: Mapping[str, str]) -> int | None:
    """Return the number of steps before the position in the query, or None without `steps=all`.

    Raises Problem if `steps` or `after` is invalid, or if `after` is given without `steps=all`. An
    `after` of 0 is accepted in any case.
    """
    steps, after = query.get("steps"), query.get("after")
    if steps not in (None, "all"):
        raise Problem(422, f"'steps' must be all, not {shown(steps)}", field="steps")
    if after is None:
        return None if steps is None else 0
    if steps is None:
        if after == "0":  # generated clients send the default value
            return None
        raise Problem(422, "'after' needs steps=all", field="after")
    return read_after(after)


def read_after(text: str) -> int:
    """Return the number of steps that `after` states. Raises Problem if it is invalid."""
    if not (text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS):
        raise Problem(422, f"'after' must be a whole number, not {shown(text)}", field="after")
    return int(text)


def check_position(after: int, explanation: Explanation) -> None:
    """Raise Problem if an explanation has fewer than `after` steps."""
    most = len(explanation.deductions)
    if after > most:
        detail = f"'after' must be from 0 to {most}, the number of steps, not {after}"
        raise Problem(422, detail, field="after")
