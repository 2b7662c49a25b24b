"""The closest match that a message suggests for an unknown name."""

from collections.abc import Iterable
from difflib import get_close_matches

_CLOSE = 0.7


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ". Did you mean 'x'?" for the known name closest to `name`, or "" if none is close."""
    close = get_close_matches(name.lower()[:40], known, n=1, cutoff=_CLOSE)
    return f". Did you mean {close[0]!r}?" if close else ""
