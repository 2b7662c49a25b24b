"""Types of option values whose error messages give the expected values."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any, Never

import click


class WholeNumber(click.ParamType[int]):
    """A whole number from `least` to `most`. None stands for no limit."""

    name = "integer"

    def __init__(self, least: int | None = None, most: int | None = None) -> None:
        self._least = least
        self._most = most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number. Exits with a message if it is out of range or isn't a number."""
        try:
            number = int(value)
        except ValueError:
            self._reject(value, param, ctx)
        too_low = self._least is not None and number < self._least
        too_high = self._most is not None and number > self._most
        if too_low or too_high:
            self._reject(value, param, ctx)
        return number

    def _reject(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Never:
        """Fail with a message that gives the expected range and the rejected value."""
        expected = "a whole number"
        if self._least is not None and self._most is not None:
            expected += f" from {self._least:,} to {self._most:,}"
        elif self._least is not None:
            expected += f" of at least {self._least:,}"
        self.fail(f"expected {expected}, got {str(value)!r}", param, ctx)


class Name(click.Choice[str]):
    """One of several names. The error message for another one suggests the closest name."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(names)

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Return the error message for a value that isn't one of the names."""
        del ctx
        close = get_close_matches(str(value).lower(), self.choices, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        return f"expected one of {', '.join(self.choices)}; got {str(value)!r}.{hint}"
