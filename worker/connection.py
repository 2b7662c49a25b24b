"""One way to connect to Redis, for web and workers alike."""

from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry


def connect(url: str) -> Redis:
    """Return a client for `redis://…` or `unix://…` (Celery's `redis+socket://…` works too).

    One retry covers a connection that Redis closed meanwhile; beyond that the caller is told
    at once (redis.exceptions.RedisError) instead of hanging.
    """
    return Redis.from_url(
        url.replace("redis+socket://", "unix://").replace("virtual_host=", "db="),
        socket_connect_timeout=2.0,
        socket_timeout=5.0,
        health_check_interval=10,
        retry=Retry(NoBackoff(), 1),
    )


def broker_url(url: str) -> str:
    """Return the URL as Celery wants it: it has a scheme of its own for unix sockets."""
    if url.startswith("unix://"):
        return url.replace("unix://", "redis+socket://").replace("db=", "virtual_host=")
    return url
