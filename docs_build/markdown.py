"""Markdown as the generators write it."""

import json
from collections.abc import Iterable, Sequence
from typing import Any


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table. Cells are Markdown, and may contain line feeds and vertical bars."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def code(text: str) -> str:
    """Return a text as inline code, even if it contains backticks."""
    fence = "``" if "`" in text else "`"
    space = " " if "`" in text else ""
    return f"{fence}{space}{text}{space}{fence}"


def block(text: str, language: str = "text") -> str:
    """Return a text as a code block."""
    fence = "````" if "```" in text else "```"
    return f"{fence} {language}\n{text.strip(chr(10))}\n{fence}"


def json_block(value: Any) -> str:
    """Return a value as JSON in a code block, on one line if it is short."""
    line = json.dumps(value, ensure_ascii=False)
    text = line if len(line) <= 88 else json.dumps(value, ensure_ascii=False, indent=2)
    return block(text, "json")


def sentence(text: str) -> str:
    """Return a text with a capital letter and a full stop."""
    text = text.strip()
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", ":")) or not text else f"{text}."


def joined(*parts: str) -> str:
    """Join blocks with blank lines, without empty ones."""
    return "\n\n".join(part.strip("\n") for part in parts if part.strip())
