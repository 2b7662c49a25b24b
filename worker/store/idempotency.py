"""Idempotency-Keys: a repeated request gets the job that the first request created.

A request claims its key before it creates a job. The claim expires unless it is renewed. When the
job exists, the key is fulfilled.
"""

import math
import secrets
from collections.abc import Callable
from typing import cast

import msgspec
from redis import Redis
from redis.client import Pipeline
from redis.exceptions import WatchError

from worker.settings import Settings
from worker.store import keys
from worker.store.keys import JobKeys


class KeyClaim(msgspec.Struct, frozen=True):
    """The state of an Idempotency-Key, either claimed by a request or fulfilled.

    mine     whether the caller itself has claimed the key
    holder   a random name of the request that has claimed the key, or None if it is fulfilled
    job_id   the job that the key created, or None if the key isn't fulfilled yet
    digest   the digest of the request that created the job, to recognize different requests
    """

    mine: bool = False
    holder: str | None = None
    job_id: str | None = None
    digest: str | None = None


class IdempotencyKeys:
    """The Idempotency-Keys of all clients. Every method can raise redis.RedisError.

    In all methods, `key` is the value of the request's header.
    """

    def __init__(self, redis: Redis, *, settings: Settings) -> None:
        self._redis = redis
        self._lease = math.ceil(settings.upload_patience)
        self._retention = max(int(settings.retention), 1)

    def claim(self, key: str, *, client: str) -> KeyClaim:
        """Claim a key for a request, and return its state.

        Unless `mine` is set in the result, another request has claimed the key, or a job with it
        exists. If the job of a fulfilled key no longer exists, the key can be claimed again.

        A claim expires after the upload timeout in the settings, unless it is renewed.
        """
        name = keys.request(key, client=client)
        claim = KeyClaim(holder=secrets.token_urlsafe(16))
        while True:
            if self._redis.set(name, msgspec.json.encode(claim), nx=True, ex=self._lease):
                return msgspec.structs.replace(claim, mine=True)
            stored = cast("bytes | None", self._redis.get(name))
            if stored is None:  # it has just expired
                continue
            known = msgspec.json.decode(stored, type=KeyClaim)
            if known == claim:  # set by an earlier attempt whose response was lost
                return msgspec.structs.replace(claim, mine=True)
            if known.job_id is None or self._redis.exists(JobKeys(known.job_id).facts):
                return known
            self._while_unchanged(name, stored, lambda pipe: pipe.delete(name))

    def renew(self, key: str, claim: KeyClaim, *, client: str) -> None:
        """Extend the caller's claim on a key. Does nothing if the claim was lost."""
        name = keys.request(key, client=client)
        self._while_unchanged(name, _stored(claim), lambda pipe: pipe.expire(name, self._lease))

    def fulfill(self, key: str, claim: KeyClaim, *, client: str, job_id: str, digest: str) -> bool:
        """Store which job the caller's claimed key created, for as long as jobs are kept.

        `digest` is the digest of the request. Returns False, and stores nothing, if the claim was
        lost.
        """
        name = keys.request(key, client=client)
        fulfilled = msgspec.json.encode(KeyClaim(job_id=job_id, digest=digest))
        return self._while_unchanged(
            name, _stored(claim), lambda pipe: pipe.set(name, fulfilled, ex=self._retention)
        )

    def release(self, key: str, claim: KeyClaim, *, client: str) -> None:
        """Release the caller's claimed key because its request failed.

        Does nothing if the claim was lost.
        """
        name = keys.request(key, client=client)
        self._while_unchanged(name, _stored(claim), lambda pipe: pipe.delete(name))

    def _while_unchanged(self, name: str, value: bytes, do: Callable[[Pipeline], object]) -> bool:
        """Run the command that `do` adds to a pipeline, but only if a Redis key has a given value.

        `name` is the Redis key. Returns False, and runs nothing, if its value differs from `value`
        or changes at this moment. Otherwise returns True.
        """
        with self._redis.pipeline() as pipe:
            pipe.watch(name)  # type: ignore[no-untyped-call]
            if pipe.get(name) != value:
                return False
            pipe.multi()
            do(pipe)
            try:
                pipe.execute()
            except WatchError:
                return False
            return True


def _stored(claim: KeyClaim) -> bytes:
    return msgspec.json.encode(msgspec.structs.replace(claim, mine=False))
