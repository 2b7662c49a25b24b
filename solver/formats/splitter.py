"""Cuts an upload into blocks while it arrives, with bounded memory, at any format's records."""

from collections.abc import Iterator

import numpy as np

from solver.formats.format import Block, Recognised, Segments

_FAULT_SHOWN = 200


def block_records(cells: int) -> int:
    """Return how many records of so many cells make a block: about 100 to 300 ms of solving."""
    for most_cells, records in ((81, 4_000), (144, 500), (256, 100), (400, 20), (625, 8)):
        if cells <= most_cells:
            return records
    return 2


class Splitter:
    """Feed it an upload piece by piece; it yields blocks of whole records.

    No more than a block and one record of `max_record_bytes` are held at any time. A longer
    record becomes a block with a fault, and the upload goes on behind it.
    """

    def __init__(
        self,
        recognised: Recognised,
        *,
        max_records: int | None = None,
        max_bytes: int = 1 << 20,
        max_record_bytes: int = 1 << 20,
    ) -> None:
        self._format = recognised.format
        self._context = recognised.context
        self._max_records = max_records or recognised.block_records
        self._max_bytes = max_bytes
        self._max_record_bytes = max_record_bytes
        self._buffer = b""
        self._line = 1
        self._skipping = False

    def feed(self, data: bytes) -> Iterator[Block]:
        """Take the next piece of the upload; yield the blocks that are complete."""
        for start in range(0, len(data), self._max_bytes):
            self._buffer += data[start : start + self._max_bytes]
            yield from self._cut(final=False)

    def close(self) -> Iterator[Block]:
        """Say that the upload is complete; yield the rest of it."""
        yield from self._cut(final=True)

    def _cut(self, *, final: bool) -> Iterator[Block]:
        if self._skipping and not self._resume():
            return
        segments = self._format.segment(
            self._buffer, line=self._line, final=final, context=self._context
        )
        overlong = len(self._buffer) - segments.consumed > self._max_record_bytes
        first, count = 0, len(segments)
        while first < count:
            last, full = self._reach(segments, first)
            if not (full or final or overlong):
                break
            yield self._block(segments, first, last)
            first = last
        self._drop(segments.consumed if first == count else int(segments.starts[first]))
        if overlong:
            yield Block(
                self._buffer[:_FAULT_SHOWN],
                1,
                self._line,
                fault=f"the record is longer than {self._max_record_bytes:,} bytes",
            )
            self._skipping = True
            self._resume()

    def _reach(self, segments: Segments, first: int) -> tuple[int, bool]:
        """Return the end of the block that begins at a record, and whether it is full."""
        furthest = min(first + self._max_records, len(segments))
        bound = int(segments.starts[first]) + self._max_bytes
        last = first + int(np.searchsorted(segments.ends[first:furthest], bound, side="right"))
        if last == first:
            return first + 1, True
        return last, last < len(segments) or last - first == self._max_records

    def _block(self, segments: Segments, first: int, last: int) -> Block:
        start, end = int(segments.starts[first]), int(segments.ends[last - 1])
        fault = None
        if end - start > self._max_record_bytes and last - first == 1:
            fault = f"the record is {end - start:,} bytes long; at most "
            fault += f"{self._max_record_bytes:,} are read"
            end = start + _FAULT_SHOWN
        line = int(segments.lines[first])
        return Block(self._buffer[start:end], last - first, line, fault=fault)

    def _resume(self) -> bool:
        end = self._format.resume(self._buffer, context=self._context)
        if end is None:
            # The last bytes stay: what ends the record may lie across two pieces.
            self._drop(max(len(self._buffer) - 64, 0))
            return False
        self._drop(end)
        self._skipping = False
        return True

    def _drop(self, size: int) -> None:
        self._line += self._buffer.count(b"\n", 0, size)
        self._buffer = self._buffer[size:]
