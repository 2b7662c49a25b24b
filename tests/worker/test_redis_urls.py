"""Web server, workers, and Celery can connect to Redis over TLS and through Sentinel."""

import contextlib
import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from jobs import GOOD, job_of, upload
from kombu.exceptions import OperationalError
from redis.exceptions import ConnectionError as ConnectionLost
from services import wait_until

from worker.connection import BadAddress, Sentinels, broker_url, connect
from worker.private_redis import find_server
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service, connect_service
from worker.setting_values import BadSetting
from worker.settings import Settings

PASSWORD = "an:odd/pass@word"
QUOTED = "an%3Aodd%2Fpass%40word"


def messages(service: Service) -> int:
    """Take all messages from the queues, as a worker does, and return their number."""
    taken = 0
    with service.app.connection_for_read() as connection:
        channel = connection.default_channel
        for queue in ("sudokuq.small", "sudokuq.big", "sudokuq.explain"):
            while message := channel.basic_get(queue):
                channel.basic_ack(message.delivery_tag)
                taken += 1
    return taken


def solve_something(url: str) -> None:
    """Act as web server and worker on the Redis at a URL, and check that a job finishes."""
    service = connect_service(Settings(redis_url=url, chunk_seconds=600.0))
    try:
        job_id = upload(service, GOOD)
        service.dispatcher.dispatch(job_id)
        assert messages(service) == 1
        ChunkRunner(service, worker="here").run(job_id, 0)
        assert job_of(service, job_id).state == "finished"
    finally:
        service.app.close()
        service.redis.close()


class TlsProxy:
    """Accept TLS connections on a port and forward them to a unix socket, as stunnel does."""

    def __init__(self, target: str, certificate: Path, key: Path) -> None:
        self._target = target
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(certificate, key)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                accepted, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(accepted,), daemon=True).start()

    def _serve(self, accepted: socket.socket) -> None:
        with (
            contextlib.suppress(OSError),
            accepted,
            self._context.wrap_socket(accepted, server_side=True) as near,
            socket.socket(socket.AF_UNIX) as far,
        ):
            far.connect(self._target)
            back = threading.Thread(target=_pass, args=(far, near), daemon=True)
            back.start()
            _pass(near, far)
            back.join()


def _pass(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65_536):
            sink.sendall(data)
    with contextlib.suppress(OSError):
        sink.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """Create a self-signed certificate for localhost, and return its file and that of its key.

    Skips the test if openssl isn't installed.
    """
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("this test needs openssl to create a certificate")
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
         "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
         "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", str(key), "-out",
         str(certificate)],
        check=True, capture_output=True,
    )  # fmt: skip
    return certificate, key


def test_redis_by_tls(settings: Settings, certificate: tuple[Path, Path]) -> None:
    assert settings.redis_url is not None
    path = settings.redis_url.removeprefix("unix://").partition("?")[0]
    proxy = TlsProxy(path, *certificate)
    try:
        url = f"rediss://127.0.0.1:{proxy.port}/0"
        solve_something(f"{url}?ssl_ca_certs={certificate[0]}")
        stranger = connect_service(replace(settings, redis_url=url))
        with pytest.raises(ConnectionLost, match="certificate verify failed"):
            stranger.redis.ping()
        with (
            pytest.raises((ConnectionLost, OperationalError), match="certificate verify failed"),
            stranger.app.connection_for_write() as connection,
        ):
            connection.connect()
        stranger.redis.close()
        stranger.app.close()
    finally:
        proxy.close()


