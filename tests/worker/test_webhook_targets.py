"""Webhooks are only sent to URLs and addresses that the operator allows.

They follow no redirects, use no proxies, and have a time limit. Failures have a reason, and no URL
is logged.
"""

import asyncio
import contextlib
import logging
import socket
from ipaddress import ip_network
from typing import Any

import pytest
from paths import DATA
from receiver import receiver

from worker.logs import LogFormat, start_logging
from worker.setting_values import BadSetting
from worker.settings import Settings
from worker.webhooks import sending
from worker.webhooks.addresses import is_permitted
from worker.webhooks.sending import AttemptResult, send, tls_context
from worker.webhooks.targets import Target, read_target

HOSTS = ("hooks.example", "*.wild.example", "port.example:8443", "ports.example:*", "8.8.8.8",
         "[2606:4700:4700::1111]")  # fmt: skip
URLS = [line.split(" ") for line in (DATA / "webhook_urls.txt").read_text("utf-8").splitlines()]
ADDRESSES = [line.split(" ") for line in (DATA / "webhook_addresses.txt").read_text().splitlines()]
ATTACKS = (DATA / "webhook_attacks.txt").read_text("utf-8").splitlines()
TLS = tls_context()
LOOPBACK = (ip_network("127.0.0.0/8"),)


@pytest.mark.parametrize(("verdict", "url", "parts"), [(v, u, p) for v, u, *p in URLS])
def test_url_must_be_unambiguous_and_its_host_allowed(
    verdict: str, url: str, parts: list[str]
) -> None:
    target = read_target(url, Settings(webhook_hosts=HOSTS).hosts_for_webhooks())
    if verdict == "accepted":
        assert isinstance(target, Target), target
        assert [target.host, str(target.port), target.path] == parts
    else:
        assert isinstance(target, str)


def test_star_allows_all_hosts_on_the_usual_ports_only() -> None:
    allowed = Settings(webhook_hosts=("*",)).hosts_for_webhooks()
    assert isinstance(read_target("https://any.example/", allowed), Target)
    assert isinstance(read_target("https://2130706433/", allowed), str)
    assert isinstance(read_target("https://any.example:22/", allowed), str)


@pytest.mark.parametrize(("verdict", "address"), [(v, a) for v, a, *_ in ADDRESSES])
def test_address_must_be_public(verdict: str, address: str) -> None:
    assert is_permitted(address, ()) == (verdict == "permitted")


def test_nothing_is_sent_to_an_address_that_is_not_public_even_if_all_hosts_are_allowed() -> None:
    everywhere = Settings(webhook_hosts=("*:*",)).hosts_for_webhooks()
    with receiver() as server:
        for line in ATTACKS:
            url, _, way = line.partition(" ")
            target = read_target(url.replace("{port}", str(server.port)), everywhere)
            if isinstance(target, Target):
                error = attempt(target).error
                assert error is not None, way
                assert "no public address" in error or "can't be resolved" in error, way
        assert server.received == []


@pytest.mark.parametrize(
    ("address", "network"),
    [("10.1.2.3", "10.1.2.0/24"), ("::1", "::1/128"), ("64:ff9b::8.8.8.8", "64:ff9b::/96")],
)
def test_operator_can_allow_other_networks(address: str, network: str) -> None:
    assert is_permitted(address, (ip_network(network),))
    assert not is_permitted(address, (ip_network("192.168.0.0/16"),))


@pytest.mark.parametrize(
    "variables",
    [
        {"SUDOKUQ_WEBHOOK_HOSTS": "https://hooks.example"},
        {"SUDOKUQ_WEBHOOK_HOSTS": "hooks.example, a/b"},
        {"SUDOKUQ_WEBHOOK_HOSTS": "[::1"},
        {"SUDOKUQ_WEBHOOK_NETWORKS": "10.0.0.0/33"},
        {"SUDOKUQ_WEBHOOK_SECRET": "short"},
        {"SUDOKUQ_WEBHOOK_SECRET": "whsec_c2hvcnQ="},
    ],
)
def test_invalid_setting_is_reported_with_its_name(variables: dict[str, str]) -> None:
    (name,) = variables
    with pytest.raises(BadSetting, match=name):
        Settings.from_environment(variables)


