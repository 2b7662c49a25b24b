"""A worker: Celery's consumer, which receives tasks, its child processes, and periodic duties.

The duties are heartbeats, recovering lost chunks, requesting deliveries of webhooks, and
replacing dead processes.
"""

import logging
import os
import signal
import socket
import sys
import time
from contextlib import suppress
from functools import partial
from typing import Any

from celery import bootsteps, signals
from msgspec.structs import replace
from redis.exceptions import RedisError

from solver.preparing import LABELS, Code
from worker.celery_app import DELIVER_WEBHOOKS, EXPLAIN_RECORD, QUEUES, SOLVE_CHUNK
from worker.celery_internals import log_shutdown_messages, replace_dead_processes
from worker.logs import logging_about, start_logging
from worker.process.chunk_runner import ChunkRunner
from worker.process.compilation import Compilation
from worker.process.explain_record import explain_record
from worker.process.shutdown_flag import ShutdownFlag
from worker.process.slots import Slots
from worker.process.watchdog import Watchdog
from worker.process_setup import die_with_parent, keep_freed_memory, limit_memory
from worker.service import Service, connect_service
from worker.settings import Settings
from worker.store.live_workers import WorkerInfo
from worker.webhooks.delivery import deliver_due

logger = logging.getLogger(__name__)

_BEAT_SECONDS = 1.0
_REPLACE_SECONDS = 0.1
# pause before retrying an explanation that had to wait for a free slot
_EXPLAIN_AGAIN_SECONDS = 0.5


class _EverySecond(bootsteps.StartStopStep):  # type: ignore[misc]
    """Celery step that sends heartbeats, recovers lost chunks, and replaces dead processes.

    It also requests the delivery of webhooks that are due. It does all this every second, but looks
    for dead processes ten times per second. Of all workers, one per second recovers chunks and
    requests deliveries. At its start, the step warns if Redis may delete keys. Celery calls `start`
    and `stop` with the consumer as `parent`. The class attributes are set by `add_tasks`.
    """

    requires = ("celery.worker.consumer.tasks:Tasks",)
    service: Service
    worker: WorkerInfo
    watchdog: Watchdog
    compilation: Compilation

    def __init__(self, parent: Any, **options: Any) -> None:
        super().__init__(parent, **options)
        self._timers: list[Any] = []

    def start(self, parent: Any) -> None:
        self._beat()  # the caller shouldn't have to wait a second for the first heartbeat
        warn_of_eviction(self.service)
        self._timers = [
            parent.timer.call_repeatedly(_BEAT_SECONDS, self._beat),
            parent.timer.call_repeatedly(_REPLACE_SECONDS, replace_dead_processes, (parent,)),
        ]

    def stop(self, parent: Any) -> None:
        del parent
        while self._timers:
            self._timers.pop().cancel()

    def _beat(self) -> None:
        service = self.service
        self.watchdog.beat()
        try:
            missing = self.compilation.missing()
            report = replace(
                self.worker,
                missing=[code.name for code in missing],
                preparing=", ".join(LABELS[code] for code in missing),
            )
            service.registry.beat(report)
            if service.recovery.acquire_turn(seconds=_BEAT_SECONDS * 0.9):
                service.dispatcher.recover_lost_chunks()
                service.dispatcher.request_webhooks()
        except RedisError as error:
            logger.warning("Redis is unavailable: %s", error)


