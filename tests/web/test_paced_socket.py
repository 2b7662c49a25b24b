"""Clients that don't read large responses block only some of the server's threads."""

import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from web.server.paced_socket import PacedSocket


def test_large_unread_responses_block_only_some_threads() -> None:
    pairs = [socket.socketpair() for _ in range(12)]
    sockets = [PacedSocket(near, idle_timeout=2) for near, _ in pairs]
    for each in sockets:
        each.setblocking(True)  # noqa: FBT003 (socket's)
        each.waits = False

    def send(connection: PacedSocket) -> float:
        began = time.monotonic()
        with pytest.raises(ConnectionResetError):
            connection.sendall(bytes(8 << 20))
        return time.monotonic() - began

    try:
        with ThreadPoolExecutor(12) as threads:
            waited = sorted(threads.map(send, sockets))
        assert waited[3] < 1 < waited[4]
        far = pairs[0][1]
        reader = threading.Thread(target=lambda: list(iter(lambda: far.recv(1 << 20), b"")))
        reader.start()
        sockets[0].setblocking(True)  # noqa: FBT003 (socket's)
        sockets[0].sendall(bytes(8 << 20))
        sockets[0].close()
        reader.join()
    finally:
        for one, (_, other) in zip(sockets, pairs, strict=True):
            one.close()
            other.close()
