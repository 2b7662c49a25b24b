"""Text to puzzles: one module per family of formats, one registry of them here."""

import re

import numpy as np

from solver.formats.cells import Reading, shorten
from solver.formats.collect import collect
from solver.formats.format import (
    Block,
    Context,
    Format,
    ReadOptions,
    Recognised,
    Records,
    Segments,
    Unreadable,
)
from solver.formats.grid import GridFormat
from solver.formats.hodoku import HodokuFormat
from solver.formats.iss import ISS
from solver.formats.jigsaw import JigsawFormat
from solver.formats.json_document import JsonFormat
from solver.formats.json_values import NdjsonFormat
from solver.formats.killer import KILLER
from solver.formats.line import LineFormat, decode
from solver.formats.lines import BOM, segment_lines
from solver.formats.lists import ListsFormat
from solver.formats.opensudoku import OpenSudokuFormat
from solver.formats.pencilmarks import PencilmarksFormat
from solver.formats.sgt import SGT
from solver.formats.splitter import Splitter, block_records
from solver.formats.sudokupad import SUDOKUPAD
from solver.formats.sumocue import SUMOCUE
from solver.formats.table import TableFormat
from solver.formats.words import WordsFormat
from solver.graphemes import normalise, split_graphemes
from solver.layout import MAX_SIZE
from solver.puzzle import Invalid, Puzzle
from solver.variants import known_variant

__all__ = [
    "FORMATS",
    "HEAD_BYTES",
    "Splitter",
    "parse",
    "read_block",
    "recognise",
]

# The first that recognises an upload reads it; the most particular come first.
FORMATS: tuple[Format, ...] = (
    OpenSudokuFormat(),
    HodokuFormat(),
    NdjsonFormat(),
    JsonFormat(),
    ListsFormat(),
    KILLER,
    ISS,
    SUDOKUPAD,
    SUMOCUE,
    SGT,
    PencilmarksFormat(),
    JigsawFormat(),
    WordsFormat(),
    TableFormat(),
    GridFormat(),
    LineFormat(),
)

HEAD_BYTES = 1 << 16

# Control characters and what is no UTF-8; so large a share of them is binary data.
_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1f\x7f\ufffd]")
_STRANGE_SHARE = 0.2
_RECORDS_TRIED = 20


def recognise(
    head: bytes, *, final: bool, options: ReadOptions | None = None
) -> Recognised | Unreadable:
    """Recognise the format of an upload from its first kilobytes, all of it if `final`.

    A format named in the options is taken at its word, if it can make anything of the head.
    """
    options = options or ReadOptions()
    final = final and len(head) <= HEAD_BYTES
    head = head[:HEAD_BYTES]
    found = _find_format(head, final=final, options=options)
    if isinstance(found, Unreadable):
        return found
    format_, context = found
    records = format_.segment(head, line=1, final=True, context=context)
    if final and len(records) == 0:
        return Unreadable(f"there is no puzzle in the upload, read as {format_.name}")
    return Recognised(format_, context, _block_records(format_, context, head, records, options))


def _find_format(
    head: bytes, *, final: bool, options: ReadOptions
) -> tuple[Format, Context] | Unreadable:
    refused = _refuse(head, options)
    if refused is not None:
        return refused
    formats = FORMATS
    if options.format != "auto":
        formats = tuple(format_ for format_ in FORMATS if format_.name == options.format)
        if not formats:
            names = ", ".join(format_.name for format_ in FORMATS)
            return Unreadable(
                f"there is no format {options.format!r}; there are: auto, {names}", option="format"
            )
    for format_ in formats:
        context = format_.recognise(head, final=final, options=options)
        if isinstance(context, Unreadable):
            return context
        if context is not None:
            return format_, context
    return _unrecognised(head, final=final, format=options.format)


def read_block(block: Block, *, format: str, context: Context, options: ReadOptions) -> Records:
    """Parse the records of a block that a `Splitter` cut."""
    if block.fault is not None:
        reading = Reading(Invalid(block.fault, shorten(decode(block.data))))
        return collect(np.array([block.line], np.int64), [(0, reading)])
    reader = next(format_ for format_ in FORMATS if format_.name == format)
    segments = reader.segment(block.data, line=block.line, final=True, context=context)
    return reader.parse(block.data, segments, context=context, options=options)


