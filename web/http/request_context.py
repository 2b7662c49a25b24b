"""Find the service and the job of the current request, check preconditions, and wait for jobs."""

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import TypeVar, cast

from flask import current_app, g, request
from kombu.exceptions import OperationalError
from redis.exceptions import ResponseError

from solver.board.closest import unknown
from solver.board.display import shown
from web.http.connection import client_disconnected, is_in_watch_lane, stopping
from web.http.errors import Problem
from worker.job import Job
from worker.service import Service

logger = logging.getLogger(__name__)

LONGEST_WAIT = 30.0
# Seconds between two polls. The interval grows with the time that a request has waited.
_POLL_SECONDS = 0.05
_MAX_POLL_SECONDS = 0.5
_POLL_SHARE = 0.1
_Seen = TypeVar("_Seen")
# Limits of waiting requests, each of which occupies a thread in one of the server's lanes. Beyond
# them, requests get an immediate response.
MAX_FOLLOWERS = 48
# For a job's changes, in the lane for long-running requests.
_follow_slots = threading.BoundedSemaphore(MAX_FOLLOWERS)
_solve_slots = threading.BoundedSemaphore(40)  # for a puzzle's solution, in the lane for uploads
_other_slots = threading.BoundedSemaphore(8)  # for everything else


def service() -> Service:
    """Return the application's `Service`, which contains its settings and its access to Redis.

    Its limits are those for clients without an API key. `web.access.authentication.service` has
    those of the current client.
    """
    return cast("Service", current_app.extensions["sudokuq"])


@contextlib.contextmanager
def ignore_full_redis() -> Iterator[None]:
    """Log an error of the `with` block instead of raising it if Redis rejects a write.

    Use it for writes that the response doesn't depend on, because Redis may be full. All error
    responses from Redis (ResponseError) and all errors while sending a task (OperationalError) are
    suppressed, whatever their cause. Other errors are raised, such as a lost connection to Redis.
    """
    try:
        yield
    except (ResponseError, OperationalError) as error:
        logger.warning("Redis rejected an optional write: %s", error)


def find_job(job_id: str) -> Job:
    """Return the job with this id. Raises Problem if it doesn't exist.

    Raises StoredByNewer if only a newer program version can read it. Error pages of the current
    request get a link to the job.
    """
    job = service().jobs.get(job_id)
    if job is None:
        raise Problem(
            404,
            "Unknown job. It has expired or was deleted, or the id is wrong",
            kind="job-not-found",
        )
    g.job = job  # for error pages, which have a link to it
    return job


def check_match(tag: str | None) -> None:
    """Raise Problem if the request has an If-Match header that doesn't list the strong ETag `tag`.

    `tag` is None for results that may still change. Then only `*` matches.
    """
    _check_match(listed=tag is not None and request.if_match.is_strong(tag))


def check_job_match(tag: str) -> None:
    """Raise Problem if the request has an If-Match header that doesn't list a job's ETag `tag`.

    The ETag of a job is weak because the reported speed changes with every response. The ETag
    identifies state and progress, which clients want to verify before they cancel or delete a job.
    """
    _check_match(listed=request.if_match.contains_weak(tag))


def _check_match(*, listed: bool) -> None:
    if request.if_match and not request.if_match.star_tag and not listed:
        raise Problem(
            412, "the current ETag isn't listed in If-Match; get the current version, and try again"
        )


def check_parameters(*known: str) -> None:
    """Raise Problem if the request has a query parameter that isn't `known`.

    Otherwise, it would be ignored silently. Names that start with an underscore are allowed,
    because clients add them to bypass caches.
    """
    for name in request.args:
        if name not in known and not name.startswith("_"):
            raise Problem(422, unknown("query parameter", name, known), field=name)


def seconds_to_wait(default: float = 0.0) -> float:
    """Return the query parameter `wait` in seconds, at most `LONGEST_WAIT`.

    Returns the default if it is absent. Raises Problem if it isn't a nonnegative number.
    """
    text = request.args.get("wait")
    if text is None:
        return default
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not seconds >= 0:
        raise Problem(
            422, f"'wait' must be a number of seconds, 0 or more, not {shown(text)}", field="wait"
        )
    return min(seconds, LONGEST_WAIT)


def wait_for_change(job: Job, seconds: float) -> Job:
    """Return the job as soon as its state or progress changes, but after at most `seconds`.

    Returns it immediately if it has ended, or if too many requests are waiting, and early if the
    client disconnects or the server stops. Raises Problem if the job is deleted.
    """
    before = (job.state, job.done)

    def changed() -> Job | None:
        later = find_job(job.id)
        return later if later.state.final or (later.state, later.done) != before else None

    slots = _follow_slots if is_in_watch_lane() else _other_slots
    return _wait(job, changed, seconds, slots=slots)


def wait_for_end(job: Job, seconds: float) -> Job:
    """Return the job as soon as it has ended, but after at most `seconds`.

    Returns it immediately if too many requests are waiting, and early if the client disconnects or
    the server stops. Raises Problem if the job is deleted.
    """

    def ended() -> Job | None:
        later = find_job(job.id)
        return later if later.state.final else None

    return _wait(job, ended, seconds, slots=_solve_slots)


def _wait(
    job: Job, look: Callable[[], Job | None], seconds: float, *, slots: threading.Semaphore
) -> Job:
    """Return the job that `look` returns, or its state after `seconds` or if no slot is free.

    A job that has ended is returned immediately.
    """
    if seconds <= 0 or job.state.final:
        return job
    return poll(look, seconds, slots=slots) or find_job(job.id)


def poll(
    look: Callable[[], _Seen | None], seconds: float, *, slots: threading.Semaphore = _other_slots
) -> _Seen | None:
    """Call `look` repeatedly until it returns a value other than None, and return the value.

    The first call comes after a short pause, and the pauses become longer. Returns None after
    `seconds`, or as soon as the client disconnects or the server stops. Returns None immediately if
    as many requests are waiting as `slots` permits.
    """
    if seconds <= 0 or not slots.acquire(blocking=False):
        return None
    try:
        began = time.monotonic()
        while (waited := time.monotonic() - began) < seconds and not client_disconnected():
            pause = min(max(_POLL_SECONDS, _POLL_SHARE * waited), _MAX_POLL_SECONDS)
            if stopping.wait(min(pause, seconds - waited)):
                return None
            seen = look()
            if seen is not None:
                return seen
        return None
    finally:
        slots.release()
