"""A classic puzzle for each technique that its explanation needs, by code."""

EXAMPLES: dict[str, str] = {}
