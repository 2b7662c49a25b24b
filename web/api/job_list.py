"""The client's own jobs, newest first, with pagination."""

import math
from dataclasses import dataclass

from solver.board.display import shown
from web.access.job_owner import owner
from web.http import request_context
from web.http.errors import Problem
from worker.job import Job
from worker.store.schema import StoredByNewer

MAX_LISTED = 100
USUALLY_LISTED = 50


@dataclass(frozen=True, slots=True)
class JobPage:
    """One page of the client's jobs, newest first.

    `cursor` is the cursor of the next page, or None on the last page.
    """

    jobs: list[Job]
    cursor: str | None


def list_jobs(*, cursor: str | None, count: int) -> JobPage:
    """Return a page of at most `count` of the client's own jobs, newest first.

    `cursor` comes from the previous page, or is None for the first page. Deleted and expired jobs
    don't count, and are removed from the client's list. Jobs that only a newer program version can
    read are left out. A client without a list gets an empty page. Raises Problem if the cursor is
    invalid.
    """
    name = owner()
    if name is None:
        return JobPage([], None)
    service = request_context.service()
    before = _read_cursor(cursor)
    found: list[tuple[Job, float]] = []
    gone: list[str] = []
    # One job more than fits shows that there is another page.
    while len(found) <= count:
        made = service.job_owners.jobs(name, count=count + 1, before=before)
        if not made:
            break
        before = min(made.values())
        for job_id, made_at in made.items():
            try:
                job = service.jobs.get(job_id)
            except StoredByNewer:  # keep it in the list for a newer web server
                continue
            if job is None:
                gone.append(job_id)
            else:
                found.append((job, made_at))
    if gone:
        with request_context.ignore_full_redis():
            service.job_owners.forget(name, *gone)
    more = repr(found[count - 1][1]) if len(found) > count else None
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
