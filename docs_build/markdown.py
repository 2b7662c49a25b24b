"""Markdown as the generators write it."""

import json
import re
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

_WIDTH = 52  # letters of a line of JSON


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table.

    Cells are Markdown, and may contain line feeds, which become spaces, and vertical bars, which
    are escaped.
    """
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def code(text: str) -> str:
    """Return a text as inline code, even if it contains backticks."""
    fence = "``" if "`" in text else "`"
    space = " " if "`" in text else ""
    return f"{fence}{space}{text}{space}{fence}"


def escaped(text: str) -> str:
    """Return a plain text as Markdown that shows all of its characters.

    Characters with a meaning in Markdown or HTML become numeric character references.
    """
    return re.sub(r"[\\`*_~^\[\]<>&]", lambda found: f"&#{ord(found[0])};", text)


def block(text: str, language: str = "text") -> str:
    """Return a text as a code block, without line feeds at its start and end."""
    fence = "````" if "```" in text else "```"
    return f"{fence} {language}\n{text.strip(chr(10))}\n{fence}"


def json_block(value: Any) -> str:
    """Return a value as JSON in a code block that is narrow enough to be next to a picture.

    Lines have at most 52 letters if possible.
    """
    return block(_json(value, 0), "json")


def _json(value: Any, indent: int) -> str:
    """Return a value as JSON, on one line if it fits, starting at column `indent`.

    Otherwise, each member or nested item gets a line of its own, and a list without nested items
    has as many items per line as fit.
    """
    line = json.dumps(value, ensure_ascii=False)
    if indent + len(line) <= _WIDTH or not isinstance(value, dict | list):
        return line
    start = " " * (indent + 2)
    if isinstance(value, dict):
        members = [f'"{name}": {_json(each, indent + 2)}' for name, each in value.items()]
        return "{\n" + ",\n".join(start + member for member in members) + f"\n{' ' * indent}}}"
    if any(isinstance(each, dict | list) for each in value):
        items = [_json(each, indent + 2) for each in value]
        return "[\n" + ",\n".join(start + item for item in items) + f"\n{' ' * indent}]"
    lines = textwrap.wrap(
        line[1:-1], _WIDTH, initial_indent=start, subsequent_indent=start, break_long_words=False
    )
    return "[\n" + "\n".join(lines) + f"\n{' ' * indent}]"


def sentence(text: str) -> str:
    """Return a text with a capital letter and a full stop, unless it ends with "!", "?", or ":".

    White space around the text is removed. An empty text stays empty.
    """
    text = text.strip()
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", ":")) or not text else f"{text}."


def joined(*parts: str) -> str:
    """Join blocks with a blank line between them. Empty blocks are left out."""
    return "\n\n".join(part.strip("\n") for part in parts if part.strip())
