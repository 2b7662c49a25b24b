"""Connections to Redis, for the web server, workers, and Celery.

redis://…, rediss://…    over TCP, over TLS
unix://…                 through a socket; Celery's `redis+socket://…` works too
sentinel://:PASSWORD@HOST:PORT,HOST:PORT/MASTER/DB
                         the server that the Sentinels report as the master of that name
"""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from redis import Redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from redis.sentinel import Sentinel

_SENTINELS = re.compile(
    r"sentinel://(?:(?P<user>[^:@/]*):(?P<password>[^@/]*)@)?"
    r"(?P<hosts>[^@/]+)/(?P<master>[^/]+)(?:/(?P<db>[0-9]+))?"
)
_SENTINEL_PORT = 26_379
# A dead connection is noticed by its next command. Checking with PING first would fail needlessly:
# a server whose disk is full rejects PING like a write, but still serves reads.
_OPTIONS: dict[str, Any] = {"socket_connect_timeout": 2.0, "socket_timeout": 5.0}


class BadAddress(Exception):
    """A Redis URL is invalid.

    The message doesn't show the URL, because it can contain a password.
    """


@dataclass(frozen=True, slots=True)
class Sentinels:
    """A parsed Sentinel URL: the Sentinels' (host, port) pairs, and how to connect to the master.

    `master` is the name by which the Sentinels know the master. The credentials and the database
    number `db` are for the master.
    """

    hosts: tuple[tuple[str, int], ...]
    master: str
    user: str | None
    password: str | None
    db: int

    @classmethod
    def read(cls, url: str) -> "Sentinels | None":
        """Parse a Sentinel URL, or return None for other schemes.

        Hosts without a port get the default one, and the default database is 0. User and password
        are percent-decoded, and None if they are missing. Raises BadAddress if a Sentinel URL is
        malformed.
        """
        if not url.startswith("sentinel://"):
            return None
        found = _SENTINELS.fullmatch(url)
        if found is None:
            raise BadAddress("expected sentinel://:PASSWORD@HOST:PORT,HOST:PORT/MASTER/DB")
        hosts = []
        for place in found["hosts"].split(","):
            host, _, port = place.partition(":")
            if port and not port.isdigit():
                raise BadAddress(f"the port of the Sentinel {host!r} isn't a number")
            hosts.append((host, int(port or _SENTINEL_PORT)))
        user, password = (unquote(found[part] or "") or None for part in ("user", "password"))
        return cls(tuple(hosts), found["master"], user, password, int(found["db"] or 0))


def connect(url: str) -> Redis:
    """Return a Redis client for a URL. Raises BadAddress if it is invalid.

    The client connects when it is first used, with a Sentinel URL to the current master. A command
    is retried once, in case Redis closed the connection in the meantime. Each attempt has a timeout
    of a few seconds. If both fail, the client raises redis.exceptions.RedisError.
    """
    options = _OPTIONS | {"retry": Retry(NoBackoff(), 1)}
    sentinels = Sentinels.read(url)
    if sentinels is None:
        address = url.replace("redis+socket://", "unix://").replace("virtual_host=", "db=")
        try:
            return Redis.from_url(address, **options)
        except ValueError:
            raise BadAddress(
                "expected redis://:PASSWORD@HOST:PORT/DB, rediss://…, unix:///PATH?db=DB, or "
                "sentinel://…; special characters in the password must be percent-encoded (/ as "
                "%2F)"
            ) from None
    known = Sentinel(list(sentinels.hosts), socket_connect_timeout=2.0, socket_timeout=2.0)  # type: ignore[no-untyped-call]
    return known.master_for(  # type: ignore[no-untyped-call, no-any-return]
        sentinels.master,
        username=sentinels.user,
        password=sentinels.password,
        db=sentinels.db,
        **options,
    )


def broker_url(url: str) -> str:
    """Return a Redis URL in the form that Celery expects.

    Celery has a different scheme for Unix sockets, expects one URL per Sentinel (separated by
    semicolons), and would accept any TLS certificate. Therefore rediss URLs get
    ssl_cert_reqs=required, unless they set this option. Raises BadAddress for a malformed Sentinel
    URL.
    """
    sentinels = Sentinels.read(url)
    if sentinels is not None:
        start = url.removeprefix("sentinel://").rpartition("@")
        return ";".join(
            f"sentinel://{start[0]}{start[1]}{host}:{port}/{sentinels.db}"
            for host, port in sentinels.hosts
        )
    if url.startswith("unix://"):
        return url.replace("unix://", "redis+socket://").replace("db=", "virtual_host=")
    if url.startswith("rediss://") and "ssl_cert_reqs=" not in url:
        return f"{url}{'&' if '?' in url else '?'}ssl_cert_reqs=required"
    return url


def broker_options(url: str) -> dict[str, object]:
    """Return the options that Celery needs in addition to the URL: none, except for Sentinel.

    `url` is the Redis URL as in `connect`. Raises BadAddress for a malformed Sentinel URL.
    """
    sentinels = Sentinels.read(url)
    return {} if sentinels is None else {"master_name": sentinels.master}
