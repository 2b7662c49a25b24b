"""Sends chunks to the queues, as many of a job at a time as its window has room for."""

import time
from collections.abc import Callable

from celery import Celery
from redis import Redis

from worker.celery_app import BIG, EXPLAIN_RECORD, QUEUES, SMALL, SOLVE_CHUNK
from worker.store.chunks import ChunkStore, Sending
from worker.store.jobs import JobStore
from worker.store.registry import Registry
from worker.store.scripts import Verdict

# A big job has so many chunks on their way per slot: one is being solved, one lies ready.
_CHUNKS_PER_SLOT = 2
_LEAST_WINDOW = 4
_SLOTS_KNOWN_FOR = 1.0


class Dispatcher:
    """Decides which chunks are sent when, and to which queue.

    Small jobs are sent at once, to the queue that is read first. Every big job has the same
    window in one first-in-first-out queue, which makes the workers go round among them.
    """

    def __init__(
        self,
        redis: Redis,
        app: Celery,
        *,
        chunks: ChunkStore,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._redis = redis
        self._app = app
        self._chunks = chunks
        self._registry = Registry(redis)
        self._clock = clock
        self._window = _LEAST_WINDOW
        self._window_known_until = 0.0

    def advance(self, job_id: str) -> None:
        """Send the chunks of a job that its window has room for."""
        self._send(job_id, self._chunks.take(job_id, window=self._current_window()))

    def send_again(self, job_id: str, chunk: int) -> None:
        """Send the rest of a chunk that took too long: no small job any more."""
        self._send(job_id, Sending((chunk,)))

    def explain(self, job_id: str, number: int) -> None:
        """Send for the explanation of one record, from 1: somebody is waiting for it."""
        self._app.send_task(EXPLAIN_RECORD, args=[job_id, number], queue=SMALL)

    def sweep(self, store: JobStore) -> None:
        """Send again what was lost, and delete uploads that broke off."""
        queues_empty = not any(self.queue_depths().values())
        for job_id in self._chunks.active_jobs():
            lost = self._chunks.lost(job_id, queues_empty=queues_empty)
            if lost is Verdict.BROKEN:
                store.delete(job_id)
            elif lost is not Verdict.GONE:
                self._send(job_id, lost)
                self.advance(job_id)

    def queue_depths(self) -> dict[str, int]:
        """Return how many messages wait in each queue."""
        with self._redis.pipeline(transaction=False) as pipe:
            for queue in QUEUES:
                pipe.llen(queue)
            return dict(zip(QUEUES, pipe.execute(), strict=True))

    def _send(self, job_id: str, sending: Sending) -> None:
        for chunk in sending.chunks:
            self._app.send_task(
                SOLVE_CHUNK, args=[job_id, chunk], queue=SMALL if sending.small else BIG
            )

    def _current_window(self) -> int:
        now = self._clock()
        if now >= self._window_known_until:
            self._window = max(_LEAST_WINDOW, _CHUNKS_PER_SLOT * self._registry.slots())
            self._window_known_until = now + _SLOTS_KNOWN_FOR
        return self._window
