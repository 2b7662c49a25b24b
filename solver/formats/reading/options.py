"""What users write for a box and for symbols, wherever they may: options, JSON, the text itself."""

import re

from solver.board.graphemes import normalise, split_graphemes

_BOX = re.compile(r"\s*([0-9]{1,3})\s*[xX×]\s*([0-9]{1,3})\s*")


def read_box(text: str) -> tuple[int, int] | None:
    """Return the rows and columns of a box written as ``2x3``; None for what is none."""
    match = _BOX.fullmatch(text)
    return None if match is None else (int(match[1]), int(match[2]))


def read_variant(text: str) -> tuple[str, ...]:
    """Return the names of variants written with commas or blanks between them."""
    return tuple(filter(None, re.split(r"[,\s]+", text)))


def read_symbols(text: str) -> tuple[str, ...]:
    """Return symbols written one after another, or with commas or blanks between them."""
    parts = [part for part in re.split(r"[,\s]+", normalise(text)) if part]
    return tuple(parts if len(parts) > 1 else split_graphemes("".join(parts)))
