"""Splits an upload into chunks and stores them in a new job.

Workers solve the first chunks while the rest is still being uploaded.
"""

import contextlib
import time
from collections.abc import Iterable, Iterator, Mapping

from redis.exceptions import RedisError

from worker.ingest.client_limits import check_jobs, check_jobs_again, limit_puzzles
from worker.ingest.stream import Stream, open_stream
from worker.ingest.upload_budget import UploadBudget
from worker.job import JobOptions
from worker.logs import shown_id
from worker.rejection import Rejected, Rejection, RejectionKind
from worker.service import Service
from worker.store.jobs import JobGone, JobStore
from worker.store.webhooks import NewWebhook

STORE_FULL = Rejection(
    RejectionKind.STORE_FULL,
    "the service's memory is nearly full; try again later, or delete jobs that you don't need",
)
_MAX_NAME_LENGTH = 200
# Check whether Redis has room after this many chunks.
_CHUNKS_PER_CHECK = 16
# At most this many heartbeats within the time after which an upload counts as interrupted.
_HEARTBEATS_PER_TIMEOUT = 10


def ingest(
    service: Service,
    pieces: Iterable[bytes],
    *,
    options: JobOptions,
    name: str,
    metadata: Mapping[str, str] | None = None,
    expires_in: int | None = None,
    client: str,
    budget: UploadBudget | None = None,
    webhook: NewWebhook | None = None,
) -> str | Rejection:
    """Create a job, and store an upload in it chunk by chunk. Return the job's id or a rejection.

    Chunks are sent to the workers while the upload continues. `pieces` are the upload's bytes,
    which can be compressed and in any charset. `name` is the job's name for display. The limits of
    `client` apply. `budget` limits the CPU time of an upload that arrives in a request. The
    `webhook`, if any, is notified when the job ends. If the upload is rejected, or interrupted by
    an exception, the job is deleted.
    """
    settings = service.settings
    if not service.health.has_room():
        return STORE_FULL
    rejection = check_jobs(service, client=client)
    if rejection is not None:
        return rejection
    heartbeat = _Heartbeat(service.jobs, seconds=settings.upload_patience / _HEARTBEATS_PER_TIMEOUT)
    pieces = heartbeat.watch(pieces)
    stream = open_stream(pieces, options=options, settings=settings, budget=budget)
    if isinstance(stream, Rejection):
        return stream
    with service.telemetry.span("job", format=stream.recognized.format.name) as span:
        job_id = service.jobs.create(
            name=name[:_MAX_NAME_LENGTH],
            metadata=metadata,
            expires_in=expires_in,
            options=options,
            format=stream.recognized.format.name,
            context=stream.recognized.context,
            client=client,
            trace=span.parent,
            webhook=webhook,
        )
        span.note("job", shown_id(job_id))
        heartbeat.job_id = job_id
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


class _Heartbeat:
    """Sends heartbeats for a job during its upload, so that it doesn't count as interrupted.

    Heartbeats are at least `seconds` apart. `job_id` is set when the job has been created.
    """

    def __init__(self, jobs: JobStore, *, seconds: float) -> None:
        self.job_id: str | None = None
        self._jobs = jobs
        self._seconds = seconds
        self._sent_at = time.monotonic()

    def watch(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the pieces of the upload unchanged, and send heartbeats between them.

        Heartbeats are sent only once `job_id` is set.
        """
        for piece in pieces:
            yield piece
            now = time.monotonic()
            if self.job_id is not None and now - self._sent_at > self._seconds:
                self._sent_at = now
                self._jobs.touch(self.job_id)


def _forget(service: Service, job_id: str) -> None:
    with contextlib.suppress(RedisError):
        service.jobs.delete(job_id, counted_as="broken")


def _store(service: Service, job_id: str, stream: Stream, *, client: str) -> Rejection | None:
    """Store the chunks of an upload in its job, and send them to the workers.

    Returns None if the upload is complete. Returns a rejection if the caller must delete the job.
    """
    rejection = check_jobs_again(service, job_id, client=client)
    if rejection is not None:
        return rejection
    blocks = limit_puzzles(service, job_id, stream.blocks(), client=client)
    try:
        for number, block in enumerate(blocks):
            if number and number % _CHUNKS_PER_CHECK == 0 and not service.health.has_room():
                return STORE_FULL
            service.jobs.add_chunk(job_id, block)
            service.dispatcher.dispatch(job_id)
        service.jobs.seal(job_id)
    except Rejected as rejected:
        return rejected.rejection
    except JobGone:
        detail = (
            "the job was canceled or deleted, or has expired, during its upload; upload the "
            "puzzles again"
        )
        return Rejection(RejectionKind.GONE, detail)
    service.dispatcher.dispatch(job_id)
    return None
