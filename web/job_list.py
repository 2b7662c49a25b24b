"""The caller's own jobs, newest first, page by page."""

import math
from dataclasses import dataclass

from web import current
from web.errors import Problem
from web.owner import owner
from worker.job import Job

MOST_LISTED = 100
USUALLY_LISTED = 50


@dataclass(frozen=True, slots=True)
class JobPage:
    """Some jobs, and the cursor behind which the next ones are; None if there are none."""

    jobs: list[Job]
    cursor: str | None


def list_jobs(*, cursor: str | None, count: int) -> JobPage:
    """Return the jobs behind a cursor; raises Problem for what is no cursor of ours."""
    name = owner()
    if name is None:
        return JobPage([], None)
    service = current.service()
    made = service.owned.jobs(name, count=count + 1, before=_read(cursor))
    shown = list(made)[:count]
    known = {job_id: service.store.job(job_id) for job_id in shown}
    gone = [job_id for job_id, job in known.items() if job is None]
    if gone:
        with current.if_redis_takes_it():
            service.owned.forget(name, *gone)
    more = repr(made[shown[-1]]) if len(made) > count else None
    return JobPage([job for job in known.values() if job is not None], more)


def _read(cursor: str | None) -> float | None:
    if not cursor:
        return None
    try:
        before = float(cursor)
    except ValueError:
        before = math.nan
    if math.isnan(before):
        raise Problem(422, f"{cursor[:50]!r} is no cursor of this list", field="cursor")
    return before
