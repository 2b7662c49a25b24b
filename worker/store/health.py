"""Checks whether Redis can be used."""

from typing import cast

from redis import Redis

from worker.settings import Settings
from worker.store import keys


class RedisHealth:
    """Checks of one Redis. Every method can raise redis.RedisError."""

    def __init__(self, redis: Redis, *, settings: Settings) -> None:
        self._redis = redis
        self._watermark = settings.memory_watermark

    def check(self) -> None:
        """Raise redis.RedisError if Redis doesn't respond or rejects writes because it is full."""
        self._redis.set(keys.CHECK, 1, ex=1)

    def has_room(self) -> bool:
        """Return whether the memory use of Redis is below the watermark.

        The watermark is a fraction of the `maxmemory` of Redis. Returns True if that isn't set.
        """
        memory = cast("dict[str, int]", self._redis.info("memory"))
        limit = memory.get("maxmemory", 0)
        return limit == 0 or memory["used_memory"] < limit * self._watermark

    def eviction_policy(self) -> str:
        """Return the maxmemory-policy of Redis. "noeviction" means that it never evicts keys."""
        memory = cast("dict[str, str]", self._redis.info("memory"))
        return memory.get("maxmemory_policy", "noeviction")
