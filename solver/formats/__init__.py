"""Convert text to puzzles. Each format has a reader here, and `registry` lists them."""

from solver.formats.parse import cut_block, parse, read_block
from solver.formats.recognize import HEAD_BYTES, recognize
from solver.formats.registry import FORMATS
from solver.formats.splitter import Splitter

__all__ = [
    "FORMATS",
    "HEAD_BYTES",
    "Splitter",
    "cut_block",
    "parse",
    "read_block",
    "recognize",
]
