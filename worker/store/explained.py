"""Explanations that somebody asks for after a job is done: who makes them, where they are kept."""

from typing import cast

import msgspec
from redis import Redis

from worker.explanations import StoredExplanation
from worker.store.keys import JobKeys
from worker.store.scripts import Scripts

# Whoever was asked and says nothing for so long is not waited for.
_PATIENCE_SECONDS = 30

_decoder = msgspec.msgpack.Decoder(StoredExplanation)


class ExplainedStore:
    """Explanations of single records of jobs; every method may raise redis.RedisError."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._scripts = Scripts(redis)

    def explanation(self, job_id: str, number: int) -> StoredExplanation | None:
        """Return the explanation of a record, from 1, if there is one."""
        blob = cast("bytes | None", self._redis.hget(JobKeys(job_id).explained, str(number)))
        return None if blob is None else _decoder.decode(blob)

    def claim(self, job_id: str, number: int) -> bool:
        """Return True to the first of those who ask for a record: it is to send for it."""
        name = JobKeys(job_id).asked(number)
        return bool(self._redis.set(name, 1, nx=True, ex=_PATIENCE_SECONDS))

    def keep(self, job_id: str, number: int, explanation: StoredExplanation) -> None:
        """Keep an explanation as long as its job; nothing happens if that is gone."""
        job = JobKeys(job_id)
        packed = msgspec.msgpack.encode(explanation)
        self._scripts.run("keep_explanation", job, record=number, explanation=packed)
        self._redis.delete(job.asked(number))