def resolve_to(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> list[str]:
    """Make each name lookup return the next answer. Returns the list of names looked up."""
    names: list[str] = []
    left = list(answers)

    def getaddrinfo(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        names.append(host)
        kind = socket.SOCK_STREAM
        return [
            (socket.AF_INET6 if ":" in address else socket.AF_INET, kind, 6, "", (address, port))
            for address in left.pop(0)
        ]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return names


def attempt(target: Target, allowed: Any = ()) -> AttemptResult:
    return asyncio.run(send(target, b"{}", {}, allowed=allowed, tls=TLS))


@pytest.mark.parametrize("address", [a for v, a, *_ in ADDRESSES if v == "refused"])
def test_nothing_is_sent_to_a_name_with_a_refused_address(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    resolve_to(monkeypatch, [address])
    monkeypatch.setattr(sending, "_post", None)  # calling it would raise TypeError
    error = attempt(Target("https", "hooks.example", 443, "/")).error
    assert error is not None
    assert "no public address" in error
    assert address not in error


def test_name_that_resolves_to_another_address_later_is_not_looked_up_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The connection uses the address that was checked (DNS rebinding)."""
    with receiver() as server:
        port = int(server.url.split(":")[2].split("/")[0])
        names = resolve_to(monkeypatch, ["127.0.0.1"], ["10.0.0.1"])
        target = Target("http", "rebinding.example", port, "/hook?a=b")
        assert attempt(target, LOOPBACK) == AttemptResult()
        assert [name for name in names if name == target.host] == [target.host]
        (request,) = server.received
        assert request.headers["host"] == f"rebinding.example:{port}"
        assert request.path == "/hook?a=b"


def test_only_the_permitted_addresses_of_a_name_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    async def post(_: Target, addresses: list[str], *__: Any, **___: Any) -> int:
        tried.extend(addresses)
        return 200

    resolve_to(monkeypatch, ["10.0.0.1", "8.8.8.8", "::1", "2606:4700:4700::1111"])
    monkeypatch.setattr(sending, "_post", post)
    assert attempt(Target("https", "hooks.example", 443, "/")) == AttemptResult()
    assert tried == ["8.8.8.8", "2606:4700:4700::1111"]


def local(url: str) -> Target:
    allowed = Settings(webhook_hosts=("127.0.0.1:*",)).hosts_for_webhooks()
    target = read_target(url, allowed)
    assert isinstance(target, Target)
    return target


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_not_followed(status: int) -> None:
    with receiver() as server:
        server.statuses = [status]
        server.headers = {"Location": server.url}
        error = attempt(local(server.url), LOOPBACK).error
        assert error == f"HTTP status {status}; redirects aren't followed"
        assert len(server.received) == 1


def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with receiver() as server:
        assert attempt(local(server.url), LOOPBACK) == AttemptResult()


def test_each_cause_of_a_failure_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "MAX_SECONDS", 0.3)
    closed = socket.create_server(("127.0.0.1", 0))
    port = closed.getsockname()[1]
    unanswered = attempt(local(f"http://127.0.0.1:{port}/"), LOOPBACK)
    closed.close()
    refused = attempt(local(f"http://127.0.0.1:{port}/"), LOOPBACK)
    with receiver() as server:
        server.statuses = [500, 410, 0]
        errors = [attempt(local(server.url), LOOPBACK) for _ in range(3)]
        tls = attempt(local(server.url.replace("http:", "https:")), LOOPBACK)
    assert unanswered == AttemptResult("no response within 0.3 s")
    assert refused == AttemptResult("the connection failed: Connection refused")
    assert errors[0] == AttemptResult("HTTP status 500")
    assert errors[1].is_final
    assert "connection failed" in (errors[2].error or "")
    assert "TLS handshake failed" in (tls.error or "")


def test_unknown_name_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    error = attempt(Target("https", "hooks.example", 443, "/")).error
    assert error == "the name hooks.example can't be resolved: Name or service not known"


def test_slow_response_is_abandoned_after_the_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each byte would restart a limit for single operations, so there is one for the whole."""
    monkeypatch.setattr(sending, "MAX_SECONDS", 0.5)

    async def drip(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.closing(writer):
            await reader.readline()
            writer.write(b"HTTP/1.1 200 OK\r\nX: ")
            for _ in range(50):
                writer.write(b"x")
                await asyncio.sleep(0.02)

    async def both() -> AttemptResult:
        server = await asyncio.start_server(drip, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        answer = await send(
            local(f"http://127.0.0.1:{port}/"), b"{}", {}, allowed=LOOPBACK, tls=TLS
        )
        server.close()
        return answer

    assert asyncio.run(both()) == AttemptResult("no response within 0.5 s")


def test_url_of_a_webhook_is_not_logged(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its path or query may contain a secret of the receiver."""
    monkeypatch.setattr(logging.root, "handlers", [])
    monkeypatch.setattr(logging.root, "level", logging.INFO)
    start_logging(LogFormat.TEXT)
    logging.root.addHandler(caplog.handler)
    with receiver() as server:
        assert attempt(local(f"{server.url}?token=x"), LOOPBACK) == AttemptResult()
    assert caplog.messages == []
