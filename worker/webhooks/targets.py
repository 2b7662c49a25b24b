"""The URLs that webhooks may be sent to: their syntax, and the hosts that the operator allows.

A URL is parsed once. The connection is made with the parsed parts, so no second parser can read
another host from it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import urlsplit

_LONGEST_URL = 2_000
# printable ASCII without the backslash, which some parsers treat as a slash
_URL = re.compile(r"[!-\[\]-~]+")
_NAME = re.compile(r"(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_-]{1,63}")
# Resolvers read such a name as an IPv4 address, in decimal, octal, or hexadecimal notation.
_NUMERIC = re.compile(r"(.*\.)?(0x[0-9a-f]*|[0-9]+)")
_PATTERN = re.compile(
    r"(?P<host>\*|(\*\.)?[a-z0-9._-]+|\[(?P<address>[0-9a-f:.]+)\])(:(?P<port>\*|[0-9]+))?"
)
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class Target:
    """The parts of a webhook's URL.

    `host` is in lower case, without brackets and final dot. `path` includes the query.
    """

    scheme: str
    host: str
    port: int
    path: str

    @property
    def netloc(self) -> str:
        """The value of the header `Host`, with the port unless it is the scheme's usual port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class AllowedHost:
    """A host that the operator allows.

    `host` is a name or address, `*.` and a domain for all names below it, or `*` for all hosts.
    `port` is a number, `*` for all ports, or None for the usual ports of HTTP and HTTPS.
    """

    host: str
    port: str | None

    @classmethod
    def read(cls, text: str) -> "AllowedHost | None":
        """Parse an entry of `SUDOKUQ_WEBHOOK_HOSTS`, or return None if it is invalid."""
        found = _PATTERN.fullmatch(text.lower())
        if found is None:
            return None
        host = found["host"] if found["address"] is None else _host(found["address"], is_v6=True)
        return None if host is None else cls(host, found["port"])

    def matches(self, target: Target) -> bool:
        """Return whether this entry allows a target.

        An entry without a port allows only the default ports of HTTP and HTTPS. An entry such as
        *.example allows subdomains, but not example itself, and * allows all hosts.
        """
        if self.port is None and target.port not in _PORTS.values():
            return False
        if self.port not in (None, "*", str(target.port)):
            return False
        if self.host.startswith("*."):
            return target.host.endswith(self.host[1:])
        return self.host in ("*", target.host)


def read_target(url: str, allowed: Iterable[AllowedHost]) -> Target | str:
    """Return the parts of a webhook's URL, or a message that says why nothing may be sent to it."""
    target = _parse(url)
    if isinstance(target, str):
        return target
    if not any(entry.matches(target) for entry in allowed):
        return f"SUDOKUQ_WEBHOOK_HOSTS doesn't allow webhooks to {target.netloc}"
    return target


def _parse(url: str) -> Target | str:
    if len(url) > _LONGEST_URL:
        return f"the URL has {len(url):,} characters; the limit is {_LONGEST_URL:,}"
    if not _URL.fullmatch(url):
        return "the URL may contain only printable ASCII characters, without spaces or backslashes"
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname or ""
    except ValueError as error:
        return f"the URL is invalid: {error}"
    if parts.scheme not in _PORTS:
        return "the URL must start with https:// or http://"
    if "@" in parts.netloc:
        return "the URL may not contain a user name; verify the signature to authenticate webhooks"
    if parts.fragment:
        return "the URL may not contain a fragment (#)"
    if port == 0:
        return "the URL's port must be from 1 to 65535"
    name = _host(host.removesuffix("."), is_v6="[" in parts.netloc)
    if name is None:
        return (
            f"{host!r} isn't a host name or address; write IPv4 addresses as four decimal "
            "numbers, IPv6 addresses in brackets, and international names in Punycode"
        )
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Target(parts.scheme, name, port or _PORTS[parts.scheme], path)


def _host(host: str, *, is_v6: bool) -> str | None:
    """Return a host name, or an IP address in its usual notation, or None if it is neither.

    `is_v6` means that the host was in brackets, where only IPv6 addresses are valid.
    """
    try:
        if is_v6:
            return None if "%" in host else str(IPv6Address(host))
        if _NUMERIC.fullmatch(host):
            return str(IPv4Address(host))
    except ValueError:
        return None
    return host if _NAME.fullmatch(host) else None
