"""Write texts, JSON values, symbols, and counts as messages show them, short and printable."""

import json
from collections.abc import Iterable, Sequence

_JOINER = "\u200d"  # joins several emoji to a single one
_LONGEST_TEXT = 200
_LONGEST_VALUE = 40


def printable(text: str) -> str:
    """Return a text with each unprintable character replaced by a space.

    The joiner of emoji is kept.
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == _JOINER else " " for c in text)


def shorten(text: str, most: int = _LONGEST_TEXT) -> str:
    """Return a text for display: printable, and at most `most` characters.

    The last character of a text that was cut off is "…".
    """
    shown = printable(text[: most + 1])
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def shown(value: object) -> str:
    """Return a JSON value in the form that messages show, at most about 40 characters.

    Strings are in single quotes. All other values are shown as in JSON.
    """
    if isinstance(value, str):
        return repr(shorten(value, _LONGEST_VALUE - 2))
    return shorten(json.dumps(value, ensure_ascii=False, default=str), _LONGEST_VALUE)


def as_sentence(message: str) -> str:
    """Return a message with a capital letter at the beginning and a period at the end.

    A period or question mark that is already there is kept.
    """
    end = "" if message.endswith((".", "?")) else "."
    return f"{message[:1].upper()}{message[1:]}{end}"


def joined(messages: Iterable[str]) -> str:
    """Join messages to one text.

    If the text so far ends a sentence, the next message is added as a sentence, with a capital
    letter and a period. Otherwise, it is added after a semicolon.
    """
    text = ""
    for message in messages:
        if text.endswith((".", "?")):
            text += f" {as_sentence(message)}"
        else:
            text += f"; {message}" if text else message
    return text


def how_many(number: int, noun: str) -> str:
    """Return "1 cell" or "2 cells" for the noun "cell"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def show_symbols(symbols: Sequence[str]) -> str:
    """Return a board's symbols in short form: "1-9", "ABCD", or "red green …".

    The result has at most 40 characters unless all symbols are numbers.
    """
    if all(symbol.isdecimal() for symbol in symbols):
        return symbols[0] if len(symbols) == 1 else f"{symbols[0]}-{symbols[-1]}"
    separator = " " if any(len(symbol) > 1 for symbol in symbols) else ""
    return shorten(separator.join(symbols), _LONGEST_VALUE)
