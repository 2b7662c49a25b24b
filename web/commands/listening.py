"""Open the socket on which the web server listens.

`make run` runs this module before it installs anything, so that a port in use is reported at once.
It must therefore import only the standard library. It uses the host and port in the environment.
"""

import os
import socket
import sys

from web.commands.command_lines import address_of
from worker.urls import DEFAULT_PORT

_BACKLOG = 2_048
_HIGHEST_PORT = 65_535


class PortTaken(Exception):
    """The web server can't listen on its port, for example because another program does."""


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket. Port 0 selects a free port, and :: listens on IPv4 as well.

    Raises PortTaken if it can't listen there, for any reason.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server(
            (host, port), family=family, backlog=_BACKLOG, dualstack_ipv6=host == "::"
        )
    except OSError as error:
        # An unknown host name has a negative number and another error text.
        number = error.errno or 0
        reason = os.strerror(number) if number > 0 else error.strerror
        raise PortTaken(
            f"can't listen on {address_of(host, port)} ({reason}); if sudokuq is already running "
            "there, use it or stop it. Otherwise choose another port with --port or PORT, or "
            "another address with --host or SUDOKUQ_HOST"
        ) from None


def _check() -> None:
    """Exit with a message if the port in the environment is in use.

    `sudokuq up` reports an invalid port later, together with other invalid settings.
    """
    port = os.environ.get("PORT") or str(DEFAULT_PORT)
    if not port.isdecimal() or int(port) > _HIGHEST_PORT:
        return
    host = os.environ.get("SUDOKUQ_HOST") or "127.0.0.1"
    try:
        listen(host.strip("[]"), int(port)).close()
    except PortTaken as taken:
        sys.exit(f"sudokuq: {taken}")


if __name__ == "__main__":
    _check()
