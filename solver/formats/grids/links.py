"""Read the cells in URLs of online solvers, and recognize positions of sudokuwiki.org."""

import re

# Only the classic solver of sudokuwiki.org: URLs of the others don't contain their rules.
_ELSEWHERE = r"(?!\S{0,60}sudokuwiki\.org/(?!sudoku\.htm))"
# The bound prevents a search to the end of a long line for each URL in it.
LINK = re.compile(
    rf"(?i:(?:https?://|www\.){_ELSEWHERE})\S{{0,200}}[?&#/=]([0-9.]{{81}})(?![0-9.])"
)
_POSITION = re.compile(
    r"(?:sudokuwiki\.org/sudoku\.htm\?\S{0,100}\bbd=|^\s*)S9B([0-9a-z]{162})\b", re.I
)
_GIVENS = 9
LEFT_OUT = "the player's values and notes are ignored"


def is_link(text: str) -> bool:
    """Return whether a line begins with a URL (http://, https://, or www.), after any spaces."""
    return text.lstrip().lower().startswith(("http://", "https://", "www."))


def cells_in_link(text: str) -> list[str]:
    """Return the 81 cells in a URL, or [] if there are none.

    A position of sudokuwiki.org has a number of two base-36 digits per cell: 1 to 9 for a given, 10
    to 18 for a value that the player placed (plus 9), and 18 plus a bit mask of the candidates for
    an open cell. Only the givens are returned. All other cells are ".".
    """
    link = LINK.search(text)
    if link is not None:
        return list(link[1])
    position = _POSITION.search(text)
    if position is None:
        return []
    codes = [int(position[1][at : at + 2], 36) for at in range(0, len(position[1]), 2)]
    return [str(code) if 0 < code <= _GIVENS else "." for code in codes]


def is_position(text: str) -> bool:
    """Return whether a text is a sudokuwiki.org position, as a URL or alone.

    A position includes the player's progress.
    """
    return LINK.search(text) is None and _POSITION.search(text) is not None
