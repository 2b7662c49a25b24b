"""Sort a job's results by rating or by number of guesses.

This module also finds the chunks to read for such an order or for a filter.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.board.result import Outcome
from web.http import request_context
from web.results.result_filter import Filter, Part
from web.results.sorting import Ranking, SortKeys, Span, Writer
from worker.job import Job
from worker.records.chunk_result import ChunkResult
from worker.records.guess_classes import most_in_class

# The number of records that a pass may hold in memory. Rated ones have only one solution.
_MOST_HELD = 2_000
MOST_RATED_HELD = 10_000
# More than the number of different HoDoKu scores.
_SCORES = 1 << 32


def ratings_among(job: Job, wanted: Filter) -> list[str]:
    """Return the distinct ratings of a job that a filter allows, lowest first, such as "7.1".

    Only the filter's outcomes and ratings are considered, so the records with a returned rating can
    fail its other conditions. Only solved records have ratings.
    """
    if wanted.outcomes and Outcome.SOLVED.label not in wanted.outcomes:
        return []
    ratings = wanted.ratings
    return [name for name in job.ratings if ratings is None or float(name) in ratings]


def matching_parts(job: Job, wanted: Filter, *, offset: int = 0) -> tuple[Iterable[Part], int]:
    """Return the chunks that can contain records that pass a filter, and a number.

    At the beginning, as many chunks as possible are skipped so that they contain at most `offset`
    records that pass the filter. The number is that of the skipped records that pass it. No chunks
    are skipped without a filter, or if the job's statistics don't count its matches. If the filter
    lists numbers of records, only the records from the first to the last number are returned.
    """
    results = request_context.service().results
    if wanted.numbers is not None:
        if len(wanted.numbers) == 0:
            return (), 0
        first, last = int(wanted.numbers[0]), int(wanted.numbers[-1])
        return results.read(job.id, offset=first - 1, count=last - first + 1), 0
    indexed = matching_arguments(job, wanted)
    if indexed is None:
        return results.read(job.id), 0
    parts, skipped = results.read_matching(
        job.id, **indexed, offset=offset if wanted.is_counted else 0
    )
    return parts, skipped


def matching_arguments(job: Job, wanted: Filter) -> dict[str, Any] | None:
    """Return the arguments with which `ResultStore.matching_chunks` finds the chunks with matches.

    It then yields all chunks with records that pass the filter `wanted`, and perhaps others.
    Returns None if the job's statistics can't find these chunks, so that all must be read.
    """
    if wanted.ratings is not None:
        return {"ratings": ratings_among(job, wanted)}
    if wanted.techniques:
        return {"techniques": [f"{code:04}" for code in wanted.techniques]}
    return {"outcomes": wanted.outcomes} if wanted.outcomes else None


def by_rating(job: Job, wanted: Filter, *, write: Writer) -> Ranking:
    """Return the order of a job's results by Sudoku Explainer rating. Unrated records are left out.

    Records with the same rating are in the order of their HoDoKu scores, as in a book. If a pass
    can't hold all of them, they are in upload order, because sorting them would take many passes.
    `write` creates the result rows. See `_rating_keys` for the sort keys.
    """
    common, spans = set[int](), dict[str, Span]()
    for name in ratings_among(job, wanted):
        tenths, records = round(10 * float(name)), job.ratings[name]
        keys = _SCORES
        if records > MOST_RATED_HELD:
            common.add(tenths)
            keys = 1
        spans[name] = Span(tenths * _SCORES, tenths * _SCORES + keys - 1, records)

    def load(span: Span | None, offset: int) -> tuple[Iterable[Part], int]:
        names = [name for name, each in spans.items() if span is None or span.overlaps(each)]
        if not wanted.is_counted:
            offset = 0
        return request_context.service().results.read_matching(job.id, ratings=names, offset=offset)

    counted = list(spans.values()) if wanted.is_counted else None
    numbers_of = partial(_rating_keys, common=common)
    return Ranking(numbers_of, counted, load, write, wanted, MOST_RATED_HELD)


def _rating_keys(result: ChunkResult, *, common: Collection[int]) -> NDArray[np.int64]:
    """Return sort keys that combine each record's rating with its HoDoKu score, or −1 if unrated.

    A key is the rating in tenths, multiplied by `_SCORES`, plus the score plus 1, or plus 0 if the
    score is unknown or the rating is one of the `common` ones.
    """
    keys = np.full(len(result), -1, np.int64)
    for place, known in result.difficulties.items():
        if known.ratings is not None:
            rating = known.ratings[0]
            is_scored = known.score is not None and rating not in common
            score = min((known.score or 0) + 1, _SCORES - 1) if is_scored else 0
            keys[place] = rating * _SCORES + score
    return keys


def by_own_rating(job: Job, wanted: Filter, *, write: Writer) -> Ranking:
    """Return the order of a job's results by sudokuq rating. Records without one are left out.

    `write` creates the result rows. All results are read, which takes little time compared with
    computing these ratings.
    """
    return _without_statistics(ChunkResult.sudokuq_ratings, job, wanted, write=write)


def _without_statistics(
    numbers_of: SortKeys, job: Job, wanted: Filter, *, write: Writer
) -> Ranking:
    """Return an order whose sort keys the job's statistics don't count, so results must be read."""

    def load(span: Span | None, offset: int) -> tuple[Iterable[Part], int]:
        del span, offset
        return matching_parts(job, wanted)[0], 0

    return Ranking(numbers_of, None, load, write, wanted, _MOST_HELD)


def by_steps(job: Job, wanted: Filter, *, write: Writer) -> Ranking:
    """Return the order of a job's results by number of guesses. `write` creates the result rows.

    It uses the job's statistics, which count records by guesses and outcome, so that not all
    results must be read. They don't help if the filter has other conditions than outcomes, or if an
    older version, which had no such statistics, processed part of the job.
    """
    counts = request_context.service().statistics.steps(job.id)
    counted = sum(chain.from_iterable(classes.values() for classes in counts.values()))
    if counted != job.done or wanted.ratings is not None or not wanted.is_counted:
        return _without_statistics(_steps, job, wanted, write=write)
    chosen = {
        outcome: classes
        for outcome, classes in counts.items()
        if not wanted.outcomes or outcome in wanted.outcomes
    }
    records: Counter[int] = Counter()
    for classes in chosen.values():
        records.update(classes)

    def load(span: Span | None, offset: int) -> tuple[Iterable[Part], int]:
        classes = {
            (outcome, least): Span(least, most_in_class(least), number)
            for outcome, counts in chosen.items()
            for least, number in counts.items()
        }
        if span is not None:
            classes = {key: each for key, each in classes.items() if span.overlaps(each)}
            if any(each.least not in span or each.most not in span for each in classes.values()):
                offset = 0  # it isn't known how many records of a partly included class precede
        names = [f"{outcome}:{least}" for outcome, least in classes]
        return request_context.service().results.read_matching(job.id, steps=names, offset=offset)

    spans = [Span(least, most_in_class(least), records[least]) for least in sorted(records)]
    return Ranking(_steps, spans, load, write, wanted, _MOST_HELD)


def _steps(result: ChunkResult) -> NDArray[np.int64]:
    return ChunkResult.integers(result.steps)
