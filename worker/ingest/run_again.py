"""Creates a job that solves selected records of another job, the source, again.

The records are copied, so the new job doesn't need the source any more once it has been created.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solver.formats import cut_block
from solver.formats.format import Block, DigitBlock
from solver.formats.splitter import next_size
from worker.ingest.client_limits import check_jobs
from worker.ingest.new_job import MAX_NAME_LENGTH, STORE_FULL, store_blocks
from worker.ingest.stream import block_size
from worker.job import Job, JobOptions, JobSource
from worker.logs import shown_id
from worker.records.chunk_result import ChunkResult
from worker.records.generation_block import GenerationBlock
from worker.records.selected_block import SelectedBlock, UnselectedBlock
from worker.rejection import Rejected, Rejection, RejectionKind
from worker.service import Service
from worker.store.packed_grids import digits_of_lines
from worker.store.results import ChunkWithRecords
from worker.store.webhooks import NewWebhook

# for jobs of older versions, which didn't store it
_BLOCK_RECORDS = 100
_CHUNKS_AT_ONCE = 64
_USUAL_BLANK = ord(".")
_NONE = np.zeros(0, np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Records of a job that has ended: those that have a result and pass a filter.

    where      the filter as text, for display
    records    the number of selected records
    chunks     the numbers of the chunks that contain them, ascending
    places_in  function that returns the positions of the selected records in a part of the results.
               A part is (number of its first record in the job, results of consecutive records).
    """

    where: Mapping[str, str]
    records: int
    chunks: Iterable[int]
    places_in: Callable[[tuple[int, ChunkResult]], NDArray[np.intp]]


def run_again(
    service: Service,
    source: Job,
    selection: Selection,
    *,
    options: JobOptions,
    name: str,
    metadata: Mapping[str, str] | None = None,
    expires_in: int | None = None,
    client: str,
    webhook: NewWebhook | None = None,
) -> str | Rejection:
    """Create a job from selected records of the job `source`. Return its id or a rejection.

    `source` must have ended. `options` must have the same reading options as those of `source`. The
    other arguments are those of `ingest`, and the same limits apply. A job that is rejected or
    interrupted by an exception is deleted.
    """
    if not service.health.has_room():
        return STORE_FULL
    rejection = check_jobs(service, client=client) or _check_size(service, selection)
    if rejection is not None:
        return rejection
    with service.telemetry.span("job", format=source.format, source=shown_id(source.id)) as span:
        job_id = service.jobs.create(
            name=name[:MAX_NAME_LENGTH],
            metadata=metadata,
            expires_in=expires_in,
            options=options,
            format=source.format,
            context=source.context,
            client=client,
            source=JobSource(source.id, dict(selection.where)),
            block_records=source.block_records,
            trace=span.parent,
            webhook=webhook,
        )
        span.note("job", shown_id(job_id))
        chunks = service.results.read_with_records(source.id, selection.chunks)
        blocks = _Blocks(source, options).read(chunks, selection)
        rejection = store_blocks(
            service,
            job_id,
            blocks,
            client=client,
            at_once=_CHUNKS_AT_ONCE,
            folders=lambda: source.folders,
        )
        if rejection is not None:
            span.note("refused", rejection.kind)
            return rejection
        return job_id


def _check_size(service: Service, selection: Selection) -> Rejection | None:
    limit = service.settings.max_puzzles
    if selection.records > limit:
        detail = (
            f"{selection.records:,} puzzles are selected; the limit for a job is {limit:,}; select "
            "fewer"
        )
        return Rejection(RejectionKind.TOO_LARGE, detail)
    return None


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """Selected records that are lines of digits, as arrays with an element per record.

    The members have the same meaning as in `DigitBlock` and `SelectedBlock`.
    """

    grid: NDArray[np.uint8]
    blank: int
    numbers: NDArray[np.int64]
    lines: NDArray[np.int64]


