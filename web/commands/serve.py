"""The commands that run the service, or one part of it."""

import os
import socket

import click
from redis.exceptions import RedisError

from web.client import Failure
from web.commands.command_lines import address_of, web_command
from web.commands.exits import fail
from web.commands.local_settings import settings
from worker.connection import connect
from worker.private_redis import CannotStart
from worker.settings import BadSetting, Settings
from worker.store.live_workers import Registry

_PORT = click.IntRange(0, 65_535)
_COUNT = click.IntRange(min=1)


@click.command()
@click.option("--host", help="Address to listen on. [default: $SUDOKUQ_HOST, else 127.0.0.1]")
@click.option("--port", type=_PORT, help="Port to listen on. [default: $PORT, else 8000]")
def web(host: str | None, port: int | None) -> None:
    """Run the web server. REDIS_URL selects the queue.

    \b
    Example:
      REDIS_URL=redis://queue.example sudokuq web --port 8080
    """
    environment = _with_redis()
    host = host or environment.host
    _check_access(environment, host)
    address = address_of(host, environment.port if port is None else port)
    command = web_command(address=address)
    os.execv(command[0], command)  # noqa: S606 (our own interpreter and arguments)


@click.command()
@click.option("--concurrency", type=_COUNT, default=os.cpu_count() or 1, show_default=True)
@click.option("--check", is_flag=True, help="Check whether a worker on this machine is running.")
def worker(concurrency: int, *, check: bool) -> None:
    """Run a worker. REDIS_URL selects the queue.

    \b
    Example:
      REDIS_URL=redis://queue.example sudokuq worker --concurrency 4
    """
    if check:
        _check_worker(_with_redis())
        return
    from worker.process.celery_worker import run_worker  # noqa: PLC0415 (imports Numba)

    run_worker(_with_redis(), concurrency=concurrency)


def _check_worker(environment: Settings) -> None:
    redis = connect(environment.named_redis())
    try:
        alive = Registry(redis).workers()
    except RedisError as error:
        fail(f"Redis does not respond: {error}")
    finally:
        redis.close()
    if not any(worker.name.endswith(f"@{socket.gethostname()}") for worker in alive):
        fail("no worker on this machine has sent a heartbeat recently")


def _check_access(environment: Settings, host: str) -> None:
    try:
        environment.check_access(host)
    except BadSetting as error:
        fail(str(error))


def _with_redis() -> Settings:
    environment = settings()
    try:
        environment.named_redis()
    except BadSetting as error:
        fail(str(error))
    return environment


@click.command()
@click.option("--host", help="Address to listen on. [default: $SUDOKUQ_HOST, else 127.0.0.1]")
@click.option("--port", type=_PORT, help="Port to listen on. [default: $PORT, else 8000]")
@click.option("--workers", type=_COUNT, default=2, show_default=True, help="Worker processes.")
@click.option("--sample", is_flag=True, help="Upload the bundled sample batch first.")
def up(host: str | None, port: int | None, workers: int, *, sample: bool) -> None:
    """Run Redis, workers, and the web server together. Ctrl-C stops them all.

    \b
    Example:
      sudokuq up --port 8080 --workers 2
    """
    from web.commands.supervisor import PortTaken, run_up  # noqa: PLC0415

    environment = settings()
    _check_access(environment, host or environment.host)
    try:
        if environment.redis_url is not None:
            environment.named_redis()
        run_up(
            environment,
            host=host or environment.host,
            port=environment.port if port is None else port,
            workers=workers,
            sample=sample,
        )
    except (BadSetting, CannotStart, Failure, PortTaken) as error:
        fail(str(error))
