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
class First:
    """One of the first puzzles of an upload. `line` is the line on which it starts, from 1.

    `detail` describes the puzzle's problem, or is None.
    """

    line: int
    puzzle: Puzzle
    detail: str | None


@dataclass(frozen=True, slots=True)
class Trouble:
    """The problem of the record that starts at `line` in the upload."""

    line: int
    detail: str


@dataclass(slots=True)
class Look:
    """The preview of an upload with `records` records in the format `format`.

    `checked` of them were parsed, and `problems` of the parsed ones have a problem. `first`
    describes at most the first 6 puzzles, and `troubles` at most the first 5 problems.
    """

    format: str
    records: int = 0
    checked: int = 0
    problems: int = 0
    first: list[First] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)


def look_at(upload: Upload, settings: Settings, *, cut: bool) -> Look | Rejection:
    """Return the preview of an upload, or a rejection if it can't be read.

    `cut` means that only the beginning of the upload is given. Then the last record, which may be
    incomplete, is ignored.
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
    look = Look(stream.recognized.format.name)
    deadline = time.monotonic() + _SECONDS
    cpu_deadline = time.thread_time() + _MAX_CPU_SECONDS
    try:
        for block in _blocks(stream, settings, cut=cut):
            look.records += block.records
            is_cheap = look.checked == 0 or time.thread_time() < cpu_deadline
            if (is_cheap and look.checked < _MAX_TO_THE_END) or time.monotonic() < deadline:
                _read(block, stream, options, look)
    except Rejected as rejected:
        if not cut:
            return rejected.rejection
    return look


def _blocks(stream: Stream, settings: Settings, *, cut: bool) -> Iterator[Block]:
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


def _read(block: Block, stream: Stream, options: JobOptions, look: Look) -> None:
    """Parse the records of one block, and add them to the preview `look`."""
    recognized = stream.recognized
    records = read_block(
        block,
        format=recognized.format.name,
        context=recognized.context,
        options=read_options(options),
    )
    look.checked += len(records)
    seen: dict[int, First | Trouble] = {}
    for number, invalid in records.invalid.items():
        seen[number] = Trouble(int(records.lines[number]), invalid.detail)
    for group in records.groups:
        seen |= _of_group(group, records)
    for _, thing in sorted(seen.items()):
        if isinstance(thing, Trouble) or thing.detail is not None:
            look.problems += 1
            look.troubles.append(Trouble(thing.line, thing.detail or ""))
        if isinstance(thing, First) and len(look.first) < _MAX_PUZZLES:
            look.first.append(thing)
    del look.troubles[_MAX_PROBLEMS:]


def _of_group(group: Group, records: Records) -> Iterator[tuple[int, First]]:
    for place, number in enumerate(group.rows.tolist()):
        first = First(
            line=int(records.lines[number]),
            puzzle=group.puzzle(place, name=records.names.get(number)),
            detail=find_conflict(group.layout, group.givens[place], group.symbols),
        )
        yield number, first
