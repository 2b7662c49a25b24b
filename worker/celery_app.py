"""Create the Celery application, which sends and receives the workers' tasks.

A task is to solve a chunk of a job, to explain a record, or to deliver the webhooks that are due.
Both the web server and the workers send tasks. Only workers receive them.
"""

from celery import Celery
from kombu.entity import Queue

from worker.celery_internals import Amqp, SharedPriority, register
from worker.connection import broker_options, broker_url
from worker.settings import Settings
from worker.store.schema import SCHEMA

SOLVE_CHUNK = "sudokuq.solve_chunk"
EXPLAIN_RECORD = "sudokuq.explain_record"
DELIVER_WEBHOOKS = "sudokuq.deliver_webhooks"

# Workers prefer the first queue, so that small jobs don't wait for big ones. But one message in
# four comes from each other queue that isn't empty, so that small jobs can't starve the rest.
SMALL = "sudokuq.small"
BIG = "sudokuq.big"
EXPLAIN = "sudokuq.explain"  # records of finished jobs that a user is looking at
WEBHOOK = "sudokuq.webhook"  # requests to deliver the webhooks that are due


def left_queue(job_schema: int) -> str:
    """Return the name of the queue for chunks of jobs with this schema that older workers left.

    Workers that can read the schema receive from this queue, and older ones don't. If older workers
    returned the chunks to the common queues, they could receive them again and again while newer
    workers are idle.
    """
    return f"sudokuq.left.{job_schema}"


LEFT_QUEUES = tuple(left_queue(job_schema) for job_schema in range(2, SCHEMA + 1))
CHUNK_QUEUES = (SMALL, BIG, *LEFT_QUEUES)
QUEUES = (*CHUNK_QUEUES, EXPLAIN, WEBHOOK)


def make_app(settings: Settings) -> Celery:
    """Return the Celery application for the Redis in the settings.

    Raises BadSetting if the settings have no valid Redis URL. A message is acknowledged only after
    its task has ended. Lost messages are delivered again. This is harmless, because a chunk's
    results are stored only once.
    """
    address = settings.named_redis()
    broker = broker_url(address)
    register()
    app = Celery("sudokuq", broker=broker, amqp=Amqp, set_as_current=False)
    app.conf.update(
        task_queues=[Queue(name) for name in QUEUES],  # type: ignore[no-untyped-call]
        task_default_queue=BIG,
        task_serializer="json",
        accept_content=["json"],
        # The job store holds the results. Celery results would only add cost and could hang.
        task_ignore_result=True,
        task_store_errors_even_if_ignored=False,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_acks_on_failure_or_timeout=True,
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        worker_send_task_events=False,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        worker_soft_shutdown_timeout=max(settings.chunk_seconds * 4, 5.0),
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_transport_options={
            # Counted from delivery and never renewed. Leases distinguish chunks in progress
            # from lost ones, so a second delivery is harmless.
            "visibility_timeout": settings.visibility_timeout,
            # Restore lost messages every second. kombu's default is 100 s.
            "unacked_restore_interval": 1,
            "unacked_restore_throttle": 1,
            "queue_order_strategy": f"{SharedPriority.__module__}:{SharedPriority.__name__}",
            "socket_connect_timeout": 2,
            "socket_timeout": 5,
            "socket_keepalive": True,
            # A connection whose reply is overdue by this many seconds is closed.
            "health_check_interval": 5,
            **broker_options(address),
        },
    )
    return app
