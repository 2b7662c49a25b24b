"""The members of results, from the schemas of rows, puzzles, and explanations."""

from typing import Any

import msgspec

from docs_build.markdown import joined
from docs_build.pages.http_api import table_of_members
from web.api.puzzle_json import Puzzle
from web.results.redundant import Redundant
from web.results.rows import RatedRow, Row, Source
from web.schemas.explanation import (
    AvailableSteps,
    Candidate,
    Conflict,
    Deduction,
    Difficulty,
    Explanation,
    Link,
    Node,
    OwnRating,
)

TYPES = {
    "A result": Row,
    "A result with ratings": RatedRow,
    "One puzzle with its grid": Puzzle,
    "Redundant": Redundant,
    "Source": Source,
    "Explanation": Explanation,
    "Conflict of givens and constraints": Conflict,
    "Step of an explanation": Deduction,
    "Candidate": Candidate,
    "Node of a chain": Node,
    "Link of a chain": Link,
    "Difficulty": Difficulty,
    "Rating of other boards and variants": OwnRating,
    "All available steps": AvailableSteps,
}
_SUBTYPES = (RatedRow, Puzzle)  # of Row, so their tables list only the additional members


def write() -> str:
    """Return an entry with a table of members per type.

    For subtypes of a result, it has only the additional members.
    """
    _, components = msgspec.json.schema_components([*TYPES.values()])
    inherited = set(components[Row.__name__]["properties"])
    return joined(
        *(
            _entry(title, components[type_.__name__], inherited if type_ in _SUBTYPES else set())
            for title, type_ in TYPES.items()
        )
    )


def _entry(title: str, schema: dict[str, Any], inherited: set[str]) -> str:
    members = {name: each for name, each in schema["properties"].items() if name not in inherited}
    return joined(
        f"## {title}",
        " ".join(schema.get("description", "").split()),
        "It has the members of [a result](#a-result), and these:" if inherited else "",
        _linked(table_of_members(schema | {"properties": members})),
    )


def _linked(table: str) -> str:
    """Point the links to schemas in a table to the headings of this page."""
    for title, type_ in TYPES.items():
        anchor = title.lower().replace(" ", "-")
        table = table.replace(f"(#{type_.__name__.lower()})", f"(#{anchor})")
    return table
