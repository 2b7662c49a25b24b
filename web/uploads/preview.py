"""A preview of an upload: its format, its first puzzles, and its first problems.

Nothing is stored or solved. All records are counted. The first ones are parsed, and as many more as
a fraction of a second allows. A problem is an invalid record or a puzzle whose givens conflict.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from solver.board.puzzle import Puzzle
from solver.checks.givens import find_conflict
from solver.formats import Splitter, read_block
from solver.formats.format import Block, Group, Records
from web.uploads.upload import Upload
from worker.ingest.stream import Stream, open_stream
from worker.job import JobOptions
from worker.options import read_options
from worker.rejection import Rejected, Rejection
from worker.settings import Settings

# Records of larger uploads are parsed only within this time.
_SECONDS = 0.25
# The first records are parsed even after that, unless they take too much CPU time. Other requests
# would have to wait.
_MAX_TO_THE_END = 120  # records
_MAX_CPU_SECONDS = 2.0
_BLOCK = 1
_GROWTH = 64
_MAX_PUZZLES = 6
_MAX_PROBLEMS = 5


@dataclass(frozen=True, slots=True)
class FirstPuzzle:
    """One of the first puzzles of an upload. `line` is the line on which it starts, from 1.

    `detail` describes the puzzle's problem, or is None.
    """

    line: int
    puzzle: Puzzle
    detail: str | None


@dataclass(frozen=True, slots=True)
class RecordProblem:
    """The problem of the record that starts at `line` in the upload."""

    line: int
    detail: str


@dataclass(slots=True)
class Preview:
    """The preview of an upload with `records` records in the format `format`.

    `checked` of them were parsed, and `problems` of the parsed ones have a problem. `first`
    describes at most the first 6 puzzles, and `troubles` at most the first 5 problems.
    """

    format: str
    records: int = 0
    checked: int = 0
    problems: int = 0
    first: list[FirstPuzzle] = field(default_factory=list)
    troubles: list[RecordProblem] = field(default_factory=list)


def make_preview(upload: Upload, settings: Settings, *, cut: bool) -> Preview | Rejection:
    """Return the preview of an upload, or a rejection if it can't be read.

    `cut` means that only the beginning of the upload is given. Then the last record, which may be
    incomplete, is ignored. An error after the format has been recognized then only ends the
    preview. If the upload takes too long, further records are only counted.
    """
    options = upload.options(settings)
    if isinstance(options, Rejection):
        return options
    try:
        stream = open_stream(upload, options=options, settings=settings, budget=upload.budget)
    except Rejected as rejected:
        return rejected.rejection
    if isinstance(stream, Rejection):
        return stream
    preview = Preview(stream.recognized.format.name)
    deadline = time.monotonic() + _SECONDS
    cpu_deadline = time.thread_time() + _MAX_CPU_SECONDS
    try:
        for block in _blocks(stream, settings, cut=cut):
            preview.records += block.records
            is_cheap = preview.checked == 0 or time.thread_time() < cpu_deadline
            if (is_cheap and preview.checked < _MAX_TO_THE_END) or time.monotonic() < deadline:
                _read(block, stream, options, preview)
    except Rejected as rejected:
        if not cut:
            return rejected.rejection
    return preview


def _blocks(stream: Stream, settings: Settings, *, cut: bool) -> Iterator[Block]:
    """Yield the blocks of an upload. If it is `cut`, its last record is left out."""
    splitter = Splitter(
        stream.recognized,
        max_records=_BLOCK,
        growth=_GROWTH,
        max_record_bytes=settings.max_record_bytes,
    )
    for piece in stream.content:
        yield from map(stream.with_charset, splitter.feed(piece))
    if not cut:
        yield from map(stream.with_charset, splitter.close())


def _read(block: Block, stream: Stream, options: JobOptions, preview: Preview) -> None:
    """Parse the records of one block, and add their puzzles and problems to `preview`.

    All problems are counted, but only the first puzzles and problems are kept.
    """
    recognized = stream.recognized
    records = read_block(
        block,
        format=recognized.format.name,
        context=recognized.context,
        options=read_options(options),
    )
    preview.checked += len(records)
    seen: dict[int, FirstPuzzle | RecordProblem] = {}
    for number, invalid in records.invalid.items():
        seen[number] = RecordProblem(int(records.lines[number]), invalid.detail)
    for group in records.groups:
        seen |= _of_group(group, records)
    for _, record in sorted(seen.items()):
        if record.detail is not None:
            preview.problems += 1
            preview.troubles.append(RecordProblem(record.line, record.detail))
        if isinstance(record, FirstPuzzle) and len(preview.first) < _MAX_PUZZLES:
            preview.first.append(record)
    del preview.troubles[_MAX_PROBLEMS:]


def _of_group(group: Group, records: Records) -> Iterator[tuple[int, FirstPuzzle]]:
    """Yield (index of the record in the block, puzzle) for each puzzle of a group."""
    for place, number in enumerate(group.rows.tolist()):
        first = FirstPuzzle(
            line=int(records.lines[number]),
            puzzle=group.puzzle(place, name=records.names.get(number)),
            detail=find_conflict(group.layout, group.givens[place], group.symbols),
        )
        yield number, first
