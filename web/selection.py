"""Which results of a job are asked for, and in what order."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from solver.board.result import Outcome
from web import current
from web.errors import Problem
from web.rating_range import read_range
from web.results import Filter, Portion, complete, select
from web.sorted_results import by_rating
from worker.job import Job, JobState

SORTS = ("rating", "-rating")


@dataclass(frozen=True, slots=True)
class Selection:
    """The results that are wanted, `count` behind `offset`; in upload order without a `sort`."""

    wanted: Filter
    sort: str | None = None
    offset: int = 0
    count: int | None = None

    def matching(self, job: Job) -> int:
        """Return how many results of a job meet the filter, wherever they are."""
        outcomes, ratings = self.wanted.outcomes, self.wanted.ratings
        if ratings is not None or self.sort is not None:
            names = self._ratings(job) if ratings is not None else job.ratings
            if outcomes and Outcome.SOLVED.label not in outcomes:
                return 0
            return sum(job.ratings[name] for name in names or ())
        return sum(job.outcomes[name] for name in outcomes) if outcomes else job.total

    def portions(
        self, job: Job, *, must_be_complete: bool = True, listed: bool = True
    ) -> Iterator[Portion]:
        """Yield these results of a job as far as there are any.

        Without `listed`, rows lack the solutions that were asked for beyond the first. Raises
        Incomplete, if they must be complete, where a finished job lacks some.
        """
        portions = self._portions(job, listed=listed)
        if job.state is JobState.FINISHED and must_be_complete:
            asked = range(self.matching(job))[self.offset :][: self.count]
            return complete(portions, rows=len(asked))
        return portions

    def _portions(self, job: Job, *, listed: bool) -> Iterator[Portion]:
        store = current.service().store
        if self.sort is not None:
            return by_rating(
                job,
                lambda: store.results(job.id),
                wanted=self.wanted,
                descending=self.sort.startswith("-"),
                offset=self.offset,
                count=self.count,
            )
        if self.wanted:
            parts, skipped = store.results_among(
                job.id,
                outcomes=self.wanted.outcomes,
                ratings=self._ratings(job),
                offset=self.offset,
            )
        else:
            parts, skipped = store.results(job.id, offset=self.offset, count=self.count), 0
        return select(
            parts,
            limit=job.options.limit,
            rated=job.options.rate,
            minlex=job.options.minlex,
            listed=listed and job.options.lists,
            wanted=self.wanted,
            offset=self.offset - skipped,
            count=self.count,
        )

    def _ratings(self, job: Job) -> list[str] | None:
        """Return the ratings of a job's records that meet the filter; None if it names none."""
        outcomes, ratings = self.wanted.outcomes, self.wanted.ratings
        if ratings is None:
            return None
        if outcomes and Outcome.SOLVED.label not in outcomes:
            return []
        return [name for name in job.ratings if float(name) in ratings]


def read_selection(query: Mapping[str, str], job: Job) -> Selection:
    """Read the selection that a query asks for; raises Problem where that cannot be."""
    outcomes = frozenset(filter(None, query.get("outcome", "").split(",")))
    if outcomes - {outcome.label for outcome in Outcome}:
        known = ", ".join(outcome.label for outcome in Outcome)
        raise Problem(422, f"the outcomes are {known}", field="outcome")
    ratings, text = None, query.get("rating")
    if text:
        ratings = read_range(text)
        if ratings is None:
            detail = f"rating is a range such as 7.1.. or ..3.0 or 7.1..8.0, not {text[:50]!r}"
            raise Problem(422, detail, field="rating")
    sort = query.get("sort") or None
    if sort is not None and sort not in SORTS:
        raise Problem(422, f"results are sorted by {' or '.join(SORTS)}", field="sort")
    if (sort or ratings) and not job.options.rate:
        raise Problem(422, "this job was not asked to rate its puzzles", field="rating")
    if sort and not job.state.final:
        raise Problem(409, f"the job is {job.state}; only what is finished can be sorted")
    return Selection(
        Filter(outcomes, ratings),
        sort,
        read_number(query, "offset") or 0,
        read_number(query, "count"),
    )


def read_number(query: Mapping[str, str], name: str) -> int | None:
    """Return a whole number of a query, None without it; raises Problem for what is none."""
    text = query.get(name)
    if text is None:
        return None
    if not re.fullmatch(r"[0-9]{1,15}", text, re.ASCII):
        raise Problem(422, f"{name} is a whole number, not {text[:50]!r}", field=name)
    return int(text)
