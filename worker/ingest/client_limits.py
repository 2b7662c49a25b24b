"""Limit the active jobs of one client and of all, and the unsolved puzzles of a client."""

from collections.abc import Iterable, Iterator

from solver.board.display import how_many
from worker.records.selected_block import StoredBlock
from worker.rejection import Rejected, Rejection, RejectionKind
from worker.service import Service
from worker.settings import Settings

# Count a client's unsolved puzzles again after this many chunks.
_CHUNKS_PER_COUNT = 16


def check_jobs(service: Service, *, client: str) -> Rejection | None:
    """Return a rejection if the client, or all clients together, have too many active jobs.

    Returns None if another job can be created.
    """
    settings = service.settings
    if service.active_jobs.count(client) >= settings.max_jobs_per_client:
        return _too_many_jobs(settings)
    if service.active_jobs.count_all() >= settings.max_jobs:
        return _queue_full(settings)
    return None


def check_jobs_again(service: Service, job_id: str, *, client: str) -> Rejection | None:
    """Return a rejection if jobs were created concurrently, so that a new job exceeds a limit.

    `job_id` is the new job, which `check_jobs` permitted. Returns None if it can be kept.
    """
    settings = service.settings
    if service.active_jobs.count_before(job_id, client=client) >= settings.max_jobs_per_client:
        return _too_many_jobs(settings)
    # The count includes this job. Of several jobs that arrive at the same time, all can be
    # rejected.
    return _queue_full(settings) if service.active_jobs.count_all() > settings.max_jobs else None


def limit_puzzles(
    service: Service, job_id: str, blocks: Iterable[StoredBlock], *, client: str
) -> Iterator[StoredBlock]:
    """Yield the blocks of an upload while the client's unsolved puzzles are within the limit.

    `job_id` is the job of the upload. If the limit in the settings is exceeded, raises Rejected: as
    TOO_LARGE if the upload alone contains too many puzzles, so that a retry can't help, else as
    TOO_MANY_JOBS. To distinguish these cases, blocks that don't fit aren't yielded, but are counted
    until the upload ends or is too large. At the end, the limit is checked again, because other
    uploads may have added puzzles in the meantime. Without a limit, all blocks are yielded.
    """
    limit = service.settings.max_puzzles_per_client
    if limit is None:
        yield from blocks
        return
    records, room = 0, 0
    for number, block in enumerate(blocks):
        records += block.records
        if records > limit:
            detail = (
                f"the upload exceeds your limit of {limit:,} unsolved puzzles; split it into "
                "several jobs"
            )
            raise Rejected(RejectionKind.TOO_LARGE, detail)
        if room >= 0 and number % _CHUNKS_PER_COUNT == 0:
            room = limit - service.active_jobs.waiting_records(job_id, client=client)
        room -= block.records
        if room >= 0:
            yield block
    # Other uploads may have added puzzles in the meantime. The last one to finish notices it.
    if room < 0 or service.active_jobs.waiting_records(job_id, client=client) > limit:
        detail = (
            f"this upload would exceed your limit of {limit:,} unsolved puzzles; wait until some "
            "are solved"
        )
        raise Rejected(RejectionKind.TOO_MANY_JOBS, detail)


def _too_many_jobs(settings: Settings) -> Rejection:
    jobs = how_many(settings.max_jobs_per_client, "active job")
    detail = f"you have reached your limit of {jobs}; wait until some finish, or cancel some"
    return Rejection(RejectionKind.TOO_MANY_JOBS, detail)


def _queue_full(settings: Settings) -> Rejection:
    jobs = how_many(settings.max_jobs, "active job")
    detail = f"all clients together have reached the limit of {jobs}; try again later"
    return Rejection(RejectionKind.QUEUE_FULL, detail)
