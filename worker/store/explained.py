"""Explanations that somebody requests after a job is done: who waits for them, and the results."""

from enum import Enum, auto
from typing import cast

import msgspec
from redis import Redis

from worker.explanations import StoredExplanation
from worker.store import keys
from worker.store.keys import JobKeys
from worker.store.scripts import Scripts

# A request that no worker has answered for so long may be made again.
_REQUEST_SECONDS = 30
_SLACK_SECONDS = 1.0

_decoder = msgspec.msgpack.Decoder(StoredExplanation)


class Claim(Enum):
    """The outcome of requesting an explanation."""

    MINE = auto()  # the caller is the first one, and has to send the message
    REQUESTED = auto()  # somebody has requested it before
    TOO_MANY = auto()  # the client has as many requests under way as it may have


class ExplainedStore:
    """Explanations of single records of jobs; every method may raise redis.RedisError."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._scripts = Scripts(redis)

    def explanation(self, job_id: str, number: int) -> StoredExplanation | None:
        """Return the explanation of a record, from 1, if there is one."""
        blob = cast("bytes | None", self._redis.hget(JobKeys(job_id).explained, str(number)))
        return None if blob is None else _decoder.decode(blob)

    def claim(self, job_id: str, number: int, *, client: str, most: int) -> Claim:
        """Request the explanation of a record for a client, which may have `most` under way."""
        index, request = keys.explaining(client), f"{job_id}:{number}"
        seconds, microseconds = self._redis.time()
        now = seconds + microseconds / 1e6
        with self._redis.pipeline() as pipe:
            pipe.zremrangebyscore(index, "-inf", now)
            # Such an entry was made before the clock was set back.
            pipe.zremrangebyscore(index, now + _REQUEST_SECONDS + _SLACK_SECONDS, "+inf")
            pipe.zadd(index, {request: now + _REQUEST_SECONDS}, nx=True)
            pipe.expire(index, _REQUEST_SECONDS)
            pipe.zrank(index, request)
            *_, is_new, _, rank = pipe.execute()
        if rank >= most:
            claim = Claim.TOO_MANY
        elif self._redis.set(JobKeys(job_id).asked(number), index, nx=True, ex=_REQUEST_SECONDS):
            return Claim.MINE
        else:
            claim = Claim.REQUESTED
        if is_new:
            self._redis.zrem(index, request)
        return claim

    def is_awaited(self, job_id: str, number: int) -> bool:
        """Return whether a request for an explanation is under way."""
        return bool(self._redis.exists(JobKeys(job_id).asked(number)))

    def keep(self, job_id: str, number: int, explanation: StoredExplanation) -> None:
        """Keep an explanation as long as its job; nothing happens if the job is gone."""
        job = JobKeys(job_id)
        packed = msgspec.msgpack.encode(explanation)
        self._scripts.run("keep_explanation", job, record=number, explanation=packed)
        index = cast("bytes | None", self._redis.getdel(job.asked(number)))
        if index is not None:
            self._redis.zrem(index.decode(), f"{job_id}:{number}")
