"""Read the query parameters of pictures and books."""

from collections.abc import Collection, Mapping

from solver.board.closest import unknown
from solver.board.display import shown


class BookError(Exception):
    """A book or a picture can't be drawn. The message gives the reason."""


class InvalidParameter(Exception):
    """A parameter has an invalid value. The message explains the expected values.

    `name` is the name of the parameter.
    """

    def __init__(self, message: str, name: str) -> None:
        super().__init__(message)
        self.name = name


def read_choice(query: Mapping[str, str], name: str, choices: Collection[str], usual: str) -> str:
    """Return a parameter's value, which must be one of the choices, or `usual` without a value.

    Raises InvalidParameter for any other value.
    """
    value = query.get(name) or usual
    if value not in choices and value != usual:
        raise InvalidParameter(unknown("value", value, choices, place=f" of {name}"), name)
    return value


def read_whole_number(
    query: Mapping[str, str], name: str, *, least: int, most: int, usual: int
) -> int:
    """Return a parameter's value, or `usual` without a value.

    Raises InvalidParameter if it isn't a whole number from `least` to `most`.
    """
    text = query.get(name) or str(usual)
    if not (text.isascii() and text.isdecimal() and least <= int(text[:9]) <= most):
        detail = f"{name!r} must be a whole number from {least:,} to {most:,}, not {shown(text)}"
        raise InvalidParameter(detail, name)
    return int(text)


def read_flag(query: Mapping[str, str], name: str, *, usual: bool) -> bool:
    """Return whether a parameter is true, or `usual` without a value.

    Raises InvalidParameter unless it is true, false, 1, or 0.
    """
    text = query.get(name) or str(usual).lower()
    if text not in ("0", "1", "false", "true"):
        raise InvalidParameter(f"{name!r} must be true or false, not {shown(text)}", name)
    return text in ("1", "true")
