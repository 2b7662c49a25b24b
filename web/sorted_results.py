"""Results sorted by rating or by steps, without holding a job in memory.

The job counts its records by rating and by steps, so the order is known before any result is
read. Records of one number follow in upload order, which one pass over the chunks that have them
streams. Numbers of few records share a pass, which holds no more than `_MOST_HELD` of them. Steps
are counted in classes; a class of more records is counted number by number before, in a pass of
its own, and so is everything where a filter leaves some of what was counted.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from web.results import Filter, Part, Portion
from worker.job import ChunkResult

_MOST_HELD = 2_000


class Writer(Protocol):
    """Makes rows of a part."""

    def __call__(self, part: Part, /, *, places: Sequence[int]) -> Portion:
        """Return the rows of the records at some places, counted from 0."""


@dataclass(frozen=True, slots=True)
class Span:
    """So many records have a number from `least` to `most`."""

    least: int
    most: int
    records: int

    def __contains__(self, number: int) -> bool:
        return self.least <= number <= self.most

    def overlaps(self, other: "Span") -> bool:
        """Return whether a number may be in both."""
        return self.least <= other.most and other.least <= self.most

    def includes(self, numbers: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return which of the numbers are in the span."""
        return (self.least <= numbers) & (numbers <= self.most)


@dataclass(frozen=True, slots=True)
class Ranking:
    """What results are sorted by: a number that each has, or a negative one instead.

    `spans` are known before anything is read, lowest first, or None. `load` makes a pass over the
    parts that have records in a span, or over all, from the one behind an offset among these; with
    the parts comes how many such records lie before them.
    """

    numbers_of: Callable[[ChunkResult], NDArray[np.int64]]
    spans: Sequence[Span] | None
    load: Callable[[Span | None, int], tuple[Iterable[Part], int]]
    write: Writer
    wanted: Filter

    def places_in(self, result: ChunkResult, span: Span) -> NDArray[np.intp]:
        """Return the places of the wanted records of a result that are in a span."""
        places = self.wanted.places_in(result)
        return places[span.includes(self.numbers_of(result)[places])]


def in_order(
    ranking: Ranking, *, descending: bool, offset: int = 0, count: int | None = None
) -> Iterator[Portion]:
    """Yield the wanted rows that have a number, lowest or highest first."""
    spans = _counted(ranking, None) if ranking.spans is None else ranking.spans
    enough = None if count is None else offset + count
    portions = _spans_in_order(ranking, spans, descending=descending, offset=offset, enough=enough)
    if count is None:
        yield from portions
        return
    while count > 0 and (portion := next(portions, None)):
        rows = portion.rows[:count]
        yield Portion(rows, portion.result.slice(0, len(rows)))
        count -= len(rows)


def _spans_in_order(
    ranking: Ranking, spans: Sequence[Span], *, descending: bool, offset: int, enough: int | None
) -> Iterator[Portion]:
    for span in _passes(spans, descending=descending, enough=enough):
        if offset >= span.records:
            offset -= span.records
            continue
        if span.least == span.most:
            yield from _in_upload_order(ranking, span, offset=offset)
        elif span.records <= _MOST_HELD:
            yield from _held(ranking, span, descending=descending, offset=offset)
        else:
            exact = _counted(ranking, span)
            yield from _spans_in_order(
                ranking, exact, descending=descending, offset=offset, enough=enough
            )
        offset = 0


def _passes(spans: Sequence[Span], *, descending: bool, enough: int | None) -> list[Span]:
    """Return the spans in the order of the passes, with small neighbours joined.

    A pass has no more than `enough` records because of that: what is not asked for is not read.
    """
    most = _MOST_HELD if enough is None else min(enough, _MOST_HELD)
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
    """Return how many records have each number, by a pass over them."""
    every = within or Span(0, np.iinfo(np.int64).max, 0)
    counts: Counter[int] = Counter()
    for _, result in ranking.load(within, 0)[0]:
        numbers = ranking.numbers_of(result)[ranking.places_in(result, every)]
        counts.update(numbers.tolist())
    return [Span(number, number, records) for number, records in sorted(counts.items())]


def _in_upload_order(ranking: Ranking, span: Span, *, offset: int) -> Iterator[Portion]:
    parts, skipped = ranking.load(span, offset)
    offset -= skipped
    for part in parts:
        places = ranking.places_in(part[1], span).tolist()
        if places[offset:]:
            yield ranking.write(part, places=places[offset:])
        offset = max(offset - len(places), 0)


def _held(ranking: Ranking, span: Span, *, descending: bool, offset: int) -> Iterator[Portion]:
    held: list[tuple[int, Portion, int]] = []
    for part in ranking.load(span, 0)[0]:
        portion = ranking.write(part, places=ranking.places_in(part[1], span).tolist())
        numbers = ranking.numbers_of(portion.result).tolist()
        held += [(number, portion, place) for place, number in enumerate(numbers)]
    held.sort(key=lambda entry: entry[0], reverse=descending)
    for _, portion, place in held[offset:]:
        yield Portion([portion.rows[place]], portion.result.slice(place, place + 1))
