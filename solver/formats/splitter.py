"""Split an upload of any format into blocks of records while it arrives, in bounded memory."""

from collections.abc import Iterator

import numpy as np

from solver.formats.end_of_text import EndOfText
from solver.formats.format import Block, Recognized, Segments

_FAULT_SHOWN = 200
# Bytes kept while a long record is skipped, because its end mark may span two pieces.
_OVERLAP = 1 << 12
# White space that makes a record too long is shortened to this many bytes.
_WHITE_SPACE_KEPT = 1 << 8
_MOST = 4_000
_MOST_WITH_RULES = 100
# A block may have up to 1/16 as many records as all blocks before it.
_GROWTH = 16
_NEWLINE = ord("\n")
_EMPTY = np.zeros(0, np.int64)
_NOTHING = Segments(_EMPTY, _EMPTY, _EMPTY, 0)


def block_records(cells: int, *, with_rules: bool = False) -> int:
    """Return the number of records per block for puzzles with this number of cells.

    It is at most 4,000, or 100 for puzzles with their own rules (`with_rules`), and at least 2. A
    block takes a worker 100 to 300 ms. Reading a puzzle with rules takes as long as solving several
    without.
    """
    most = _MOST_WITH_RULES if with_rules else _MOST
    for most_cells, records in ((81, _MOST), (144, 500), (256, 100), (400, 20), (625, 8)):
        if cells <= most_cells:
            return min(records, most)
    return 2