def parse(
    text: str | bytes,
    *,
    format: str = "auto",
    box: str | tuple[int, int] | None = None,
    symbols: str | tuple[str, ...] | None = None,
    blank: str | None = None,
    variant: tuple[str, ...] = (),
) -> list[Puzzle | Invalid]:
    """Return the puzzles in a text of any format, in order.

    A text that cannot be recognised is one Invalid.
    """
    data = text.encode("utf-8", "replace") if isinstance(text, str) else text
    if isinstance(box, str):
        match = re.fullmatch(r"\s*(\d{1,2})\s*[xX×]\s*(\d{1,2})\s*", box, re.ASCII)
        if match is None:
            return [Invalid(f"box must be rows x columns, such as 3x3 or 2x3, not {box!r}")]
        box = (int(match[1]), int(match[2]))
    options = ReadOptions(
        format=format,
        box=box,
        symbols=_symbols(symbols) if isinstance(symbols, str) else symbols,
        blank=blank,
        variant=variant,
    )
    head = data[:HEAD_BYTES]
    found = _find_format(head, final=len(data) <= HEAD_BYTES, options=options)
    if isinstance(found, Unreadable):
        return [Invalid(found.detail, shorten(decode(head)))]
    reader, context = found
    segments = reader.segment(data, line=1, final=True, context=context)
    if len(segments) == 0:
        detail = f"there is no puzzle in the upload, read as {reader.name}"
        return [Invalid(detail, shorten(decode(head)))]
    return _in_order(reader.parse(data, segments, context=context, options=options))


def _symbols(text: str) -> tuple[str, ...]:
    """Return symbols written one after another, or with spaces between them."""
    several = normalise(text).split()
    return tuple(several if len(several) > 1 else split_graphemes(normalise(text)))


def _in_order(records: Records) -> list[Puzzle | Invalid]:
    found: list[Puzzle | Invalid | None] = [None] * len(records)
    for row, invalid in records.invalid.items():
        found[row] = invalid
    for group in records.groups:
        marked = group.candidates
        for place, (row, givens) in enumerate(
            zip(group.rows.tolist(), group.givens.tolist(), strict=True)
        ):
            candidates = None if marked is None else tuple(marked[place].tolist())
            found[row] = Puzzle(group.layout, tuple(givens), group.symbols, candidates)
    return [entry for entry in found if entry is not None]


def _refuse(head: bytes, options: ReadOptions) -> Unreadable | None:
    """Say what makes an upload unreadable in any format."""
    for name in options.variant:
        if known_variant(name) is None:
            return Unreadable(f"the variant {name!r} is not known here", option="variant")
    if not head.removeprefix(BOM).strip():
        return Unreadable("the upload is empty")
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return Unreadable("this is UTF-16; save it as UTF-8", 1, 1)
    if b"\r" in head.strip() and b"\n" not in head:
        column = head.index(b"\r") + 1
        return Unreadable("lines end with carriage returns alone; use line feeds", 1, column)
    strange = [match.start() for match in _NO_TEXT.finditer(decode(head))]
    if strange and len(strange) >= _STRANGE_SHARE * len(decode(head)):
        before = decode(head)[: strange[0]]
        line, column = before.count("\n") + 1, strange[0] - before.rfind("\n")
        what = "a zero byte" if decode(head)[strange[0]] == "\0" else "binary data"
        return Unreadable(f"this is no text: {what}", line, column)
    return None


def _unrecognised(head: bytes, *, final: bool, format: str) -> Unreadable:
    segments = segment_lines(head, line=1, final=True)
    if final and len(segments) == 0:
        return Unreadable("there is no puzzle in the upload, only blank lines and comments")
    start, end = (
        (int(segments.starts[0]), int(segments.ends[0])) if len(segments) else (0, len(head))
    )
    line = int(segments.lines[0]) if len(segments) else 1
    text = decode(head[start:end])
    column = len(text) - len(text.lstrip()) + 1
    begins = f"the upload begins with {shorten(text.strip())[:60]!r}"
    if format != "auto":
        return Unreadable(f"this is not the format {format}; {begins}", line, column)
    return Unreadable(f"no puzzle is recognised; {begins}", line, column)


def _block_records(
    format_: Format, context: Context, head: bytes, records: Segments, options: ReadOptions
) -> int:
    """Return how many records make a block, judged by the first puzzle of the head.

    Where the first records are no puzzles, they are judged by their length.
    """
    for row in range(min(len(records), _RECORDS_TRIED)):
        one = slice(row, row + 1)
        record = Segments(
            records.starts[one], records.ends[one], records.lines[one], records.consumed
        )
        for group in format_.parse(head, record, context=context, options=options).groups:
            return block_records(group.layout.cells)
    lengths = records.ends - records.starts
    return block_records(int(lengths.max()) if len(records) else MAX_SIZE**2)
