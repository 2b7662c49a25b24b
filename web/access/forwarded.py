"""The source of forwarded requests, from `X-Forwarded-*` or `Forwarded` (RFC 7239) headers.

Each proxy appends the address from which it received the request. So the list is read from its end,
and only as long as each address belongs to a trusted proxy. The client may have made up earlier
entries. `Forwarded` is read only if there is no `X-Forwarded-*`, because proxies that write
`X-Forwarded-*` pass `Forwarded` through unchanged.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import Any

from worker.setting_values import Network

Header = Callable[[str], str | None]  # returns a header's value for its lower-case name

_FORWARDED = re.compile(r"x-forwarded-.+|forwarded|x-real-ip|via")
# A name with a plain or quoted value in `Forwarded`, and the separator after it.
_PAIR = re.compile(r'\s*([\w-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*))\s*(;|,|$)')
_HOST = re.compile(r"[A-Za-z0-9._-]+(:[0-9]{1,5})?|\[[0-9A-Fa-f:.]+\](:[0-9]{1,5})?")
_WITH_PORT = re.compile(r"([0-9.]+):[0-9]+|\[([^\]]+)\](?::[0-9]+)?")


@dataclass(frozen=True, slots=True)
class Source:
    """The client's IP address, and the scheme and host of the URL that it requested.

    Scheme and host are None unless a trusted proxy reports valid ones.
    """

    address: str
    scheme: str | None = None
    host: str | None = None


def is_forwarded(names: Iterable[str]) -> bool:
    """Return whether a request's header names show that a proxy forwarded it."""
    return any(_FORWARDED.fullmatch(name.lower()) for name in names)


def source_of(peer: str, header: Header, *, trusted: Sequence[Network]) -> Source:
    """Return the client, scheme, and host of a request, as far as trusted proxies report them.

    `peer` is the IP address at the other end of the connection. `header` is a function that returns
    the value of a request header for its lower-case name. The headers are ignored unless `peer`
    belongs to the `trusted` networks. `Forwarded` counts only if there are no `X-Forwarded-*`
    headers. The client is the last listed address that isn't trusted, because a client can forge
    the addresses before it.
    """
    if not _is_in(peer, trusted):
        return Source(_plain(peer) or peer)
    addresses = _listed(header("x-forwarded-for"))
    schemes = _listed(header("x-forwarded-proto"))
    hosts = _listed(header("x-forwarded-host"))
    if not (addresses or schemes or hosts):
        addresses, schemes, hosts = _read_forwarded(header("forwarded") or "")
    client, hops = _plain(peer) or peer, 0
    for address in reversed(addresses):
        found = _plain(address)
        if found is None:  # "unknown", or not an address
            break
        client, hops = found, hops + 1
        if not _is_in(found, trusted):
            break
    scheme, host = _at(schemes, hops).lower(), _at(hosts, hops)
    return Source(
        client,
        scheme if scheme in ("http", "https") else None,
        host if _HOST.fullmatch(host) else None,
    )


class ForwardedRequests:
    """WSGI middleware that gives the application the client's address, scheme, and host.

    If a proxy in the `trusted` networks forwarded the request, they replace the proxy's own.
    """

    def __init__(self, application: Callable[..., Any], *, trusted: Sequence[Network]) -> None:
        self._application = application
        self._trusted = trusted

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        """Write the client's address, scheme, and host into `environ`, and call the application.

        Scheme and host stay unchanged unless a trusted proxy reports valid ones.
        """

        def header(name: str) -> str | None:
            return environ.get("HTTP_" + name.upper().replace("-", "_"))

        source = source_of(environ.get("REMOTE_ADDR") or "", header, trusted=self._trusted)
        environ["REMOTE_ADDR"] = source.address
        if source.scheme is not None:
            environ["wsgi.url_scheme"] = source.scheme
        if source.host is not None:
            environ["HTTP_HOST"] = source.host
        return self._application(environ, start_response)


def _is_in(address: str, networks: Sequence[Network]) -> bool:
    plain = _plain(address)
    return plain is not None and any(ip_address(plain) in network for network in networks)


def _plain(text: str) -> str | None:
    """Return an IP address without port, brackets, and zone, or None if `text` isn't an address.

    An IPv4-mapped IPv6 address is converted to the IPv4 address.
    """
    with_port = _WITH_PORT.fullmatch(text)
    bare = (with_port[1] or with_port[2]) if with_port else text
    try:
        address = ip_address(bare.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return str(mapped or address)


def _listed(value: str | None) -> list[str]:
    return [part.strip() for part in (value or "").split(",") if part.strip()]


def _read_forwarded(value: str) -> tuple[list[str], list[str], list[str]]:
    """Return the lists of `for`, `proto`, and `host` values in a `Forwarded` header.

    Each list has one item per entry of the header, "" if the entry doesn't have this parameter. The
    lists are empty if the header is malformed, because its entries can't be told apart.
    """
    entries: list[dict[str, str]] = [{}]
    position = 0
    while position < len(value):
        pair = _PAIR.match(value, position)
        if pair is None:
            return [], [], []
        quoted = None if pair[2] is None else re.sub(r"\\(.)", r"\1", pair[2])
        entries[-1][pair[1].lower()] = pair[3] if quoted is None else quoted
        if pair[4] == ",":
            entries.append({})
        position = pair.end()
    if not entries[-1]:
        entries.pop()
    by_name = [[entry.get(name, "") for entry in entries] for name in ("for", "proto", "host")]
    return by_name[0], by_name[1], by_name[2]


def _at(values: Sequence[str], hops: int) -> str:
    """Return the entry of a forwarding header that the proxy `hops` hops away added.

    Each proxy appends an entry to `values`, so the nearest proxy (hop 1) added the last one. If
    there are fewer entries, the first one is returned, or "" if there is none. 0 hops are treated
    as 1.
    """
    return values[-min(max(hops, 1), len(values))] if values else ""
