"""Fixes and settings for Celery's connection to Redis through kombu.

- If the connection is lost while a task runs, kombu acknowledges the task's message on a channel
  whose connection is closed, and raises AttributeError. Celery retries only connection errors, so
  the worker would exit.
- Commands that Redis rejects because it is full or has just become a replica would also end
  Celery's consumer for good. Here they count as lost connections and are retried every second.
- kombu increases the pause between connection attempts up to 30 s. Here it stays at 1 s.
- kombu reads queues either in turn, or one of them only while the others are empty. Here the first
  queue has priority, and each of the others gets a share.
"""

from collections.abc import Iterable
from typing import Any

from celery.app.amqp import AMQP
from kombu.connection import Connection
from kombu.transport import TRANSPORT_ALIASES, redis
from redis.exceptions import ConnectionError as ConnectionLost
from redis.exceptions import ResponseError

_LONGEST_PAUSE = 1.0
_MOST_OF_OTHERS = 3


class _MendedChannel:
    def _connparams(self, asynchronous: bool = False) -> Any:  # noqa: FBT001, FBT002 (kombu's)
        if self.connection.client is None:  # type: ignore[attr-defined]
            raise ConnectionLost("the connection of this channel is closed")
        return super()._connparams(asynchronous=asynchronous)  # type: ignore[misc]


class _Channel(_MendedChannel, redis.Channel):
    pass


class _SentinelChannel(_MendedChannel, redis.SentinelChannel):
    pass


class Transport(redis.Transport):
    """kombu's Redis transport with a patched channel."""

    Channel = _Channel
    connection_errors = (*redis.Transport.connection_errors, ResponseError)


class SentinelTransport(redis.SentinelTransport):
    """kombu's Sentinel transport with a patched channel."""

    Channel = _SentinelChannel
    connection_errors = (*redis.SentinelTransport.connection_errors, ResponseError)


class FirstMostly:
    """A queue order that prefers the first queue, but serves each other after three messages.

    The three messages are those from other queues. kombu uses this class; see
    `kombu.utils.scheduling`.
    """

    def __init__(self) -> None:
        self._queues: list[str] = []
        self._missed: dict[str, int] = {}  # messages from other queues since this queue's last one

    def update(self, queues: Iterable[str]) -> None:
        """Set the queues, the preferred one first."""
        self._queues = list(queues)

    def consume(self, count: int) -> list[str]:
        """Return the first `count` queues in the order in which they should be read."""
        first, *others = self._queues[:count]
        others.sort(key=lambda queue: -self._missed.get(queue, 0))
        due = [queue for queue in others if self._missed.get(queue, 0) >= _MOST_OF_OTHERS]
        return [*due, first, *others[len(due) :]]

    def rotate(self, last: str) -> str:
        """Record the queue that a message came from."""
        for queue in self._queues:
            self._missed[queue] = 0 if queue == last else self._missed.get(queue, 0) + 1
        return last


class _PatientConnection(Connection):
    """A connection that retries every second, however long Redis has been unavailable."""

    def ensure_connection(self, *arguments: Any, **options: Any) -> Any:
        options |= {"interval_start": 0.2, "interval_step": 0.2, "interval_max": _LONGEST_PAUSE}
        return super().ensure_connection(*arguments, **options)  # type: ignore[no-untyped-call]


class Amqp(AMQP):  # type: ignore[misc]
    """The connection factory of the Celery application."""

    Connection = _PatientConnection


def register() -> None:
    """Register the transports with kombu for the URL schemes of Redis."""
    TRANSPORT_ALIASES["redis"] = TRANSPORT_ALIASES["rediss"] = f"{__name__}:Transport"
    TRANSPORT_ALIASES["sentinel"] = f"{__name__}:SentinelTransport"
