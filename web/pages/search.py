"""Search the formats, rules, or techniques that a page lists."""


def has_words(text: str, query: str) -> bool:
    """Return whether a text contains all words of a search query, ignoring case.

    They may be parts of longer words.
    """
    return all(word in text.lower() for word in query.lower().split())
