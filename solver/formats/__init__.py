"""Text to puzzles: one module per family of formats, one registry of them here."""

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
    Unreadable,
)
from solver.formats.grid import GridFormat
from solver.formats.json_values import JsonFormat, NdjsonFormat
from solver.formats.line import LineFormat, decode
from solver.formats.lines import head_lines
from solver.formats.lists import ListsFormat
from solver.formats.splitter import Splitter, block_records
from solver.formats.table import TableFormat
from solver.layout import MAX_SIZE
from solver.puzzle import Invalid, Puzzle

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
    NdjsonFormat(),
    JsonFormat(),
    ListsFormat(),
    TableFormat(),
    GridFormat(),
    LineFormat(),
)

HEAD_BYTES = 1 << 16
# A zero byte so early means that this is no text; later, it spoils one record only.
_LOOKED_AT = 512
_RECORDS_TRIED = 20


def recognise(
    head: bytes, *, final: bool, options: ReadOptions | None = None
) -> Recognised | Unreadable:
    """Recognise the format of an upload from its first kilobytes, all of it if `final`.

    A format named in the options is taken at its word, if it can make anything of the head.
    """
    options = options or ReadOptions()
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
        if context is None and options.format in ("line", "grid"):
            context = {}
        if context is not None:
            return Recognised(format_, context, _block_records(format_, context, head, options))
    return _unrecognised(head, final=final)


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
    data = text.encode() if isinstance(text, str) else text
    if isinstance(box, str):
        rows, _, columns = box.partition("x")
        box = (int(rows), int(columns))
    options = ReadOptions(
        format=format,
        box=box,
        symbols=None if symbols is None else tuple(symbols),
        blank=blank,
        variant=variant,
    )
    recognised = recognise(data[:HEAD_BYTES], final=len(data) <= HEAD_BYTES, options=options)
    if isinstance(recognised, Unreadable):
        return [Invalid(recognised.detail, shorten(decode(data[:HEAD_BYTES])))]
    reader, context = recognised.format, recognised.context
    segments = reader.segment(data, line=1, final=True, context=context)
    return _in_order(reader.parse(data, segments, context=context, options=options))


def _in_order(records: Records) -> list[Puzzle | Invalid]:
    found: list[Puzzle | Invalid | None] = [None] * len(records)
    for row, invalid in records.invalid.items():
        found[row] = invalid
    for group in records.groups:
        for row, givens in zip(group.rows.tolist(), group.givens.tolist(), strict=True):
            found[row] = Puzzle(group.layout, tuple(givens), group.symbols)
    return [entry for entry in found if entry is not None]


def _refuse(head: bytes, options: ReadOptions) -> Unreadable | None:
    if not head.strip(b" \t\r\n\xef\xbb\xbf"):
        return Unreadable("the upload is empty")
    if head[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return Unreadable("this is UTF-16; save it as UTF-8", 1, 1)
    start = head[:_LOOKED_AT].find(b"\0")
    if start >= 0:
        before = head[:start]
        column = start - before.rfind(b"\n")
        return Unreadable("this is no text: a zero byte", before.count(b"\n") + 1, column)
    if options.variant:
        return Unreadable(f"the variant {options.variant[0]!r} is not known here", option="variant")
    return None


def _unrecognised(head: bytes, *, final: bool) -> Unreadable:
    lines = head_lines(head, final=final, most=1)
    if not lines:
        return Unreadable("there is no puzzle in the upload, only blank lines and comments")
    place = head.decode("utf-8", "replace").splitlines()
    number = next((n for n, line in enumerate(place, 1) if line.strip("\r\ufeff") == lines[0]), 1)
    return Unreadable(
        f"no puzzle is recognised; the upload begins with {shorten(lines[0])[:60]!r}", number, 1
    )


def _block_records(format_: Format, context: Context, head: bytes, options: ReadOptions) -> int:
    """Return how many records make a block, judged by the first puzzle of the head.

    Where the first records are no puzzles, they are judged by their length.
    """
    segments = format_.segment(head, line=1, final=True, context=context)
    for row in range(min(len(segments), _RECORDS_TRIED)):
        one = type(segments)(
            segments.starts[row : row + 1],
            segments.ends[row : row + 1],
            segments.lines[row : row + 1],
            segments.consumed,
        )
        records = format_.parse(head, one, context=context, options=options)
        for group in records.groups:
            return block_records(group.layout.cells)
    lengths = segments.ends - segments.starts
    return block_records(int(lengths.max(initial=0)) if len(segments) else MAX_SIZE**2)
