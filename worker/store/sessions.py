"""Signed-in browsers. Redis stores a digest of each session's id, and the digest of its key."""

import hashlib
import secrets
from typing import cast

from redis import Redis

from worker.store import keys

SESSION_SECONDS = 30 * 86_400
_ID_BYTES = 32


class SessionStore:
    """Sessions by id, which only the browser has. Every method can raise redis.RedisError."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def open(self, key_digest: str) -> str:
        """Start a session for the owner of a key and return its id."""
        session = secrets.token_urlsafe(_ID_BYTES)
        self._redis.set(keys.session(_digest(session)), key_digest, ex=SESSION_SECONDS)
        return session

    def key_of(self, session: str) -> str | None:
        """Return the digest of a session's key, or None if the session has ended."""
        found = cast("bytes | None", self._redis.get(keys.session(_digest(session))))
        return None if found is None else found.decode()

    def end(self, session: str) -> bool:
        """End a session for everyone who has its id. Returns whether it existed."""
        return bool(self._redis.unlink(keys.session(_digest(session))))


def _digest(session: str) -> str:
    return hashlib.sha256(session.encode("utf-8", "replace")).hexdigest()
