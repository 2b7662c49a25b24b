"""The parts of gunicorn that the web server relies on, and that it doesn't document, exist."""

import inspect
import socket
import time
from collections.abc import Iterator

import pytest
from gunicorn.config import Config
from gunicorn.http import wsgi

from web.http import gunicorn_private
from web.http.gunicorn_private import OVERRIDES, SOCKET, WORKER_MEMBERS, TConn, ThreadWorker
from web.server.gunicorn_worker import Worker

PEER = ("192.0.2.1", 5000)


@pytest.fixture
def sockets() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield ours, theirs


def opened(sockets: tuple[socket.socket, socket.socket], sent: bytes) -> TConn:
    sockets[1].sendall(sent)
    conn = TConn(Config(), sockets[0], PEER, ("127.0.0.1", 80))
    conn.init()
    return conn


@pytest.mark.parametrize("name", OVERRIDES)
def test_gunicorn_calls_every_method_that_the_worker_overrides(name: str) -> None:
    override = OVERRIDES[name]
    parameters = tuple(inspect.signature(getattr(ThreadWorker, name)).parameters)
    assert parameters == ("self", *override.parameters)
    assert name in vars(Worker)
    if override.caller != "__init__":
        assert name in getattr(ThreadWorker, override.caller).__code__.co_names


def test_the_list_of_overridden_methods_is_complete() -> None:
    overridden = {name for name in vars(Worker) if name in dir(ThreadWorker)}
    assert {name for name in overridden if not name.startswith("__")} == OVERRIDES.keys()


@pytest.mark.parametrize("name", WORKER_MEMBERS)
def test_gunicorn_worker_has_every_member_that_is_used(name: str) -> None:
    worker = ThreadWorker(0, 0, [], None, 0, Config(), "a log")
    try:
        assert getattr(worker, name) is not None or name == "poller"
    finally:
        worker.tmp.close()


def test_connection_makes_its_socket_block_when_a_request_starts(
    sockets: tuple[socket.socket, socket.socket],
) -> None:
    conn = TConn(Config(), sockets[0], PEER, ("127.0.0.1", 80))
    assert (conn.sock, conn.client, conn.parser) == (sockets[0], PEER, None)
    assert sockets[0].gettimeout() == 0
    conn.init()
    assert sockets[0].gettimeout() is None


def test_thread_does_not_wait_for_a_request_that_has_arrived(
    sockets: tuple[socket.socket, socket.socket],
) -> None:
    conn = TConn(Config(), sockets[0], PEER, ("127.0.0.1", 80))
    assert not conn.wait_for_data(0)
    gunicorn_private.skip_waiting(conn)
    assert conn.wait_for_data(0)


def test_bytes_after_a_request_can_be_read(sockets: tuple[socket.socket, socket.socket]) -> None:
    following = b"GET /two HTTP/1.1\r\nHost: x\r\n\r\n"
    conn = opened(sockets, b"GET /one HTTP/1.1\r\nHost: x\r\n\r\n" + following)
    next(conn.parser)
    assert gunicorn_private.read_ahead(conn) == following


@pytest.mark.parametrize(("sent", "is_whole"), [(b"12345", True), (b"123", False)])
def test_unread_body_is_discarded(
    sockets: tuple[socket.socket, socket.socket], sent: bytes, *, is_whole: bool
) -> None:
    conn = opened(sockets, b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n" + sent)
    next(conn.parser)
    deadline = time.monotonic() + 0.1
    assert gunicorn_private.finish_body(conn, deadline=deadline) is is_whole


def test_connection_of_a_request_can_be_closed_after_its_response(
    sockets: tuple[socket.socket, socket.socket],
) -> None:
    conn = opened(sockets, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    request = next(conn.parser)
    assert not request.should_close()
    gunicorn_private.close_after_response(request)
    assert request.should_close()


def test_request_environment_contains_the_connection(
    sockets: tuple[socket.socket, socket.socket],
) -> None:
    conn = opened(sockets, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    _, environ = wsgi.create(next(conn.parser), conn.sock, PEER, conn.server, conn.cfg)
    assert environ[SOCKET] is sockets[0]


def test_path_is_split_from_the_query() -> None:
    target = gunicorn_private.split_request_uri("//a/b%20c?d=e#f")
    assert (target.path, target.query) == ("//a/b%20c", "d=e")
