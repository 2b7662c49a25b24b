"""The URL of the service, and the check whether a host is this machine.

Remote clients import this, so it uses only the standard library.
"""

import ipaddress
import os
from collections.abc import Mapping

DEFAULT_PORT = 8000


def service_url(environ: Mapping[str, str] = os.environ) -> str:
    """Return the URL of the service: SUDOKUQ_URL, or else this machine with the port in PORT."""
    port = environ.get("PORT", "").strip() or DEFAULT_PORT
    return environ.get("SUDOKUQ_URL", "").strip() or f"http://127.0.0.1:{port}"


def is_loopback(host: str) -> bool:
    """Return whether a host name or IP address refers to this machine only.

    The only such name is localhost. An IPv6 address may be in brackets.
    """
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
