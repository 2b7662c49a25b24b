"""The client for programs that use asyncio."""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing, closing
from typing import Any, Self

import httpx

from web.client import endpoints
from web.client.connection import open_http
from web.client.endpoints import Request
from web.client.failures import unreachable
from web.client.job_types import FINAL, Job, ResultFields
from web.client.result_stream import ResultStream
from web.client.retries import Attempts, Patience, pause_until_poll
from web.client.uploads import Content, Upload, open_upload

# Requests that a client sends at the same time. With hundreds of them, the connection pool of httpx
# delays the event loop until new connections time out.
_MAX_REQUESTS = 50


class AsyncClient:
    """Does the same as `Client`, for programs that use asyncio.

    It has the methods of `Client` with the same arguments and failures. `jobs`, `watch`, `results`,
    and `download` are asynchronous iterators, and all others are coroutines. Tasks can share a
    client. If a task is canceled, its request is canceled, too, but not its job.

        async with AsyncClient("http://127.0.0.1:8000") as client:
            job = await client.submit("53..7....6..195…")
            job = await client.wait(job["id"])
            async for result in client.results(job["id"]):
                print(result["n"], result["outcome"], result["solution"])
    """

    def __init__(
        self,
        url: str,
        *,
        api_key: str | None = None,
        patience: float | None = None,
        first_patience: float | None = None,
        direct: bool = False,
    ) -> None:
        self._http = open_http(httpx.AsyncClient, url, api_key=api_key, direct=direct)
        self._patience = Patience(url, seconds=patience, first_seconds=first_patience)
        self._slots = asyncio.Semaphore(_MAX_REQUESTS)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def submit(
        self,
        puzzles: Content,
        *,
        name: str = "",
        metadata: Mapping[str, str] | None = None,
        expires_in: int | None = None,
        options: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
        sent: Callable[[int], object] | None = None,
    ) -> Job:
        """Upload puzzles, and return the job. See `Client.submit`.

        Reads files and converts lists in another thread, so they don't block the event loop.
        """
        with closing(await asyncio.to_thread(open_upload, puzzles)) as upload:
            request = endpoints.submit(
                upload,
                name=name,
                metadata=metadata,
                expires_in=expires_in,
                options=options,
                idempotency_key=idempotency_key,
            )
            return await self._json(request, lambda: _pieces(upload, sent))

    async def run_again(
        self,
        job_id: str,
        *,
        outcome: str = "",
        rating: str = "",
        name: str = "",
        metadata: Mapping[str, str] | None = None,
        expires_in: int | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Job:
        """Solve puzzles of an ended job again, as a new job. See `Client.run_again`."""
        request = endpoints.run_again(
            job_id,
            outcome=outcome,
            rating=rating,
            name=name,
            metadata=metadata,
            expires_in=expires_in,
            options=options,
        )
        return await self._json(request)

    async def generate(
        self,
        request: Mapping[str, Any],
        *,
        name: str = "",
        metadata: Mapping[str, str] | None = None,
        expires_in: int | None = None,
        options: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> Job:
        """Make puzzles as a new job. See `Client.generate`."""
        generation = endpoints.generate(
            request,
            name=name,
            metadata=metadata,
            expires_in=expires_in,
            options=options,
            idempotency_key=idempotency_key,
        )
        return await self._json(generation)

    async def job(self, job_id: str, *, wait: float = 0) -> Job:
        """Return a job, either immediately or when it changes. See `Client.job`."""
        return await self._json(endpoints.job(job_id, wait=wait))

    async def jobs(
        self, *, state: str = "", name: str = "", metadata: Mapping[str, str] | None = None
    ) -> AsyncGenerator[Job, None]:
        """Yield the client's own jobs, newest first. See `Client.jobs`."""
        page: Request | None = endpoints.jobs(state=state, name=name, metadata=metadata)
        while page:
            response = await self._send(page)
            for job in response.json()["jobs"]:
                yield job
            page = endpoints.page_after(response)

    async def watch(self, job_id: str) -> AsyncGenerator[Job, None]:
        """Yield a job's state now, and again whenever it changes. See `Client.watch`."""
        while True:
            sent_at = time.monotonic()
            job = await self.job(job_id, wait=endpoints.LONG_POLL)
            yield job
            if job["state"] in FINAL:
                return
            await asyncio.sleep(pause_until_poll(sent_at))

    async def wait(self, job_id: str) -> Job:
        """Wait until a job has ended, and return it."""
        *_, last = [job async for job in self.watch(job_id)]
        return last

    async def results(
        self,
        job_id: str,
        *,
        outcome: str = "",
        rating: str = "",
        sort: str = "",
        offset: int = 0,
        count: int | None = None,
        partial: bool = False,
    ) -> AsyncGenerator[ResultFields, None]:
        """Yield the results of a job. An interrupted download is resumed. See `Client.results`."""
        stream = ResultStream(
            job_id,
            outcome=outcome,
            rating=rating,
            sort=sort,
            offset=offset,
            count=count,
            partial=partial,
            patience=self._patience,
        )
        while True:
            try:
                async with aclosing(await self._send(stream.request())) as response:
                    async for piece in response.aiter_bytes():
                        for result in stream.read(piece):
                            yield result
                    for result in stream.read_rest():
                        yield result
                return
            except httpx.TransportError as error:
                pause = stream.pause_after_error(error)
            await asyncio.sleep(pause)

    async def download(self, job_id: str, **query: str) -> AsyncGenerator[bytes, None]:
        """Yield the results of a job as bytes. See `Client.download`."""
        try:
            async with aclosing(await self._send(endpoints.results(job_id, query))) as response:
                async for piece in response.aiter_bytes():
                    yield piece
        except httpx.TransportError as error:
            raise unreachable(self._patience.url, error) from error

    async def report(
        self, job_id: str, *, against: str = "", levels: int | None = None
    ) -> dict[str, Any]:
        """Return the report on an ended job's puzzles. See `Client.report`."""
        return await self._json(endpoints.report(job_id, against=against, levels=levels))

    async def cancel(self, job_id: str) -> Job:
        """Cancel a job, and return it. Results so far are kept."""
        return await self._json(endpoints.cancel(job_id))

    async def delete(self, job_id: str) -> None:
        """Delete a job with its puzzles and results. See `Client.delete`."""
        await self._send(endpoints.delete(job_id))

    async def solve(self, puzzle: str, **options: object) -> ResultFields:
        """Solve one puzzle, and return its result. See `Client.solve`."""
        response = await self._send(endpoints.solve(puzzle, options))
        result: ResultFields = response.json()
        if response.status_code != httpx.codes.ACCEPTED:
            return result
        job = await self.wait(result["id"])  # not solved in time: the response is the job
        return await self._json(endpoints.only_puzzle(job["id"]))

    async def limits(self) -> dict[str, Any]:
        """Return the limits that apply to the client, and their current use."""
        return await self._json(endpoints.limits())

    async def _json(
        self, request: Request, body: Callable[[], AsyncGenerator[bytes, None]] | None = None
    ) -> dict[str, Any]:
        content: dict[str, Any] = (await self._send(request, body)).json()
        return content

    async def _send(
        self, request: Request, body: Callable[[], AsyncGenerator[bytes, None]] | None = None
    ) -> httpx.Response:
        """Send a request, retry it while the service is unavailable, and return the response.

        `body` returns the body from its beginning. Raises Failure if the request failed.
        """
        attempts = Attempts(request, self._patience)
        while True:
            try:
                response = await self._attempt(request, body() if body else None)
                pause = attempts.pause_after(response)
            except httpx.TransportError as error:
                pause = attempts.pause_after_error(error)
            if pause is None:
                return response
            await asyncio.sleep(pause)

    async def _attempt(
        self, request: Request, body: AsyncGenerator[bytes, None] | None
    ) -> httpx.Response:
        message = self._http.build_request(
            request.method,
            request.url,
            params=request.params,
            json=request.json,
            headers=request.headers,
            content=body,
        )
        async with self._slots:
            response = await self._http.send(message, stream=request.is_download)
        if response.is_error:
            await response.aread()
        return response


async def _pieces(
    upload: Upload, sent: Callable[[int], object] | None
) -> AsyncGenerator[bytes, None]:
    """Yield the body of an upload from its beginning. `sent` is called with each piece's size."""
    await asyncio.to_thread(upload.rewind)
    while piece := await asyncio.to_thread(upload.read):
        if sent is not None:
            sent(len(piece))
        yield piece
