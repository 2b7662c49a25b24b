"""The queue's interface: one object with everything that the web server and the workers need."""

from dataclasses import dataclass

from celery import Celery
from redis import Redis

from worker.celery_app import make_app
from worker.connection import connect
from worker.dispatch import Dispatcher
from worker.settings import Settings
from worker.store.active_jobs import ActiveJobs
from worker.store.chunks import ChunkStore
from worker.store.counters import Counters
from worker.store.explanations import ExplanationStore
from worker.store.health import RedisHealth
from worker.store.idempotency import IdempotencyKeys
from worker.store.images import ImageStore
from worker.store.job_owners import JobOwners
from worker.store.jobs import JobStore
from worker.store.live_workers import Registry
from worker.store.rate_limits import FailedKeys, RequestCounter
from worker.store.recovery import Recovery
from worker.store.results import ResultStore
from worker.store.sessions import SessionStore
from worker.store.statistics import Statistics
from worker.store.throughput import Throughput
from worker.store.webhooks import WebhookStore
from worker.telemetry import Telemetry, start_telemetry


@dataclass(frozen=True, slots=True)
class Service:
    """The components of the queue, connected to one Redis. `app` is the Celery application."""

    settings: Settings
    redis: Redis
    app: Celery
    jobs: JobStore
    active_jobs: ActiveJobs
    chunks: ChunkStore
    results: ResultStore
    statistics: Statistics
    images: ImageStore
    explanations: ExplanationStore
    recovery: Recovery
    dispatcher: Dispatcher
    registry: Registry
    counters: Counters
    job_owners: JobOwners
    sessions: SessionStore
    idempotency_keys: IdempotencyKeys
    request_counter: RequestCounter
    failed_keys: FailedKeys
    health: RedisHealth
    throughput: Throughput
    webhooks: WebhookStore
    telemetry: Telemetry


def connect_service(settings: Settings) -> Service:
    """Create the components. They connect to Redis when they are first used.

    Raises BadSetting if the settings have no valid Redis URL. Tracing starts if the settings have
    an endpoint for it.
    """
    redis = connect(settings.named_redis())
    app = make_app(settings)
    chunks = ChunkStore(redis, settings=settings)
    jobs = JobStore(redis, settings=settings)
    recovery = Recovery(redis, settings=settings)
    return Service(
        settings=settings,
        redis=redis,
        app=app,
        jobs=jobs,
        active_jobs=ActiveJobs(redis),
        chunks=chunks,
        results=ResultStore(redis),
        statistics=Statistics(redis),
        images=ImageStore(redis),
        explanations=ExplanationStore(redis),
        recovery=recovery,
        dispatcher=Dispatcher(redis, app, chunks=chunks, recovery=recovery, jobs=jobs),
        registry=Registry(redis),
        counters=Counters(redis),
        job_owners=JobOwners(redis, settings=settings),
        sessions=SessionStore(redis),
        idempotency_keys=IdempotencyKeys(redis, settings=settings),
        request_counter=RequestCounter(redis),
        failed_keys=FailedKeys(redis, settings=settings),
        health=RedisHealth(redis, settings=settings),
        throughput=Throughput(redis),
        webhooks=WebhookStore(redis),
        telemetry=start_telemetry(settings),
    )
