"""Which texts of a CSV file a spreadsheet would execute, and how these are kept from it."""

import re

# Some East Asian versions take the wide characters for the usual ones.
_STARTS = tuple("=+-@\uff1d\uff0b\uff0d\uff20")
_EQUALS = "=\uff1d"
_NUMBER = re.compile(r"[+-][0-9.,]+(?:[eE][+-]?[0-9]+)?")
# A name, an id, or a puzzle with dashes for empty cells: no operator but the dash, no call, and
# no reference to another sheet or program.
_PLAIN = re.compile(r"[-+@\uff0d\uff0b\uff20][\w .:#_@?-]*")


def guarded(field: str | None) -> str | None:
    """Return a field with an apostrophe before it if a spreadsheet would execute it.

    Numbers and plain ids stay as they are, so that they can be joined with other tables.
    """
    if not field or field[0].isalnum():  # nearly all of them
        return field
    return f"'{field}" if is_formula(field) else field


def is_formula(field: str) -> bool:
    """Return whether a spreadsheet that opens a CSV file takes a field for a formula."""
    text = field.lstrip()
    if not text.startswith(_STARTS):
        return False
    if text[0] in _EQUALS:
        return len(text) > 1
    return _NUMBER.fullmatch(text) is None and _PLAIN.fullmatch(text) is None
