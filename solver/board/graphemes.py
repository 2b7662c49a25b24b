"""What a reader takes for one character: a letter with its accents, an emoji with its tone."""

import unicodedata

import regex

_CLUSTER = regex.compile(r"\X")


def normalise(text: str) -> str:
    """Return a text in the normal form C: é is the same however it was typed."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def split_graphemes(text: str) -> list[str]:
    """Return the extended grapheme clusters of a text (Unicode Standard Annex 29)."""
    return list(text) if text.isascii() else _CLUSTER.findall(text)


def count_graphemes(text: str) -> int:
    """Return how many characters a reader sees."""
    return len(text) if text.isascii() else len(_CLUSTER.findall(text))
