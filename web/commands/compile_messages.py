"""Messages of `sudokuq up` about engines that workers compile while the service is ready."""

import click
from redis import Redis
from redis.exceptions import RedisError

from worker.store.live_workers import Registry


class Progress:
    """Prints which engine the workers compile whenever that changes."""

    def __init__(self, redis: Redis) -> None:
        self._registry = Registry(redis)
        self._printed = ""

    def print_changes(self) -> None:
        """Print which engine the workers compile, if it isn't the one that was printed last."""
        try:
            workers = self._registry.workers()
        except RedisError:
            return
        compiling = next((worker.preparing for worker in workers if worker.preparing), "")
        if not workers or compiling == self._printed:
            return
        self._printed = compiling
        click.echo(f"compiling {compiling or 'is done'}", err=True)
