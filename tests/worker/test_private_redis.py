"""A private Redis belongs to the process that locks the folder, and it restarts after a crash.

It also restarts if it loses its socket.
"""

import shutil
from pathlib import Path

import pytest
from running import find_port
from services import read_until, start_up, wait_until

from web.client import Client
from worker.connection import connect
from worker.private_redis import CannotStart, PrivateRedis

pytestmark = pytest.mark.redis


def test_a_refused_second_server_leaves_the_first_ones_socket(tmp_path: Path) -> None:
    first, second = PrivateRedis(tmp_path), PrivateRedis(tmp_path)
    first.start()
    try:
        with pytest.raises(CannotStart, match="another sudokuq"):
            second.start()
        second.stop()
        client = connect(first.url)
        assert client.ping()
        client.close()
    finally:
        first.stop()


def test_a_server_that_never_started_deletes_nothing_when_it_stops(tmp_path: Path) -> None:
    socket = tmp_path / "redis.sock"
    socket.touch()
    PrivateRedis(tmp_path).stop()
    assert socket.exists()


@pytest.mark.parametrize("length", [1, 120])
def test_a_server_that_lost_its_socket_is_restarted_at_the_same_url(
    tmp_path: Path, length: int
) -> None:
    server = PrivateRedis(tmp_path / ("x" * length))
    server.start()
    try:
        url = server.url
        client = connect(url)
        client.set("kept", 1)
        client.close()
        socket = Path(url.removeprefix("unix://").partition("?")[0])
        socket.unlink()
        if length > 1:  # the path is too long for a socket, so the socket is in a folder in /tmp
            shutil.rmtree(socket.parent)
        assert server.alive
        assert not server.reachable
        server.restart()
        assert server.reachable
        assert server.url == url
        client = connect(url)
        assert client.get("kept") == b"1"
        client.close()
    finally:
        server.stop()


@pytest.mark.usefixtures("on_path")
def test_a_second_up_on_the_same_folder_leaves_the_first_one_running(
    tmp_path: Path, free_port: int
) -> None:
    first = start_up(tmp_path, free_port)
    read_until(first, "Ctrl-C")
    second = start_up(tmp_path, find_port())
    assert "another sudokuq" in second.communicate(timeout=60)[1]
    with Client(f"http://127.0.0.1:{free_port}") as client:
        assert client.submit("12.4...2....4..1")["total"] == 1
    first.terminate()
    first.communicate()


@pytest.mark.usefixtures("on_path")
def test_up_recovers_when_its_redis_loses_the_socket(tmp_path: Path, free_port: int) -> None:
    service = start_up(tmp_path, free_port)
    read_until(service, "Ctrl-C")
    socket = tmp_path / "redis.sock"
    with Client(f"http://127.0.0.1:{free_port}") as client:
        before = client.submit("12.4...2....4..1")["id"]
        socket.unlink()
        wait_until(socket.is_socket)
        job = client.wait(client.submit("12.4...2....4..1")["id"])
        assert job["outcomes"]["solved"] == 1
        assert client.wait(before)["state"] == "finished"
    service.terminate()
    assert "lost its socket" in service.communicate()[1]
