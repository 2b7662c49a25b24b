"""Stream a job as Server-Sent Events: its state whenever it changes, until the job has ended."""

import threading
import time
from collections.abc import Iterator

import msgspec
from flask import Response, request, stream_with_context
from redis.exceptions import RedisError

from web.api.job_json import etag, job_json
from web.http import request_context
from web.http.connection import client_disconnected, stopping
from web.http.errors import Problem
from worker.job import Job

# Each event stream occupies a server thread. Beyond this number, clients have to poll.
MAX_WATCHERS = 48
_POLL_SECONDS = 0.5
# Seconds of silence after which a comment keeps proxies from closing the connection.
_SILENT_SECONDS = 15.0
# Seconds after which a client has to reconnect, so that abandoned streams free their slots.
_MAX_STREAM_SECONDS = 600.0
_RETRY_SECONDS = 10
_stream_slots = threading.BoundedSemaphore(MAX_WATCHERS)


def watch(job: Job) -> Response:
    """Return a response that streams a job's state as Server-Sent Events until the job has ended.

    A stream also ends after ten minutes. If a client reconnects after the last event of a job, it
    gets status 204, which makes browsers stop reconnecting. Raises Problem if too many streams are
    open.
    """
    if job.state.final and request.headers.get("Last-Event-ID") == etag(job):
        return Response(status=204)
    if not _stream_slots.acquire(blocking=False):
        detail = f"all {MAX_WATCHERS} event streams are in use; poll the job with `wait` instead"
        raise Problem(503, detail, retry_after=_RETRY_SECONDS)
    response = Response(stream_with_context(_events(job)), mimetype="text/event-stream")
    response.call_on_close(_stream_slots.release)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"  # keeps nginx from buffering the events
    return response


def _events(job: Job) -> Iterator[bytes]:
    sent, sent_at, deadline = "", time.monotonic(), time.monotonic() + _MAX_STREAM_SECONDS
    while True:
        now = time.monotonic()
        tag = etag(job)
        if tag != sent:
            yield b"id: %b\ndata: %b\n\n" % (tag.encode(), msgspec.json.encode(job_json(job)))
            sent, sent_at = tag, now
        elif now - sent_at > _SILENT_SECONDS:
            yield b": still there\n\n"
            sent_at = now
        if (
            job.state.final
            or now > deadline
            or stopping.wait(_POLL_SECONDS)
            or client_disconnected()
        ):
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
