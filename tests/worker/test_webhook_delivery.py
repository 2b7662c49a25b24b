"""One signed notification per job, sent again until the receiver confirms it.

Also invalid webhooks, tests of webhooks, and how a job's page shows attempts.
"""

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import pytest
from flask.testing import FlaskClient
from http_jobs import measures, work
from jobs import GOOD, open_job
from own_thread import in_own_thread
from receiver import SECRET, Receiver, receiver
from redis.exceptions import ConnectionError as ConnectionLost
from services import wait_until

from web.app import create_app
from worker.celery_app import WEBHOOK
from worker.service import Service, connect_service
from worker.settings import Settings
from worker.store import active_jobs, keys
from worker.store.keys import JobKeys
from worker.store.webhooks import MAX_PAUSE, WebhookStore
from worker.webhooks import delivery, sending
from worker.webhooks.delivery import pause
from worker.webhooks.signing import read_secret, sign

pytestmark = pytest.mark.redis
ALLOWED: dict[str, Any] = {
    "webhook_hosts": ("127.0.0.1:*",),
    "webhook_networks": ("127.0.0.1",),
}


@pytest.fixture
def hooks() -> Iterator[Receiver]:
    with receiver() as made:
        yield made


@pytest.fixture
def service(settings: Settings) -> Iterator[Service]:
    """Return the queue of a service whose operator allows webhooks to this machine."""
    found = connect_service(replace(settings, **ALLOWED))
    yield found
    found.app.close()
    found.redis.close()


@pytest.fixture
def http(service: Service) -> FlaskClient:
    return create_app(service=service).test_client()


def submit(http: FlaskClient, url: str, text: str = GOOD, **options: str) -> Any:
    query = {"webhook": url, "webhook_secret": SECRET} | options
    answer = http.post("/api/v1/jobs", data=text, query_string=query, content_type="text/plain")
    assert answer.status_code == 202, answer.text
    return answer.json


def webhook_of(http: FlaskClient, job: Any) -> Any:
    return http.get(f"/api/v1/jobs/{job['id']}").get_json()["webhook"]


def deliver_due(service: Service) -> None:
    in_own_thread(delivery.deliver_due, service)


def make_due(service: Service) -> None:
    """Let every planned attempt and every claim be due now."""
    entries = cast("list[bytes]", service.redis.zrange(keys.WEBHOOKS, 0, -1))
    for entry in entries:
        service.redis.zadd(keys.WEBHOOKS, {entry: 1.0})


def test_job_with_many_records_sends_one_notification_which_is_the_job(
    http: FlaskClient, service: Service, hooks: Receiver
) -> None:
    job = submit(http, hooks.url, f"{GOOD}\n" * 3, rate="true")
    assert job["webhook"]["state"] == "waiting"
    deliver_due(service)
    assert hooks.received == []
    work(service)
    assert webhook_of(http, job)["state"] == "pending"
    body = http.get(f"/api/v1/jobs/{job['id']}").data
    for _ in range(3):
        deliver_due(service)
    (request,) = hooks.received
    assert request.body == body
    assert request.job()["outcomes"]["solved"] == 3
    assert request.headers["content-type"] == "application/json"
    after = webhook_of(http, job)
    assert request.id == after["id"]
    assert (after["state"], after["attempts"], after["last_error"]) == ("delivered", 1, None)
    assert service.redis.zcard(keys.WEBHOOKS) == 0


@pytest.mark.parametrize("way", ["finished", "cancelled", "failed"])
def test_every_way_to_end_is_notified_once(
    way: str, http: FlaskClient, service: Service, hooks: Receiver
) -> None:
    job = submit(http, hooks.url)
    match way:
        case "finished":
            work(service)
        case "cancelled":
            http.post(f"/api/v1/jobs/{job['id']}/cancel")
            http.post(f"/api/v1/jobs/{job['id']}/cancel")
        case "failed":
            service.chunks.fail(job["id"], fault="why")
    deliver_due(service)
    work(service)
    service.jobs.cancel(job["id"])
    deliver_due(service)
    assert hooks.jobs() == [f"{job['id']} {way}"]


