"""Separate a record from the name after it: "RECORD # name".

All formats with one record per line allow such names.
"""

import re

from solver.formats.format import Segments
from solver.formats.reading.cells import clean_name
from solver.formats.reading.text import decode

_REMARK = re.compile(r"(?<=\S)[ \t]+#.*", re.DOTALL)


def split_remark(text: str) -> tuple[str, str | None]:
    """Return a record without the name after it, and the name, or None for the name if it has none.

    The name is in the record's last line, after white space and a #.
    """
    if "#" not in text:
        return text, None
    found = _REMARK.search(text, text.rfind("\n") + 1)
    return (text, None) if found is None else (text[: found.start()], clean_name(found[0]))


def find_remarks(data: bytes, segments: Segments) -> dict[int, str]:
    """Return the names after the records in `segments`, by record index.

    The names are those that `split_remark` finds. Records without a name are left out.
    """
    names: dict[int, str] = {}
    if b"#" not in data:
        return names
    for row, (start, end) in enumerate(
        zip(segments.starts.tolist(), segments.ends.tolist(), strict=True)
    ):
        _, name = split_remark(decode(data[start:end]))
        if name is not None:
            names[row] = name
    return names
