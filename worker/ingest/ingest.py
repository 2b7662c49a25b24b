"""Ingest: split an upload into chunks and store them in a job, while solving already begins."""

import contextlib
import time
from collections.abc import Iterable, Iterator

from redis.exceptions import RedisError

from solver.formats.format import Block
from worker.ingest.stream import Stream, open_stream
from worker.ingest.upload_budget import UploadBudget
from worker.job import JobOptions
from worker.logs import shown_id
from worker.rejection import Rejected, Rejection, RejectionKind
from worker.service import Service
from worker.settings import Settings
from worker.store.jobs import JobGone, JobStore

FULL = Rejection(
    RejectionKind.STORE_FULL, "the store is nearly full; results that expire will make room"
)
_LONGEST_NAME = 200
# Check whether Redis has room once every this many chunks.
_CHUNKS_A_LOOK = 16
# At most this many heartbeats within the time after which an upload counts as interrupted.
_BEATS = 10


def ingest(
    service: Service,
    pieces: Iterable[bytes],
    *,
    options: JobOptions,
    name: str,
    client: str,
    budget: UploadBudget | None = None,
) -> str | Rejection:
    """Create a job, store an upload in it chunk by chunk, and return its id.

    `budget` limits the CPU time of an upload that arrives in a request. If the upload is rejected
    or interrupted by an exception, the job is deleted.
    """
    settings = service.settings
    if not service.health.has_room():
        return FULL
    if service.active_jobs.count(client) >= settings.max_jobs_per_client:
        return _too_many_jobs(settings)
    if service.active_jobs.count_all() >= settings.max_jobs:
        return _queue_full(settings)
    pulse = _Pulse(service.jobs, seconds=settings.upload_patience / _BEATS)
    stream = open_stream(pulse.beside(pieces), options=options, settings=settings, budget=budget)
    if isinstance(stream, Rejection):
        return stream
    with service.telemetry.span("job", format=stream.recognised.format.name) as span:
        job_id = service.jobs.create(
            name=name[:_LONGEST_NAME],
            options=options,
            format=stream.recognised.format.name,
            context=stream.recognised.context,
            client=client,
            trace=span.parent,
        )
        span.note("job", shown_id(job_id))
        pulse.job_id = job_id
        try:
            rejection = _store(service, job_id, stream, client=client)
        except BaseException:
            _forget(service, job_id)
            raise
        if rejection is not None:
            _forget(service, job_id)
            span.note("refused", rejection.kind)
            return rejection
        return job_id


class _Pulse:
    """A heartbeat that keeps an upload alive, however long its next chunk takes to arrive."""

    def __init__(self, jobs: JobStore, *, seconds: float) -> None:
        self.job_id: str | None = None
        self._jobs = jobs
        self._seconds = seconds
        self._said_at = time.monotonic()

    def beside(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Pass the pieces of the upload on, and send heartbeats."""
        for piece in pieces:
            yield piece
            now = time.monotonic()
            if self.job_id is not None and now - self._said_at > self._seconds:
                self._said_at = now
                self._jobs.touch(self.job_id)


def _forget(service: Service, job_id: str) -> None:
    with contextlib.suppress(RedisError):
        service.jobs.delete(job_id, counted_as="broken")


def _too_many_jobs(settings: Settings) -> Rejection:
    detail = f"you have {settings.max_jobs_per_client:,} jobs that are not finished"
    return Rejection(RejectionKind.TOO_MANY_JOBS, f"{detail}, the most that one client may have")


def _queue_full(settings: Settings) -> Rejection:
    detail = f"{settings.max_jobs:,} jobs of all clients together are not finished, the most"
    return Rejection(RejectionKind.QUEUE_FULL, f"{detail} that there may be")


def _too_many_puzzles(most: int) -> Rejection:
    detail = f"more than {most:,} of your puzzles would wait, the most that one client may have"
    return Rejection(RejectionKind.TOO_MANY_JOBS, f"{detail} waiting")


def _never_fits(most: int) -> Rejection:
    detail = f"the upload has more than {most:,} puzzles, and no more of yours may wait at a time"
    return Rejection(RejectionKind.TOO_LARGE, f"{detail}; split it into several jobs")


def _opened_meanwhile(service: Service, job_id: str, *, client: str) -> Rejection | None:
    """Reject a job if too many others were created since it began to arrive."""
    settings = service.settings
    if service.active_jobs.count_before(job_id, client=client) >= settings.max_jobs_per_client:
        return _too_many_jobs(settings)
    # The count includes this job. If several jobs arrive at the same time, all can be told to
    # retry.
    return _queue_full(settings) if service.active_jobs.count_all() > settings.max_jobs else None


def _fitting(
    service: Service, job_id: str, blocks: Iterable[Block], *, client: str
) -> Iterator[Block]:
    """Pass blocks on. Raises Rejected when the client has too many waiting puzzles."""
    most = service.settings.max_puzzles_per_client
    if most is None:
        yield from blocks
        return
    room, stored = 0, 0
    for number, block in enumerate(blocks):
        if number % _CHUNKS_A_LOOK == 0:
            room = most - service.active_jobs.waiting_records(job_id, client=client)
        room -= block.records
        stored += block.records
        # If the upload alone has too many puzzles, a retry can't help.
        rejection = _never_fits(most) if stored > most else _too_many_puzzles(most)
        if stored > most or room < 0:
            raise Rejected(rejection.kind, rejection.detail)
        yield block


def _store(service: Service, job_id: str, stream: Stream, *, client: str) -> Rejection | None:
    too_many = _opened_meanwhile(service, job_id, client=client)
    if too_many is not None:
        return too_many
    most = service.settings.max_puzzles_per_client
    try:
        for number, block in enumerate(_fitting(service, job_id, stream.blocks(), client=client)):
            if number and number % _CHUNKS_A_LOOK == 0 and not service.health.has_room():
                return FULL
            service.jobs.add_chunk(job_id, block)
            service.dispatcher.advance(job_id)
        # Other uploads may have added puzzles in the meantime. The last one to finish notices it.
        if most is not None and service.active_jobs.waiting_records(job_id, client=client) > most:
            return _too_many_puzzles(most)
        service.jobs.seal(job_id)
    except Rejected as rejected:
        return rejected.rejection
    except JobGone:
        detail = "the job was cancelled or deleted while its upload was under way"
        return Rejection(RejectionKind.GONE, detail)
    service.dispatcher.advance(job_id)
    return None
