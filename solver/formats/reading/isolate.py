"""Limits the effect of bugs in parsers: only the record that raises becomes invalid."""

import hashlib
import logging

import numpy as np

from solver.board.display import shorten
from solver.board.puzzle import Invalid
from solver.formats.format import Context, Format, Group, ReadOptions, Records, Segments
from solver.formats.reading.collect import regroup
from solver.formats.reading.text import decode

_LOG = logging.getLogger(__name__)
_ID_LENGTH = 8


def parse_isolated(
    reader: Format, data: bytes, segments: Segments, *, context: Context, options: ReadOptions
) -> Records:
    """Parse the records of a block. A record that makes the parser raise becomes invalid.

    The exception is logged with an id. The record's error message repeats the id, unless memory ran
    out. The block is halved until the faulty record is alone, so that the others are still parsed
    together. If the parser raises without any records, the exception is raised again.
    """
    try:
        return reader.parse(data, segments, context=context, options=options)
    except Exception as error:
        if len(segments) > 1:
            middle = len(segments) // 2
            halves = (segments.part(0, middle), segments.part(middle, len(segments)))
            return _joined(
                [
                    parse_isolated(reader, data, half, context=context, options=options)
                    for half in halves
                ]
            )
        if len(segments) == 0:
            raise
        needs_memory = isinstance(error, MemoryError)
        record = data[segments.starts[0] : segments.ends[0]]
        number = hashlib.sha256(record).hexdigest()[:_ID_LENGTH]
        _LOG.exception("the parser %s failed on a record (id %s)", reader.name, number)
    detail = f"Internal error while reading this record. Please report it with the id {number}."
    if needs_memory:
        detail = "this record needs more memory than the process that reads it may use"
    return Records(segments.lines, (), {0: Invalid(detail, shorten(decode(record)))})


def _joined(parts: list[Records]) -> Records:
    """Merge the records of consecutive parts of a block, and renumber them accordingly."""
    groups: list[Group] = []
    invalid: dict[int, Invalid] = {}
    notes: dict[int, str] = {}
    names: dict[int, str] = {}
    own: dict[int, tuple[str, ...]] = {}
    first = 0
    for part in parts:
        groups += [group.moved(first) for group in part.groups]
        invalid |= {first + row: entry for row, entry in part.invalid.items()}
        notes |= {first + row: note for row, note in part.notes.items()}
        names |= {first + row: name for row, name in part.names.items()}
        own |= {first + row: fields for row, fields in part.own.items()}
        first += len(part)
    lines = np.concatenate([part.lines for part in parts])
    own_names = next((part.own_names for part in parts if part.own_names), ())
    return Records(lines, regroup(groups), invalid, notes, names, own, own_names)
