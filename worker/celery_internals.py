"""Every use of undocumented parts of Celery and kombu, so that upgrades have one place to check.

Each has a test in `tests/worker/test_celery_internals.py` that fails if an upgrade breaks it.

`Channel._connparams`      If the connection is lost while a task runs, kombu acknowledges the
                           task's message on a channel whose connection is closed, and raises
                           AttributeError. Celery retries only connection errors, so the worker
                           would exit.
`connection_errors`        Commands that Redis rejects because it is full or has just become a
                           replica would end Celery's consumer for good. Here they count as lost
                           connections and are retried every second.
`ensure_connection`        kombu increases the pause between connection attempts up to 30 s. Here
                           it stays at 1 s.
`TRANSPORT_ALIASES`        Makes kombu use these transports for the URL schemes of Redis.
queue order                kombu reads queues either in turn, or one of them only while the others
                           are empty. `SharedPriority` prefers the first queue, but gives each of
                           the others a share.
`safe_say`                 Celery prints messages about its shutdown to the terminal. Here they are
                           logged.
`maintain_pool`            Celery checks for dead processes every 5 s by default. Only then does it
                           resend their messages and start new processes.
messages in Redis          Their headers tell how long messages have been waiting, and the lengths
                           of their lists how many there are (`worker.dispatch`).
`data` of log records      Celery attaches a task's arguments to the messages that it logs about the
                           task (`worker.logs`).
"""

from collections.abc import Callable, Iterable
from typing import Any

from celery.app.amqp import AMQP
from kombu.connection import Connection
from kombu.transport import TRANSPORT_ALIASES, redis
from msgspec import json
from redis.exceptions import ConnectionError as ConnectionLost
from redis.exceptions import ResponseError

_MAX_PAUSE = 1.0
_MAX_SKIPPED = 3


class _FixedChannel:
    """Mixin that makes kombu's Redis channel raise an error if its connection is closed.

    The error counts as a connection error, which Celery retries.
    """

    def _connparams(self, asynchronous: bool = False) -> Any:  # noqa: FBT001, FBT002 (kombu's)
        if self.connection.client is None:  # type: ignore[attr-defined]
            raise ConnectionLost("the connection of this channel is closed")
        return super()._connparams(asynchronous=asynchronous)  # type: ignore[misc]


class _Channel(_FixedChannel, redis.Channel):
    """kombu's channel for one Redis server, patched."""


class _SentinelChannel(_FixedChannel, redis.SentinelChannel):
    """kombu's channel for Redis with Sentinels, patched."""


class Transport(redis.Transport):
    """kombu's Redis transport with a patched channel. Error responses are connection errors."""

    Channel = _Channel
    connection_errors = (*redis.Transport.connection_errors, ResponseError)


class SentinelTransport(redis.SentinelTransport):
    """kombu's Sentinel transport with a patched channel. Error responses are connection errors."""

    Channel = _SentinelChannel
    connection_errors = (*redis.SentinelTransport.connection_errors, ResponseError)


class SharedPriority:
    """A queue order that prefers the first queue, but doesn't let the other queues starve.

    If three messages have been taken from other queues since the last message from a queue, this
    queue comes first. The methods are those that `kombu.utils.scheduling` expects.
    """

    def __init__(self) -> None:
        self._queues: list[str] = []
        self._missed: dict[str, int] = {}  # messages from other queues since this queue's last one

    def update(self, queues: Iterable[str]) -> None:
        """Set the queues, the preferred one first."""
        self._queues = list(queues)

    def consume(self, count: int) -> list[str]:
        """Return the first `count` queues, in the order in which they should be read now."""
        first, *others = self._queues[:count]
        others.sort(key=lambda queue: -self._missed.get(queue, 0))
        due = [queue for queue in others if self._missed.get(queue, 0) >= _MAX_SKIPPED]
        return [*due, first, *others[len(due) :]]

    def rotate(self, last: str) -> str:
        """Count for each queue how many messages in a row were taken from other queues.

        A message was just taken from the queue `last`, so its count becomes 0. Returns `last`.
        """
        for queue in self._queues:
            self._missed[queue] = 0 if queue == last else self._missed.get(queue, 0) + 1
        return last


class _Connection(Connection):
    """A connection that retries at least every second, however long Redis is unavailable."""

    def ensure_connection(self, *arguments: Any, **options: Any) -> Any:
        options |= {"interval_start": 0.2, "interval_step": 0.2, "interval_max": _MAX_PAUSE}
        return super().ensure_connection(*arguments, **options)  # type: ignore[no-untyped-call]


class Amqp(AMQP):  # type: ignore[misc]
    """Makes the Celery application create connections of the class `_Connection`."""

    Connection = _Connection


def register() -> None:
    """Make kombu use the transports of this module for the URL schemes of Redis."""
    TRANSPORT_ALIASES["redis"] = TRANSPORT_ALIASES["rediss"] = f"{__name__}:Transport"
    TRANSPORT_ALIASES["sentinel"] = f"{__name__}:SentinelTransport"


def log_shutdown_messages(log: Callable[[str], None]) -> None:
    """Pass Celery's messages about its shutdown to the function `log`, instead of printing them."""
    from celery.apps import worker  # noqa: PLC0415 (web servers don't need it)

    worker.safe_say = lambda text, _=None: log(text)


def replace_dead_processes(consumer: Any) -> None:
    """Resend the messages of a Celery consumer's dead processes, and start new processes."""
    consumer.pool.maintain_pool()


def headers_of(message: bytes) -> dict[str, Any]:
    """Return the headers of a Celery message, given as it is stored in a queue's list in Redis."""
    headers: dict[str, Any] = json.decode(message)["headers"]
    return headers