def test_deleted_job_is_not_notified(http: FlaskClient, service: Service, hooks: Receiver) -> None:
    job = submit(http, hooks.url)
    work(service)
    http.delete(f"/api/v1/jobs/{job['id']}")
    deliver_due(service)
    assert hooks.received == []
    assert service.redis.zcard(keys.WEBHOOKS) == 0


def test_notification_is_sent_again_with_the_same_id_until_it_is_confirmed(
    http: FlaskClient, service: Service, hooks: Receiver
) -> None:
    hooks.statuses = [500, 302, 0, 429, 201]
    job = submit(http, hooks.url)
    work(service)
    errors = []
    for _ in range(7):
        deliver_due(service)
        errors.append(webhook_of(http, job)["last_error"])
        make_due(service)
    assert errors[:2] == ["HTTP status 500", "HTTP status 302; redirects aren't followed"]
    assert "connection failed" in errors[2]
    assert errors[3:] == ["HTTP status 429", None, None, None]
    assert len({request.id for request in hooks.received}) == 1
    assert [request.job()["webhook"]["attempts"] for request in hooks.received] == [0, 1, 2, 3, 4]
    seen = measures(http)
    results = {name: seen[f"sudokuq_webhooks_total {name}"] for name in ("retried", "delivered")}
    assert results == {"retried": 4, "delivered": 1}


def test_attempts_wait_longer_each_time(
    http: FlaskClient, service: Service, hooks: Receiver
) -> None:
    hooks.statuses = [500, 500]
    job = submit(http, hooks.url)
    work(service)
    deliver_due(service)
    deliver_due(service)
    assert len(hooks.received) == 1
    (score,) = [score for _, score in service.redis.zscan_iter(keys.WEBHOOKS)]
    assert 0 < score - time.time() <= 2
    assert webhook_of(http, job)["next_attempt_at"] is not None
    pauses = [[pause(attempts) for _ in range(50)] for attempts in (1, 2, 5, 12, 1_000)]
    for longest, drawn in zip((2, 4, 32, 3_600, 3_600), pauses, strict=True):
        assert longest / 2 <= min(drawn) < max(drawn) <= longest


@pytest.mark.parametrize(("status", "seconds"), [(500, 1.0), (410, 1_000.0)])
def test_notification_is_abandoned_in_the_end(
    status: int, seconds: float, http: FlaskClient, service: Service, hooks: Receiver
) -> None:
    brief = replace(service, settings=replace(service.settings, webhook_seconds=seconds))
    hooks.statuses = [status]
    job = submit(http, hooks.url)
    work(service)
    service.redis.hincrbyfloat(JobKeys(job["id"]).facts, "finished_at", -2)
    deliver_due(brief)
    make_due(service)
    deliver_due(brief)
    assert len(hooks.received) == 1
    assert webhook_of(http, job)["state"] == "failed"
    # A user can still request it.
    http.post(f"/api/v1/jobs/{job['id']}/webhook/redeliver")
    assert webhook_of(http, job)["state"] == "pending"
    deliver_due(brief)
    assert webhook_of(http, job)["state"] == "delivered"
    assert hooks.received[0].id == hooks.received[1].id


