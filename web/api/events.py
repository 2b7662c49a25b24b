"""A job as Server-Sent Events: its state whenever it changes, until it is final."""

import threading
import time
from collections.abc import Iterator

import msgspec
from flask import Response, request, stream_with_context
from redis.exceptions import RedisError

from web.api.job_json import etag, job_json
from web.http import request_context
from web.http.connection import client_is_gone, stopping
from web.http.errors import Problem
from worker.job import Job

# Each event stream occupies a server thread. Beyond this number, clients have to poll.
MOST_WATCHERS = 48
_LOOK_SECONDS = 0.5
# Seconds of silence after which a comment keeps proxies from closing the connection.
_SILENCE = 15.0
# Seconds after which a client has to reconnect, so that abandoned streams free their slots.
_LONGEST_WATCH = 600.0
_RETRY_SECONDS = 10
_watching = threading.BoundedSemaphore(MOST_WATCHERS)


def watch(job: Job) -> Response:
    """Return the event stream of a job.

    A client that reconnects after the last event gets status 204, which makes browsers stop
    reconnecting.
    """
    if job.state.final and request.headers.get("Last-Event-ID") == etag(job):
        return Response(status=204)
    if not _watching.acquire(blocking=False):
        detail = f"all {MOST_WATCHERS} event streams are in use; poll the job with `wait` instead"
        raise Problem(503, detail, retry_after=_RETRY_SECONDS)
    response = Response(stream_with_context(_events(job)), mimetype="text/event-stream")
    response.call_on_close(_watching.release)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"  # keeps nginx from buffering the events
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
            later = request_context.service().jobs.get(job.id)
        # Continue: if the stream ended now, a browser would reconnect, get a 503, and give up for
        # good.
        except RedisError:
            continue
        if later is None:  # deleted: a client that reconnects gets a 404
            return
        job = later
