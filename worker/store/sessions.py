"""Sessions of browsers that signed in with an API key.

Redis maps the SHA-256 digest of a session's id to the digest of its API key, so that a copy of
Redis reveals neither.
"""

import hashlib
import secrets
from typing import cast

from redis import Redis

from worker.store import keys

SESSION_SECONDS = 30 * 86_400
_ID_BYTES = 32


class SessionStore:
    """Sessions, identified by random ids. Every method can raise redis.RedisError."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def open(self, key_digest: str) -> str:
        """Start a session of 30 days for the API key with this digest, and return its id."""
        session = secrets.token_urlsafe(_ID_BYTES)
        self._redis.set(keys.session(_digest(session)), key_digest, ex=SESSION_SECONDS)
        return session

    def key_of(self, session: str) -> str | None:
        """Return the digest of the session's API key, or None if there is no such session."""
        found = cast("bytes | None", self._redis.get(keys.session(_digest(session))))
        return None if found is None else found.decode()

    def end(self, session: str) -> bool:
        """Delete a session, so that its id is no longer valid, and return whether it existed."""
        return bool(self._redis.unlink(keys.session(_digest(session))))


def _digest(session: str) -> str:
    return hashlib.sha256(session.encode("utf-8", "replace")).hexdigest()
