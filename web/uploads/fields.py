"""Fields of queries and forms, joined if a name is repeated."""

from collections.abc import Iterable


def joined(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return fields as {name: value}. The values of repeated fields are joined with commas.

    Checkboxes produce repeated fields, and so do programs that pass lists in a query.
    """
    fields: dict[str, str] = {}
    for name, value in pairs:
        before = fields.get(name)
        fields[name] = f"{before},{value}" if before else value
    return fields
