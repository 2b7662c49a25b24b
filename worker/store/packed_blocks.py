"""Storage format of blocks of text, with the places of their records where that saves time.

Finding the records of a drawn grid again takes up to half of a worker's time for the chunk. Finding
lines takes 1% to 4%, and their places would take more memory than they save time.
"""

import msgspec
import numpy as np

from solver.formats.format import Block, Segments

# Places are stored for records of this many lines or more, on average.
_MIN_LINES_PER_RECORD = 2


class PackedBlock(msgspec.Struct, frozen=True, omit_defaults=True):
    """The stored form of a `Block`.

    `spans` contains the positions of its records, if finding them again takes long. Older versions
    store and read the same members, except for `spans`.
    """

    data: bytes
    records: int
    line: int
    fault: str | None = None
    charset: str | None = None
    # Three int32 arrays, one after the other, with an element per record: the bytes since the end
    # of the previous record, the bytes of this one, and the lines since the first line of the
    # previous one. Differences repeat, so Zstandard makes them short.
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
    """Pack the positions of records in their text, or return None if they are quick to find again.

    `line` is the number of the first line.
    """
    if segments.lines[-1] - line < _MIN_LINES_PER_RECORD * (len(segments) - 1) or len(segments) < 2:
        return None
    gaps = segments.starts - np.concatenate(([0], segments.ends[:-1]))
    lengths = segments.ends - segments.starts
    line_steps = np.diff(segments.lines, prepend=line)
    return np.concatenate((gaps, lengths, line_steps)).astype(np.int32).tobytes()
