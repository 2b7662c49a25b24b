"""Store a line of text for each of many records, and convert values to character codes and back."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

DIGITS = b"123456789"
_NEWLINE = ord("\n")
_MOST_RUNS = 6  # number of runs up to which adding is faster than looking up


class Lines:
    """One line of text for each of n records, empty for some.

    ASCII lines of equal length can be created from grids of values and read as character codes,
    which is much faster than text. The text is created only when it is needed.
    """

    __slots__ = ("_grids", "_table", "_text", "_there")

    def __init__(self, text: str) -> None:
        self._text: str | None = text
        self._grids: NDArray[np.uint8] | None = None
        self._table = b""
        self._there: NDArray[np.bool_] | None = None

    @classmethod
    def of_grids(
        cls, grids: NDArray[np.uint8], table: bytes, there: NDArray[np.bool_] | None = None
    ) -> "Lines":
        """Create n lines from m grids of values (m, width), without creating their text yet.

        `there` (n,) marks the m lines that show a grid, in order; the other lines are empty. By
        default, each line shows a grid. `table` has the ASCII code for each value, from 0.
        """
        lines = cls("")
        lines._text = None
        lines._grids = grids
        lines._table = table
        lines._there = None if there is None or there.all() else there
        return lines

    @property
    def text(self) -> str:
        """All lines, joined with line feeds."""
        if self._text is None:
            codes = self._codes()
            self._text = "" if codes is None else _joined(codes, self._there)
        return self._text

    def __bool__(self) -> bool:
        """Whether there is any character or line feed. Always true for lines created from grids."""
        return self._grids is not None or bool(self._text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lines) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Lines({self.text!r})"

    def split(self) -> list[str]:
        """Return the lines as a list."""
        return self.text.split("\n")

    def grids(self) -> tuple[NDArray[np.uint8], bytes] | None:
        """Return the grids (m, width) and the table from which the lines were created.

        Returns None if they were created from text.
        """
        return None if self._grids is None else (self._grids, self._table)

    def codes(self, there: NDArray[np.bool_]) -> NDArray[np.uint8] | None:
        """Return the m lines that aren't empty, as character codes (m, width).

        `there` (n,) must be True for exactly these lines. Returns None if a character isn't ASCII,
        if the lengths differ, or if all lines are empty.
        """
        codes = self._codes()
        if codes is not None:
            return codes if len(codes) else None
        text = self.text
        if not there.all():
            text = "\n".join(filter(None, text.split("\n")))
        count = int(np.count_nonzero(there))
        if count == 0 or not text.isascii() or (len(text) + 1) % count:
            return None
        lines = np.frombuffer(text.encode() + b"\n", np.uint8).reshape(count, -1)
        lines, ends = lines[:, :-1], lines[:, -1]
        return lines if lines.shape[1] and (ends == _NEWLINE).all() else None

    def at(self, places: Sequence[int], *, count: int) -> "Lines":
        """Return the lines with the given indices, as a new object.

        `count` is the number of lines in this object.
        """
        if self._grids is not None and self._there is None:
            return Lines.of_grids(self._grids[np.asarray(places, np.intp)], self._table)
        text = self.text
        # If all lines have the same length, which is usual, the text needn't be split.
        step = (len(text) + 1) // count
        if text[step - 1 :: step] == "\n" * (count - 1) == "\n" * text.count("\n"):
            return Lines("\n".join(text[step * at : step * at + step - 1] for at in places))
        lines = text.split("\n")
        return Lines("\n".join(lines[at] for at in places))

    def spread(self, places: NDArray[np.int64], *, count: int) -> "Lines":
        """Return `count` lines: those of this object at the given indices, all others empty.

        places[i] is the index of the i-th line of this object in the result. The indices are
        ascending.
        """
        if len(places) == count:
            return self
        there = np.zeros(count, np.bool_)
        there[places] = True
        if self._grids is not None and self._there is None:
            return Lines.of_grids(self._grids, self._table, there)
        return Lines(_with_empty(self.split(), there))

    def _codes(self) -> NDArray[np.uint8] | None:
        return None if self._grids is None else codes_of(self._grids, self._table)


def digits_of(codes: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """Return the digit 1 to 9 of each character code, and which codes are such digits.

    The first array contains 0 for all other characters.
    """
    digits = codes - np.uint8(ord("0"))
    is_digit = digits - np.uint8(1) < 9  # unsigned, so smaller codes wrap around to large numbers
    digits *= is_digit.view(np.uint8)
    return digits, is_digit


def copy_rows(rows: NDArray[np.uint8], to: NDArray[np.uint8]) -> None:
    """Copy the rows of a matrix (n, width) to `to`, which has the same shape.

    The rows of both must be contiguous in memory.
    """
    # Copying each row as a single item is faster than copying the matrix byte by byte.
    whole = f"V{rows.shape[1]}"
    to.view(whole)[:] = rows.view(whole)


def codes_of(grids: NDArray[np.uint8], table: bytes) -> NDArray[np.uint8]:
    """Return an array of the same shape with the character code table[value] for each value.

    `grids` contains values from 0.
    """
    # Successive values mostly have successive codes, such as 1…9 and A…Z. In such a run, code and
    # value differ by a constant, and adding it is much faster than looking up each value.
    apart = [(code - value) % 256 for value, code in enumerate(table)]
    least = int(grids.min(initial=len(table) - 1))
    changes = [value for value in range(least + 1, len(table)) if apart[value] != apart[value - 1]]
    if len(changes) > _MOST_RUNS:
        return np.frombuffer(table, np.uint8)[grids]
    codes = grids + np.uint8(apart[least])
    for value in changes:
        more = np.uint8((apart[value] - apart[value - 1]) % 256)
        codes += (grids >= np.uint8(value)).view(np.uint8) * more
    return codes


def _joined(codes: NDArray[np.uint8], there: NDArray[np.bool_] | None) -> str:
    text = np.empty((len(codes), codes.shape[1] + 1), np.uint8)
    text[:, :-1] = codes
    text[:, -1] = _NEWLINE
    joined = str(text.reshape(-1)[:-1].data, "ascii")
    return joined if there is None else _with_empty(joined.split("\n"), there)


def _with_empty(lines: list[str], there: NDArray[np.bool_]) -> str:
    """Join lines to one text that has a line for each item of `there`.

    Where `there` is True, it is the next one of `lines`; elsewhere it is empty.
    """
    rest = iter(lines)
    return "\n".join(next(rest) if each else "" for each in there.tolist())
