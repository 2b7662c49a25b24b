"""Celery's way to Redis, where kombu's own is not enough.

- When the connection is lost while a message is being worked on, kombu acknowledges it on a
  channel whose connection is closed, and stumbles over that with an AttributeError. Celery takes
  only errors of the connection for what can be mended, and ends the worker.
- What Redis refuses while it is full, or has just become a replica, ends Celery's consumer for
  good, too. Here it is taken for a lost connection, and tried again every second.
- kombu waits longer each time before it tries to connect again, up to 30 s.
- kombu reads queues in turn, or one of them only when the others are empty. Here the first queue
  comes first, and each of the others gets a share.
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
    """kombu's transport for Redis."""

    Channel = _Channel
    connection_errors = (*redis.Transport.connection_errors, ResponseError)


class SentinelTransport(redis.SentinelTransport):
    """kombu's transport for Redis behind Sentinels."""

    Channel = _SentinelChannel
    connection_errors = (*redis.SentinelTransport.connection_errors, ResponseError)


class FirstMostly:
    """An order of queues: the first one first, but another after three messages from elsewhere.

    Used by kombu, see `kombu.utils.scheduling`.
    """

    def __init__(self) -> None:
        self._queues: list[str] = []
        self._missed: dict[str, int] = {}  # messages from elsewhere since the queue's last one

    def update(self, queues: Iterable[str]) -> None:
        """Set the queues, the preferred one first."""
        self._queues = list(queues)

    def consume(self, count: int) -> list[str]:
        """Return the first `count` queues in the order in which they are looked into."""
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
    """A connection that is tried again every second, however long Redis has been away."""

    def ensure_connection(self, *arguments: Any, **options: Any) -> Any:
        options |= {"interval_start": 0.2, "interval_step": 0.2, "interval_max": _LONGEST_PAUSE}
        return super().ensure_connection(*arguments, **options)  # type: ignore[no-untyped-call]


class Amqp(AMQP):  # type: ignore[misc]
    """What a Celery application makes connections with."""

    Connection = _PatientConnection


def register() -> None:
    """Make the transports known to kombu under the schemes of addresses."""
    TRANSPORT_ALIASES["redis"] = TRANSPORT_ALIASES["rediss"] = f"{__name__}:Transport"
    TRANSPORT_ALIASES["sentinel"] = f"{__name__}:SentinelTransport"
