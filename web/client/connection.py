"""Settings of the connection to a service: URL, API key, proxy, certificates, and timeouts."""

from typing import TypeVar

import httpx

from web.client.failures import Failure
from worker.urls import is_loopback

Http = TypeVar("Http", httpx.Client, httpx.AsyncClient)

_TIMEOUT = httpx.Timeout(60.0, connect=5.0)
# A download occupies a connection while the caller iterates over it. With a limit on connections,
# callers that send other requests in the meantime could block each other.
_LIMITS = httpx.Limits(max_connections=None, max_keepalive_connections=20)


def open_http(kind: type[Http], url: str, *, api_key: str | None, direct: bool) -> Http:
    """Return an httpx client of this kind for the service at a URL.

    It uses the proxy from the environment unless `direct` is True or the URL points to this
    machine. Raises Failure if the URL or the environment is invalid.
    """
    host = _host_of(url)
    try:
        return kind(
            base_url=url,
            headers={"Authorization": f"Bearer {api_key}"} if api_key else {},
            timeout=_TIMEOUT,
            limits=_LIMITS,
            trust_env=not (direct or is_loopback(host)),
            # Use certificates from the environment, even if `trust_env` is false.
            verify=httpx.create_ssl_context(),
        )
    except (httpx.InvalidURL, ImportError, OSError, ValueError) as error:
        raise Failure(
            "invalid proxy or certificate settings in the environment (…_proxy, "
            f"SSL_CERT_…): {error}"
        ) from None


def _host_of(url: str) -> str:
    """Return the host in the URL of a service. Raises Failure if the URL is invalid.

    The scheme must be http or https.
    """
    try:
        address = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise Failure(f"{url!r} isn't a valid URL: {error}") from None
    if address.scheme not in ("http", "https") or not address.host:
        raise Failure(
            f"{url!r} isn't a valid service URL; expected one such as http://127.0.0.1:8000"
        )
    return address.host
