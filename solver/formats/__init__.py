"""Text to puzzles: what reads them is in here by format, and listed in `registry`."""

from solver.formats.parse import parse, read_block
from solver.formats.recognise import HEAD_BYTES, recognise
from solver.formats.registry import FORMATS
from solver.formats.splitter import Splitter

__all__ = [
    "FORMATS",
    "HEAD_BYTES",
    "Splitter",
    "parse",
    "read_block",
    "recognise",
]
