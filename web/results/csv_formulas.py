"""Protect CSV fields that a spreadsheet would execute as formulas."""

import re

# Some East Asian versions of spreadsheets treat full-width characters like the ASCII ones.
_STARTS = tuple("=+-@\uff1d\uff0b\uff0d\uff20")
_EQUALS = "=\uff1d"
_NUMBER = re.compile(r"[+-][0-9.,]+(?:[eE][+-]?[0-9]+)?")
# A name, an id, or a puzzle with dashes for empty cells: no operator except the dash, no function
# call, and no reference to another sheet or program.
_PLAIN = re.compile(r"[-+@\uff0d\uff0b\uff20][\w .:#_@?-]*")


def guard(field: str | None) -> str | None:
    """Return a CSV field, with an apostrophe before it if a spreadsheet would execute it.

    Numbers and plain ids stay unchanged, so that they can be joined with other tables. None stays
    None.
    """
    if not field or field[0].isalnum():  # fast path for almost all fields
        return field
    return f"'{field}" if is_formula(field) else field


def is_formula(field: str) -> bool:
    """Return whether a spreadsheet that opens a CSV file could execute a field as a formula.

    Numbers such as -5 and plain names such as -ab don't count.
    """
    text = field.lstrip()
    if not text.startswith(_STARTS):
        return False
    if text[0] in _EQUALS:
        return len(text) > 1
    return _NUMBER.fullmatch(text) is None and _PLAIN.fullmatch(text) is None
