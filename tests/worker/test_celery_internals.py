"""Upgrades of Celery and kombu must not break what `worker.celery_internals` relies on."""

import inspect
import logging
from typing import Any

import pytest
from celery.app import trace
from celery.apps import worker as celery_worker_app
from celery.concurrency.prefork import TaskPool
from jobs import GOOD, upload
from kombu.connection import Connection
from kombu.transport import redis, resolve_transport
from kombu.utils.scheduling import cycle_by_name
from redis.exceptions import ConnectionError as ConnectionLost
from redis.exceptions import ResponseError

from worker import celery_internals, logs
from worker.celery_app import BIG, EXPLAIN, QUEUES, SMALL, WEBHOOK
from worker.service import Service

pytestmark = pytest.mark.redis


@pytest.mark.parametrize("channel", [redis.Channel, redis.SentinelChannel])
def test_channel_gets_its_connection_from_a_method_that_can_be_replaced(channel: type) -> None:
    assert [*inspect.signature(channel._connparams).parameters] == ["self", "asynchronous"]  # type: ignore[attr-defined]
    assert "self._connparams(" in inspect.getsource(redis.Channel)


def test_use_of_a_closed_channel_counts_as_a_lost_connection(service: Service) -> None:
    with service.app.connection_for_write() as connection:
        channel = connection.default_channel
        assert isinstance(channel, celery_internals.Transport.Channel)
        channel.connection.client = None
        with pytest.raises(ConnectionLost):
            channel._connparams()
    assert issubclass(ConnectionLost, celery_internals.Transport.connection_errors)


def test_commands_that_redis_rejects_count_as_lost_connections(service: Service) -> None:
    with service.app.connection_for_write() as connection:
        assert issubclass(ResponseError, connection.connection_errors)


@pytest.mark.parametrize("scheme", ["redis", "rediss", "sentinel"])
def test_transport_of_each_scheme_is_replaced(scheme: str, service: Service) -> None:
    del service  # registers the transports
    found = resolve_transport(scheme)
    assert found is not None
    assert found.__module__ == celery_internals.__name__


def test_connection_is_retried_every_second(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: dict[str, Any] = {}
    known = inspect.signature(Connection._ensure_connection).parameters

    def ensure_connection(self: Connection, *_: Any, **options: Any) -> Connection:
        used.update(options)
        return self

    monkeypatch.setattr(Connection, "ensure_connection", ensure_connection)
    service.app.connection_for_read().ensure_connection(interval_max=30)
    assert used["interval_max"] == 1.0
    assert used.keys() <= known.keys()


def test_shutdown_messages_of_celery_are_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert "safe_say(" in inspect.getsource(celery_worker_app._shutdown_handler)
    monkeypatch.setattr(celery_worker_app, "safe_say", celery_worker_app.safe_say)
    celery_internals.log_shutdown_messages(logging.getLogger("a").info)
    with caplog.at_level(logging.INFO):
        celery_worker_app.safe_say("warm shutdown", None)
    assert "warm shutdown" in caplog.text


def test_dead_processes_of_the_pool_can_be_replaced_at_any_time() -> None:
    assert "self.maintain_pool = " in inspect.getsource(TaskPool.on_start)


def test_headers_and_number_of_waiting_messages_can_be_read(service: Service) -> None:
    job_id = upload(service, GOOD)
    service.dispatcher.dispatch(job_id)
    assert service.dispatcher.queue_depths() == {SMALL: 1, BIG: 0, EXPLAIN: 0, WEBHOOK: 0}
    message = service.redis.lindex(SMALL, -1)
    assert isinstance(message, bytes)
    assert celery_internals.headers_of(message)["sent_at"] > 0
    assert 0 <= service.dispatcher.oldest_wait() < 60


@pytest.mark.parametrize(
    ("name", "args", "part"),
    [
        ("sudokuq.solve_chunk", "('0123456789', 3)", "chunk"),
        ("sudokuq.explain_record", "('0123456789', 3, '')", "record"),
        ("sudokuq.explain_record", "('0123456789', 3, 'after=2')", "record"),
    ],
)
def test_log_records_of_celery_name_the_task(name: str, args: str, part: str) -> None:
    assert "extra={'data': context}" in inspect.getsource(trace.info)
    record = logging.makeLogRecord({"data": {"name": name, "args": args}})
    logs.log_about_nothing()  # an earlier test in this process may have left a request
    assert logs._subject_of(record) == {"job": "012345…", part: 3}


@pytest.mark.parametrize(
    ("waiting", "expected"),
    [
        ({SMALL: 9, BIG: 4, EXPLAIN: 0}, "sssBsssBsssBB"),
        ({SMALL: 9, BIG: 0, EXPLAIN: 3}, "sssesssessse"),
        ({SMALL: 9, BIG: 4, EXPLAIN: 4}, "sssBessBessBessBe"),
        ({SMALL: 4, BIG: 2, EXPLAIN: 2, WEBHOOK: 2}, "sssBewsBew"),
        ({SMALL: 0, BIG: 4, EXPLAIN: 4}, "BeBeBeBe"),
        ({SMALL: 2, BIG: 0, EXPLAIN: 0}, "ss"),
    ],
)
def test_every_other_queue_with_messages_gets_one_of_four(
    waiting: dict[str, int], expected: str, service: Service
) -> None:
    strategy = service.app.conf.broker_transport_options["queue_order_strategy"]
    order = cycle_by_name(strategy)()  # type: ignore[no-untyped-call]
    order.update(QUEUES)
    waiting = dict.fromkeys(QUEUES, 0) | waiting
    taken = ""
    while any(waiting.values()):
        queue = next(name for name in order.consume(len(QUEUES)) if waiting[name])
        waiting[order.rotate(queue)] -= 1
        taken += {SMALL: "s", BIG: "B", EXPLAIN: "e", WEBHOOK: "w"}[queue]
    assert taken == expected
