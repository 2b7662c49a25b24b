"""Counters for monitoring the service, shared by all processes.

The numbers are in one hash in Redis, so each web server process reports those of all workers, on
any number of machines. If a worker dies between storing a result and counting it, the count is
lost.
"""

import logging
from collections.abc import Iterable, Mapping
from typing import cast

from redis import Redis
from redis.client import Pipeline
from redis.exceptions import RedisError

from worker.store import keys

logger = logging.getLogger(__name__)

_KEPT_SECONDS = 366 * 86_400
# Upper bounds of the histogram buckets, in seconds.
BUCKETS = (0.05, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0)
_INFINITY = "+Inf"

# The names of all counters. Comments describe their labels or meanings.
JOBS = "jobs"  # labels: job events
JOB_EVENTS = ("opened", "finished", "cancelled", "failed", "deleted", "broken", "expired")
WEBHOOKS = "webhooks"  # labels: outcomes of attempts
WEBHOOK_EVENTS = ("delivered", "retried", "abandoned")
RECORDS = "records"  # labels: outcomes
CHUNK_SECONDS = "chunk_seconds"  # histogram of the time for which processes had chunks
ENGINE_SECONDS = "engine_seconds"
RECOVERED = "sent_again"  # lost chunks that were sent again
SUSPENDED = "set_aside"  # slow records that were suspended


class Counters:
    """Named counters, which only increase. Some of them consist of parts, each with a label."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def add(self, amounts: Mapping[str, float]) -> None:
        """Increase counters. Redis errors are only logged.

        `amounts` maps full names, such as `jobs:finished`, to the amounts to add.
        """
        try:
            with self._redis.pipeline(transaction=False) as pipe:
                add_to(pipe, amounts)
                pipe.execute()
        except RedisError as error:
            logger.warning("could not update the counters: %s", error)

    def read(self) -> dict[str, float]:
        """Return the values of all counters by their full names. Raises redis.RedisError."""
        counted = cast("dict[bytes, bytes]", self._redis.hgetall(keys.COUNTERS))
        return {name.decode(): float(number) for name, number in counted.items()}


def add_to(pipe: Pipeline, amounts: Mapping[str, float]) -> None:
    """Add commands to a pipeline that increase counters by the given amounts.

    `amounts` maps the full names of counters to the amounts.
    """
    for name, amount in amounts.items():
        pipe.hincrbyfloat(keys.COUNTERS, name, amount)
    pipe.expire(keys.COUNTERS, _KEPT_SECONDS)


def labeled(name: str, label: str) -> str:
    """Return the full name of a counter's part, such as `jobs:finished`."""
    return f"{name}:{label}"


def timed(name: str, seconds: float) -> dict[str, float]:
    """Return the amounts to add to counters to record a duration in the histogram `name`.

    They are 1 for the bucket that contains `seconds`, and `seconds` for the sum of all durations.
    """
    first = next((str(most) for most in BUCKETS if seconds <= most), _INFINITY)
    return {labeled(name, first): 1, labeled(name, "sum"): seconds}


def parts_of(counted: Mapping[str, float], name: str) -> dict[str, float]:
    """Return the parts of the counter `name`, as {label: value}.

    `counted` contains the values of all counters by full name. The full name of a part is the
    counter's name, a colon, and the label, such as `jobs:finished`. The result is {} if there are
    no parts.
    """
    prefix = labeled(name, "")
    return {
        full.removeprefix(prefix): number
        for full, number in counted.items()
        if full.startswith(prefix)
    }


def buckets_of(counted: Mapping[str, float], name: str) -> tuple[list[tuple[str, float]], float]:
    """Return the cumulative buckets of the histogram `name`, and the sum of all its durations.

    `counted` contains the values of all counters by full name. A bucket is a pair: its upper bound
    in seconds as text, "+Inf" for the last one, and the number of durations up to this bound.
    """
    parts = parts_of(counted, name)
    labels: Iterable[str] = (*map(str, BUCKETS), _INFINITY)
    total, cumulated = 0.0, []
    for label in labels:
        total += parts.get(label, 0.0)
        cumulated.append((label, total))
    return cumulated, parts.get("sum", 0.0)
