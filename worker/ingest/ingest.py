"""Splits an upload into chunks and stores them in a new job.

Workers solve the first chunks while the rest is still being uploaded.
"""

import time
from collections.abc import Iterable, Iterator, Mapping

from worker.ingest.client_limits import check_jobs
from worker.ingest.new_job import MAX_NAME_LENGTH, STORE_FULL, store_blocks
from worker.ingest.stream import open_stream
from worker.ingest.upload_budget import UploadBudget
from worker.job import JobOptions
from worker.logs import shown_id
from worker.rejection import Rejection
from worker.service import Service
from worker.store.jobs import JobStore
from worker.store.webhooks import NewWebhook

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

    Chunks are sent to the workers while the upload continues. `pieces` are the upload's bytes, in
    UTF-8, UTF-16, or Windows-1252, which can be compressed. `name` is the job's name for display,
    of which the first 200 characters are kept. The limits of `client` apply. `budget` limits the
    CPU time of an upload that arrives in a request. The `webhook`, if any, is notified when the job
    ends. If the upload is rejected, or interrupted by an exception, the job is deleted.
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
            name=name[:MAX_NAME_LENGTH],
            metadata=metadata,
            expires_in=expires_in,
            options=options,
            format=stream.recognized.format.name,
            context=stream.recognized.context,
            client=client,
            block_records=stream.recognized.block_records,
            trace=span.parent,
            webhook=webhook,
        )
        span.note("job", shown_id(job_id))
        heartbeat.job_id = job_id
        rejection = store_blocks(
            service,
            job_id,
            stream.blocks(),
            client=client,
            folders=lambda: stream.recorder.folders,
        )
        if rejection is not None:
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
