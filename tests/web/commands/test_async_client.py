"""`AsyncClient` compared with `Client`, with canceled tasks, and both with the real service."""

import asyncio
import contextlib
import inspect
import io
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, get_args, get_origin

import pytest
from client_kinds import KINDS
from own_thread import in_own_thread

from web.client import Client, Failure, async_client
from web.client.async_client import AsyncClient

TINY = "12.4...2....4..1"
SOLUTION = "1234341221434321"


def methods(kind: type[Any]) -> dict[str, inspect.Signature]:
    """Return the signatures of the public methods and of the constructor."""
    functions = inspect.getmembers(kind, inspect.isfunction)
    names = {name for name, _ in functions if not name.startswith("_")} | {"__init__"}
    return {name: inspect.signature(each) for name, each in functions if name in names}


def test_both_clients_have_the_same_methods_parameters_and_results() -> None:
    blocking, asynchronous = methods(Client), methods(AsyncClient)
    assert blocking.keys() == asynchronous.keys()
    for name, signature in blocking.items():
        other = asynchronous[name]
        assert signature.parameters == other.parameters, name
        returned, awaited = signature.return_annotation, other.return_annotation
        if get_origin(returned) is Iterator:
            assert get_origin(awaited) is AsyncGenerator, name
            assert get_args(awaited)[0] == get_args(returned)[0], name
        else:
            assert awaited == returned, name
            assert inspect.iscoroutinefunction(getattr(AsyncClient, name)) or name == "__init__"


