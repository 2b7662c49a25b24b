"""Stores the blocks of a new job as its chunks, and sends them to the workers.

It checks the client's limits meanwhile. If anything fails, it deletes the job.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from redis.exceptions import RedisError

from worker.folders import Folders
from worker.ingest.client_limits import check_jobs_again, limit_puzzles
from worker.records.selected_block import StoredBlock
from worker.rejection import Rejected, Rejection, RejectionKind
from worker.service import Service
from worker.store.jobs import JobGone

MAX_NAME_LENGTH = 200
STORE_FULL = Rejection(
    RejectionKind.STORE_FULL,
    "the service's memory is nearly full; try again later, or delete jobs that you don't need",
)
# Check whether Redis has room after this many chunks.
_CHUNKS_PER_CHECK = 16


def store_blocks(
    service: Service,
    job_id: str,
    blocks: Iterable[StoredBlock],
    *,
    client: str,
    at_once: int = 1,
    folders: Callable[[], Folders | None] = lambda: None,
) -> Rejection | None:
    """Store blocks as the chunks of a new job, and send them to the workers.

    `at_once` is the number of blocks that are stored together. `folders` returns the folders of the
    upload, and is called after the last block. Returns None when all blocks are stored. If a block
    can't be read or stored, or if the limits of `client` are exceeded, deletes the job and returns
    a rejection. Also deletes it if an exception is raised.
    """
    try:
        rejection = _store(service, job_id, blocks, client=client, at_once=at_once, folders=folders)
    except BaseException:
        _forget(service, job_id)
        raise
    if rejection is not None:
        _forget(service, job_id)
    return rejection


def _forget(service: Service, job_id: str) -> None:
    with contextlib.suppress(RedisError):
        service.jobs.delete(job_id, counted_as="broken")


def _store(
    service: Service,
    job_id: str,
    blocks: Iterable[StoredBlock],
    *,
    client: str,
    at_once: int,
    folders: Callable[[], Folders | None],
) -> Rejection | None:
    """Store and dispatch the blocks as in `store_blocks`, and return None or a rejection.

    After a rejection, the job still exists, with the chunks stored before. The rejection can come
    from the limits of the client, from the upload, or from a full Redis, or the job is gone.
    """
    rejection = check_jobs_again(service, job_id, client=client)
    if rejection is not None:
        return rejection
    limited = limit_puzzles(service, job_id, blocks, client=client)
    unchecked = 0
    try:
        for batch in _batches(limited, size=at_once):
            if unchecked >= _CHUNKS_PER_CHECK:
                unchecked = 0
                if not service.health.has_room():
                    return STORE_FULL
            service.jobs.add_chunks(job_id, batch)
            service.dispatcher.dispatch(job_id)
            unchecked += len(batch)
        service.jobs.seal(job_id, folders=folders())
    except Rejected as rejected:
        return rejected.rejection
    except JobGone:
        detail = (
            "the job was canceled or deleted, or has expired, before all of its puzzles were "
            "stored; try again"
        )
        return Rejection(RejectionKind.GONE, detail)
    service.dispatcher.dispatch(job_id)
    return None


def _batches(blocks: Iterator[StoredBlock], *, size: int) -> Iterator[list[StoredBlock]]:
    while batch := list(islice(blocks, size)):
        yield batch
