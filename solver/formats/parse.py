"""From text of any format to puzzles."""

import numpy as np

from solver.board.puzzle import Invalid, Puzzle
from solver.formats.format import Block, Context, ReadOptions, Records, Unreadable
from solver.formats.reading.cells import Reading, shorten
from solver.formats.reading.collect import collect
from solver.formats.reading.options import read_box, read_symbols
from solver.formats.reading.text import decode
from solver.formats.recognise import HEAD_BYTES, find_format
from solver.formats.registry import FORMATS


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
        read = read_box(box)
        if read is None:
            return [Invalid(f"box must be rows x columns, such as 3x3 or 2x3, not {box!r}")]
        box = read
    options = ReadOptions(
        format=format,
        box=box,
        symbols=read_symbols(symbols) if isinstance(symbols, str) else symbols,
        blank=blank,
        variant=variant,
    )
    head = data[:HEAD_BYTES]
    found = find_format(head, final=len(data) <= HEAD_BYTES, options=options)
    if isinstance(found, Unreadable):
        return [Invalid(found.detail, shorten(decode(head)))]
    reader, context = found
    segments = reader.segment(data, line=1, final=True, context=context)
    if len(segments) == 0:
        detail = f"there is no puzzle in the upload, read as {reader.name}"
        return [Invalid(detail, shorten(decode(head)))]
    return _in_order(reader.parse(data, segments, context=context, options=options))


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
