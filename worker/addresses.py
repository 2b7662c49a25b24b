"""URLs of the service, read with the standard library alone: clients need nothing else of us."""

import ipaddress
import os
from collections.abc import Mapping

DEFAULT_PORT = 8000


def service_url(environ: Mapping[str, str] = os.environ) -> str:
    """Return SUDOKUQ_URL, or the URL on this machine with PORT's port."""
    port = environ.get("PORT", "").strip() or DEFAULT_PORT
    return environ.get("SUDOKUQ_URL", "").strip() or f"http://127.0.0.1:{port}"


def is_loopback(host: str) -> bool:
    """Return whether a host name or address is this machine's own."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
