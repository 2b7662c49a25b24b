"""Sends one notification over HTTP, within limits and only to permitted addresses."""

import asyncio
import logging
import os
import socket
import ssl
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import httpx

from worker.webhooks.addresses import Network, is_permitted
from worker.webhooks.targets import Target

logger = logging.getLogger(__name__)

# The time for everything: resolving the name, connecting, sending, and receiving the response.
MAX_SECONDS = 10.0
_MAX_ADDRESSES = 3
_GONE = 410


@dataclass(frozen=True, slots=True)
class AttemptResult:
    """The result of sending a notification once: the error, or None if it was confirmed.

    `is_final` means that the receiver doesn't want the notification to be sent again.
    """

    error: str | None = None
    is_final: bool = False


def tls_context() -> ssl.SSLContext:
    """Return the TLS settings for `send`, with the certificates from the environment, if any."""
    return httpx.create_ssl_context()


async def send(
    target: Target,
    body: bytes,
    headers: Mapping[str, str],
    *,
    allowed: Iterable[Network],
    tls: ssl.SSLContext,
) -> AttemptResult:
    """Send a notification to a target, and return the outcome. Failures are returned, not raised.

    The caller has checked that the operator allows the host. Only public addresses of the host and
    those in the `allowed` networks are used. Redirects and the proxies of the environment are not.
    Any status other than 2xx is a failure. Everything together takes at most `MAX_SECONDS`.
    """
    try:
        async with asyncio.timeout(MAX_SECONDS):
            addresses = await _resolve(target)
            permitted = [each for each in addresses if is_permitted(each, allowed)]
            if not permitted:
                # The job shows no addresses, because they describe the operator's network.
                logger.warning(
                    "%s has the addresses %s, which are neither public nor in "
                    "SUDOKUQ_WEBHOOK_NETWORKS",
                    target.host,
                    ", ".join(addresses),
                )
                return AttemptResult(
                    f"{target.host} has no public address, and SUDOKUQ_WEBHOOK_NETWORKS doesn't "
                    "allow its other addresses"
                )
            status = await _post(target, permitted[:_MAX_ADDRESSES], body, headers, tls=tls)
    except TimeoutError:
        return AttemptResult(f"no response within {MAX_SECONDS:g} s")
    except socket.gaierror as error:
        return AttemptResult(f"the name {target.host} can't be resolved: {error.strerror}")
    except (httpx.HTTPError, OSError) as error:
        return AttemptResult(_reason(error))
    return _result_of(status)


async def _resolve(target: Target) -> list[str]:
    """Return the IP addresses of a host, without duplicates.

    Raises socket.gaierror if the name can't be resolved.
    """
    found = await asyncio.get_running_loop().getaddrinfo(
        target.host, target.port, type=socket.SOCK_STREAM
    )
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


async def _post(
    target: Target,
    addresses: list[str],
    body: bytes,
    headers: Mapping[str, str],
    *,
    tls: ssl.SSLContext,
) -> int:
    """Send the notification to the first address that accepts connections.

    Returns the HTTP status. If no address accepts connections, the error of the last one is raised.
    """
    *others, last = addresses
    for address in others:
        try:
            return await _post_to(target, address, body, headers, tls=tls)
        except httpx.ConnectError:
            continue
    return await _post_to(target, last, body, headers, tls=tls)


async def _post_to(
    target: Target, address: str, body: bytes, headers: Mapping[str, str], *, tls: ssl.SSLContext
) -> int:
    """Send the notification to an IP address, and return the HTTP status of the response.

    The header `Host` and the TLS handshake name the target's host. The body of the response isn't
    read.
    """
    url = httpx.URL(
        scheme=target.scheme, host=address, port=target.port, raw_path=target.path.encode()
    )
    # Each request has a separate client, because a connection must not be reused for another host
    # with the same address: its certificate was only checked for the first host.
    client = httpx.AsyncClient(verify=tls, trust_env=False, timeout=MAX_SECONDS)
    request = client.build_request(
        "POST",
        url,
        content=body,
        headers={**headers, "Host": target.netloc, "Connection": "close"},
        extensions={"sni_hostname": target.host},
    )
    async with client:
        # Only the status matters, so the body is never read, however large or slow it is.
        response = await client.send(request, stream=True, follow_redirects=False)
        await response.aclose()
        return response.status_code


def _result_of(status: int) -> AttemptResult:
    if 200 <= status < 300:
        return AttemptResult()
    if 300 <= status < 400:
        return AttemptResult(f"HTTP status {status}; redirects aren't followed")
    if status == _GONE:
        return AttemptResult(
            f"HTTP status {status}: the receiver accepts no more attempts", is_final=True
        )
    return AttemptResult(f"HTTP status {status}")


def _reason(error: BaseException) -> str:
    """Return why a request failed, according to the innermost cause of an error.

    The text contains no addresses.
    """
    while cause := error.__cause__ or error.__context__:
        error = cause
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the receiver's certificate is invalid: {error.verify_message}"
    if isinstance(error, ssl.SSLError):
        return f"the TLS handshake failed: {error.reason}"
    text = os.strerror(error.errno) if isinstance(error, OSError) and error.errno else str(error)
    return f"the connection failed: {text or type(error).__name__}"
