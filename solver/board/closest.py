"""Write messages about unknown names, with the closest known name or all of a few known names."""

import re
from collections.abc import Iterable
from difflib import get_close_matches

from solver.board.display import shown

_CLOSE = 0.7
_FEWEST_LETTERS = 4  # of a known name, to be suggested because an unknown name contains it
_LONGEST_NAME = 40  # characters of an unknown name
# Characters of all known names together, to be listed with and without a suggestion.
_LONGEST_LIST = 160
_LONGEST_ONLY_HINT = 400


def closest(name: str, known: Iterable[str], *, cutoff: float = _CLOSE) -> str | None:
    """Return the known name that is most similar to `name`, or None if none is similar enough.

    Case, spaces, and punctuation don't count. `cutoff` is the least similarity, from 0 to 1
    (equal).
    """
    by_plain: dict[str, str] = {}
    for each in map(str, known):
        by_plain.setdefault(_plain(each), each)
    close = get_close_matches(_plain(name[:_LONGEST_NAME]), by_plain, n=1, cutoff=cutoff)
    return by_plain[close[0]] if close else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ". Did you mean 'x'?" with a known name, or "" if no known name is similar.

    The suggestion is the known name closest to `name`. If none is close, it is the longest known
    name of four or more characters that `name` contains.
    """
    names = [str(each) for each in known]  # members of an enumeration have another repr
    plain = _plain(name[:_LONGEST_NAME])
    parts = [each for each in names if len(each) >= _FEWEST_LETTERS and _plain(each) in plain]
    close = closest(name, names) or max(parts, key=len, default=None)
    return "" if close is None else f". Did you mean {close!r}?"


def unknown(kind: str, name: object, known: Iterable[str], *, place: str = "") -> str:
    """Return the message for an unknown name: "Unknown format 'x'. Did you mean 'y'?".

    The list of the known names follows if it is short. It may be longer if there is no suggestion.
    `kind` is the noun, such as "format". `place` is a phrase that follows the name directly, such
    as " in the constraint 'killer'".
    """
    names = list(known)
    message = f"Unknown {kind} {shown(name)}{place}"
    hint = did_you_mean(str(name), names)
    listed = ", ".join(names)
    if len(listed) > (_LONGEST_LIST if hint else _LONGEST_ONLY_HINT):
        return message + hint
    expected = f"Expected {'one of: ' if len(names) > 1 else ''}{listed}"
    return f"{message}{hint or '.'} {expected}"


def _plain(name: str) -> str:
    return re.sub(r"[\W_]", "", name.lower())
