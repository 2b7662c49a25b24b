"""Count requests and wrong API keys per minute.

For each client or network, a minute starts with the first event after the previous minute.
"""

from ipaddress import IPv6Address, ip_address, ip_network

from redis import Redis

from worker.settings import Settings
from worker.store import keys

MINUTE = 60
_REMEMBERED_SECONDS = 600
_IPV6_PREFIX = 64  # the smallest network that providers assign to a customer


class RequestCounter:
    """Counts the requests of each client per minute. `count` can raise redis.RedisError."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    def count(self, client: str) -> tuple[int, float]:
        """Count a request of a client.

        Returns the number of the client's requests in the current minute, including this one, and
        the seconds until the minute ends. A client's minute begins with its first request.
        """
        key = keys.requests(client)
        with self._redis.pipeline() as pipe:
            pipe.incr(key)
            pipe.expire(key, MINUTE, nx=True)
            pipe.pttl(key)
            sent, _, milliseconds = pipe.execute()
        return sent, milliseconds / 1000


class FailedKeys:
    """Counts wrong API keys by network, so that keys can't be found by brute force.

    The method can raise redis.RedisError.
    """

    def __init__(self, redis: Redis, *, settings: Settings) -> None:
        self._redis = redis
        self._most = settings.max_failed_keys

    def seconds_rejected(self, address: str, *, digest: str | None) -> float | None:
        """Return for how many seconds the sender of an API key is rejected, or None if not at all.

        The caller has checked the key. `digest` is the digest of the key if it is correct. None
        stands for a wrong key, which is counted for the network of the sender's `address`. After
        too many wrong keys in a minute, correct keys from the network are rejected as well, since
        otherwise an attacker could continue to test keys.

        If a correct key is accepted after others from the network were wrong, it is remembered. It
        then continues to work, so that one program with an outdated key can't lock the others out.
        """
        network = _network_of(address)
        failures = keys.failures(network)
        with self._redis.pipeline() as pipe:
            if digest is None:
                pipe.incr(failures)
                pipe.expire(failures, MINUTE, nx=True)
            else:
                pipe.exists(keys.known_key(network, digest))
                pipe.get(failures)
            pipe.pttl(failures)
            first, second, milliseconds = pipe.execute()
        known, failed = (False, first) if digest is None else (bool(first), int(second or 0))
        if known or failed < self._most + (digest is None):
            if failed and digest is not None:
                self._redis.set(keys.known_key(network, digest), 1, ex=_REMEMBERED_SECONDS)
            return None
        return float(max(milliseconds, 0) / 1000)


def _network_of(address: str) -> str:
    """Return the network for which wrong keys from an IP address are counted.

    It is the IPv4 address itself, or the /64 network that contains the IPv6 address, because a
    customer can use all addresses in this network. Text that isn't an IP address is returned
    unchanged.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        return str(ip_network((found, _IPV6_PREFIX), strict=False))
    return str(found)
