"""A job as Server-Sent Events: whenever it changes, until it is final."""

import threading
import time
from collections.abc import Iterator

import msgspec
from flask import Response, request, stream_with_context
from redis.exceptions import RedisError

from web import current
from web.connections import client_is_gone, stopping
from web.errors import Problem
from web.job_json import etag, job_json
from worker.job import Job

# Everyone who watches holds a thread of the server; beyond so many, they have to poll.
MOST_WATCHERS = 48
_LOOK_SECONDS = 0.5
# A comment after so long a silence keeps what stands between here and the client from closing.
_SILENCE = 15.0
# Then a client has to come again, so that one who forgot to leave makes room.
_LONGEST_WATCH = 600.0
_RETRY_SECONDS = 10
_watching = threading.BoundedSemaphore(MOST_WATCHERS)


def watch(job: Job) -> Response:
    """Return the events of a job.

    A client that comes again after the last one gets 204, which tells browsers to stay away.
    """
    if job.state.final and request.headers.get("Last-Event-ID") == etag(job):
        return Response(status=204)
    if not _watching.acquire(blocking=False):
        detail = f"{MOST_WATCHERS} watch jobs already; ask for the job with wait instead"
        raise Problem(503, detail, retry_after=_RETRY_SECONDS)
    response = Response(stream_with_context(_events(job)), mimetype="text/event-stream")
    response.call_on_close(_watching.release)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"  # nginx, which would hold them back
    return response


def _events(job: Job) -> Iterator[bytes]:
    told, told_at, deadline = "", time.monotonic(), time.monotonic() + _LONGEST_WATCH
    while True:
        now = time.monotonic()
        tag = etag(job)
        if tag != told:
            yield b"id: %b\ndata: %b\n\n" % (tag.encode(), msgspec.json.encode(job_json(job)))
            told, told_at = tag, now
        elif now - told_at > _SILENCE:
            yield b": still there\n\n"
            told_at = now
        if job.state.final or now > deadline or stopping.wait(_LOOK_SECONDS) or client_is_gone():
            return
        try:
            later = current.service().store.job(job.id)
        except RedisError:  # a browser that came again meanwhile would be told 503, and stay away
            continue
        if later is None:  # deleted: whoever comes again is told
            return
        job = later
