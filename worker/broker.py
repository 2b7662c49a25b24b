"""Celery's way to Redis, where kombu's own is not enough.

- When the connection is lost while a message is being worked on, kombu acknowledges it on a
  channel whose connection is closed, and stumbles over that with an AttributeError. Celery takes
  only errors of the connection for what can be mended, and ends the worker.
- kombu waits longer each time before it tries to connect again, up to 30 s.
- kombu reads queues in turn, or one of them only when the others are empty; here the first comes
  first, and yet the others get a share.
"""

from collections.abc import Iterable
from typing import Any

from celery.app.amqp import AMQP
from kombu.connection import Connection
from kombu.transport import TRANSPORT_ALIASES, redis
from redis.exceptions import ConnectionError as ConnectionLost

_LONGEST_PAUSE = 1.0
_MOST_OF_FIRST = 3


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


class SentinelTransport(redis.SentinelTransport):
    """kombu's transport for Redis behind Sentinels."""

    Channel = _SentinelChannel


class FirstMostly:
    """Which queue is read first: the first one, but after three messages of it another.

    An order of queues as kombu wants it, see `kombu.utils.scheduling`.
    """

    def __init__(self) -> None:
        self._queues: list[str] = []
        self._of_first = 0  # messages in a row

    def update(self, queues: Iterable[str]) -> None:
        """Say which queues there are, the first one first."""
        self._queues = list(queues)

    def consume(self, count: int) -> list[str]:
        """Return the first `count` queues; of the first that has a message, it is taken."""
        first, *others = self._queues[:count]
        return [first, *others] if self._of_first < _MOST_OF_FIRST else [*others, first]

    def rotate(self, last: str) -> str:
        """Note the queue from which a message was taken."""
        self._of_first = self._of_first + 1 if last == self._queues[0] else 0
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
