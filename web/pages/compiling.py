"""Find out whether pages wait for a worker that is still compiling."""

from web.http import request_context
from worker.store.live_workers import WorkerInfo


def compiling_worker() -> WorkerInfo | None:
    """Return a worker that is still compiling code, or None if any worker is completely ready.

    Also returns None if no worker is running.
    """
    workers = request_context.service().registry.workers()
    return workers[0] if workers and all(worker.preparing for worker in workers) else None
