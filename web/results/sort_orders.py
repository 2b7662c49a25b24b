"""The sort orders of results, and which chunks must be read for them."""

from collections import Counter
from collections.abc import Iterable
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from solver.board.result import Outcome
from web.http import request_context
from web.results.sorting import Ranking, Span, Writer
from web.results.writers import Filter, Part
from worker.guess_classes import most_in_class
from worker.job import ChunkResult, Job


def ratings_among(job: Job, wanted: Filter) -> list[str]:
    """Return the distinct ratings of a job's records that pass a filter, lowest first.

    The ratings are texts, such as "7.1". Only solved records have ratings.
    """
    if wanted.outcomes and Outcome.SOLVED.label not in wanted.outcomes:
        return []
    ratings = wanted.ratings
    return [name for name in job.ratings if ratings is None or float(name) in ratings]


def among(job: Job, wanted: Filter, *, offset: int = 0) -> tuple[Iterable[Part], int]:
    """Return the chunks that contain records that pass a filter, possibly without the first ones.

    As many chunks as possible are skipped at the beginning so that they contain at most `offset`
    records that pass the filter. The second returned value is the number of these records. Without
    a filter, no chunks are skipped.
    """
    results = request_context.service().results
    if not wanted:
        return results.read(job.id), 0
    ratings = None if wanted.ratings is None else ratings_among(job, wanted)
    return results.read_matching(job.id, outcomes=wanted.outcomes, ratings=ratings, offset=offset)


def by_rating(job: Job, wanted: Filter, *, write: Writer) -> Ranking:
    """Return the order of a job's results by Sudoku Explainer rating. Unrated records are left out.

    `write` creates the result rows. The sort keys are ratings in tenths.
    """
    tenths = {round(10 * float(name)): name for name in ratings_among(job, wanted)}

    def load(span: Span | None, offset: int) -> tuple[Iterable[Part], int]:
        names = [name for number, name in tenths.items() if span is None or number in span]
        return request_context.service().results.read_matching(job.id, ratings=names, offset=offset)

    spans = [Span(number, number, job.ratings[name]) for number, name in tenths.items()]
    return Ranking(ChunkResult.ratings, spans, load, write, wanted)


def by_steps(job: Job, wanted: Filter, *, write: Writer) -> Ranking:
    """Return the order of a job's results by number of guesses. `write` creates the result rows.

    It uses the job's statistics, which count records by guesses and outcome, so that not all
    results must be read. All results must be read if they are filtered by rating, or if an older
    version, which had no such statistics, processed part of the job.
    """
    counts = request_context.service().statistics.steps(job.id)
    counted = sum(chain.from_iterable(classes.values() for classes in counts.values()))
    if counted != job.done or wanted.ratings is not None:
        return Ranking(_steps, None, lambda *_: (among(job, wanted)[0], 0), write, wanted)
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
    return Ranking(_steps, spans, load, write, wanted)


def _steps(result: ChunkResult) -> NDArray[np.int64]:
    return ChunkResult.integers(result.steps)
