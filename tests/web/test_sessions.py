"""A session belongs to one browser, ends on sign-out or with its key, and can't be forged."""

import hashlib
from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from itsdangerous import URLSafeTimedSerializer

from web.access.authentication import COOKIE
from web.app import create_app
from worker.service import Service
from worker.settings import Settings
from worker.store.sessions import SESSION_SECONDS

pytestmark = pytest.mark.redis

DIGEST = hashlib.sha256(b"secret").hexdigest()


def client_of(settings: Settings, *keys: str) -> FlaskClient:
    return create_app(replace(settings, api_keys=keys)).test_client()


def sign_in(client: FlaskClient, key: str) -> str:
    assert client.post("/sign-in", data={"key": key}).status_code == 303
    cookie = client.get_cookie(COOKIE)
    assert cookie is not None
    return cookie.value


def is_in(client: FlaskClient, cookie: str) -> bool:
    client.set_cookie(COOKIE, cookie)
    return client.get("/my-jobs").status_code == 200


def test_digests_in_the_settings_are_not_enough_to_forge_a_session(settings: Settings) -> None:
    names = (f"sha256={DIGEST}", f"sha256={DIGEST}:read")
    client = client_of(settings, *names)
    assert is_in(client, sign_in(client, "secret"))
    for secret in (*names, list(names), DIGEST):
        assert not is_in(client, str(URLSafeTimedSerializer(secret, salt=COOKIE).dumps(DIGEST)))
    assert not is_in(client, DIGEST)


@pytest.mark.parametrize("left", [("a",), ("c", "a"), ("a", "c")])
def test_changing_one_key_keeps_the_sessions_of_other_keys(
    settings: Settings, left: tuple[str, ...]
) -> None:
    before = client_of(settings, "a", "b")
    mine, other = sign_in(before, "a"), sign_in(client_of(settings, "a", "b"), "b")
    after = client_of(settings, *left)
    assert is_in(after, mine)
    assert not is_in(after, other)


def test_signing_out_ends_all_copies_of_the_cookie_and_no_other_session(
    settings: Settings,
) -> None:
    client, elsewhere = client_of(settings, "a"), client_of(settings, "a")
    mine, other = sign_in(client, "a"), sign_in(elsewhere, "a")
    assert mine != other
    assert client.post("/sign-out").status_code == 303
    assert not is_in(client, mine)
    assert is_in(client, other)


def test_signing_in_again_ends_the_session_before(settings: Settings) -> None:
    client = client_of(settings, "a", "b")
    before = sign_in(client, "a")
    assert is_in(client, sign_in(client, "b"))
    assert not is_in(client, before)


def test_redis_has_nothing_that_opens_a_session_and_forgets_it_in_time(
    settings: Settings, service: Service
) -> None:
    cookie = sign_in(client_of(settings, "a"), "a").encode()
    sessions = list(service.redis.scan_iter("sudokuq:session:*"))
    assert len(sessions) == 1
    for name in service.redis.scan_iter():
        assert cookie not in name
        assert cookie not in (service.redis.dump(name) or b"")
    assert 0 < service.redis.ttl(sessions[0]) <= SESSION_SECONDS
