"""Parse queries for the results of a job: filters, sort order, offset, and count."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from solver.board.closest import unknown
from solver.board.display import shown
from web.http import request_context
from web.http.errors import Problem
from web.results.formats import SORTS
from web.results.read_filter import read_filter, unrated
from web.results.result_filter import Filter
from web.results.sort_orders import (
    by_own_rating,
    by_rating,
    by_steps,
    matching_parts,
    ratings_among,
)
from web.results.sorting import in_order
from web.results.writers import Incomplete, ResultPage, complete, result_page, select
from worker.job import Job, JobState


@dataclass(frozen=True, slots=True)
class ResultQuery:
    """The requested results of a job: `count` results after skipping `offset` results.

    `wanted` is the filter. If `sort` is None, the results are in upload order. If `count` is None,
    all remaining results are requested.
    """

    wanted: Filter
    sort: str | None = None
    offset: int = 0
    count: int | None = None

    @property
    def sorts_by_rating(self) -> bool:
        """Whether results are sorted by rating. Unrated results are then left out."""
        return self.sort in ("rating", "-rating")

    @property
    def sorts_by_own_rating(self) -> bool:
        """Whether results are sorted by sudokuq rating. Results without one are then left out."""
        return self.sort in ("sudokuq_rating", "-sudokuq_rating")

    def matching(self, job: Job) -> int:
        """Return the number of a job's results that pass the filter, ignoring offset and count.

        Without a filter, records that aren't done yet are counted, too. If the results are sorted
        by one of the two ratings, only those that have it are counted.
        """
        required = self._required()
        if not required.is_counted:
            return sum(len(required.places_in(part)) for part in matching_parts(job, required)[0])
        if required.ratings is not None:
            return sum(job.ratings[name] for name in ratings_among(job, required))
        outcomes = required.outcomes
        return sum(job.outcomes[name] for name in outcomes) if outcomes else job.total

    def _required(self) -> Filter:
        """Return the filter, which also requires the rating by which results are sorted."""
        if self.sorts_by_own_rating:
            return self.wanted.only_with_own_rating()
        return self.wanted.only_rated() if self.sorts_by_rating else self.wanted

    def selected(self, job: Job) -> int:
        """Return the largest number of results that the query can select at this moment."""
        there = range(self.matching(job))[self.offset :][: self.count]
        return len(there) if job.state is JobState.FINISHED else min(len(there), job.done)

    def pages(
        self, job: Job, *, must_be_complete: bool = True, listed: bool = True
    ) -> Iterator[ResultPage]:
        """Return an iterator over the selected results of a job, as far as they are available.

        If `listed` is False, rows contain only the first solution. With `must_be_complete`, the
        iterator raises Incomplete if a finished job lacks some results, or if an unfinished job no
        longer exists at the end.
        """
        pages = self._pages(job, listed=listed)
        if not must_be_complete:
            return pages
        if job.state is JobState.FINISHED:
            return complete(pages, rows=self.selected(job))
        return _while_job_exists(job, pages)

    def _pages(self, job: Job, *, listed: bool) -> Iterator[ResultPage]:
        asked = job.options
        form: dict[str, Any] = {
            "limit": asked.limit,
            "rated": asked.rate,
            "minlex": asked.minlex,
            "listed": listed and asked.lists,
            "folders": job.folders,
        }
        if self.sort is not None:
            ranks = {"rating": by_rating, "sudokuq_rating": by_own_rating, "steps": by_steps}
            rank = ranks[self.sort.removeprefix("-")]
            return in_order(
                rank(job, self.wanted, write=partial(result_page, **form)),
                descending=self.sort.startswith("-"),
                offset=self.offset,
                count=self.count,
            )
        if self.wanted:
            parts, skipped = matching_parts(job, self.wanted, offset=self.offset)
        else:
            results = request_context.service().results
            parts, skipped = results.read(job.id, offset=self.offset, count=self.count), 0
        offset = self.offset - skipped
        return select(parts, wanted=self.wanted, offset=offset, count=self.count, **form)


def _while_job_exists(job: Job, pages: Iterator[ResultPage]) -> Iterator[ResultPage]:
    """Yield all pages, and check after the last one whether the job still exists.

    Raises Incomplete if it no longer exists, because pages may then be missing.
    """
    yield from pages
    if request_context.service().jobs.get(job.id) is None:
        raise Incomplete


def parse_result_query(query: Mapping[str, str], job: Job) -> ResultQuery:
    """Parse the query parameters of a request for a job's results.

    The values of repeated parameters must already be joined with commas. Raises Problem if a
    parameter is invalid, or if the job can't provide it.
    """
    wanted = read_filter(query, job)
    sort = query.get("sort") or None
    if sort is not None and sort not in SORTS:
        raise Problem(422, unknown("sort order", sort, SORTS), field="sort")
    if sort and "rating" in sort and not job.options.rate:
        raise unrated(sort.removeprefix("-"))
    if sort and not job.state.final:
        detail = f"the job is {job.state}; results can be sorted when it is finished"
        raise Problem(409, detail, kind="job-not-finished")
    return ResultQuery(
        wanted,
        sort,
        read_number(query, "offset") or 0,
        read_number(query, "count"),
    )


def read_number(query: Mapping[str, str], name: str) -> int | None:
    """Return the whole number in a query parameter, or None if the parameter is absent.

    Raises Problem if it is malformed.
    """
    text = query.get(name)
    if text is None:
        return None
    if not re.fullmatch(r"[0-9]{1,15}", text, re.ASCII):
        raise Problem(
            422, f"{name!r} must be a whole number of 0 or more, not {shown(text)}", field=name
        )
    return int(text)