@pytest.fixture
def sentinels(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Start a master, a replica, and three Sentinels; return the URL and the two servers."""
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(5)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        ports = [probe.getsockname()[1] for probe in probes]
    common = f'bind 127.0.0.1\nsave ""\nprotected-mode no\ndir {tmp_path}\n'
    # Both servers need a password because either may become the master. A master delays replication
    # by 5 s by default.
    auth = f'requirepass "{PASSWORD}"\nmasterauth "{PASSWORD}"\nrepl-diskless-sync-delay 0\n'
    texts = [
        common + auth,
        common + auth + f"replicaof 127.0.0.1 {ports[0]}\n",
        *[
            f"{common}sentinel monitor mine 127.0.0.1 {ports[0]} 2\n"
            f'sentinel auth-pass mine "{PASSWORD}"\n'
            "sentinel down-after-milliseconds mine 2000\nsentinel failover-timeout mine 3000\n"
        ] * 3,
    ]  # fmt: skip
    servers: list[subprocess.Popen[bytes]] = []
    for number, (port, text) in enumerate(zip(ports, texts, strict=True)):
        if number == 2:  # Sentinels that can't find the master would promote the replica
            wait_until(lambda: has_replica(f"redis://:{QUOTED}@127.0.0.1:{ports[0]}/0"))
        path = tmp_path / f"{number}.conf"
        path.write_text(f"port {port}\n{text}")
        command = [str(find_server()), str(path), *(["--sentinel"] if number > 1 else [])]
        servers.append(subprocess.Popen(command, stdout=subprocess.DEVNULL))
    hosts = ",".join(f"127.0.0.1:{port}" for port in ports[2:])
    yield f"sentinel://:{QUOTED}@{hosts}/mine/0", servers[:2]
    for server in servers:
        server.kill()
        server.wait()


def has_replica(url: str) -> bool:
    redis = connect(url)
    try:
        return bool(redis.info("replication").get("slave0", {}).get("state") == "online")
    except ConnectionLost:
        return False
    finally:
        redis.close()


def answers(url: str) -> bool:
    redis = connect(url)
    try:
        return bool(redis.ping()) and bool(redis.set("is it writable", 1, ex=1))
    except ConnectionLost:
        return False
    finally:
        redis.close()


def test_redis_by_sentinel(sentinels: tuple[str, list[subprocess.Popen[bytes]]]) -> None:
    url, _ = sentinels
    wait_until(lambda: answers(url))
    solve_something(url)


@pytest.mark.chaos
def test_master_that_dies_is_replaced(
    sentinels: tuple[str, list[subprocess.Popen[bytes]]],
) -> None:
    url, (master, _) = sentinels
    wait_until(lambda: answers(url))
    redis = connect(url)
    wait_until(lambda: has_replica(url))
    known = [connect(f"redis://{place}") for place in url.split("@")[1].split("/")[0].split(",")]
    wait_until(lambda: all(len(one.sentinel_slaves("mine")) == 1 for one in known))
    service = connect_service(Settings(redis_url=url, chunk_seconds=600.0))
    job_id = upload(service, GOOD)
    service.redis.set("written before", 1, ex=60)
    assert service.redis.wait(1, 5_000) == 1
    master.kill()
    wait_until(lambda: answers(url), seconds=30)
    ChunkRunner(service, worker="here").run(job_id, 0)
    assert job_of(service, job_id).state == "finished"
    service.dispatcher.request_explanation(job_id, 1)
    assert messages(service) == 1
    for one in (*known, redis, service.redis):
        one.close()
    service.app.close()


def test_addresses_are_read() -> None:
    url = f"sentinel://me:{QUOTED}@one:1,two/mine/3"
    assert Sentinels.read(url) == Sentinels((("one", 1), ("two", 26379)), "mine", "me", PASSWORD, 3)
    assert broker_url(url) == (f"sentinel://me:{QUOTED}@one:1/3;sentinel://me:{QUOTED}@two:26379/3")
    assert broker_url("rediss://a?db=1") == "rediss://a?db=1&ssl_cert_reqs=required"
    for bad in ("sentinel://:secret@one", "sentinel://one:x/mine", "sentinel://"):
        with pytest.raises(BadAddress) as raised:
            Sentinels.read(bad)
        assert "secret" not in str(raised.value)
        with pytest.raises(BadSetting, match="REDIS_URL"):
            Settings(redis_url=bad).named_redis()
