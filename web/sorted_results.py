"""Results in the order of their ratings, without holding a job in memory.

The job counts its records by rating, so the order is known before any result is read: the
records of one rating follow in upload order, which one pass over the job streams. Ratings of few
records share a pass, which holds no more than `_MOST_HELD` of them. There are no more passes
than ratings, some hundred at most; a page of the hardest takes one.
"""

from collections.abc import Callable, Iterable, Iterator

from web.rating_range import RatingRange
from web.results import Filter, Part, Portion, whole
from worker.job import Job

_MOST_HELD = 2_000


def by_rating(
    job: Job,
    load: Callable[[], Iterable[Part]],
    *,
    wanted: Filter,
    descending: bool,
    offset: int = 0,
    count: int | None = None,
) -> Iterator[Portion]:
    """Yield the rated rows of a job that are wanted, lowest first; `load` makes a pass over it.

    What is not rated has no place in this order and is left out.
    """
    if wanted.outcomes and "solved" not in wanted.outcomes:
        return
    for ratings, total in _passes(job.ratings, wanted.ratings, descending=descending):
        if offset >= total:
            offset -= total
            continue
        for portion in _pass(job, load(), ratings, descending=descending):
            skipped = min(offset, len(portion.rows))
            offset -= skipped
            taken = slice(skipped, None if count is None else skipped + count)
            part = Portion(portion.rows[taken], portion.result, portion.places[taken])
            if count is not None:
                count -= len(part.rows)
            if part.rows:
                yield part
            if count == 0:
                return


def _passes(
    counts: dict[str, int], among: RatingRange | None, *, descending: bool
) -> list[tuple[frozenset[float], int]]:
    """Return the ratings that each pass looks for, and how many records have them."""
    passes: list[tuple[frozenset[float], int]] = []
    for name in sorted(counts, key=float, reverse=descending):
        rating, number = float(name), counts[name]
        if among is not None and rating not in among:
            continue
        if passes and passes[-1][1] + number <= _MOST_HELD:
            ratings, total = passes[-1]
            passes[-1] = (ratings | {rating}, total + number)
        else:
            passes.append((frozenset((rating,)), number))
    return passes


def _pass(
    job: Job, parts: Iterable[Part], ratings: frozenset[float], *, descending: bool
) -> Iterator[Portion]:
    """Yield the rows with the ratings of one pass, sorted by them."""
    portions = _with_ratings(job, parts, ratings)
    if len(ratings) == 1:
        yield from portions
        return
    held = [single for portion in portions for single in portion.singles()]
    held.sort(key=lambda portion: portion.rows[0].rating or 0.0, reverse=descending)
    yield from held


def _with_ratings(job: Job, parts: Iterable[Part], ratings: frozenset[float]) -> Iterator[Portion]:
    asked = job.options
    for part in parts:
        if ratings.isdisjoint(map(float, part[1].rating_counts())):
            continue
        portion = whole(
            part, limit=asked.limit, rated=True, minlex=asked.minlex, listed=asked.lists
        )
        places = [n for n, row in enumerate(portion.rows) if row.rating in ratings]
        yield Portion([portion.rows[n] for n in places], part[1], places)
