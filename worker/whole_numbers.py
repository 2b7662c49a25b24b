"""Parse whole numbers in requests, from JSON or as text."""

import re

from solver.board.display import shown
from worker.rejection import Rejection, RejectionKind


def parse_whole(
    name: str, value: object, *, least: int, most: int, unit: str = ""
) -> int | Rejection:
    """Return a whole number within these bounds, or a rejection that gives them and the `unit`.

    The value may be an integer, but not a bool, or text of decimal digits, also with spaces around
    it.
    """
    noun = f"a whole number of {unit}" if unit else "a whole number"
    must_be = f"{name!r} must be {noun} from {least:,} to {most:,}"
    if isinstance(value, str) and re.fullmatch(r"\s*[0-9]{1,20}\s*", value, re.ASCII):
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        return Rejection(RejectionKind.BAD_OPTION, f"{must_be}, not {shown(value)}", field=name)
    if not least <= value <= most:
        return Rejection(RejectionKind.BAD_OPTION, f"{must_be}, not {value:,}", field=name)
    return value
