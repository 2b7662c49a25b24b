"""What the current request is about: the service, the job, how long to wait for it."""

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import TypeVar, cast

from flask import current_app, request
from kombu.exceptions import OperationalError
from redis.exceptions import ResponseError

from solver.board.closest import did_you_mean
from web.connections import client_is_gone, may_take_its_time, stopping
from web.errors import Problem
from worker.job import Job
from worker.service import Service

logger = logging.getLogger(__name__)

LONGEST_WAIT = 30.0
# So often somebody looks, but less often who has waited for longer.
_LOOK_SECONDS = 0.05
_LONGEST_LOOK_SECONDS = 0.5
_LOOK_SHARE = 0.1
_Seen = TypeVar("_Seen")
# Everyone who waits holds a thread of the server, of one lane or another; beyond so many, answers
# come at once.
MOST_FOLLOWERS = 48
_following = threading.BoundedSemaphore(MOST_FOLLOWERS)  # for a job, in the lane that is for it
_solving = threading.BoundedSemaphore(40)  # with a puzzle, in the lane of uploads
_waiting = threading.BoundedSemaphore(8)  # for anything else


def service() -> Service:
    """Return the service of the application."""
    return cast("Service", current_app.extensions["sudokuq"])


@contextlib.contextmanager
def if_redis_takes_it() -> Iterator[None]:
    """Leave the block where Redis refuses to write, being full: the answer does not need it."""
    try:
        yield
    except (ResponseError, OperationalError) as error:
        logger.warning("Redis did not take it: %s", error)


def find_job(job_id: str) -> Job:
    """Return a job; raises Problem if there is none."""
    job = service().store.job(job_id)
    if job is None:
        raise Problem(404, "there is no such job; perhaps it has expired", kind="job-not-found")
    return job


def check_match(tag: str | None) -> None:
    """Raise Problem if If-Match names other versions than the one with this strong ETag.

    Results that may still change have no ETag, so that only `*` matches them.
    """
    wanted = request.if_match
    if wanted and not wanted.star_tag and (tag is None or not wanted.is_strong(tag)):
        raise Problem(412, "the current version isn't one that If-Match names")


def check_job_match(tag: str) -> None:
    """Raise Problem if If-Match names other versions of a job than the one with this ETag.

    The ETag of a job is weak because its speed changes with every response. It stands for state
    and progress, which is what a client that cancels or deletes wants to be sure of.
    """
    wanted = request.if_match
    if wanted and not wanted.star_tag and not wanted.contains_weak(tag):
        raise Problem(412, "the current version isn't one that If-Match names")


def check_parameters(*known: str) -> None:
    """Raise Problem for an unknown query parameter, which would otherwise select nothing.

    Names that begin with an underscore are ignored: clients add them to get around caches.
    """
    for name in request.args:
        if name not in known and not name.startswith("_"):
            detail = f"unknown parameter {name[:50]!r}; known are {', '.join(known)}"
            raise Problem(422, detail + did_you_mean(name, known), field=name)


def seconds_to_wait(default: float = 0.0) -> float:
    """Return the query's `wait`, bounded; raises Problem for what is no number."""
    text = request.args.get("wait")
    if text is None:
        return default
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not seconds >= 0:
        raise Problem(422, f"wait is a number of seconds, not {text[:50]!r}", field="wait")
    return min(seconds, LONGEST_WAIT)


def wait_for_change(job: Job, seconds: float) -> Job:
    """Return the job when state or progress have changed, or after a time."""
    before = (job.state, job.done)

    def changed() -> Job | None:
        later = find_job(job.id)
        return later if later.state.final or (later.state, later.done) != before else None

    places = _following if may_take_its_time() else _waiting
    return _wait(job, changed, seconds, places=places)


def wait_for_end(job: Job, seconds: float) -> Job:
    """Return the job of a puzzle that somebody waits for when it is final, or after a time."""

    def ended() -> Job | None:
        later = find_job(job.id)
        return later if later.state.final else None

    return _wait(job, ended, seconds, places=_solving)


def _wait(
    job: Job, look: Callable[[], Job | None], seconds: float, *, places: threading.Semaphore
) -> Job:
    if seconds <= 0 or job.state.final:
        return job
    return poll(look, seconds, places=places) or find_job(job.id)


def poll(
    look: Callable[[], _Seen | None], seconds: float, *, places: threading.Semaphore = _waiting
) -> _Seen | None:
    """Look again and again until something is there; None if it is not, after a time.

    Comes back at once where all places are taken by others who wait.
    """
    if seconds <= 0 or not places.acquire(blocking=False):
        return None
    try:
        began = time.monotonic()
        while (waited := time.monotonic() - began) < seconds and not client_is_gone():
            pause = min(max(_LOOK_SECONDS, _LOOK_SHARE * waited), _LONGEST_LOOK_SECONDS)
            if stopping.wait(min(pause, seconds - waited)):
                return None
            seen = look()
            if seen is not None:
                return seen
        return None
    finally:
        places.release()
