"""Parse text of any format into puzzles."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from solver.board.closest import unknown
from solver.board.display import joined, shorten
from solver.board.puzzle import Invalid, Puzzle
from solver.formats.end_of_text import EndOfText
from solver.formats.format import (
    Block,
    Context,
    DigitBlock,
    Format,
    ReadOptions,
    Records,
    Segments,
    Unreadable,
)
from solver.formats.objects.iss import read_alone
from solver.formats.objects.puzzle_object import find_name
from solver.formats.reading.cells import Reading
from solver.formats.reading.charset import READ_AS_WESTERN, decode_upload
from solver.formats.reading.classic import read_digits, read_plain
from solver.formats.reading.collect import collect
from solver.formats.reading.isolate import parse_isolated
from solver.formats.reading.one_byte import FIRST_OTHER
from solver.formats.reading.options import read_box, read_symbols, read_variant
from solver.formats.reading.text import decode
from solver.formats.recognize import HEAD_BYTES, find_format
from solver.formats.registry import FORMATS, format_named


def read_block(
    block: Block | DigitBlock, *, format: str, context: Context, options: ReadOptions
) -> Records:
    """Parse the records of a block from a `Splitter`.

    `format` is the name of the recognized format, and `context` is its context. A block with a
    fault becomes one invalid record with that message. If the charset was guessed, records with
    bytes outside ASCII get a note. For blocks without a fault, raises ValueError if the format
    isn't in the registry.
    """
    if isinstance(block, DigitBlock):
        records = read_digits(block, options) if format == "line" else None
        if records is not None:
            return records
        block = block.as_text()
    if block.fault is not None:
        text = decode(block.data)
        reading = Reading(Invalid(block.fault, shorten(text)), name=find_name(text))
        return collect(np.array([block.line], np.int64), [(0, reading)])
    reader = _reader(format)
    segments = _segments(reader, block, context)
    records = parse_isolated(reader, block.data, segments, context=context, options=options)
    return records if block.charset is None else _with_charset_note(records, block.data, segments)


def cut_block(
    block: Block, parts: Sequence[tuple[int, int]], *, format: str, context: Context
) -> list[Block]:
    """Return the given parts of a block without a fault as blocks.

    A part is (first, stop): the records with the indices `first` to `stop` − 1. `format` and
    `context` are as in `read_block`.
    """
    segments = _segments(_reader(format), block, context)
    pieces = []
    for first, stop in parts:
        start, end = int(segments.starts[first]), int(segments.ends[stop - 1])
        part = segments.part(first, stop)
        pieces.append(
            replace(
                block,
                data=block.data[start:end],
                records=stop - first,
                line=block.line + block.data.count(b"\n", 0, start),
                segments=Segments(part.starts - start, part.ends - start, part.lines, end - start),
            )
        )
    return pieces


def _reader(format: str) -> Format:
    reader = format_named(format)
    if reader is None:
        names = [format_.name for format_ in FORMATS]
        raise ValueError(unknown("format", format, names))
    return reader


def _segments(reader: Format, block: Block, context: Context) -> Segments:
    """Return the positions of the records in a block.

    They are stored with the block, or have to be found again.
    """
    if block.segments is not None:
        return block.segments
    return reader.segment(block.data, line=block.line, final=True, context=context)


def _with_charset_note(records: Records, data: bytes, segments: Segments) -> Records:
    """Add a note to each record with bytes outside ASCII in an upload with a guessed charset.

    The note states that the text was read as Windows-1252. `data` is the block, and `segments` has
    the positions of its records.
    """
    places = np.flatnonzero(np.frombuffer(data, np.uint8) >= FIRST_OTHER)
    has_guessed = np.searchsorted(places, segments.ends) > np.searchsorted(places, segments.starts)
    notes = dict(records.notes)
    for row in np.flatnonzero(has_guessed).tolist():
        known = notes.get(row)
        notes[row] = joined((known, READ_AS_WESTERN)) if known else READ_AS_WESTERN
    return replace(records, notes=notes)


def parse(
    text: str | bytes,
    *,
    format: str = "auto",
    box: str | tuple[int, int] | None = None,
    symbols: str | tuple[str, ...] | None = None,
    blank: str | None = None,
    variant: str | tuple[str, ...] = (),
) -> list[Puzzle | Invalid]:
    """Return the puzzles in a text of any format, in order.

    A malformed record and a truncated end each give an Invalid at their place. A text that can't be
    recognized or has no puzzles, an unknown format or variant, or a malformed `box` gives a single
    Invalid. Other options that don't fit make each puzzle an Invalid. `box` is (rows, columns) or a
    text such as "2x3", and `symbols` is a tuple or a text such as "ABCD". `blank` is the sign for
    empty cells. `variant` takes variant names as a tuple or separated by commas or spaces. Raises
    TypeError if `text` is neither str nor bytes.
    """
    if not isinstance(text, str | bytes):
        raise TypeError(f"text must be str or bytes, not {type(text).__name__}")
    if format in ("auto", "line") and not variant and box is symbols is blank is None:
        plain = read_plain(text)
        if plain is not None:
            return [plain]
        alone = read_alone(text) if isinstance(text, str) and format == "auto" else None
        if alone is not None:
            return [alone]
    data = text.encode("utf-8", "replace") if isinstance(text, str) else decode_upload(text)
    if isinstance(box, str):
        written, box = box, read_box(box)
        if box is None:
            return [Invalid(f"'box' must be rows x columns, such as 3x3 or 2x3, not {written!r}")]
    options = ReadOptions(
        format=format,
        box=box,
        symbols=read_symbols(symbols) if isinstance(symbols, str) else symbols,
        blank=blank,
        variant=read_variant(variant) if isinstance(variant, str) else variant,
    )
    head = data[:HEAD_BYTES]
    choice = find_format(head, final=len(data) <= HEAD_BYTES, options=options)
    if isinstance(choice, Unreadable):
        return [Invalid(choice.detail, shorten(decode(head)))]
    reader, context = choice
    segments = reader.segment(data, line=1, final=True, context=context)
    if len(segments) == 0:
        detail = segments.fault or f"the input contains no puzzle in the format {reader.name!r}"
        return [Invalid(detail, shorten(decode(head)))]
    found = _in_order(parse_isolated(reader, data, segments, context=context, options=options))
    if segments.fault is not None:
        end = EndOfText()
        end.feed(data)
        found.append(Invalid(end.place(segments.fault), shorten(decode(end.tail))))
    return found


def _in_order(records: Records) -> list[Puzzle | Invalid]:
    in_order: list[Puzzle | Invalid | None] = [None] * len(records)
    for row, invalid in records.invalid.items():
        in_order[row] = replace(invalid, name=records.names.get(row))
    for group in records.groups:
        for place, row in enumerate(group.rows.tolist()):
            in_order[row] = group.puzzle(place, name=records.names.get(row))
    return [entry for entry in in_order if entry is not None]
