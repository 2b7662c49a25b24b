"""Forwarded and X-Forwarded headers are trusted only as far as trusted proxies have set them."""

from dataclasses import replace
from ipaddress import ip_network

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from web.access.forwarded import Source, is_forwarded, source_of
from web.app import create_app
from worker.setting_values import BadSetting
from worker.settings import Settings

TRUSTED = [ip_network(text) for text in ("10.0.0.0/8", "::1/128", "192.0.2.7/32")]


def source(peer: str, **headers: str) -> Source:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return source_of(peer, sent.get, trusted=TRUSTED)


@pytest.mark.parametrize(
    ("peer", "forwarded_for", "address"),
    [
        ("10.1.2.3", "203.0.113.5", "203.0.113.5"),
        ("10.1.2.3", "1.1.1.1, 203.0.113.5", "203.0.113.5"),
        ("10.1.2.3", "1.1.1.1, 203.0.113.5, 192.0.2.7,10.9.9.9", "203.0.113.5"),
        ("10.1.2.3", "10.5.5.5, 10.6.6.6", "10.5.5.5"),
        ("203.0.113.9", "1.1.1.1", "203.0.113.9"),
        ("10.1.2.3", "", "10.1.2.3"),
        ("10.1.2.3", "1.1.1.1, unknown", "10.1.2.3"),
        ("10.1.2.3", "203.0.113.5:1234", "203.0.113.5"),
        ("10.1.2.3", "[2001:db8::5]:1234", "2001:db8::5"),
        ("10.1.2.3", "2001:DB8::5", "2001:db8::5"),
        ("::ffff:10.1.2.3", "::ffff:203.0.113.5", "203.0.113.5"),
        ("::1", "203.0.113.5", "203.0.113.5"),
        ("", "203.0.113.5", ""),
    ],
)
def test_client_is_the_last_address_that_is_not_a_trusted_proxy(
    peer: str, forwarded_for: str, address: str
) -> None:
    assert source(peer, x_forwarded_for=forwarded_for).address == address


@pytest.mark.parametrize(
    ("forwarded", "expected"),
    [
        ("for=203.0.113.5;proto=https;host=a.example", ("203.0.113.5", "https", "a.example")),
        ('For="[2001:db8::5]:99" ; Proto=HTTPS', ("2001:db8::5", "https", None)),
        ("for=1.1.1.1;host=evil, for=203.0.113.5;host=a.example;proto=http",
         ("203.0.113.5", "http", "a.example")),
        ("for=203.0.113.5;proto=https, for=10.0.0.2;proto=http", ("203.0.113.5", "https", None)),
        ('for="_x,y;z=\\"", for=_hidden', ("10.0.0.1", None, None)),
        ("for=203.0.113.5, nonsense", ("10.0.0.1", None, None)),
        ('for="203.0.113.5', ("10.0.0.1", None, None)),
    ],
)  # fmt: skip
def test_the_standard_header_is_read(
    forwarded: str, expected: tuple[str, str | None, str | None]
) -> None:
    found = source("10.0.0.1", forwarded=forwarded)
    assert (found.address, found.scheme, found.host) == expected


def test_scheme_and_host_come_from_the_proxy_next_to_the_client() -> None:
    found = source(
        "10.0.0.1",
        x_forwarded_for="9.9.9.9, 203.0.113.5, 10.0.0.2",
        x_forwarded_proto="ftp, https, http",
        x_forwarded_host="evil, a.example:8443, inner",
    )
    assert found == Source("203.0.113.5", "https", "a.example:8443")
    one = source("10.0.0.1", x_forwarded_for="5.5.5.5, 10.0.0.2", x_forwarded_proto="https")
    assert one.scheme == "https"


def test_a_header_that_passes_unchanged_does_not_outweigh_the_proxys_own() -> None:
    found = source("10.0.0.1", x_forwarded_for="203.0.113.5", forwarded="for=1.1.1.1;proto=https")
    assert found == Source("203.0.113.5")


@pytest.mark.parametrize("host", ["a b", "a/b", "a@b", "<x>", "a:b", "[::1", "é"])
def test_invalid_host_is_ignored(host: str) -> None:
    assert source("10.0.0.1", x_forwarded_host=host).host is None


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_header_is_read_without_an_error(one: str, other: str) -> None:
    source("10.0.0.1", x_forwarded_for=one, x_forwarded_host=other)
    source("10.0.0.1", forwarded=one)


@pytest.mark.parametrize(
    "name", ["X-Forwarded-For", "x-forwarded-proto", "X-Forwarded-Host", "Forwarded", "Via",
             "X-Real-IP", "X-Forwarded-Server"],
)  # fmt: skip
def test_headers_of_proxies_are_noticed(name: str) -> None:
    assert is_forwarded(["Accept", name])
    assert not is_forwarded(["Accept", "Host", "X-API-Key"])


@pytest.mark.parametrize("text", ["10.0.0", "proxy.example", "10.0.0.0/33", "*"])
def test_invalid_address_of_a_trusted_proxy_is_reported(text: str) -> None:
    with pytest.raises(BadSetting, match=r"SUDOKUQ_TRUSTED_PROXIES: .* IP address"):
        Settings(trusted_proxies=("10.0.0.1/8", text)).check_access("127.0.0.1")


@pytest.mark.redis
@pytest.mark.parametrize("name", ["X-Forwarded-For", "Forwarded", "X-Forwarded-Proto", "Via"])
def test_without_keys_forwarded_requests_are_refused_unless_anybody_may_use_the_service(
    http: FlaskClient, settings: Settings, name: str
) -> None:
    sent = {name: "203.0.113.5"}
    for path in ("/", "/jobs", "/api/v1/jobs", "/metrics"):
        answer = http.get(path, headers=sent)
        assert answer.status_code == 403
        assert "SUDOKUQ_API_KEYS" in answer.text
    assert http.get("/healthz", headers=sent).status_code == 200
    for decided in ({"open_to_all": True}, {"api_keys": ("k",)}):
        client = create_app(replace(settings, **decided)).test_client()
        assert client.get("/", headers=sent | {"X-API-Key": "k"}).status_code == 200


@pytest.mark.redis
def test_links_and_clients_are_those_of_the_proxys_client(settings: Settings) -> None:
    open_settings = replace(settings, open_to_all=True, max_requests_per_client=2)
    client = create_app(open_settings).test_client()

    def ask(address: str, peer: str = "127.0.0.1") -> tuple[int, str]:
        answer = client.post(
            "/api/v1/jobs",
            data="12.4...2....4..1",
            headers={
                "X-Forwarded-For": address,
                "X-Forwarded-Proto": "https",
                "X-Forwarded-Host": "sudoku.example",
            },
            environ_overrides={"REMOTE_ADDR": peer},
        )
        return answer.status_code, answer.get_json().get("links", {}).get("self", "")

    status, location = ask("203.0.113.5")
    assert status == 202
    assert location.startswith("https://sudoku.example/api/v1/jobs/")
    assert ask("203.0.113.5")[0] == 202
    assert ask("9.9.9.9, 203.0.113.5")[0] == 429
    assert ask("203.0.113.6")[0] == 202
    assert ask("203.0.113.7", peer="198.51.100.1")[1].startswith("http://localhost/")
