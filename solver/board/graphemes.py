"""What a reader takes for one character: a letter with its accents, an emoji with its tone."""

import unicodedata

import regex

_CLUSTER = regex.compile(r"\X")
# Zero-width spaces, marks of direction, soft hyphens: what comes along from pages and mails. The
# joiners are not among them, they change what is seen.
_UNSEEN = regex.compile("[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")


def normalise(text: str) -> str:
    """Return a text in the normal form C without unseen characters: as it looks, so it is."""
    return text if text.isascii() else unicodedata.normalize("NFC", _UNSEEN.sub("", text))


def split_graphemes(text: str) -> list[str]:
    """Return the extended grapheme clusters of a text (Unicode Standard Annex 29)."""
    return list(text) if text.isascii() else _CLUSTER.findall(text)


def count_graphemes(text: str) -> int:
    """Return how many characters a reader sees."""
    return len(text) if text.isascii() else len(_CLUSTER.findall(text))
