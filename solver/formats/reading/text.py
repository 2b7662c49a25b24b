"""Decodes the bytes of an upload as text, and text as JSON."""

import json
import re
from collections.abc import Iterator

from solver.board.graphemes import normalize

ELLIPSIS = "…"  # The single character that some programs replace three dots with.
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")


def decode(record: bytes) -> str:
    """Return a record as text in NFC, with U+FFFD for bytes that aren't UTF-8.

    U+FFFD is never a symbol.
    """
    return normalize(record.decode("utf-8", "replace"))


def decode_each(data: bytes, starts: list[int], ends: list[int]) -> Iterator[str]:
    """Yield the text of each record data[starts[i]:ends[i]], decoded as by `decode`."""
    if not data.isascii():
        yield from (decode(data[start:end]) for start, end in zip(starts, ends, strict=True))
        return
    text = data.decode("ascii")
    yield from (text[start:end] for start, end in zip(starts, ends, strict=True))


def read_json(text: str) -> object:
    """Parse a JSON text.

    Raises ValueError for invalid JSON, RecursionError if it is nested too deeply, and
    UnicodeEncodeError for half a surrogate pair, which couldn't be written back.
    """
    value: object = json.loads(text)
    if _SURROGATE.search(text):
        json.dumps(value, ensure_ascii=False).encode()
    return value
