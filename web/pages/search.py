"""The search fields of pages that list formats or rules."""


def has_words(text: str, wanted: str) -> bool:
    """Return whether a text contains all words of a search, in upper or lower case."""
    return all(word in text.lower() for word in wanted.lower().split())