def add_tasks(
    service: Service,
    *,
    name: str,
    concurrency: int,
    shutdown: ShutdownFlag,
    watchdog: Watchdog,
    compilation: Compilation,
) -> list[str]:
    """Add the worker's tasks and periodic duties to the Celery application.

    `name` is the worker's unique name. `concurrency` is the number of slow records on which its
    processes can work at the same time. One more process solves fast records. Returns the
    command-line arguments for Celery's `worker_main`.
    """
    app = service.app
    # Slow records can use as many processes as there are slots. One more process is for fast ones.
    slots = Slots(concurrency)
    runner = ChunkRunner(
        service,
        worker=name,
        shutdown=shutdown,
        slots=slots,
        end_process=_end_process,
        are_ready=compilation.are_ready,
    )

    @app.task(name=SOLVE_CHUNK)  # type: ignore[untyped-decorator]
    def solve_chunk(job_id: str, chunk: int) -> None:
        runner.run(job_id, chunk)

    @app.task(name=EXPLAIN_RECORD)  # type: ignore[untyped-decorator]
    def explain(job_id: str, number: int, position: str = "") -> None:
        # The page that shows the record repeats the request after a while.
        if not compilation.are_ready(Code):
            return
        if not service.explanations.is_awaited(job_id, number, position):
            return
        try:
            with logging_about(job_id, record=number):
                is_done = explain_record(
                    service, job_id, number, position=position, may_continue=slots.acquire
                )
        finally:
            slots.release()
        if not is_done:
            service.dispatcher.request_explanation(
                job_id, number, position=position, after=_EXPLAIN_AGAIN_SECONDS
            )

    # At most one process sends, so that receivers that don't respond can't stop all solving.
    senders = Slots(1)

    @app.task(name=DELIVER_WEBHOOKS)  # type: ignore[untyped-decorator]
    def deliver_webhooks() -> None:
        if not senders.acquire():
            return  # those that are due then are requested again within a second
        try:
            deliver_due(service)
        finally:
            senders.release()

    info = WorkerInfo(name=name, slots=concurrency, started_at=time.time())
    # Celery creates the step without arguments, so the components become class attributes.
    parts = {"service": service, "worker": info, "watchdog": watchdog, "compilation": compilation}
    step = type("EverySecond", (_EverySecond,), parts)
    app.steps["consumer"].add(step)
    return [
        "--quiet",  # no banner, which isn't in the log's format
        "worker",
        "--pool=prefork",
        f"--concurrency={concurrency + 1}",
        f"--hostname={name}",
        f"--queues={','.join(QUEUES)}",
        "--without-gossip",
        "--without-mingle",
        "--without-heartbeat",
        "--loglevel=INFO",
    ]


def _end_process() -> None:
    """Exit this worker process immediately. Celery starts another one."""
    os._exit(1)


def run_worker(settings: Settings, *, concurrency: int) -> None:
    """Run a worker in this process until it is stopped with SIGTERM or Ctrl-C.

    `concurrency` is the number of slow records that it can work on at the same time. Exits with 1
    if the worker ends for another reason. The code for classic puzzles is compiled before the first
    child process is forked, so that each child starts ready. The worker counts as alive only when
    that is done. The remaining code is compiled in the background.
    """
    start_logging(settings.log_format)
    log_shutdown_messages(logger.info)
    keep_freed_memory()
    compilation = Compilation()
    compilation.start()
    service = connect_service(settings)
    name = f"sudokuq-{os.getpid()}@{socket.gethostname()}"
    shutdown = ShutdownFlag(grace=settings.grace_seconds)
    grace = settings.grace_seconds
    watchdog = Watchdog(partial(is_usable, service), shutdown=shutdown, grace=grace)
    tie = die_with_parent(signal.SIGKILL)

    @signals.setup_logging.connect(weak=False)  # type: ignore[untyped-decorator]
    def log(**_: Any) -> None:
        start_logging(settings.log_format)

    @signals.worker_shutdown.connect(weak=False)  # type: ignore[untyped-decorator]
    def leave(**_: Any) -> None:
        with suppress(RedisError):  # the entry expires soon anyway
            service.registry.leave(name)

    @signals.worker_shutting_down.connect(weak=False)  # type: ignore[untyped-decorator]
    def set_shutdown_flag(**_: Any) -> None:
        shutdown.set()

    @signals.worker_process_init.connect(weak=False)  # type: ignore[untyped-decorator]
    def tie_to_parent(**_: Any) -> None:
        # If the worker is killed, its processes must end, too, even within a slow record.
        if tie is not None:
            tie()
        limit_memory(settings.worker_memory_bytes)

    arguments = add_tasks(
        service,
        name=name,
        concurrency=concurrency,
        shutdown=shutdown,
        watchdog=watchdog,
        compilation=compilation,
    )
    # A killed worker may have had the same name, which is usual in containers.
    with suppress(RedisError):
        service.registry.leave(name)
    watchdog.start()
    service.app.worker_main(arguments)
    if not shutdown.is_set:
        logger.error("the worker ended unexpectedly")
        sys.exit(1)


def warn_of_eviction(service: Service) -> None:
    """Log a warning if Redis is configured to delete keys, and thereby jobs, when it is full.

    Does nothing if Redis is unavailable.
    """
    with suppress(RedisError):  # already logged by the first heartbeat
        policy = service.health.eviction_policy()
        if policy != "noeviction":
            logger.warning(
                "jobs may be lost when Redis is full: set its maxmemory-policy to noeviction "
                "(it is %s)",
                policy,
            )


def is_usable(service: Service) -> bool:
    """Return whether Redis responds and accepts writes. Otherwise, no worker could continue."""
    try:
        service.health.check()
    except RedisError:
        return False
    return True
