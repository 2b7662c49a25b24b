"""Print messages of `sudokuq up` about code that workers compile while the service is ready."""

import click
from redis import Redis
from redis.exceptions import RedisError

from worker.store.live_workers import Registry


class Progress:
    """Prints which code the workers are compiling, when that has changed.

    The caller must call `print_changes` from time to time.
    """

    def __init__(self, redis: Redis) -> None:
        self._registry = Registry(redis)
        self._printed = ""

    def print_changes(self) -> None:
        """Print which code the workers are compiling, unless the same message was printed last.

        When they have finished, prints once that compiling is done. Prints nothing if there are no
        workers, or if Redis doesn't respond.
        """
        try:
            workers = self._registry.workers()
        except RedisError:
            return
        compiling = next((worker.preparing for worker in workers if worker.preparing), "")
        if not workers or compiling == self._printed:
            return
        self._printed = compiling
        click.echo(f"compiling {compiling or 'is done'}", err=True)
