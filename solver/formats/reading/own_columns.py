"""Copy the user's own columns of a table to the results: all except puzzles and solutions.

Results include them in upload order and under their own names.
"""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from solver.board.display import printable
from solver.formats.format import Context

MOST_COLUMNS = 1_000
MOST_CHARACTERS = 8_192  # Total length of a record's own fields, plus one separator each.
_KEY = "own"
_LONGEST_HEADING = 200
_BARS = "|"
# Some programs write ="007" so that spreadsheets don't read it as 7.
_PROTECTED = re.compile(r'=\s*"(.*)"', re.DOTALL)


@dataclass(frozen=True, slots=True)
class OwnColumns:
    """The columns of a table that contain neither the puzzle nor its solution (own columns).

    Results repeat them. `places` has their indices from 0, ascending, `names` their headings, and
    `width` is the number of columns in the table. If spaces separate the columns, `width` is
    unlimited. It is false if the table has no own columns.
    """

    places: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    width: int = 0

    def __bool__(self) -> bool:
        return bool(self.places)

    def fields(self, line: Sequence[str]) -> tuple[str, ...]:
        """Return the fields of these columns, given all fields of a line. Missing fields are ""."""
        missing = self.places[-1] + 1 - len(line)
        whole = [*line, *[""] * missing] if missing > 0 else line
        own = tuple([whole[place].strip() for place in self.places])
        return tuple(map(bare_field, own)) if "=" in "".join(own) else own

    def surplus(self, line: Sequence[str]) -> str | None:
        """Return a note if a line has nonempty fields beyond the table's columns, or None.

        `line` has all fields of the line.
        """
        if len(line) <= self.width or not any(map(str.strip, line[self.width :])):
            return None
        return (
            f"this line has {len(line):,} fields, but the table has {self.width:,} columns; the "
            "extra fields are ignored"
        )


def own_columns(
    line: Sequence[str], *, is_header: bool, used: Collection[int | None], delimiter: str
) -> OwnColumns:
    """Return a table's columns to copy to the results: at most 1,000, and none of the `used` ones.

    `line` has the fields of the table's first line. With `is_header`, they are the headings,
    otherwise a record. Empty fields at its end aren't columns. `used` has the indices of the
    columns with the puzzle and its solution. A column without a heading is named after its number,
    counted from 1. Long headings are truncated, and repeated ones get a number. For a Markdown
    table, whose delimiter is a bar, empty fields aren't columns either.
    """
    width = len(line)
    while width and not line[width - 1].strip():
        width -= 1
    names: dict[int, str] = {}
    for place, field in enumerate(line[:width]):
        heading = field.strip() if is_header else ""
        if place in used or (delimiter == _BARS and not field.strip()):
            continue  # The fields outside the bars of a Markdown table are empty.
        if len(names) == MOST_COLUMNS:
            width = place  # The remaining fields are reported as beyond the table.
            break
        name = printable(heading)[:_LONGEST_HEADING] or f"column_{place + 1}"
        names[place] = _unlike(name, names.values())
    # A space after the puzzle begins a comment of any number of words.
    bounded = width if delimiter != " " else 1 << 30
    return OwnColumns(tuple(names), tuple(names.values()), bounded)


def in_context(own: OwnColumns) -> dict[str, str]:
    """Return an entry for a format's context that stores the user's own columns, {} without any."""
    return {_KEY: json.dumps([own.places, own.names, own.width])} if own else {}


def from_context(context: Context) -> OwnColumns:
    """Return the user's own columns that `in_context` stored in a format's context.

    There are none if nothing is stored.
    """
    stored = context.get(_KEY)
    return _decoded(stored) if isinstance(stored, str) else OwnColumns()


def own_names(context: Context) -> tuple[str, ...]:
    """Return the names of the user's own columns that a format's context stores."""
    return from_context(context).names


def limited(
    fields: Mapping[int, tuple[str, ...]],
) -> tuple[dict[int, tuple[str, ...]], dict[int, str]]:
    """Drop the own fields of records that have more than 8,192 characters of them.

    `fields` has the own fields by record index. Each field counts one more character, for a
    separator. Returns the fields of the remaining records, and a note for each dropped one, both by
    record index.
    """
    kept, notes = dict(fields), {}
    for row, every in fields.items():
        length = len("".join(every)) + len(every)
        if length > MOST_CHARACTERS:
            del kept[row]
            notes[row] = (
                f"the other columns have {length:,} characters, so they are ignored; the limit is "
                f"{MOST_CHARACTERS:,}"
            )
    return kept, notes


@lru_cache(maxsize=16)
def _decoded(stored: str) -> OwnColumns:
    places, names, width = json.loads(stored)
    return OwnColumns(tuple(places), tuple(names), width)


def _unlike(name: str, others: Collection[str]) -> str:
    """Return a column name, with a number appended if `others` already contains it."""
    unlike, number = name, 1
    while unlike in others:
        number += 1
        unlike = f"{name}_{number}"
    return unlike


def bare_field(field: str) -> str:
    """Return a field without surrounding spaces. A field such as ="007" becomes 007."""
    bare = field.strip()
    protected = _PROTECTED.fullmatch(bare) if bare.startswith("=") else None
    return protected[1] if protected else bare
