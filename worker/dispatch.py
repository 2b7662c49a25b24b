"""Sends chunks, requests for explanations, and webhooks to the workers' queues.

The number of chunks that a client has in flight is limited. Lost chunks are recovered, which means
sent again. The waiting times and lengths of the queues are measured here, too.
"""

import time
from collections.abc import Callable, Iterable

from celery import Celery
from redis import Redis

from worker.celery_app import (
    BIG,
    CHUNK_QUEUES,
    DELIVER_WEBHOOKS,
    EXPLAIN,
    EXPLAIN_RECORD,
    QUEUES,
    SMALL,
    SOLVE_CHUNK,
    WEBHOOK,
    left_queue,
)
from worker.celery_internals import headers_of
from worker.store.active_jobs import ActiveJobs
from worker.store.chunks import ChunkStore, Dispatch, Newer
from worker.store.clock import redis_time
from worker.store.counters import RECOVERED, Counters
from worker.store.jobs import JobStore
from worker.store.live_workers import Registry
from worker.store.recovery import Recovery
from worker.store.scripts import ScriptReply
from worker.store.webhooks import WebhookStore

# chunks in flight per slot for big jobs: one is being solved and one is queued
_CHUNKS_PER_SLOT = 2
_MIN_QUOTA = 4
_SLOTS_KNOWN_FOR = 1.0
_SENT_AT = "sent_at"


class Dispatcher:
    """Decides which chunks are sent when, and to which queue.

    A job with only one chunk is small. Its chunk goes to a queue that workers prefer to the queue
    for big jobs, but to the latter when it is requeued. Queues are first in, first out. Every
    client can have the same number of chunks in flight, its quota, so workers alternate between
    clients. A client's oldest jobs share its quota. Explanations and webhooks have separate queues.
    """

    def __init__(
        self,
        redis: Redis,
        app: Celery,
        *,
        chunks: ChunkStore,
        recovery: Recovery,
        jobs: JobStore,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._redis = redis
        self._app = app
        self._chunks = chunks
        self._recovery = recovery
        self._jobs = jobs
        self._active_jobs = ActiveJobs(redis)
        self._registry = Registry(redis)
        self._webhooks = WebhookStore(redis)
        self._counters = Counters(redis)
        self._clock = clock
        self._quota = _MIN_QUOTA
        self._quota_known_until = 0.0

    def dispatch(self, job_id: str) -> None:
        """Send as many more chunks of a job as its share of the client's quota permits."""
        self.send(job_id, self._chunks.dispatch(job_id, quota=self._current_quota()))

    def dispatch_others(self, job_id: str) -> None:
        """Send chunks of the client's other jobs.

        Call it when the job `job_id` has ended or is waiting, because its share of the quota is
        free.
        """
        for following in self._active_jobs.next_in_quota(job_id, quota=self._current_quota()):
            self.dispatch(following)

    def send(self, job_id: str, dispatch: Dispatch) -> None:
        """Send the chunks of a job that the store has selected to their queue."""
        for chunk in dispatch.chunks:
            self._app.send_task(
                SOLVE_CHUNK,
                args=[job_id, chunk],
                queue=SMALL if dispatch.small else BIG,
                headers={_SENT_AT: dispatch.sent_at},
            )

    def leave_to_newer(self, job_id: str, chunk: int, newer: Newer) -> None:
        """Send a chunk of a job whose schema this version can't read to workers that can.

        They have a separate queue for each schema (see `left_queue`).
        """
        self._app.send_task(
            SOLVE_CHUNK,
            args=[job_id, chunk],
            queue=left_queue(newer.schema),
            headers={_SENT_AT: newer.sent_at},
        )

    def request_explanation(
        self, job_id: str, number: int, *, position: str = "", after: float = 0.0
    ) -> None:
        """Send a message that requests the explanation of one record. Records are numbered from 1.

        With a `position` (see `StoredSteps`), it requests the steps that are available there.
        The worker that receives the message begins only `after` seconds later.
        """
        wait = {"countdown": after} if after else {}
        self._app.send_task(
            EXPLAIN_RECORD,
            args=[job_id, number, position],
            queue=EXPLAIN,
            headers={_SENT_AT: redis_time(self._redis)},
            **wait,
        )

    def recover_lost_chunks(self) -> None:
        """Send chunks again whose lease has expired or whose message was lost.

        Checks only jobs that are due for a check, and then sends further chunks of these jobs if
        their quota permits. If the queues for chunks are empty, all jobs count as due. Chunks that
        were lost are counted. Also deletes the jobs whose uploads were interrupted.
        """
        sent = self._oldest_sent(CHUNK_QUEUES)
        # A message without a timestamp may be arbitrarily old.
        oldest = min((0.0 if at is None else at for at in sent), default=None)
        for job_id in self._recovery.due_jobs(early=oldest is None):
            dispatch = self._recovery.recover(job_id, oldest=oldest)
            if dispatch is ScriptReply.INTERRUPTED:
                self._jobs.delete(job_id, counted_as="broken")
            elif dispatch is not ScriptReply.GONE:
                self.send(job_id, dispatch)
                if dispatch.lost:
                    self._counters.add({RECOVERED: dispatch.lost})
                self.dispatch(job_id)

    def request_webhooks(self) -> None:
        """Send a request to deliver the webhooks that are due, unless one is waiting already.

        The request doesn't name them, so it doesn't matter if it is lost or delivered twice.
        """
        if self._webhooks.has_due() and not self._redis.llen(WEBHOOK):
            self._app.send_task(
                DELIVER_WEBHOOKS, queue=WEBHOOK, headers={_SENT_AT: redis_time(self._redis)}
            )

    def _oldest_sent(self, queues: Iterable[str]) -> list[float | None]:
        """Return when the oldest message in each of the given queues was sent.

        Empty queues are left out. The time is in seconds since 1970 according to the clock of
        Redis, or None if the message has no timestamp.
        """
        with self._redis.pipeline(transaction=False) as pipe:
            for queue in queues:
                pipe.lindex(queue, -1)
            first = [message for message in pipe.execute() if message is not None]
        return [headers_of(message).get(_SENT_AT) for message in first]

    def oldest_wait(self) -> float:
        """Return how many seconds the oldest message in any queue has been waiting.

        It is 0 if no message is waiting. Explanations and webhooks count, too. Messages without a
        timestamp don't count.
        """
        sent = [at for at in self._oldest_sent(QUEUES) if at is not None]
        return max(redis_time(self._redis) - min(sent), 0.0) if sent else 0.0

    def queue_depths(self) -> dict[str, int]:
        """Return the number of messages waiting in each queue, by the queue's name."""
        with self._redis.pipeline(transaction=False) as pipe:
            for queue in QUEUES:
                pipe.llen(queue)
            return dict(zip(QUEUES, pipe.execute(), strict=True))

    def _current_quota(self) -> int:
        now = self._clock()
        if now >= self._quota_known_until:
            self._quota = max(_MIN_QUOTA, _CHUNKS_PER_SLOT * self._registry.slots())
            self._quota_known_until = now + _SLOTS_KNOWN_FOR
        return self._quota
