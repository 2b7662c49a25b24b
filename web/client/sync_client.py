"""The client for programs that don't use asyncio."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
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


class Client:
    """Sends requests to the service at a URL. Every method may raise `Failure`.

    The client retries requests for `patience` seconds (60 by default) while the service is
    unavailable. If the service has never responded, it retries only for `first_patience` seconds,
    if that is given, because there may be no service at all. It uses the proxy from the environment
    unless `direct` is True or the URL points to this machine.

    The constructor raises `Failure` if the URL, or the environment's settings for proxies or
    certificates, are invalid.
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
        self._http = open_http(httpx.Client, url, api_key=api_key, direct=direct)
        self._patience = Patience(url, seconds=patience, first_seconds=first_patience)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def submit(
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
        """Upload puzzles, and return the job.

        puzzles          text or bytes in any format; a pathlib.Path; a file, from its current
                         position; a list with a text, a dict, or a list of integers per puzzle; or
                         an integer array (n, cells) or (n, rows, columns)
        name             the job's name; by default the name of a file given by its path
        metadata         keys and values that are returned with the job
        expires_in       seconds after which the service deletes the job; by default the maximum
        options          job options
        idempotency_key  unique string, with which you can repeat this call after a crash and get
                         the same job; by default a random one
        sent             called with the number of bytes of each piece that is sent

        Text is encoded as UTF-8. Text such as `{"puzzles": […], "options": {…}}` is sent as a JSON
        request, whose options override `options`. An upload from a file that can't be rewound, such
        as a pipe, isn't retried. Raises TypeError or ValueError for anything that can't be
        uploaded, and OSError if a file can't be read.
        """
        with closing(open_upload(puzzles)) as upload:
            request = endpoints.submit(
                upload,
                name=name,
                metadata=metadata,
                expires_in=expires_in,
                options=options,
                idempotency_key=idempotency_key,
            )
            return self._json(request, lambda: _pieces(upload, sent))

    def run_again(
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
        """Solve puzzles of an ended job again, as a new job, and return the new job.

        `outcome` and `rating` select the puzzles, as in a request for results: outcomes separated
        by commas, and a range of ratings such as "7.1..". `options` are the job options that differ
        from those of the other job. The other arguments are those of `submit`.
        """
        request = endpoints.run_again(
            job_id,
            outcome=outcome,
            rating=rating,
            name=name,
            metadata=metadata,
            expires_in=expires_in,
            options=options,
        )
        return self._json(request)

    def generate(
        self,
        request: Mapping[str, Any],
        *,
        name: str = "",
        metadata: Mapping[str, str] | None = None,
        expires_in: int | None = None,
        options: Mapping[str, Any] | None = None,
        idempotency_key: str | None = None,
    ) -> Job:
        """Make puzzles as a new job, and return the job.

        `request` has the fields of the generation request, such as
        `{"count": 1000, "rating": "6.5..7.5"}`. The other arguments are those of `submit`.
        """
        generation = endpoints.generate(
            request,
            name=name,
            metadata=metadata,
            expires_in=expires_in,
            options=options,
            idempotency_key=idempotency_key,
        )
        return self._json(generation)

    def job(self, job_id: str, *, wait: float = 0) -> Job:
        """Return a job, either immediately or when it changes, after at most `wait` seconds."""
        return self._json(endpoints.job(job_id, wait=wait))

    def jobs(
        self, *, state: str = "", name: str = "", metadata: Mapping[str, str] | None = None
    ) -> Iterator[Job]:
        """Yield the client's own jobs, newest first.

        The arguments select jobs with one of these states, separated by commas, with this text in
        their name, and with these values of metadata keys.
        """
        page: Request | None = endpoints.jobs(state=state, name=name, metadata=metadata)
        while page:
            response = self._send(page)
            yield from response.json()["jobs"]
            page = endpoints.page_after(response)

    def watch(self, job_id: str) -> Iterator[Job]:
        """Yield a job's state now, and again whenever it changes, until the job has ended.

        A state can also be yielded again unchanged.
        """
        while True:
            sent_at = time.monotonic()
            job = self.job(job_id, wait=endpoints.LONG_POLL)
            yield job
            if job["state"] in FINAL:
                return
            time.sleep(pause_until_poll(sent_at))

    def wait(self, job_id: str) -> Job:
        """Wait until a job has ended, and return it."""
        *_, last = self.watch(job_id)
        return last

    def results(
        self,
        job_id: str,
        *,
        outcome: str = "",
        rating: str = "",
        sort: str = "",
        offset: int = 0,
        count: int | None = None,
        partial: bool = False,
    ) -> Iterator[ResultFields]:
        """Yield the results of a job. An interrupted download is resumed.

        outcome  only results with these outcomes, separated by commas, such as "invalid,multiple"
        rating   only results with a rating in this range, such as "7.1..8.0", "7.1..", or "..3.0"
        sort     "rating", "sudokuq_rating", or "steps" (guesses), highest first with a minus sign;
                 by default in upload order
        offset   number of results to skip
        count    maximum number of results; by default all
        partial  if the job is unfinished, yield its results so far instead of raising Failure

        An interrupted download with `partial` and a filter isn't resumed, because more results may
        match in the meantime. It raises Failure.
        """
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
                with closing(self._send(stream.request())) as response:
                    for piece in response.iter_bytes():
                        yield from stream.read(piece)
                    yield from stream.read_rest()
                return
            except httpx.TransportError as error:
                pause = stream.pause_after_error(error)
            time.sleep(pause)

    def download(self, job_id: str, **query: str) -> Iterator[bytes]:
        """Yield the results of a job as bytes.

        `query` contains the format, filters, and order, as parameters of the API. An interrupted
        download raises Failure.
        """
        try:
            with closing(self._send(endpoints.results(job_id, query))) as response:
                yield from response.iter_bytes()
        except httpx.TransportError as error:
            raise unreachable(self._patience.url, error) from error

    def report(
        self, job_id: str, *, against: str = "", levels: int | None = None
    ) -> dict[str, Any]:
        """Return the report on an ended job's puzzles: problems, duplicates, and difficulties.

        against  id of another job; the report lists the puzzles that both have
        levels   number of levels in the proposed order for a book

        The members are those of the API. A number with a `filter` next to it counts the puzzles
        that this filter selects in requests to the API.
        """
        return self._json(endpoints.report(job_id, against=against, levels=levels))

    def cancel(self, job_id: str) -> Job:
        """Cancel a job, and return it. Results so far are kept."""
        return self._json(endpoints.cancel(job_id))

    def delete(self, job_id: str) -> None:
        """Delete a job with its puzzles and results.

        If the response to an earlier attempt was lost, and the job doesn't exist on the next
        attempt, the deletion succeeded.
        """
        self._send(endpoints.delete(job_id))

    def solve(self, puzzle: str, **options: object) -> ResultFields:
        """Solve one puzzle, and return its result. Waits until the puzzle is solved.

        `options` are job options.
        """
        response = self._send(endpoints.solve(puzzle, options))
        result: ResultFields = response.json()
        if response.status_code != httpx.codes.ACCEPTED:
            return result
        job = self.wait(result["id"])  # not solved in time: the response is the job
        return self._json(endpoints.only_puzzle(job["id"]))

    def limits(self) -> dict[str, Any]:
        """Return the limits that apply to the client, and their current use."""
        return self._json(endpoints.limits())

    def _json(
        self, request: Request, body: Callable[[], Iterator[bytes]] | None = None
    ) -> dict[str, Any]:
        content: dict[str, Any] = self._send(request, body).json()
        return content

    def _send(
        self, request: Request, body: Callable[[], Iterator[bytes]] | None = None
    ) -> httpx.Response:
        """Send a request, retry it while the service is unavailable, and return the response.

        `body` returns the body from its beginning. Raises Failure if the request failed.
        """
        attempts = Attempts(request, self._patience)
        while True:
            try:
                response = self._attempt(request, body() if body else None)
                pause = attempts.pause_after(response)
            except httpx.TransportError as error:
                pause = attempts.pause_after_error(error)
            if pause is None:
                return response
            time.sleep(pause)

    def _attempt(self, request: Request, body: Iterator[bytes] | None) -> httpx.Response:
        message = self._http.build_request(
            request.method,
            request.url,
            params=request.params,
            json=request.json,
            headers=request.headers,
            content=body,
        )
        response = self._http.send(message, stream=request.is_download)
        if response.is_error:
            response.read()
        return response


def _pieces(upload: Upload, sent: Callable[[int], object] | None) -> Iterator[bytes]:
    """Yield the body of an upload from its beginning. `sent` is called with each piece's size."""
    upload.rewind()
    while piece := upload.read():
        if sent is not None:
            sent(len(piece))
        yield piece
