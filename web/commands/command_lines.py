"""Build the command lines with which the service's processes are started."""

import sys

_WEB_PROCESSES = 2
_WEB_THREADS = 16
# A process may often open only 1,024 files, and connections to Redis count, too.
_WEB_CONNECTIONS = 800


def address_of(host: str, port: int) -> str:
    """Return HOST:PORT, with the host in brackets if it is an IPv6 address."""
    bare = host.strip("[]")
    return f"[{bare}]:{port}" if ":" in bare else f"{bare}:{port}"


def web_command(*, address: str) -> list[str]:
    """Return the command line of the web server.

    `address` is HOST:PORT, or fd://N for a socket that already listens, with the file descriptor N.
    """
    return [
        sys.executable, "-m", "gunicorn", "web.wsgi:app",
        "--bind", address,
        "--worker-class", "web.server.gunicorn_worker.Worker",
        "--workers", str(_WEB_PROCESSES),
        "--threads", str(_WEB_THREADS),
        "--worker-connections", str(_WEB_CONNECTIONS),
        "--graceful-timeout", "10",
        # Uploads and downloads may take longer than this: the main loop sends the heartbeats.
        "--timeout", "60",
        "--no-control-socket",
        # The application, not gunicorn, reads the headers of proxies (web/access/forwarded.py).
        "--forwarded-allow-ips", "",
        "--log-level", "warning",
        "--logger-class", "web.server.gunicorn_log.Logger",
    ]  # fmt: skip


def worker_command(*, concurrency: int) -> list[str]:
    """Return the command line of a worker that solves `concurrency` slow records concurrently."""
    return [sys.executable, "-m", "web.commands.cli", "worker", "--concurrency", str(concurrency)]
