"""List the client's own jobs, newest first, with filters and pagination."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter

from solver.board.display import shown
from web.access.job_owner import owner
from web.api.job_filter import JobFilter
from web.http import request_context
from web.http.errors import Problem
from worker.job import Job

MAX_LISTED = 100
USUALLY_LISTED = 50
# A request with a filter reads at most about this many jobs, and this many at a time.
MAX_FILTERED = 1_000
_BATCH = 100


@dataclass(frozen=True, slots=True)
class JobPage:
    """One page of the client's jobs, newest first.

    `cursor` is the cursor of the next page, or None on the last page. A page with a cursor may have
    few jobs, or none, if a filter selects only few.
    """

    jobs: list[Job]
    cursor: str | None


def list_jobs(
    job_filter: JobFilter,
    *,
    cursor: str | None,
    count: int,
    title: Callable[[Job], str] = attrgetter("title"),
) -> JobPage:
    """Return a page of at most `count` of the client's own jobs, newest first.

    `cursor` comes from the previous page, or is None for the first page. `title` returns the title
    of a job in which the filter searches, by default its name, or its number of puzzles. Deleted
    and expired jobs don't count, and are removed from the client's list. Jobs that only a newer
    program version can read are left out. A client without a list gets an empty page. With a
    filter, the page ends after about `MAX_FILTERED` jobs have been searched. Raises Problem if the
    cursor is invalid.
    """
    name = owner()
    if name is None:
        return JobPage([], None)
    service = request_context.service()
    before = _read_cursor(cursor)
    # One job more than fits shows that there is another page.
    batch = count + 1 if job_filter.selects_all else max(count + 1, _BATCH)
    found: list[tuple[Job, float]] = []
    gone: list[str] = []
    read = 0
    more = None
    while len(found) <= count:
        made = service.job_owners.jobs(name, count=batch, before=before)
        if not made:
            break
        before = min(made.values())
        jobs = service.jobs.get_many(list(made))
        gone += [job_id for job_id, job in jobs.items() if job is None]
        selected = [
            job for job in jobs.values() if job is not None and job_filter.matches(job, title)
        ]
        found += [(job, made[job.id]) for job in selected]
        read += len(made)
        if read >= MAX_FILTERED and not job_filter.selects_all:
            more = repr(before)
            break
    if gone:
        with request_context.ignore_full_redis():
            service.job_owners.forget(name, *gone)
    if len(found) > count:
        more = repr(found[count - 1][1])
    return JobPage([job for job, _ in found[:count]], more)


def _read_cursor(cursor: str | None) -> float | None:
    """Return the creation time that a cursor contains, or None without a cursor.

    Raises Problem if the cursor is invalid.
    """
    if not cursor:
        return None
    try:
        before = float(cursor)
    except ValueError:
        before = math.nan
    if math.isnan(before):
        raise Problem(422, f"{shown(cursor)} isn't a cursor of this list", field="cursor")
    return before
