"""The IP addresses that webhooks may be sent to: public ones, and those that the operator allows.

The address is checked after the host name was resolved, and the connection uses exactly this
address. So a name that resolves to another address a moment later (DNS rebinding) has no effect.
"""

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

Network = IPv4Network | IPv6Network

_NOT_PUBLIC = (
    IPv4Network("168.63.129.16"),  # the metadata service of Azure
    IPv4Network("192.0.0.0/24"),  # protocol assignments, not all known to Python
    IPv4Network("192.88.99.0/24"),  # relays to 6to4
    IPv6Network("2001::/32"),  # Teredo, which contains an IPv4 address
    IPv6Network("2002::/16"),  # 6to4, which also contains one
    IPv6Network("3fff::/20"),  # documentation, unknown to older versions of Python
)
# All public IPv6 addresses are in this network. The forms that contain an IPv4 address
# (IPv4-mapped, IPv4-compatible, NAT64) aren't.
_GLOBAL_UNICAST = IPv6Network("2000::/3")


def is_permitted(address: str, allowed: Iterable[Network]) -> bool:
    """Return whether a webhook may be sent to an IP address.

    It must be public or in one of the `allowed` networks. Raises ValueError if it isn't an IP
    address.
    """
    found = ip_address(address)
    return any(found in network for network in allowed) or _is_public(found)


def _is_public(found: IPv4Address | IPv6Address) -> bool:
    if isinstance(found, IPv6Address) and found not in _GLOBAL_UNICAST:
        return False
    if not found.is_global or found.is_multicast or found.is_reserved:
        return False
    return not any(found in network for network in _NOT_PUBLIC)