def test_both_clients_import_nothing_but_httpx() -> None:
    code = (
        "import sys, httpx; before = set(sys.modules); import sudokuq; "
        "sudokuq.Client, sudokuq.AsyncClient; "
        "added = {name.partition('.')[0] for name in set(sys.modules) - before}; "
        "print(sorted(added - sys.stdlib_module_names))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "['sudokuq', 'web', 'worker']\n"


class SilentService:
    """A service that sends the same bytes to each request, and no more.

    It sets `asked` when it has received a request, and `closed` when the client has closed all
    connections.
    """

    def __init__(self, response: bytes) -> None:
        self.asked = asyncio.Event()
        self.closed = asyncio.Event()
        self._response = response
        self._open = 0

    @contextlib.asynccontextmanager
    async def run(self) -> AsyncIterator[AsyncClient]:
        """Run the service, and provide a client for it, which must send a request."""
        server = await asyncio.start_server(self._answer, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server:
            async with AsyncClient(f"http://127.0.0.1:{port}") as client:
                yield client
            await self.closed.wait()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open += 1
        await reader.readuntil(b"\r\n\r\n")
        writer.write(self._response)
        self.asked.set()
        with contextlib.suppress(ConnectionError):
            await reader.read()
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()
        self._open -= 1
        if not self._open:
            self.closed.set()


HEADER = b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n"


async def first_result(client: AsyncClient) -> None:
    async for _ in client.results("j"):
        await asyncio.Event().wait()


@pytest.mark.parametrize(
    ("call", "response"),
    [
        (lambda client: client.wait("j"), b""),
        (lambda client: client.solve(TINY), b""),
        (lambda client: client.submit(TINY), b"HTTP/1.1 200 OK\r\n"),
        (first_result, HEADER),
        (first_result, HEADER + b'{"n": 1}\n{"n"'),
    ],
    ids=["wait", "solve", "submit", "results", "first result"],
)
def test_canceled_task_closes_its_connection(
    call: Callable[[AsyncClient], Awaitable[object]], response: bytes
) -> None:
    async def cancel() -> None:
        service = SilentService(response)
        async with service.run() as client, asyncio.timeout(30):
            task = asyncio.ensure_future(call(client))
            await service.asked.wait()
            await asyncio.sleep(0.05)  # the client receives the response
            assert not task.done()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await service.closed.wait()

    in_own_thread(asyncio.run, cancel())


@pytest.mark.parametrize("name", ["results", "download"])
def test_leaving_a_loop_closes_the_connection(name: str) -> None:
    async def leave() -> None:
        service = SilentService(HEADER + b'{"n": 1}\n')
        async with service.run() as client, asyncio.timeout(30):
            async for _ in getattr(client, name)("j"):
                break
            await service.closed.wait()

    in_own_thread(asyncio.run, leave())


def test_open_downloads_do_not_delay_other_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(async_client, "_MAX_REQUESTS", 1)

    async def nest() -> None:
        service = SilentService(HEADER + b'{"n": 1}\n')
        async with (
            service.run() as client,
            asyncio.timeout(30),
            contextlib.aclosing(client.results("j")) as outer,
            contextlib.aclosing(client.results("j")) as inner,
        ):
            assert await anext(outer) == await anext(inner) == {"n": 1}

    in_own_thread(asyncio.run, nest())


def test_pause_before_a_retry_can_be_canceled() -> None:
    busy = b"HTTP/1.1 503 Busy\r\nRetry-After: 60\r\nContent-Length: 2\r\n\r\n{}"

    async def cancel() -> None:
        service = SilentService(busy)
        async with service.run() as client, asyncio.timeout(30):
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(client.job("j"), 0.5)
            assert service.asked.is_set()

    in_own_thread(asyncio.run, cancel())


def test_slow_file_does_not_block_the_event_loop() -> None:
    waits, continues = threading.Event(), threading.Event()

    class Slow(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            waits.set()
            assert continues.wait(30)
            return super().read(size)

    reported: list[tuple[int, int]] = []

    async def upload() -> None:
        service = SilentService(b'HTTP/1.1 202 Accepted\r\nContent-Length: 11\r\n\r\n{"id": "j"}')
        async with service.run() as client, asyncio.timeout(30):
            sent = lambda size: reported.append((size, threading.get_ident()))  # noqa: E731
            task = asyncio.ensure_future(client.submit(Slow(b"text"), sent=sent))
            while not waits.is_set():
                await asyncio.sleep(0.01)
            continues.set()
            assert (await task)["id"] == "j"
            assert reported == [(4, threading.get_ident())]

    in_own_thread(asyncio.run, upload())


def use(client: Client, folder: Path) -> None:
    """Call all methods of a client, and check what they return."""
    file = folder / "puzzles.txt"
    file.write_text(f"{TINY}\n{TINY[::-1]}\n{'.' * 16}\nno puzzle\n")
    job = client.wait(client.submit(file, options={"limit": 3})["id"])
    assert (job["name"], job["state"], job["total"]) == ("puzzles.txt", "finished", 4)
    found = list(client.results(job["id"]))
    assert [result["outcome"] for result in found] == ["solved", "solved", "multiple", "invalid"]
    assert found[0]["solution"] == SOLUTION
    pages = [list(client.results(job["id"], offset=offset, count=3)) for offset in (0, 3)]
    assert [len(page) for page in pages] == [3, 1]
    assert pages[0] + pages[1] == found
    solved = client.results(job["id"], outcome="solved", sort="steps")
    assert [each["n"] for each in solved] == [1, 2]
    assert b"".join(client.download(job["id"], format="txt")).startswith(SOLUTION.encode())

    again = client.run_again(job["id"], outcome="solved")
    assert [each["total"] for each in client.watch(again["id"])][-1] == 2
    batch = [{"custom_id": f"app-{number}", "puzzle": TINY} for number in range(3)]
    mine = {"client": type(client).__name__}
    listed = client.submit(batch, metadata=mine)["id"]
    client.wait(listed)
    assert [each["name"] for each in client.results(listed)] == ["app-0", "app-1", "app-2"]
    assert [each["id"] for each in client.jobs(metadata=mine)] == [listed]
    assert client.solve(TINY, limit=1)["solution"] == SOLUTION
    assert client.limits()["maximums"]["metadata_keys"] == 16

    client.delete(job["id"])
    with pytest.raises(Failure) as failure:
        client.cancel(job["id"])
    assert (failure.value.status, failure.value.type) == (404, "/errors/job-not-found")


def list_pages(client: Client) -> None:
    listed = [job["id"] for job in client.jobs()]
    assert len(listed) == len(set(listed)) > 50


async def submit_together(url: str) -> list[str]:
    """Submit 48 jobs, wait for them together, and return their final states."""
    async with AsyncClient(url) as client:

        async def run(number: int) -> str:
            job = await client.submit(TINY, name=f"job {number}")
            return str((await client.wait(job["id"]))["state"])

        return await asyncio.gather(*(run(number) for number in range(48)))


@pytest.mark.redis
def test_both_clients_use_a_live_service(live: str, tmp_path: Path) -> None:
    for kind in KINDS:
        with kind(live) as client:
            use(client, tmp_path)
    assert in_own_thread(asyncio.run, submit_together(live)) == ["finished"] * 48
    for kind in KINDS:
        with kind(live) as client:
            list_pages(client)
