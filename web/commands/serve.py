"""The commands that run the service, or one part of it."""

import os
import socket

import click
from redis.exceptions import RedisError

from web.client import Failure
from web.commands.command_lines import address_of, web_command
from web.commands.exits import fail
from web.commands.local_settings import settings
from web.commands.option_groups import option_group
from web.commands.option_types import WholeNumber
from worker.connection import connect
from worker.private_redis import CannotStart
from worker.setting_values import BadSetting
from worker.settings import Settings
from worker.store.live_workers import Registry

_COUNT = WholeNumber(1)
_address_options = option_group(
    click.option(
        "--host",
        metavar="ADDRESS",
        help="Address to listen on. [default: $SUDOKUQ_HOST, else 127.0.0.1]",
    ),
    click.option(
        "--port",
        type=WholeNumber(0, 65_535),
        metavar="PORT",
        help="Port to listen on. 0 picks a free port. [default: $PORT, else 8000]",
    ),
)


@click.command()
@_address_options
def web(host: str | None, port: int | None) -> None:
    """Run the web server, which serves the pages and the HTTP API.

    It uses the Redis server at $REDIS_URL, as the workers do. It refuses to listen on an address
    that other machines can reach unless $SUDOKUQ_API_KEYS or $SUDOKUQ_OPEN is set.

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
@click.option(
    "--concurrency",
    type=_COUNT,
    metavar="N",
    default=os.cpu_count() or 1,
    show_default="number of cores",
    help="Number of chunks to solve concurrently, each in a process of its own.",
)
@click.option(
    "--check",
    is_flag=True,
    help="Don't run a worker. Only check whether one is running on this machine.",
)
def worker(concurrency: int, *, check: bool) -> None:
    """Run a worker, which solves the puzzles of uploaded jobs.

    It uses the Redis server at $REDIS_URL, as the web server does. Start workers on as many
    machines as you like. After Ctrl-C, other workers continue its unfinished puzzles.

    \b
    Examples:
      REDIS_URL=redis://queue.example sudokuq worker --concurrency 4
      REDIS_URL=redis://queue.example sudokuq worker --check

    Exit codes of --check: 0 if a worker is running, else 2.
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
        fail(f"Redis doesn't respond: {error}")
    finally:
        redis.close()
    if not any(worker.name.endswith(f"@{socket.gethostname()}") for worker in alive):
        fail("no worker on this machine is running, or none has sent a heartbeat recently")


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
@_address_options
@click.option(
    "--workers",
    type=_COUNT,
    metavar="N",
    default=2,
    show_default=True,
    help="Number of worker processes.",
)
@click.option("--sample", is_flag=True, help="Upload a job with the 500 bundled sample puzzles.")
def up(host: str | None, port: int | None, workers: int, *, sample: bool) -> None:
    """Run everything on this machine: Redis, workers, and the web server.

    If $REDIS_URL isn't set, it starts a private Redis server that stores its data in the folder
    $SUDOKUQ_DATA. Ctrl-C stops everything. Jobs are kept, and continue after the next start.

    \b
    Examples:
      sudokuq up --sample
      sudokuq up --port 8080 --workers 4
    """
    from web.commands.listening import PortTaken  # noqa: PLC0415
    from web.commands.supervisor import run_up  # noqa: PLC0415

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
