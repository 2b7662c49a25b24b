"""API keys can't be guessed by trial, and clients with a valid key aren't locked out."""

from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from web.app import create_app
from worker.service import Service
from worker.settings import Settings

pytestmark = pytest.mark.redis

MOST = 20


@pytest.fixture
def locked(settings: Settings) -> FlaskClient:
    return create_app(replace(settings, api_keys=("right", "other"))).test_client()


def send(
    client: FlaskClient, key: str, address: str = "203.0.113.5", path: str = "/metrics"
) -> int:
    answer = client.get(
        path, headers={"X-API-Key": key}, environ_overrides={"REMOTE_ADDR": address}
    )
    assert answer.status_code != 429 or 0 < int(answer.headers["Retry-After"]) <= 60
    return answer.status_code


def sign_in(client: FlaskClient, key: str, address: str = "203.0.113.5") -> int:
    answer = client.post("/sign-in", data={"key": key}, environ_overrides={"REMOTE_ADDR": address})
    return answer.status_code


def test_after_too_many_wrong_keys_an_address_has_to_wait(locked: FlaskClient) -> None:
    assert [send(locked, f"wrong {n}") for n in range(MOST)] == [401] * MOST
    for _ in range(3):
        assert send(locked, "wrong") == 429
    assert send(locked, "right") == 429
    assert sign_in(locked, "right") == sign_in(locked, "wrong") == 429
    assert send(locked, "right", "203.0.113.6") == 200
    assert send(locked, "wrong", path="/healthz") == 200
    assert locked.get("/", environ_overrides={"REMOTE_ADDR": "203.0.113.5"}).status_code == 303


def test_failed_sign_ins_count_as_well(locked: FlaskClient) -> None:
    assert [sign_in(locked, f"wrong {n}") for n in range(MOST)] == [403] * MOST
    assert sign_in(locked, "wrong") == 429
    assert send(locked, "right") == 429
    assert sign_in(locked, "right", "203.0.113.6") == 303


def test_public_pages_reveal_nothing_about_a_key(locked: FlaskClient) -> None:
    for _ in range(MOST):
        assert send(locked, "wrong", path="/api/docs") == 200
    assert send(locked, "wrong", path="/api/docs") == 429
    assert send(locked, "right", path="/api/docs") == 429


def test_a_key_that_worked_while_others_failed_keeps_working(locked: FlaskClient) -> None:
    assert send(locked, "outdated") == 401
    assert send(locked, "right") == 200
    for _ in range(2 * MOST):
        send(locked, "outdated")
    assert send(locked, "right") == 200
    assert send(locked, "other") == 429


def test_a_browser_that_is_signed_in_stays_so(locked: FlaskClient) -> None:
    assert sign_in(locked, "right") == 303
    for _ in range(2 * MOST):
        send(locked, "wrong")
    page = locked.get("/my-jobs", environ_overrides={"REMOTE_ADDR": "203.0.113.5"})
    assert page.status_code == 200


def test_the_addresses_of_an_ipv6_network_are_one(locked: FlaskClient) -> None:
    for n in range(MOST):
        send(locked, "wrong", f"2001:db8:0:1::{n:x}")
    assert send(locked, "wrong", "2001:db8:0:1:ffff::1") == 429
    assert send(locked, "wrong", "2001:db8:0:2::1") == 401


def test_a_minute_ends(locked: FlaskClient, service: Service) -> None:
    for _ in range(MOST + 5):
        send(locked, "wrong")
    (name,) = service.redis.scan_iter("sudokuq:failures:*")
    assert 0 < service.redis.ttl(name) <= 60
    service.redis.delete(name)
    assert send(locked, "right") == 200


def test_attempts_are_not_counted_if_keys_are_disabled(http: FlaskClient, service: Service) -> None:
    for _ in range(MOST + 5):
        assert send(http, "any", "127.0.0.1") == 200
    assert not list(service.redis.scan_iter("sudokuq:failures:*"))