def test_end_of_a_job_survives_the_death_of_the_process_that_recorded_it(
    http: FlaskClient, service: Service, hooks: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process dies after the job has ended and before its webhook is in the index."""

    def die(*_: object) -> None:
        raise ConnectionLost

    job = submit(http, hooks.url)
    monkeypatch.setattr(active_jobs, "add_pending", die)
    work(service)
    assert webhook_of(http, job)["state"] == "pending"
    assert service.redis.zcard(keys.WEBHOOKS) == 0
    monkeypatch.undo()
    service.redis.zadd(keys.ACTIVE, {job["id"]: 1.0}, xx=True)
    service.dispatcher.recover_lost_chunks()
    deliver_due(service)
    assert hooks.jobs() == [f"{job['id']} finished"]


def test_claimed_notification_is_due_again_if_the_process_dies(
    http: FlaskClient, service: Service, hooks: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object, **__: object) -> None:
        raise ConnectionLost

    job = submit(http, hooks.url)
    work(service)
    monkeypatch.setattr(WebhookStore, "record", die)
    deliver_due(service)
    monkeypatch.undo()
    deliver_due(service)
    assert len(hooks.received) == 1
    assert not service.webhooks.has_due()
    make_due(service)
    deliver_due(service)
    assert hooks.jobs() == [f"{job['id']} finished"] * 2
    assert hooks.received[0].id == hooks.received[1].id


def test_clock_that_is_set_back_does_not_delay_a_notification(
    http: FlaskClient, service: Service, hooks: Receiver
) -> None:
    job = submit(http, hooks.url)
    work(service)
    service.redis.zadd(keys.WEBHOOKS, {job["id"]: time.time() + 2 * MAX_PAUSE})
    deliver_due(service)
    assert len(hooks.received) == 1


def test_one_request_waits_in_the_queue_however_many_webhooks_are_due(
    http: FlaskClient, service: Service, hooks: Receiver
) -> None:
    service.dispatcher.request_webhooks()
    assert service.dispatcher.queue_depths()[WEBHOOK] == 0
    for _ in range(3):
        submit(http, hooks.url)
    work(service)
    for _ in range(3):
        service.dispatcher.request_webhooks()
    assert service.dispatcher.queue_depths()[WEBHOOK] == 1
    deliver_due(service)
    assert len(hooks.received) == 3


def test_error_with_one_webhook_does_not_affect_others(
    http: FlaskClient, service: Service, hooks: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = submit(http, hooks.url), submit(http, hooks.url)
    work(service)
    links = delivery._links

    def fail(url: str, job_id: str) -> Any:
        if job_id == bad["id"]:
            raise RuntimeError(job_id)
        return links(url, job_id)

    monkeypatch.setattr(delivery, "_links", fail)
    deliver_due(service)
    assert hooks.jobs() == [f"{good['id']} finished"]


def test_receiver_that_does_not_respond_delays_no_other_receiver(
    http: FlaskClient, service: Service, hooks: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "MAX_SECONDS", 60.0)
    hooks.block()
    job = submit(http, hooks.url)
    work(service)
    sender = threading.Thread(target=deliver_due, args=(service,))
    sender.start()
    wait_until(lambda: hooks.received)
    with receiver() as others:
        submit(http, others.url)
        work(service)
        wait_until(lambda: others.received)
    assert webhook_of(http, job)["state"] == "pending"
    hooks.unblock()
    sender.join()
    assert webhook_of(http, job)["state"] == "delivered"


def test_host_that_the_operator_no_longer_allows_gets_nothing(
    http: FlaskClient, service: Service, hooks: Receiver
) -> None:
    job = submit(http, hooks.url)
    work(service)
    deliver_due(replace(service, settings=replace(service.settings, webhook_hosts=())))
    assert hooks.received == []
    assert "SUDOKUQ_WEBHOOK_HOSTS" in webhook_of(http, job)["last_error"]
    make_due(service)
    deliver_due(replace(service, settings=replace(service.settings, webhook_networks=())))
    assert hooks.received == []
    assert "SUDOKUQ_WEBHOOK_NETWORKS" in webhook_of(http, job)["last_error"]


def test_signature_matches_the_example_of_the_standard() -> None:
    key = read_secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    assert key is not None
    signature = sign(
        key,
        message_id="msg_p5jXN8AQM9LWM0D4loKWxJek",
        timestamp=1614265330,
        body=b'{"test": 2432232314}',
    )
    assert signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"webhook": "https://elsewhere.example/"}, "webhook"),
        ({"webhook": "http://127.1:8000/"}, "webhook"),
        ({"webhook": 1}, "webhook"),
        ({"webhook": "http://127.0.0.1:8000/"}, "webhook_secret"),
        ({"webhook": "http://127.0.0.1:8000/", "webhook_secret": "short"}, "webhook_secret"),
        ({"webhook": "http://127.0.0.1:8000/", "webhook_secret": 1}, "webhook_secret"),
        ({"webhook_secret": SECRET}, "webhook_secret"),
    ],
)
def test_invalid_webhook_is_rejected_with_its_field(
    options: dict[str, object], field: str, http: FlaskClient, service: Service
) -> None:
    answer = http.post("/api/v1/jobs", json={"puzzles": [GOOD], "options": options})
    assert (answer.status_code, answer.get_json()["field"]) == (422, field)
    assert service.active_jobs.ids() == []


def test_webhooks_are_off_by_default(settings: Settings) -> None:
    service = connect_service(settings)
    plain = create_app(service=service).test_client()
    options = {"webhook": "https://hooks.example/", "webhook_secret": SECRET}
    answer = plain.post("/api/v1/jobs", json={"puzzles": [GOOD], "options": options})
    assert answer.status_code == 422
    assert "SUDOKUQ_WEBHOOK_HOSTS" in answer.get_json()["detail"]
    job = plain.post("/api/v1/jobs", json={"puzzles": [GOOD]}).get_json()
    assert job["webhook"] is None
    for action in ("test", "redeliver"):
        answer = plain.post(f"/api/v1/jobs/{job['id']}/webhook/{action}")
        assert (answer.status_code, answer.get_json()["type"]) == (404, "/errors/webhook-not-found")
    service.redis.close()


def test_secret_of_the_settings_signs_webhooks_without_their_own(
    http: FlaskClient, service: Service, hooks: Receiver
) -> None:
    own = replace(service, settings=replace(service.settings, webhook_secret=SECRET))
    client = create_app(service=own).test_client()
    job = submit(client, hooks.url, webhook_secret="")
    work(service)
    deliver_due(service)
    assert hooks.jobs() == [f"{job['id']} finished"]
    stored = json.dumps(http.get(f"/api/v1/jobs/{job['id']}").json)
    assert SECRET.removeprefix("whsec_") not in stored


def test_test_sends_the_current_job_and_changes_nothing_else(
    http: FlaskClient, service: Service, hooks: Receiver
) -> None:
    hooks.statuses = [503]
    job = submit(http, hooks.url)
    url = f"/api/v1/jobs/{job['id']}/webhook/test?wait=0"
    assert http.post(url).status_code == 202
    deliver_due(service)
    (request,) = hooks.received
    assert request.id.startswith("test_")
    assert request.job()["state"] == "queued"
    tested = webhook_of(http, job)
    assert tested["last_test"]["error"] == "HTTP status 503"
    assert (tested["state"], tested["attempts"]) == ("waiting", 0)
    assert http.post(url.replace("test?wait=0", "redeliver")).status_code == 409
    work(service)
    deliver_due(service)
    assert len(hooks.received) == 2
    assert hooks.received[1].id == tested["id"]


def test_page_shows_attempts_and_errors_and_sends_again(
    http: FlaskClient, service: Service, hooks: Receiver
) -> None:
    hooks.statuses = [500]
    job = submit(http, hooks.url)
    path = f"/jobs/{job['id']}"
    assert "will be sent to" in http.get(path).text
    work(service)
    deliver_due(service)
    assert "HTTP status 500" in http.get(path).text
    answer = http.post(f"{path}/webhook/redeliver")
    assert answer.headers["Location"] == f"{path}#webhook"
    deliver_due(service)
    assert "was delivered to" in http.get(path).text
    assert "Webhook" not in http.get(f"/jobs/{open_job(service)}").text
