"""The page about the workers: their state and throughput, and advice if something is wrong."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from flask import Blueprint, render_template

from solver.board.display import how_many
from web.http import request_context
from web.pages.charts import line, scale_to
from web.pages.filters import show_duration
from worker.celery_app import BIG, EXPLAIN, LEFT_QUEUES, SMALL, WEBHOOK
from worker.service import Service
from worker.store.clock import redis_time
from worker.store.live_workers import WorkerInfo
from worker.store.schema import StoredByNewer
from worker.store.throughput import PERIOD_SECONDS, PERIODS

# The noun for a task of each queue, and the words after it.
_TASKS = {
    SMALL: ("part", " of small jobs"),
    BIG: ("part", " of big jobs"),
    EXPLAIN: ("explanation", ""),
    WEBHOOK: ("webhook", ""),
    **dict.fromkeys(LEFT_QUEUES, ("part", " that older workers left")),
}
_HARD_SECONDS = 10.0  # after which a task is reported to contain a hard puzzle
_STUCK_SECONDS = 60.0  # after which a job that waits for idle workers is reported
_MAX_CHECKED = 10  # waiting jobs whose age is read


@dataclass(frozen=True, slots=True)
class Status:
    """The state of all workers, or of one: a word for it, and sentences with details and advice.

    `kind` is good, busy, wait, or bad.
    """

    kind: str
    word: str
    details: str


def register(pages: Blueprint) -> None:
    """Add the views of this module to the blueprint."""
    pages.get("/workers")(workers)


def workers() -> str:
    """Show the running workers with their tasks, the queues, and the throughput."""
    service = request_context.service()
    alive = service.registry.workers()
    depths = service.dispatcher.queue_depths()
    has_waiting = any(depths.values())
    lately = [60 * pace for pace in service.throughput.per_second()]
    now = redis_time(service.redis)
    scale = scale_to(max(lately, default=0))
    return render_template(
        "workers.html",
        status=_status(
            alive,
            has_waiting=has_waiting,
            is_stuck=has_waiting and _are_stuck(service, alive, now=now),
        ),
        workers=[(worker, _status_of(worker, now=now)) for worker in alive],
        active=service.active_jobs.count_all(),
        waiting=sum(depths.values()),
        queues=[_in_queue(queue, depth) for queue, depth in depths.items() if depth],
        now=now,
        lately=lately,
        scale=scale,
        line=line(lately, scale),
        minutes=PERIOD_SECONDS * PERIODS // 60,
        done=round(sum(lately) * PERIOD_SECONDS / 60),
    )


def _in_queue(queue: str, depth: int) -> str:
    """Return the number of tasks in a queue in words, such as "2 parts of big jobs"."""
    noun, rest = _TASKS[queue]
    return how_many(depth, noun) + rest


def _are_stuck(service: Service, alive: Sequence[WorkerInfo], *, now: float) -> bool:
    """Return whether jobs have waited for over a minute although all workers are idle."""
    if any(worker.doing or worker.preparing for worker in alive):
        return False
    for job_id in service.active_jobs.ids()[:_MAX_CHECKED]:
        with suppress(StoredByNewer):
            job = service.jobs.get(job_id)
            if job is not None and not job.state.final and now - job.created_at > _STUCK_SECONDS:
                return True
    return False


def _status(alive: Sequence[WorkerInfo], *, has_waiting: bool, is_stuck: bool) -> Status:
    """Return the state of all workers together."""
    if not alive:
        return Status(
            "bad",
            "No workers are running",
            "Jobs wait until one is started. “sudokuq up” starts the whole service on one machine, "
            "and “sudokuq worker” starts another worker.",
        )
    if is_stuck:
        return Status(
            "bad",
            "Jobs wait, but the workers are idle",
            "Restart the workers. No results are lost. If that doesn’t help, look for errors in "
            "their log.",
        )
    if any(worker.preparing for worker in alive):
        return Status(
            "wait",
            "Getting ready",
            "Code is being compiled. This happens once after an installation or an update, and "
            "takes some minutes. Jobs that need this code wait until then.",
        )
    if not any(worker.doing for worker in alive):
        return Status("good", "Ready", "Nothing is wrong. The workers wait for puzzles.")
    advice = ""
    if has_waiting:
        advice = (
            " Jobs take turns, and small ones don’t wait for big ones. With more workers, they "
            "finish sooner."
        )
    return Status("busy", "Working", f"Nothing is wrong.{advice}")


def _status_of(worker: WorkerInfo, *, now: float) -> Status:
    """Return the state of one worker at the time `now`."""
    if not worker.doing:
        if worker.preparing:
            return Status("wait", "Getting ready", f"Compiling {worker.preparing}.")
        return Status("good", "Idle", "Waits for puzzles.")
    jobs = len({task.job for task in worker.doing})
    longest = now - min(task.since for task in worker.doing)
    details = f"Works on {how_many(jobs, 'job')}."
    if worker.preparing:
        details += f" Meanwhile, it is compiling {worker.preparing}."
    if longest > _HARD_SECONDS:
        details += (
            f" It has been working on a hard puzzle for {show_duration(longest)}. The search ends "
            "when it reaches the job’s limit on guesses."
        )
    return Status("busy", "Working", details)