def next_size(first: int, most: int, *, before: int) -> int:
    """Return the number of records of the next block, after blocks with `before` records in total.

    It is a sixteenth of `before`, but at least `first` and at most `most`.
    """
    return min(max(first, before // _GROWTH), most)


class Splitter:
    """Splits an upload, which is fed piece by piece, into blocks of complete records.

    Memory is limited to one block, one record of `max_record_bytes`, and one piece of
    `piece_bytes`. The work per piece is limited accordingly, regardless of the text between
    records. A longer record becomes a block with a fault, and the upload continues after it.

    Blocks start with `max_records` records and grow up to `growth` times that. By default,
    `max_records` is the `block_records` of the `Recognized` object. In a long upload, larger blocks
    reduce the overhead per block, and there are still enough of them for all workers. A block of
    several records has at most `max_bytes` bytes.

    Block boundaries don't depend on the sizes of the feeds: the upload is examined in pieces of
    `piece_bytes`, counted from its beginning.
    """

    def __init__(
        self,
        recognized: Recognized,
        *,
        max_records: int | None = None,
        growth: int = 1,
        max_bytes: int = 1 << 20,
        max_record_bytes: int = 1 << 20,
        piece_bytes: int = 1 << 18,
    ) -> None:
        self._format = recognized.format
        self._context = recognized.context
        self._first_records = max_records or recognized.block_records
        self._most_records = growth * self._first_records
        self._max_bytes = max_bytes
        self._max_record_bytes = max_record_bytes
        self._piece_bytes = piece_bytes
        self._incoming = bytearray()
        # Text that isn't in a block yet, the number of its first line, the known records in it, and
        # the first line after these records.
        self._buffer = bytearray()
        self._line = 1
        self._records = _NOTHING
        self._next_line = 1
        self._in_blocks = 0  # records
        # Pending text is examined again only once its size has doubled.
        self._enough = 0
        self._skipping = False
        self._fault_at_end: str | None = None
        self._end = EndOfText()

    def feed(self, data: bytes) -> Iterator[Block]:
        """Take the next bytes of the upload, and yield the blocks that they complete.

        The bytes are taken only while the caller iterates, so the iterator must be exhausted.
        """
        self._end.feed(data)
        for start in range(0, len(data), self._piece_bytes):
            self._incoming += data[start : start + self._piece_bytes]
            while len(self._incoming) >= self._piece_bytes:
                self._buffer += memoryview(self._incoming)[: self._piece_bytes]
                del self._incoming[: self._piece_bytes]
                yield from self._cut(final=False)

    def close(self) -> Iterator[Block]:
        """Finish the upload. Yield the remaining blocks.

        If the format reports that the upload is truncated, one more block follows. It stands for an
        invalid record, and its fault is the format's message with the place where the upload ends.
        """
        self._buffer += self._incoming
        self._incoming.clear()
        yield from self._cut(final=True)
        if self._fault_at_end is not None:
            detail = self._end.place(self._fault_at_end)
            yield Block(self._end.tail, 1, self._end.line, fault=detail)

    def _cut(self, *, final: bool) -> Iterator[Block]:
        if self._skipping and not self._resume():
            return
        if not final and self._pending_bytes() < self._enough:
            return
        self._look(final=final)
        overlong = self._pending_bytes() > self._max_record_bytes
        yield from self._full_blocks(rest=final or overlong)
        if overlong and not self._shorten():
            yield self._fault(0, self._line)
            self._enough = 0
            self._skipping = True
            self._resume()
        else:
            self._enough = min(2 * self._pending_bytes(), self._max_record_bytes + 1)

    def _pending_bytes(self) -> int:
        """Return the size of the buffered text in which no end of a record has been found yet."""
        return len(self._buffer) - self._records.consumed

    def _shorten(self) -> bool:
        """Drop trailing white space if the pending text then fits into the limit of a record.

        Returns whether it was dropped. 256 bytes of it are kept, because to every format, a few
        blanks or blank lines mean the same as a million. The dropped line breaks are added to the
        line number of the pending text, so that later records keep their numbers. Known records
        would get wrong numbers, so the buffer must contain none.
        """
        kept = len(self._buffer.rstrip()) + _WHITE_SPACE_KEPT
        if kept > self._max_record_bytes:
            return False
        dropped = self._newlines(kept, len(self._buffer))
        self._line += dropped
        self._next_line += dropped
        del self._buffer[kept:]
        return True

    def _look(self, *, final: bool) -> None:
        """Search the pending text for complete records, and append them to the known records.

        Also sets the fault to report if the upload ends here.
        """
        known = self._records
        fresh = self._format.segment(
            self._text(known.consumed),
            line=self._next_line,
            final=final,
            context=self._context,
        )
        self._records = Segments(
            np.concatenate((known.starts, fresh.starts + known.consumed)),
            np.concatenate((known.ends, fresh.ends + known.consumed)),
            np.concatenate((known.lines, fresh.lines)),
            known.consumed + fresh.consumed,
        )
        self._fault_at_end = fresh.fault
        self._next_line += self._newlines(known.consumed, self._records.consumed)

    def _full_blocks(self, *, rest: bool) -> Iterator[Block]:
        """Yield the full blocks of known records, and with `rest` also the last block, full or not.

        The text of these blocks is removed from the buffer.
        """
        first, count = 0, len(self._records)
        line, counted = self._line, 0
        while first < count:
            last, full = self._reach(first)
            if not (full or rest):
                break
            start = int(self._records.starts[first])
            line, counted = line + self._newlines(counted, start), start
            yield self._block(first, last, line)
            self._in_blocks += last - first
            first = last
        done = self._records.consumed if first == count else int(self._records.starts[first])
        self._line = line + self._newlines(counted, done)
        del self._buffer[:done]
        self._records = Segments(
            self._records.starts[first:] - done,
            self._records.ends[first:] - done,
            self._records.lines[first:],
            self._records.consumed - done,
        )

    def _reach(self, first: int) -> tuple[int, bool]:
        """Return where the block that begins with record `first` ends, and whether it is full.

        The end is the index after the block's last record. Both indices count the known records.
        The block is full if it has as many records or bytes as allowed, or an overlong record
        follows.
        """
        starts, ends = self._records.starts, self._records.ends
        most = next_size(self._first_records, self._most_records, before=self._in_blocks)
        furthest = min(first + most, len(starts))
        if ends[first] - starts[first] > self._max_record_bytes:
            return first + 1, True
        overlong = np.flatnonzero(
            ends[first:furthest] - starts[first:furthest] > self._max_record_bytes
        )
        if len(overlong):
            furthest = first + int(overlong[0])
        bound = int(starts[first]) + self._max_bytes
        last = first + int(np.searchsorted(ends[first:furthest], bound, side="right"))
        last = max(last, first + 1)
        # The text after the last record belongs to the block, too.
        full = last < len(starts) or self._records.consumed > bound
        return last, full or last - first == most

    def _block(self, first: int, last: int, line: int) -> Block:
        """Return the block of the records `first` to `last` − 1, which begins in the line `line`.

        A single record that is too large becomes a fault.
        """
        start, end = int(self._records.starts[first]), int(self._records.ends[last - 1])
        if last - first == 1 and end - start > self._max_record_bytes:
            return self._fault(start, int(self._records.lines[first]))
        known = self._records.part(first, last)
        segments = Segments(known.starts - start, known.ends - start, known.lines, end - start)
        return Block(self._text(start, end), last - first, line, segments=segments)

    def _fault(self, start: int, line: int) -> Block:
        detail = f"the record has more than {self._max_record_bytes:,} bytes, the limit"
        return Block(self._text(start, start + _FAULT_SHOWN), 1, line, fault=detail)

    def _resume(self) -> bool:
        end = self._format.resume(self._text(), context=self._context)
        if end is None:
            self._drop(max(len(self._buffer) - _OVERLAP, 0))
            return False
        self._drop(end)
        self._skipping = False
        return True

    def _drop(self, size: int) -> None:
        """Drop the first `size` bytes of the buffer. They must not contain known records."""
        self._line = self._next_line = self._line + self._newlines(0, size)
        del self._buffer[:size]

    def _text(self, start: int = 0, stop: int | None = None) -> bytes:
        """Return the bytes `start` to `stop` − 1 of the buffer."""
        return bytes(memoryview(self._buffer)[start:stop])

    def _newlines(self, start: int, stop: int) -> int:
        """Return the number of line feeds in the bytes `start` to `stop` − 1 of the buffer."""
        return int(np.count_nonzero(np.frombuffer(self._buffer, np.uint8)[start:stop] == _NEWLINE))
