"""Creates a job whose puzzles the workers generate."""

from collections.abc import Mapping

from solver.generation.request import GenerationRequest
from worker.ingest.client_limits import check_jobs
from worker.ingest.generation_blocks import generation_blocks
from worker.ingest.new_job import MAX_NAME_LENGTH, STORE_FULL, store_blocks
from worker.job import JobOptions
from worker.logs import shown_id
from worker.records.generation_block import GENERATED, context_of
from worker.rejection import Rejection, RejectionKind
from worker.service import Service
from worker.store.webhooks import NewWebhook

_CHUNKS_AT_ONCE = 64


def generate(
    service: Service,
    request: GenerationRequest,
    text: str,
    *,
    options: JobOptions,
    name: str,
    metadata: Mapping[str, str] | None = None,
    expires_in: int | None = None,
    client: str,
    webhook: NewWebhook | None = None,
) -> str | Rejection:
    """Create a job that generates puzzles. Return its id or a rejection.

    `text` is the request as JSON. The other arguments are those of `ingest`, and the same limits
    apply. A job that is rejected or interrupted by an exception is deleted.
    """
    if not service.health.has_room():
        return STORE_FULL
    rejection = check_jobs(service, client=client) or _check_size(service, request)
    if rejection is not None:
        return rejection
    with service.telemetry.span("job", format=GENERATED) as span:
        job_id = service.jobs.create(
            name=name[:MAX_NAME_LENGTH],
            metadata=metadata,
            expires_in=expires_in,
            options=options,
            format=GENERATED,
            context=context_of(text),
            client=client,
            in_order=request.distinct,
            trace=span.parent,
            webhook=webhook,
        )
        span.note("job", shown_id(job_id))
        blocks = generation_blocks(request, options)
        rejection = store_blocks(service, job_id, blocks, client=client, at_once=_CHUNKS_AT_ONCE)
        if rejection is not None:
            span.note("refused", rejection.kind)
            return rejection
        return job_id


def _check_size(service: Service, request: GenerationRequest) -> Rejection | None:
    limit = service.settings.max_puzzles
    if request.count > limit:
        detail = f"{request.count:,} puzzles are requested; the limit for a job is {limit:,}"
        return Rejection(RejectionKind.TOO_LARGE, detail, field="count")
    return None
