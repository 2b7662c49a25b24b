"""Lines of text that are all as long, as matrices of their characters' codes, and back."""

import numpy as np
from numpy.typing import NDArray

_NEWLINE = ord("\n")


def codes_of(text: str, there: NDArray[np.bool_]) -> NDArray[np.uint8] | None:
    """Return those lines of a text, one for each of `there` (n,), that are there (m, width).

    The others are empty. None where a character is not ASCII, lines differ in length, or there
    is none.
    """
    if not there.all():
        text = "\n".join(filter(None, text.split("\n")))
    count = int(np.count_nonzero(there))
    if count == 0 or not text.isascii() or (len(text) + 1) % count:
        return None
    lines = np.frombuffer(text.encode() + b"\n", np.uint8).reshape(count, -1)
    lines, ends = lines[:, :-1], lines[:, -1]
    return lines if lines.shape[1] and (ends == _NEWLINE).all() else None


def text_of(codes: NDArray[np.uint8]) -> str:
    """Return ASCII codes (n, width) as n lines of text."""
    text = np.empty((len(codes), codes.shape[1] + 1), np.uint8)
    text[:, :-1] = codes
    text[:, -1] = _NEWLINE
    return str(text.reshape(-1)[:-1].data, "ascii")
