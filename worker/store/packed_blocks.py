"""Storage format of blocks of text, with the positions of their records where that saves time.

Finding the records of a drawn grid again takes up to half of a worker's time for the chunk. If each
record is a line, finding the records takes only 1% to 4% of the time, so their positions aren't
stored.
"""

import msgspec
import numpy as np

from solver.formats.format import Block, Segments

# Places are stored for records of this many lines or more, on average.
_MIN_LINES_PER_RECORD = 2


class PackedBlock(msgspec.Struct, frozen=True, omit_defaults=True):
    """The stored form of a `Block`, whose members have the same meaning.

    `spans` contains the positions of the block's records, or is None if finding them again is
    quick. It consists of three int32 arrays, each with an element per record: the number of bytes
    between the previous record (or the start of the block) and this one, the number of bytes of
    this record, and the number of lines from the start of the previous record (or of the block) to
    the start of this one. Older versions store and read the same members, except for `spans`.
    """

    data: bytes
    records: int
    line: int
    fault: str | None = None
    charset: str | None = None
    # Differences repeat, so Zstandard makes them short.
    spans: bytes | None = None


def pack_block(block: Block) -> PackedBlock:
    """Return the stored form of a block."""
    spans = None if block.segments is None else _pack_spans(block.segments, line=block.line)
    return PackedBlock(block.data, block.records, block.line, block.fault, block.charset, spans)


def unpack_block(packed: PackedBlock) -> Block:
    """Return the block that `pack_block` packed."""
    segments = None
    if packed.spans is not None:
        gaps, lengths, line_steps = (
            np.frombuffer(packed.spans, np.int32).reshape(3, packed.records).astype(np.int64)
        )
        ends = np.cumsum(gaps + lengths)
        lines = packed.line + np.cumsum(line_steps)
        segments = Segments(ends - lengths, ends, lines, len(packed.data))
    return Block(packed.data, packed.records, packed.line, packed.fault, packed.charset, segments)


def _pack_spans(segments: Segments, *, line: int) -> bytes | None:
    """Return the `spans` of a `PackedBlock`, or None if its records are quick to find again.

    They are quick to find if there is only one record, or fewer than two lines per record on
    average. `line` is the number of the block's first line.
    """
    if segments.lines[-1] - line < _MIN_LINES_PER_RECORD * (len(segments) - 1) or len(segments) < 2:
        return None
    gaps = segments.starts - np.concatenate(([0], segments.ends[:-1]))
    lengths = segments.ends - segments.starts
    line_steps = np.diff(segments.lines, prepend=line)
    return np.concatenate((gaps, lengths, line_steps)).astype(np.int32).tobytes()
