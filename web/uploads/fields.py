"""Fields by name, as queries and forms bring them."""

from collections.abc import Iterable


def joined(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return fields by name; those that are there several times are one list, with commas.

    So boxes to tick are sent, and so programs write lists into queries.
    """
    fields: dict[str, str] = {}
    for name, value in pairs:
        before = fields.get(name)
        fields[name] = f"{before},{value}" if before else value
    return fields
