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
_BOLD = re.compile(r"(\*\*|__)(\w+)\1")
_BAR = re.compile(f"[{BARS}]")
NUMBERS_FROM = 10  # boards this wide may be written in numbers


def split_framed(line: str) -> list[str] | None:
    """Return the cells of a framed row with spaces for blanks, " " for each; None for any other."""
    if " " not in line or not _FRAMED.fullmatch(line):
        return None
    parts = _BAR.split(line.strip())[1:-1]
    widths = set(map(len, parts))
    cells = _cells(parts, widths.pop()) if len(widths) == 1 else _one_each(parts)
    return cells if cells is not None and " " in cells else None


def _cells(parts: list[str], width: int) -> list[str] | None:
    count = len(parts)
    # As many characters as parts are a row of boxes without gaps.
    each = _one_each(parts) if width != count else None
    if each is not None:
        return each
    if (count, width) == (3, 9) and _are_blank(parts, 0, 3) and _are_blank(parts, 2, 3):
        return [cell for part in parts for cell in part[1::3]]
    padded = (width - 1) // 2
    is_padded = width % 2 and padded > 1 and _are_blank(parts, 0)
    if is_padded and usual_box(count * padded) == (count, padded):
        return [cell for part in parts for cell in part[1::2]]
    if (count, width) == (3, 5) and _are_blank(parts, 1):
        return [cell for part in parts for cell in part[::2]]
    return list("".join(parts)) if (count, width) == (3, 3) else None


def _one_each(parts: list[str]) -> list[str] | None:
    """Return the cells of a row with a bar around each, in bold type or not."""
    count = len(parts)
    words = [_BOLD.sub(r"\2", part.strip()) for part in parts]
    longest = 2 if count >= NUMBERS_FROM else 1
    if count < 4 or any(" " in word or count_graphemes(word) > longest for word in words):
        return None
    return [word or " " for word in words]


def _are_blank(parts: list[str], first: int, step: int = 2) -> bool:
    """Return whether every other character of all parts, or every third one, is a space."""
    return not any(part[first::step].strip() for part in parts)
