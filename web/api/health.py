"""Endpoints for operators: liveness, readiness, and metrics."""

from collections.abc import Iterator

from flask import Blueprint, Response, jsonify
from prometheus_client import CollectorRegistry
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from solver.board.result import Outcome
from web.http import request_context
from web.http.errors import RETRY_SECONDS, Problem
from worker.service import Service
from worker.store.counters import (
    CHUNK_SECONDS,
    ENGINE_SECONDS,
    JOB_EVENTS,
    JOBS,
    RECORDS,
    RECOVERED,
    SUSPENDED,
    WEBHOOK_EVENTS,
    WEBHOOKS,
    buckets_of,
    parts_of,
)

health = Blueprint("health", __name__)


@health.get("/healthz")
def alive() -> Response:
    """Report that the process is alive."""
    return jsonify(status="ok")


@health.get("/readyz")
def ready() -> Response:
    """Return the number of worker slots. The status is 503 unless Redis and a worker are ready."""
    service = request_context.service()
    service.health.check()
    slots = service.registry.slots()
    if slots == 0:
        raise Problem(503, "no worker is ready", retry_after=RETRY_SECONDS)
    return jsonify(status="ready", slots=slots)


@health.get("/metrics")
def metrics() -> Response:
    """Return the metrics in the Prometheus text format."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_MetricsCollector(request_context.service()))
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class _MetricsCollector(Collector):
    """Reads all metrics from Redis, so that all web server processes report the same numbers."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def collect(self) -> Iterator[Metric]:
        yield from self._gauges()
        yield from self._counters()

    def _gauges(self) -> Iterator[Metric]:
        service = self._service
        workers = service.registry.workers()
        yield _gauge("sudokuq_workers", "Running workers.", len(workers))
        slots = sum(worker.slots for worker in workers)
        yield _gauge("sudokuq_slots", "Chunks that can be solved concurrently.", slots)
        busy = sum(len(worker.doing) for worker in workers)
        yield _gauge("sudokuq_busy_processes", "Worker processes that are solving a chunk.", busy)
        depths = GaugeMetricFamily("sudokuq_queue_depth", "Queued messages.", labels=["queue"])
        for queue, depth in service.dispatcher.queue_depths().items():
            depths.add_metric([queue], depth)
        yield depths
        waits = service.dispatcher.oldest_wait()
        yield _gauge("sudokuq_queue_oldest_seconds", "Age of the oldest queued message.", waits)
        jobs = service.active_jobs.count_all()
        yield _gauge("sudokuq_active_jobs", "Jobs that have not ended.", jobs)
        memory = service.redis.info("memory")
        used, most = memory["used_memory"], memory.get("maxmemory", 0)
        yield _gauge("sudokuq_redis_memory_bytes", "Memory that Redis uses.", used)
        yield _gauge("sudokuq_redis_memory_max_bytes", "Memory limit of Redis (0: none).", most)

    def _counters(self) -> Iterator[Metric]:
        counted = self._service.counters.read()
        outcomes = tuple(outcome.label for outcome in Outcome)
        for name, label, parts, text in (
            (JOBS, "event", JOB_EVENTS, "Jobs by event: created, or how they ended."),
            (RECORDS, "outcome", outcomes, "Records that have a result."),
            (WEBHOOKS, "result", WEBHOOK_EVENTS, "Attempts to deliver a webhook, by result."),
        ):
            family = CounterMetricFamily(f"sudokuq_{name}", text, labels=[label])
            numbers = parts_of(counted, name)
            for part in parts:
                # Include zeros: Prometheus doesn't see the first increase of a counter that starts
                # at 1.
                family.add_metric([part], numbers.get(part, 0.0))
            yield family
        for name, text in (
            (ENGINE_SECONDS, "Time spent in the solver by all worker processes."),
            (RECOVERED, "Lost chunks that were recovered (sent again)."),
            (SUSPENDED, "Records that were suspended so that others get a turn."),
        ):
            value = counted.get(name, 0.0)
            yield CounterMetricFamily(f"sudokuq_{name}", text, value=value)
        buckets, total = buckets_of(counted, CHUNK_SECONDS)
        yield HistogramMetricFamily(
            f"sudokuq_{CHUNK_SECONDS}", "Time that a process spends on a chunk.", buckets, total
        )


def _gauge(name: str, text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, text, value=value)