class _Blocks:
    """Forms the blocks of a new job with the given options from records of the job `source`."""

    def __init__(self, source: Job, options: JobOptions) -> None:
        self._source = source
        self._first, growth = block_size(source.block_records or _BLOCK_RECORDS, options)
        self._most = self._first * growth
        self._cuts_text = growth == 1 or options.studies
        # Lines of digits are collected, also from several chunks, until they fill a block.
        self._rows: list[_Rows] = []
        self._collected = 0
        self._in_blocks = 0

    def read(
        self, chunks: Iterable[ChunkWithRecords], selection: Selection
    ) -> Iterator[SelectedBlock]:
        """Yield blocks of the selected records of some chunks, in order.

        Raises Rejected if there are fewer records than `selection` states, or if their text isn't
        stored.
        """
        for chunk in chunks:
            places, lines = _places(chunk, selection)
            if len(places) == 0:
                continue
            numbers = places + chunk.first
            block, places = _uploaded(chunk, places)
            if not isinstance(block, DigitBlock):
                yield from self._full_blocks(rest=True)
                yield from self._text_blocks(block, places, numbers)
                continue
            rows = _Rows(_at(block.grid, places), block.blank, numbers, lines)
            if not self._fit(rows):
                yield from self._full_blocks(rest=True)
            self._rows.append(rows)
            self._collected += len(rows.numbers)
            yield from self._full_blocks(rest=False)
        yield from self._full_blocks(rest=True)
        if self._in_blocks != selection.records:
            raise _gone(self._source)

    def _fit(self, rows: _Rows) -> bool:
        """Return whether a block can contain `rows` in addition to the collected lines.

        It can if they have the same width and the same character for empty cells, or if no lines
        are collected.
        """
        return not self._rows or (
            rows.blank == self._rows[0].blank and rows.grid.shape[1] == self._rows[0].grid.shape[1]
        )

    def _full_blocks(self, *, rest: bool) -> Iterator[SelectedBlock]:
        """Yield full blocks of the collected lines and, if `rest`, a last one that isn't full.

        Their lines are removed from the collection.
        """
        if self._collected == 0 or not (rest or self._collected >= self._next_size()):
            return
        grid, numbers, lines = (
            np.concatenate([getattr(rows, name) for rows in self._rows])
            for name in ("grid", "numbers", "lines")
        )
        blank = self._rows[0].blank
        while len(numbers) and (rest or len(numbers) >= self._next_size()):
            size = self._next_size()
            block = DigitBlock(grid[:size], blank, int(lines[0]))
            yield self._selected(block, numbers[:size], lines=lines[:size])
            grid, numbers, lines = grid[size:], numbers[size:], lines[size:]
        self._collected = len(numbers)
        self._rows = [_Rows(grid, blank, numbers, lines)] if len(numbers) else []

    def _next_size(self) -> int:
        return next_size(self._first, self._most, before=self._in_blocks)

    def _text_blocks(
        self, block: Block | GenerationBlock, places: NDArray[np.int64], numbers: NDArray[np.int64]
    ) -> Iterator[SelectedBlock]:
        """Yield blocks of selected records in `block`, which has text or puzzles to generate.

        `places` contains their indices in `block`, and `numbers` their numbers in the source. If
        the new job's options take long or make results large, its text is cut into blocks of the
        job's first size. The yielded blocks can also contain records between the selected ones.
        """
        if isinstance(block, GenerationBlock) or not self._cuts_text or len(places) <= self._first:
            yield self._selected(block, numbers, places=places)
            return
        starts = range(0, len(places), self._first)
        groups = [places[start : start + self._first] for start in starts]
        spans = [(int(group[0]), int(group[-1]) + 1) for group in groups]
        parts = cut_block(block, spans, format=self._source.format, context=self._source.context)
        for start, group, part in zip(starts, groups, parts, strict=True):
            some = numbers[start : start + len(group)]
            yield self._selected(part, some, places=group - group[0])

    def _selected(
        self,
        block: UnselectedBlock,
        numbers: NDArray[np.int64],
        *,
        places: NDArray[np.int64] | None = None,
        lines: NDArray[np.int64] | None = None,
    ) -> SelectedBlock:
        """Return the block of the selected records, and count them.

        `numbers` are their numbers in the source. `places` are their indices in `block`, None for
        all of its records. `lines` are their lines in the upload, None if they follow from the
        block.
        """
        self._in_blocks += len(numbers)
        if places is not None and len(places) == block.records:
            places = None
        return SelectedBlock(block, self._source.id, numbers, places, lines)


def _places(
    chunk: ChunkWithRecords, selection: Selection
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the indices of the selected records in a chunk, and their lines in the upload."""
    before, places, lines = 0, [_NONE], [_NONE]
    for part in chunk.parts:
        among = selection.places_in((chunk.first + before, part))
        places.append(among + before)
        lines.append(ChunkResult.integers(part.lines)[among])
        before += len(part)
    return np.concatenate(places), np.concatenate(lines)


def _at(grid: NDArray[np.uint8], places: NDArray[np.int64]) -> NDArray[np.uint8]:
    return grid if len(places) == len(grid) else grid[places]


def _uploaded(
    chunk: ChunkWithRecords, places: NDArray[np.int64]
) -> tuple[UnselectedBlock, NDArray[np.int64]]:
    """Return the block with a chunk's records, and the indices of the selected records in it.

    `places` contains the indices of the selected records in the chunk. They differ from those in
    the block if the chunk itself is a selection. If the records aren't stored, the block contains
    the puzzles in the results. Raises Rejected if these aren't lines of digits.
    """
    if isinstance(chunk.records, SelectedBlock):
        among = chunk.records.places
        return chunk.records.block, places if among is None else among[places]
    return chunk.records or _restored(chunk), places


def _restored(chunk: ChunkWithRecords) -> DigitBlock:
    """Return the records of a chunk as digits, restored from the puzzles in its results.

    Raises Rejected if some of these aren't digits, because their records are no longer stored.
    """
    found = [digits_of_lines(part.puzzles, len(part)) for part in chunk.parts]
    digits = [each for each in found if each is not None]
    if len(digits) < len(found):
        detail = "some of the job's puzzles are no longer stored; upload them again"
        raise Rejected(RejectionKind.SOURCE_GONE, detail, field="from_job")
    grid = digits[0].grid if len(digits) == 1 else np.concatenate([each.grid for each in digits])
    blank = next((each.blank for each in digits if not each.grid.all()), _USUAL_BLANK)
    return DigitBlock(grid, blank, int(ChunkResult.integers(chunk.parts[0].lines)[0]))


def _gone(source: Job) -> Rejected:
    detail = (
        f"the job {shown_id(source.id)} was deleted, or expired, while its puzzles were selected"
    )
    return Rejected(RejectionKind.SOURCE_GONE, detail, field="from_job")
