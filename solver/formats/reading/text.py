"""Bytes of an upload as text."""

from solver.board.graphemes import normalise


def decode(record: bytes) -> str:
    """Return a record as text in the normal form C; bytes that are not UTF-8 become U+FFFD.

    That is nobody's symbol.
    """
    return normalise(record.decode("utf-8", "replace"))
