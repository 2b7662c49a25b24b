"""The host names and proxies through which the service may be reached.

If the service has no API keys and listens on a loopback address, only the users of this machine may
use it. Two things must not bypass that: a web page whose domain name points to 127.0.0.1 (DNS
rebinding), and a proxy on this machine that serves other machines.
"""

import re

from flask import Flask, request

from web.access.forwarded import is_forwarded
from web.http import request_context
from web.http.errors import Problem
from worker.settings import Settings
from worker.urls import is_loopback

_HOST = re.compile(r"(\[[^\[\]]+\]|[^:\[\]]+)(:[0-9]*)?")
_PROBES = ("health.alive", "health.ready")  # sent to IP addresses; reveal nothing about jobs


def check_hosts(app: Flask) -> None:
    """Make the app reject requests with unknown host names or from unexpected proxies.

    It must be called before other checks are added, so that these are the first ones.
    """
    app.before_request(_check_proxy)
    app.before_request(_check_host)


def _check_proxy() -> None:
    """Raise Problem if a proxy forwarded the request, but the service is only for its own machine.

    This includes requests that a proxy only seems to have forwarded. Health checks are exempt.
    """
    settings = request_context.service().settings
    if settings.is_protected or request.endpoint in _PROBES:
        return
    if is_forwarded(name for name, _ in request.headers) or _hides_its_host(settings):
        raise Problem(
            403,
            "This request came through a proxy, but the service accepts only requests from its "
            "own machine. Set SUDOKUQ_API_KEYS, or SUDOKUQ_OPEN=true if anyone may use it.",
            kind="forwarded-request",
        )


def _hides_its_host(settings: Settings) -> bool:
    """Return whether a proxy seems to have replaced the `Host` header, as nginx does by default.

    The browser then labels the request as same-origin, although Origin or Referer names a host that
    isn't one of the service's.
    """
    if request.headers.get("Sec-Fetch-Site") != "same-origin":
        return False
    pages = [request.headers.get(name, "").partition("://")[2] for name in ("Origin", "Referer")]
    hosts = [page.partition("/")[0] for page in pages if page]  # Origin may be "null"
    return not all(is_allowed(host, settings) for host in hosts)


def _check_host() -> None:
    """Raise Problem unless the `Host` header names the service. Health checks are exempt.

    Requests without this header pass, because every browser sends it.
    """
    host = request.environ.get("HTTP_HOST")  # some programs omit it, but every browser sends it
    settings = request_context.service().settings
    if host is None or request.endpoint in _PROBES or is_allowed(host, settings):
        return
    raise Problem(
        421,
        f"The service isn't available as {host[:100]!r}. Use localhost or a loopback address, or "
        "add the name to SUDOKUQ_HOSTS.",
        kind="unknown-host",
    )


def is_allowed(host: str, settings: Settings) -> bool:
    """Return whether `host`, the value of a `Host` header, is a name of the service.

    Names of the service are loopback addresses, localhost and names below it, and the names in the
    settings, which may be patterns such as *.example.org, or * for any name. If no names are set, a
    service with API keys or for everybody accepts any name.
    """
    if settings.is_protected and not settings.hosts:
        return True
    name = _name_of(host)
    if is_loopback(name) or name.endswith(".localhost"):
        return True
    return any(
        known in ("*", name) or (known.startswith("*.") and name.endswith(known[1:]))
        for known in map(str.lower, settings.hosts)
    )


def _name_of(host: str) -> str:
    """Return a `Host` header's name without port and final dot, in lower case.

    Returns "" if the header is malformed.
    """
    found = _HOST.fullmatch(host)
    return found[1].lower().removesuffix(".") if found else ""
