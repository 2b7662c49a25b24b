"""Store explanations, and lists of available steps, that users request after a job is done.

The pending requests for them are stored, too.
"""

from enum import Enum, auto
from typing import cast

import msgspec
from redis import Redis

from solver.logic.explanation import Ending
from worker.records.explanations import StoredExplanation, StoredSteps
from worker.store import keys
from worker.store.clock import redis_time
from worker.store.keys import JobKeys, position_of
from worker.store.scripts import Scripts

# A request can be repeated if no worker has completed it within this time.
_REQUEST_SECONDS = 30
_SLACK_SECONDS = 1.0
_STEPS_SECONDS = 600  # for which the steps at a position are stored
_CUT_SECONDS = 60  # after which an explanation that was cut can be continued

_decoder = msgspec.msgpack.Decoder(StoredExplanation)
_steps_decoder = msgspec.msgpack.Decoder(StoredSteps)


class Claim(Enum):
    """The outcome of a request for an explanation.

    MINE: no request for this record is pending, so the caller has to send the message to a worker.
    REQUESTED: an earlier request is pending. TOO_MANY: the client has too many pending requests.
    """

    MINE = auto()
    REQUESTED = auto()
    TOO_MANY = auto()


class ExplanationStore:
    """Explanations of single records of jobs. Every method can raise redis.RedisError."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._scripts = Scripts(redis)

    def explanation(self, job_id: str, number: int) -> StoredExplanation | None:
        """Return the stored explanation of a record, or None. Records are numbered from 1."""
        blob = cast("bytes | None", self._redis.hget(JobKeys(job_id).explained, str(number)))
        return None if blob is None else _decoder.decode(blob)

    def can_be_continued(self, job_id: str, number: int, explanation: StoredExplanation) -> bool:
        """Return whether a record's stored explanation was cut at least a minute ago.

        An explanation that takes too long is cut, and then has only the first steps.
        """
        is_cut = explanation.ending == Ending.CUT
        return is_cut and not self._redis.exists(JobKeys(job_id).cut(number))

    def steps(self, job_id: str, number: int, position: str) -> StoredSteps | None:
        """Return the stored steps that are available at a position of a record, or None.

        Records are numbered from 1. `position` is as in `StoredSteps`.
        """
        key = JobKeys(job_id).available(position_of(number, position))
        blob = cast("bytes | None", self._redis.get(key))
        return None if blob is None else _steps_decoder.decode(blob)

    def claim(
        self, job_id: str, number: int, *, client: str, most: int, position: str = ""
    ) -> Claim:
        """Register a client's request for the explanation of a record. Records are numbered from 1.

        With a `position` (see `StoredSteps`), the request is for the steps that are available there
        instead.

        Returns MINE if the caller must now send the request to a worker. Returns REQUESTED if an
        earlier request of any client is pending. Returns TOO_MANY if the client already has `most`
        other pending requests, so that this one isn't accepted. A request is pending for at most 30
        seconds.
        """
        record = position_of(number, position)
        index, request = keys.explaining(client), f"{job_id}:{record}"
        now = redis_time(self._redis)
        with self._redis.pipeline() as pipe:
            pipe.zremrangebyscore(index, "-inf", now)
            # Entries so far in the future are from before the clock was set back.
            pipe.zremrangebyscore(index, now + _REQUEST_SECONDS + _SLACK_SECONDS, "+inf")
            pipe.zadd(index, {request: now + _REQUEST_SECONDS}, nx=True)
            pipe.expire(index, _REQUEST_SECONDS)
            pipe.zrank(index, request)
            *_, is_new, _, rank = pipe.execute()
        if rank >= most:
            claim = Claim.TOO_MANY
        elif self._redis.set(JobKeys(job_id).asked(record), index, nx=True, ex=_REQUEST_SECONDS):
            return Claim.MINE
        else:
            claim = Claim.REQUESTED
        if is_new:
            self._redis.zrem(index, request)
        return claim

    def count_pending(self, client: str) -> int:
        """Return the number of a client's pending requests that haven't expired."""
        return self._redis.zcount(keys.explaining(client), redis_time(self._redis), "+inf")

    def is_awaited(self, job_id: str, number: int, position: str = "") -> bool:
        """Return whether a request for the explanation of a record is pending.

        With a `position` (see `StoredSteps`), the request is for the steps that are available there
        instead.
        """
        return bool(self._redis.exists(JobKeys(job_id).asked(position_of(number, position))))

    def keep(self, job_id: str, number: int, explanation: StoredExplanation) -> None:
        """Store an explanation for as long as its job, and complete the request for it.

        If it was cut, a request can continue it after a minute. If the job no longer exists, the
        request is completed all the same.
        """
        job = JobKeys(job_id)
        if explanation.ending == Ending.CUT:
            self._redis.set(job.cut(number), b"", ex=_CUT_SECONDS)
        packed = msgspec.msgpack.encode(explanation)
        self._scripts.run("store_explanation", job, record=number, explanation=packed)
        self._complete(job_id, str(number))

    def keep_steps(self, job_id: str, number: int, position: str, steps: StoredSteps) -> None:
        """Store the steps that are available at a position of a record for ten minutes.

        This completes the request for them.
        """
        record = position_of(number, position)
        packed = msgspec.msgpack.encode(steps)
        self._redis.set(JobKeys(job_id).available(record), packed, ex=_STEPS_SECONDS)
        self._complete(job_id, record)

    def _complete(self, job_id: str, record: str) -> None:
        """Mark the request for a record or for a position of it as completed.

        `record` is a result of `position_of`.
        """
        index = cast("bytes | None", self._redis.getdel(JobKeys(job_id).asked(record)))
        if index is not None:
            self._redis.zrem(index.decode(), f"{job_id}:{record}")
