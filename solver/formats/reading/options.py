"""Parses boxes, variants, and symbols in options, JSON, and uploads."""

import re

from solver.board.graphemes import normalize, split_graphemes

_BOX = re.compile(r"\s*([0-9]{1,3})\s*[xX×]\s*([0-9]{1,3})\s*")


def read_box(text: str) -> tuple[int, int] | None:
    """Return the (rows, columns) in a text such as ``2x3``, or None if it is malformed."""
    match = _BOX.fullmatch(text)
    return None if match is None else (int(match[1]), int(match[2]))


def read_variant(text: str) -> tuple[str, ...]:
    """Return variant names that are separated by commas or spaces."""
    return tuple(filter(None, re.split(r"[,\s]+", text)))


def read_symbols(text: str) -> tuple[str, ...]:
    """Return the symbols in a text, listed with commas or spaces between them or without.

    Without them, each character is a symbol.
    """
    parts = [part for part in re.split(r"[,\s]+", normalize(text)) if part]
    return tuple(parts if len(parts) > 1 else split_graphemes("".join(parts)))
