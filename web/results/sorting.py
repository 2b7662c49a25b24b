"""Sort results by rating or by guesses, without holding a whole job in memory.

A record's sort key is its number of guesses, its sudokuq rating, or its Sudoku Explainer rating,
usually with the HoDoKu score. The job counts its records by guesses in classes, and by the latter
rating without the score. So the number of records in each range of these keys is known before any
result is read. Records with the same key are in upload order, and are streamed in one pass over the
chunks that contain them. Ranges with few records share a pass, which holds a limited number of
records. If a range has more records than that, an extra pass first counts its records by key. The
same happens if a filter excludes some of the counted records.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from web.results.result_filter import Filter, Part
from web.results.writers import ResultPage
from worker.records.chunk_result import ChunkResult


class Writer(Protocol):
    """A function that converts selected records of a chunk to result rows.

    Result rows are the rows that all output formats write.
    """

    def __call__(self, part: Part, /, *, places: Sequence[int]) -> ResultPage:
        """Return the result rows of the records at the given positions, in the same order.

        `part` is the number of the chunk's first record in the job, and the chunk's results.
        `places` are positions in the chunk, counted from 0.
        """


@dataclass(frozen=True, slots=True)
class Span:
    """A range of sort keys (ratings or guesses), and the number of records in it.

    Both ends, `least` and `most`, are included.
    """

    least: int
    most: int
    records: int

    def __contains__(self, number: int) -> bool:
        return self.least <= number <= self.most

    def overlaps(self, other: "Span") -> bool:
        """Return whether the two ranges have a sort key in common."""
        return self.least <= other.most and other.least <= self.most

    def includes(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return a Boolean array that is True for the sort keys in the range."""
        return (self.least <= numbers) & (numbers <= self.most)


SortKeys = Callable[[ChunkResult], NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class Ranking:
    """A sort order of a job's results by a sort key, and how to read them.

    numbers_of   returns the sort key of each record in a chunk, negative if it has none
    spans        the known counts of records, lowest keys first, or None if they are unknown
    load         called with a span and an offset; returns the chunks that contain records in the
                 span (or all chunks for None), and a number. Chunks at the beginning may be left
                 out if they contain at most `offset` of these records. The number says how many
                 they contain.
    write        creates the rows of some of a chunk's records
    wanted       the filter
    most_held    the maximum number of records to hold in memory
    """

    numbers_of: SortKeys
    spans: Sequence[Span] | None
    load: Callable[[Span | None, int], tuple[Iterable[Part], int]]
    write: Writer
    wanted: Filter
    most_held: int

    def places_in(self, part: Part, span: Span) -> NDArray[np.intp]:
        """Return the positions (from 0) of the records of a part that are in a span.

        Only records that pass the filter are included.
        """
        places = self.wanted.places_in(part)
        return places[span.includes(self.numbers_of(part[1])[places])]


def in_order(
    ranking: Ranking, *, descending: bool, offset: int = 0, count: int | None = None
) -> Iterator[ResultPage]:
    """Yield the results that pass the filter and have a sort key, sorted by it.

    The lowest keys come first unless `descending`. Skips the first `offset` results, and yields the
    next `count` results, or all if `count` is None.
    """
    spans = _counted(ranking, None) if ranking.spans is None else ranking.spans
    enough = None if count is None else offset + count
    pages = _spans_in_order(ranking, spans, descending=descending, offset=offset, enough=enough)
    if count is None:
        yield from pages
        return
    while count > 0 and (page := next(pages, None)):
        rows = page.rows[:count]
        yield ResultPage(rows, page.result.slice(0, len(rows)))
        count -= len(rows)


def _spans_in_order(
    ranking: Ranking, spans: Sequence[Span], *, descending: bool, offset: int, enough: int | None
) -> Iterator[ResultPage]:
    """Yield the results in the spans in order, without the first `offset` results.

    A span with one key is streamed, and a span with few records is sorted in memory. In any other
    span, the records are first counted by key. `enough` is the number of results that are needed,
    including those to skip, or None if all are. Then small spans aren't merged to larger ones.
    """
    most = ranking.most_held if enough is None else min(enough, ranking.most_held)
    for span in _passes(spans, descending=descending, most=most):
        if offset >= span.records:
            offset -= span.records
            continue
        if span.least == span.most:
            yield from _in_upload_order(ranking, span, offset=offset)
        elif span.records <= ranking.most_held:
            yield from _held(ranking, span, descending=descending, offset=offset)
        else:
            exact = _counted(ranking, span)
            yield from _spans_in_order(
                ranking, exact, descending=descending, offset=offset, enough=enough
            )
        offset = 0


def _passes(spans: Sequence[Span], *, descending: bool, most: int) -> list[Span]:
    """Return the spans in the order in which they are read, with small neighboring spans merged.

    `spans` ascend. A merged span contains at most `most` records, so that few records are held or
    read unnecessarily.
    """
    passes: list[Span] = []
    for span in reversed(spans) if descending else spans:
        last = passes[-1] if passes else None
        if last and last.records + span.records <= most:
            ends = (last.least, last.most, span.least, span.most)
            passes[-1] = Span(min(ends), max(ends), last.records + span.records)
        else:
            passes.append(span)
    return passes


def _counted(ranking: Ranking, within: Span | None) -> list[Span]:
    """Read the chunks once, and return one span per sort key, with its number of records.

    The spans ascend. Only keys in the span `within` are counted, unless that is None.
    """
    every = within or Span(0, np.iinfo(np.int64).max, 0)
    counts: Counter[int] = Counter()
    for part in ranking.load(within, 0)[0]:
        numbers = ranking.numbers_of(part[1])[ranking.places_in(part, every)]
        counts.update(numbers.tolist())
    return [Span(number, number, records) for number, records in sorted(counts.items())]


def _in_upload_order(ranking: Ranking, span: Span, *, offset: int) -> Iterator[ResultPage]:
    """Yield the results in a span with a single key, without the first `offset` results."""
    parts, skipped = ranking.load(span, offset)
    offset -= skipped
    for part in parts:
        places = ranking.places_in(part, span).tolist()
        if places[offset:]:
            yield ranking.write(part, places=places[offset:])
        offset = max(offset - len(places), 0)


def _held(ranking: Ranking, span: Span, *, descending: bool, offset: int) -> Iterator[ResultPage]:
    """Yield the results in a span one by one, sorted in memory, without the first `offset` ones."""
    held: list[tuple[int, ResultPage, int]] = []
    for part in ranking.load(span, 0)[0]:
        page = ranking.write(part, places=ranking.places_in(part, span).tolist())
        numbers = ranking.numbers_of(page.result).tolist()
        held += [(number, page, place) for place, number in enumerate(numbers)]
    held.sort(key=lambda entry: entry[0], reverse=descending)
    for _, page, place in held[offset:]:
        yield ResultPage([page.rows[place]], page.result.slice(place, place + 1))
