"""How many wrong keys an address has sent, so that keys can't be found by trying."""

from ipaddress import IPv6Address, ip_address, ip_network

from redis import Redis

from worker.settings import Settings
from worker.store import keys

_A_MINUTE = 60
_REMEMBERED_SECONDS = 600
_IPV6_PREFIX = 64  # the smallest network that providers assign to a customer


class FailedKeys:
    """Counts wrong keys by address and minute; the method may raise redis.RedisError."""

    def __init__(self, redis: Redis, *, settings: Settings) -> None:
        self._redis = redis
        self._most = settings.max_failed_keys

    def seconds_refused(self, address: str, *, digest: str | None) -> float | None:
        """Return for how many seconds a key is refused, right or wrong; None if it isn't.

        `digest` is that of a right key, and None stands for a wrong key, which is counted. A
        minute begins with its first wrong key. After too many, right keys are refused as well:
        otherwise guesses would still be answered. Keys that worked from the address while others
        failed keep working, so that one program with an outdated key locks nobody else out.
        """
        network = _network_of(address)
        failures = keys.failures(network)
        with self._redis.pipeline() as pipe:
            if digest is None:
                pipe.incr(failures)
                pipe.expire(failures, _A_MINUTE, nx=True)
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
    """Return the addresses that count as one client: one of IPv4, or a network of IPv6."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        return str(ip_network((found, _IPV6_PREFIX), strict=False))
    return str(found)
