"""Bytes of an upload as text, and text as JSON."""

import json
import re

from solver.board.graphemes import normalise

ELLIPSIS = "…"  # of which programs make three dots
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")


def decode(record: bytes) -> str:
    """Return a record as text in the normal form C; bytes that are not UTF-8 become U+FFFD.

    That is nobody's symbol.
    """
    return normalise(record.decode("utf-8", "replace"))


def read_json(text: str) -> object:
    """Return a JSON value. Raises ValueError for what is none, RecursionError if it is too deep.

    Half of a surrogate pair is no text that anybody could write back: UnicodeEncodeError.
    """
    value: object = json.loads(text)
    if _SURROGATE.search(text):
        json.dumps(value, ensure_ascii=False).encode()
    return value
