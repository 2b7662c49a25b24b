"""Split text into characters as readers see them, such as an emoji with its skin tone."""

import unicodedata

import regex

_CLUSTER = regex.compile(r"\X")
# Zero-width spaces, direction marks, and soft hyphens, which are copied along from pages and mails.
# Joiners aren't among them, because they change the appearance.
_UNSEEN = regex.compile("[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")


def normalize(text: str) -> str:
    """Return a text in Unicode normalization form C, without invisible characters.

    These are zero-width spaces, direction marks, and soft hyphens.
    """
    return text if text.isascii() else unicodedata.normalize("NFC", _UNSEEN.sub("", text))


def split_graphemes(text: str) -> list[str]:
    """Return the extended grapheme clusters of a text (Unicode Standard Annex 29)."""
    return list(text) if text.isascii() else _CLUSTER.findall(text)


def count_graphemes(text: str) -> int:
    """Return the number of characters that a reader sees."""
    return len(text) if text.isascii() else len(_CLUSTER.findall(text))
