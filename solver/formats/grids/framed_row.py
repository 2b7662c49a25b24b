"""Rows in a frame whose blanks are spaces: only the frame tells where a cell is.

|   7   | 5   3 |   4   |            | 7   5 | 3     |       a bar around each box
|   | 7 |   | 5 |   | 3 |   | 4 |   |                        a bar around each cell
| 7 |5 3| 4 |                                                9×9 without gaps
"""

import re

from solver.board.graphemes import count_graphemes
from solver.board.layout import usual_box

BARS = "|│┃║╎╏┆┇┊┋"
_FRAMED = re.compile(f"\\s*[{BARS}]([^{BARS}]+[{BARS}])+\\s*")
_BAR = re.compile(f"[{BARS}]")
NUMBERS_FROM = 10  # boards this wide may be written in numbers


def split_framed(line: str) -> list[str] | None:
    """Return the cells of a framed row with spaces for blanks, " " for each; None for any other."""
    if " " not in line or not _FRAMED.fullmatch(line):
        return None
    parts = _BAR.split(line.strip())[1:-1]
    width = len(parts[0])
    if any(len(part) != width for part in parts):
        return None
    cells = _cells(parts, width)
    return cells if cells is not None and " " in cells else None


def _cells(parts: list[str], width: int) -> list[str] | None:
    count = len(parts)
    # As many characters as parts are a row of boxes without gaps.
    if count > 3 and width != count:
        longest = 2 if count >= NUMBERS_FROM else 1
        words = [part.strip() for part in parts]
        if all(" " not in word and count_graphemes(word) <= longest for word in words):
            return [word or " " for word in words]
    if (count, width) == (3, 9) and _are_blank(parts, 0, 3) and _are_blank(parts, 2, 3):
        return [cell for part in parts for cell in part[1::3]]
    padded = (width - 1) // 2
    is_padded = width % 2 and padded > 1 and _are_blank(parts, 0)
    if is_padded and usual_box(count * padded) == (count, padded):
        return [cell for part in parts for cell in part[1::2]]
    if (count, width) == (3, 5) and _are_blank(parts, 1):
        return [cell for part in parts for cell in part[::2]]
    return list("".join(parts)) if (count, width) == (3, 3) else None


def _are_blank(parts: list[str], first: int, step: int = 2) -> bool:
    """Return whether every other character of all parts, or every third one, is a space."""
    return not any(part[first::step].strip() for part in parts)
