"""Fields of queries and forms: values of repeated names are joined, and wrong names found."""

from collections.abc import Iterable, Mapping

from worker.rejection import Rejected, RejectionKind

# Names that callers may expect for the puzzles in a form.
_PUZZLE_NAMES = ("puzzle", "puzzles")


def joined(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return fields as {name: value}. The values of repeated fields are joined with commas.

    Checkboxes produce repeated fields, and so do programs that pass lists in a query. Empty values
    before the first other value are left out.
    """
    fields: dict[str, str] = {}
    for name, value in pairs:
        before = fields.get(name)
        fields[name] = f"{before},{value}" if before else value
    return fields


def check_fields(fields: Mapping[str, str]) -> None:
    """Raise Rejected if a form has a field "puzzle" or "puzzles" (the correct name is "text")."""
    for name in _PUZZLE_NAMES:
        if name in fields:
            detail = f"Unknown form field {name!r}. Send puzzles as 'text', or a file as 'file'"
            raise Rejected(RejectionKind.BAD_OPTION, detail, field=name)
