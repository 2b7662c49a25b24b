"""Celery's way to Redis, where kombu's own is not enough.

- When the connection is lost while a message is being worked on, kombu acknowledges it on a
  channel whose connection is closed, and stumbles over that with an AttributeError. Celery takes
  only errors of the connection for what can be mended, and ends the worker.
- kombu waits longer each time before it tries to connect again, up to 30 s.
"""

from typing import Any

from celery.app.amqp import AMQP
from kombu.connection import Connection
from kombu.transport import TRANSPORT_ALIASES, redis
from redis.exceptions import ConnectionError as ConnectionLost

_LONGEST_PAUSE = 1.0


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
