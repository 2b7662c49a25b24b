"""Read the clock of Redis, which all processes on all machines share."""

from redis import Redis


def redis_time(redis: Redis) -> float:
    """Return the time of Redis in seconds since 1970."""
    seconds, microseconds = redis.time()
    return seconds + microseconds / 1e6
