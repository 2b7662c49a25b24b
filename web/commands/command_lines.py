"""The command lines of the processes that are the service."""

import sys

_WEB_PROCESSES = 2
_WEB_THREADS = 16
# Open files are often limited to 1,024, and Redis needs some as well.
_WEB_CONNECTIONS = 800


def address_of(host: str, port: int) -> str:
    """Return HOST:PORT, with the host in brackets where it is an address of IPv6."""
    bare = host.strip("[]")
    return f"[{bare}]:{port}" if ":" in bare else f"{bare}:{port}"


def web_command(*, address: str) -> list[str]:
    """Return the command line of the web server; fd://N is a socket that listens already."""
    return [
        sys.executable, "-m", "gunicorn", "web.wsgi:app",
        "--bind", address,
        "--worker-class", "web.server.worker.Worker",
        "--workers", str(_WEB_PROCESSES),
        "--threads", str(_WEB_THREADS),
        "--worker-connections", str(_WEB_CONNECTIONS),
        "--graceful-timeout", "10",
        # Uploads and downloads may take as long as they need; a thread that serves one does
        # not keep its process from saying that it is alive.
        "--timeout", "60",
        "--no-control-socket",
        # The application reads what proxies say (web/access/forwarded.py); gunicorn must not.
        "--forwarded-allow-ips", "",
        "--log-level", "warning",
        "--logger-class", "web.server.gunicorn_log.Logger",
    ]  # fmt: skip


def worker_command(*, concurrency: int) -> list[str]:
    """Return the command line of a worker."""
    return [sys.executable, "-m", "web.commands.cli", "worker", "--concurrency", str(concurrency)]
