"""The WebSocket server of the bridge, which only programs on this machine can reach."""

import asyncio
import logging
import secrets
import socket
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, suppress

import numpy as np
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Origin

from solver.engines.engine import ABANDON, GO_ON, StopFlag
from web.bridge.commands import carry_out
from web.bridge.messages import Canceled, Refused, Request, Response, read_request, written

_MOST_THREADS = 32  # requests that are computed concurrently; further ones wait

_log = logging.getLogger(__name__)


def open_sockets(port: int) -> list[socket.socket]:
    """Return sockets that listen on a port of both loopback addresses. 0 picks a free port.

    Browsers translate localhost to either address. The IPv6 address is optional, because some
    machines have none. Raises OSError if the port is in use.
    """
    first = socket.create_server(("127.0.0.1", port))
    opened = [first]
    with suppress(OSError):
        number = first.getsockname()[1]
        opened.append(socket.create_server(("::1", number), family=socket.AF_INET6))
    return opened


async def run_bridge(sockets: Sequence[socket.socket], *, origins: Sequence[str]) -> None:
    """Accept connections from web pages of the given origins until the task is canceled.

    The sockets must be listening already, such as those of `open_sockets`.
    """
    with ThreadPoolExecutor(_MOST_THREADS, "bridge") as threads:

        async def converse(connection: ServerConnection) -> None:
            await _Conversation(connection, threads).run()

        allowed = [Origin(origin) for origin in origins]
        async with AsyncExitStack() as servers:
            for each in sockets:
                await servers.enter_async_context(serve(converse, sock=each, origins=allowed))
            await asyncio.get_running_loop().create_future()


class _Conversation:
    """A connection to a userscript. A new request cancels the one before, as it expects."""

    def __init__(self, connection: ServerConnection, threads: ThreadPoolExecutor) -> None:
        self._connection, self._threads = connection, threads
        self._loop = asyncio.get_running_loop()
        self._responses: asyncio.Queue[Response] = asyncio.Queue()
        self._stop: StopFlag = np.full(1, GO_ON, np.uint8)  # of the latest request

    async def run(self) -> None:
        """Respond to requests until the connection ends, which cancels the latest one."""
        sending = asyncio.create_task(self._send_responses())
        try:
            async for message in self._connection:
                self._receive(message)
        finally:
            self._stop[0] = ABANDON
            sending.cancel()

    def _receive(self, message: str | bytes) -> None:
        """Start to carry out a request in another thread, and cancel the one before.

        The command `cancel` only cancels. A malformed request is refused and cancels nothing.
        """
        request = read_request(message)
        if isinstance(request, Refused):
            self._responses.put_nowait(request)
            return
        self._stop[0] = ABANDON
        if request.command == "cancel":
            self._responses.put_nowait(Canceled(nonce=request.nonce))
            return
        self._stop = np.full(1, GO_ON, np.uint8)
        self._threads.submit(_compute, request, self._stop, self._send_from_thread)

    def _send_from_thread(self, response: Response) -> None:
        with suppress(RuntimeError):  # The loop is closed when the bridge ends.
            self._loop.call_soon_threadsafe(self._responses.put_nowait, response)

    async def _send_responses(self) -> None:
        while True:
            response = await self._responses.get()
            await self._connection.send(written(response))


def _compute(request: Request, stop: StopFlag, send: Callable[[Response], None]) -> None:
    """Carry out a request, and send the responses. An internal error is logged and sent, too."""
    try:
        carry_out(request, stop=stop, send=send)
    except Exception:
        number = secrets.token_hex(3)
        _log.exception("internal error %s in %s", number, request.command)
        message = f"Internal error (id {number}). Please report it with this id."
        send(Refused(nonce=request.nonce, message=message))
