"""The members of results, from the schemas of rows, puzzles, and explanations."""

from typing import Any

import msgspec

from docs_build.markdown import code, joined, sentence
from docs_build.pages.http_api import table_of_members, type_of
from web.api.puzzle_json import Puzzle
from web.results.rows import RatedRow, Row
from web.schemas.explanation import Candidate, Deduction, Difficulty, Explanation, Link, Node

_TYPES = {
    "A result": Row,
    "A result with ratings": RatedRow,
    "One puzzle with its grid": Puzzle,
    "Explanation": Explanation,
    "Step of an explanation": Deduction,
    "Candidate": Candidate,
    "Node of a chain": Node,
    "Link of a chain": Link,
    "Difficulty": Difficulty,
}


def write() -> str:
    """Return a table of members per type."""
    _, components = msgspec.json.schema_components([*_TYPES.values()])
    titles = {type_.__name__: title for title, type_ in _TYPES.items()}
    seen: set[str] = set()
    parts = []
    for title, type_ in _TYPES.items():
        members = components[type_.__name__]["properties"]
        new = {name: schema for name, schema in members.items() if name not in seen}
        if type_ in (Row, RatedRow):
            seen |= set(members)
        shown = members if type_ is Row else new
        parts.append(_entry(title, components[type_.__name__], shown, titles))
    return joined(*parts)


def _entry(
    title: str, schema: dict[str, Any], members: dict[str, Any], titles: dict[str, str]
) -> str:
    text = " ".join(schema.get("description", "").split())
    required = schema.get("required", [])
    return joined(
        f"## {title}",
        text,
        table_of_members(
            [
                (
                    code(name),
                    _linked(type_of(each), titles),
                    "always" if name in required else "if present",
                    sentence(each.get("description", "")),
                )
                for name, each in members.items()
            ]
        ),
    )


def _linked(text: str, titles: dict[str, str]) -> str:
    """Point the links of a type to the headings of this page."""
    for name, title in titles.items():
        text = text.replace(f"(#{name.lower()})", f"(#{title.lower().replace(' ', '-')})")
    return text
