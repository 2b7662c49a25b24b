"""From a stream of bytes to a job: recognise, cut, store, and let solving begin meanwhile."""

import contextlib
from collections.abc import Iterable, Iterator
from itertools import chain

from redis.exceptions import RedisError

from solver.formats import HEAD_BYTES, Splitter, recognise
from solver.formats.format import Block, Recognised, Unreadable
from web.errors import RETRY_SECONDS, Problem
from web.uploads.unpack import unpack
from worker.job import JobOptions
from worker.options import read_options
from worker.service import Service
from worker.store.jobs import JobGone

_LONGEST_NAME = 200
# Redis is asked again whether it has room after so many chunks.
_CHUNKS_A_LOOK = 16


def ingest(
    service: Service, pieces: Iterable[bytes], *, options: JobOptions, name: str, client: str
) -> str:
    """Open a job, store an upload in it chunk by chunk, and return its id.

    Raises Problem when the upload cannot be taken; nothing is left of it then.
    """
    settings = service.settings
    check_room(service)
    if service.store.unfinished_jobs(client) >= settings.max_jobs_per_client:
        detail = f"you have {settings.max_jobs_per_client:,} jobs that are not finished"
        raise Problem(429, f"{detail}, the most that one client may have", retry_after=30)
    stream = unpack(pieces, most=settings.max_upload_bytes)
    head, final = _head(stream)
    recognised = recognise(head, final=final, options=read_options(options))
    if isinstance(recognised, Unreadable) and recognised.option is not None:
        raise Problem(422, recognised.detail, field=recognised.option)
    if isinstance(recognised, Unreadable):
        raise Problem(400, recognised.detail, recognised.line, recognised.column)
    job_id = service.store.open_job(
        name=name[:_LONGEST_NAME] or "upload",
        options=options,
        format=recognised.format.name,
        context=recognised.context,
        client=client,
    )
    try:
        _store(service, job_id, recognised, chain((head,), stream), options)
    except BaseException:
        with contextlib.suppress(RedisError):
            service.store.delete(job_id)
        raise
    return job_id


def check_room(service: Service) -> None:
    """Raise Problem when Redis is nearly full."""
    if not service.store.has_room():
        detail = "the store is nearly full; results that expire will make room"
        raise Problem(503, detail, retry_after=60)


def _head(stream: Iterator[bytes]) -> tuple[bytes, bool]:
    head = b""
    for piece in stream:
        head += piece
        if len(head) >= HEAD_BYTES:
            return head, False
    return head, True


def _store(
    service: Service,
    job_id: str,
    recognised: Recognised,
    stream: Iterable[bytes],
    options: JobOptions,
) -> None:
    settings = service.settings
    # Listing solutions makes results larger and slower, so blocks get smaller.
    records = max(recognised.block_records * 2 // max(options.limit, 2), 1)
    splitter = Splitter(recognised, max_records=records, max_record_bytes=settings.max_record_bytes)
    total = 0
    for number, block in enumerate(_blocks(splitter, stream), 1):
        total += block.records
        if total > settings.max_puzzles:
            detail = f"the upload has more than {settings.max_puzzles:,} puzzles"
            raise Problem(413, f"{detail}, the most that one job may have")
        if number % _CHUNKS_A_LOOK == 0:
            check_room(service)
        try:
            service.store.add_chunk(job_id, block)
        except JobGone:
            raise _gone() from None
        service.dispatcher.advance(job_id)
    if total == 0:
        raise Problem(400, "there is no puzzle in the upload")
    try:
        service.store.seal(job_id)
    except JobGone:
        raise _gone() from None
    service.dispatcher.advance(job_id)


def _blocks(splitter: Splitter, stream: Iterable[bytes]) -> Iterator[Block]:
    for piece in stream:
        yield from splitter.feed(piece)
    yield from splitter.close()


def _gone() -> Problem:
    detail = "the job was cancelled or deleted while its upload was under way"
    return Problem(409, detail, retry_after=RETRY_SECONDS)
