"""A client library for a running service, which the command line also uses.

    from web.client import Client

    with Client("http://127.0.0.1:8000") as client:
        job = client.submit("53..7....6..195…")
        job = client.wait(job["id"])
        for result in client.results(job["id"]):
            print(result["n"], result["outcome"], result["solution"])

Jobs and results are dictionaries as described in the API documentation. The client retries requests
while the service is busy or unreachable, honoring Retry-After. Uploads carry an Idempotency-Key, so
that a retry doesn't create a second job.
"""

import contextlib
import json
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Self

import httpx

from web.client_uploads import Content, Upload, opened
from worker.urls import is_loopback

Job = dict[str, Any]
ResultFields = dict[str, Any]

FINAL = ("finished", "cancelled", "failed")
# Seconds that the service may hold a request until the job changes.
_LONG_POLL = 20
# Minimum seconds between polls. A service that has no free slots for waiting requests responds
# immediately.
SHORTEST_PAUSE = 0.5
# Seconds to retry requests for while the service is busy or unreachable.
PATIENCE = 60.0
_LONGEST_PAUSE = 5.0
_ACCEPTED = 202
_NOT_FOUND = 404
_TRY_AGAIN = (429, 502, 503, 504)
# Errors from a proxy. They leave open whether the service processed the request.
_LOST = (502, 504)
_IN_PROGRESS = 409  # the first request with this Idempotency-Key may still be in progress


class Failure(Exception):
    """A request failed, even after retries.

    `detail` is the message. `status` is the HTTP status, or None if there was no response. `type`
    is the stable identifier of the error, such as "/errors/too-large". `request_id` identifies the
    request in the service's log.
    """

    def __init__(
        self,
        detail: str,
        *,
        status: int | None = None,
        type: str | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.status = status
        self.type = type
        self.request_id = request_id


class Client:
    """Sends requests to the service at a URL. Every method may raise `Failure`.

    The client retries requests for `patience` seconds (60 by default) while the service is
    unavailable. If the service has never responded, it retries only for `first_patience` seconds,
    if that is given, because there may be no service at all. It uses the proxy from the environment
    unless `direct` is True or the URL points to this machine.
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
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        timeout = httpx.Timeout(60.0, connect=5.0)
        host = _host_of(url)
        try:
            self._http = httpx.Client(
                base_url=url,
                headers=headers,
                timeout=timeout,
                trust_env=not (direct or is_loopback(host)),
                # Use certificates from the environment, even if `trust_env` is false.
                verify=httpx.create_ssl_context(),
            )
        except (httpx.InvalidURL, ImportError, OSError, ValueError) as error:
            raise Failure(
                "invalid proxy or certificate settings in the environment (…_proxy, "
                f"SSL_CERT_…): {error}"
            ) from None
        self._url = url
        self._patience = PATIENCE if patience is None else patience
        self._first_patience = self._patience if first_patience is None else first_patience
        self._has_responded = False

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
        query = {**(options or {}), **_described(name, metadata)}
        if expires_in is not None:
            query["expires_in"] = expires_in
        with opened(puzzles) as upload:
            if upload.is_list and query.setdefault("format", "ndjson") != "ndjson":
                raise ValueError("a list of puzzles has no format; omit the option 'format'")
            if upload.name:
                query.setdefault("name", upload.name)
            return self._upload(upload, query, idempotency_key or secrets.token_urlsafe(16), sent)

    def _upload(
        self,
        upload: Upload,
        query: Mapping[str, Any],
        idempotency_key: str,
        sent: Callable[[int], object] | None,
    ) -> Job:
        headers = {"Content-Type": upload.media_type, "Idempotency-Key": idempotency_key}
        file = upload.file
        retries = file.seekable()
        start = file.tell() if retries else 0

        def request() -> httpx.Response:
            if retries:
                file.seek(start)
            body = upload.pieces(sent)
            return self._http.post("/api/v1/jobs", params=query, headers=headers, content=body)

        job: Job = self._send(request, retries=retries, also=(_IN_PROGRESS,)).json()
        return job

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
        """Solve puzzles of a job that has ended again, as a new job, and return the new job.

        `outcome` and `rating` select the puzzles, as in a request for results: outcomes separated
        by commas, and a range of ratings such as "7.1..". `options` are the job options that differ
        from those of the other job. The other arguments are those of `submit`.
        """
        details: dict[str, Any] = {"metadata": dict(metadata or {})}
        if name:
            details["name"] = name
        if expires_in is not None:
            details["expires_in"] = expires_in
        filters = {"outcome": outcome, "rating": rating}
        body = {
            "from_job": job_id,
            "where": {key: value for key, value in filters.items() if value},
            "options": {**details, **(options or {})},
        }
        headers = {"Idempotency-Key": secrets.token_urlsafe(16)}

        def request() -> httpx.Response:
            return self._http.post("/api/v1/jobs", json=body, headers=headers)

        job: Job = self._send(request).json()
        return job

    def job(self, job_id: str, *, wait: float = 0) -> Job:
        """Return a job, either immediately or when it changes, after at most `wait` seconds."""
        query = {"wait": wait} if wait else {}
        return self._json("GET", f"/api/v1/jobs/{job_id}", params=query)

    def jobs(
        self, *, state: str = "", name: str = "", metadata: Mapping[str, str] | None = None
    ) -> Iterator[Job]:
        """Yield the client's own jobs, newest first.

        The arguments select jobs with one of these states, separated by commas, with this text in
        their name, and with these values of metadata keys.
        """
        query = _described(name, metadata) | ({"state": state} if state else {})
        address: httpx.URL | str | None = httpx.URL("/api/v1/jobs", params=query)
        while address:
            response = self._send(lambda url=address: self._http.get(url))  # type: ignore[misc]
            yield from response.json()["jobs"]
            address = response.links.get("next", {}).get("url")

    def watch(self, job_id: str) -> Iterator[Job]:
        """Yield a job's state now, and again whenever it changes, until the job has ended.

        A state can also be yielded again unchanged.
        """
        while True:
            sent_at = time.monotonic()
            job = self.job(job_id, wait=_LONG_POLL)
            yield job
            if job["state"] in FINAL:
                return
            time.sleep(max(sent_at + SHORTEST_PAUSE - time.monotonic(), 0.0))

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
        sort     "rating" or "steps", highest first with a minus sign; by default in upload order
        offset   number of results to skip
        count    maximum number of results; by default all
        partial  if the job is unfinished, yield its results so far instead of raising Failure

        An interrupted download with `partial` and a filter isn't resumed, because more results may
        match in the meantime. It raises Failure.
        """
        chosen = {"outcome": outcome, "rating": rating, "sort": sort}
        chosen["partial"] = "1" if partial else ""
        query = {"format": "jsonl"} | {key: value for key, value in chosen.items() if value}
        is_selected = bool(outcome or rating or sort)
        passed, broken_at = 0, None
        while True:
            query["offset"] = str(offset + passed)
            if count is not None:
                query["count"] = str(count - passed)
            try:
                with self._opened(job_id, **query) as response:
                    for line in _lines(response.iter_bytes()):
                        result: ResultFields = json.loads(line)
                        yield result
                        # Without a filter, the offset counts records, and unfinished ones are
                        # missing.
                        passed = passed + 1 if is_selected else result["n"] - offset
                        broken_at = None
                return
            except httpx.TransportError as error:
                now = time.monotonic()
                broken_at = broken_at or now
                if (partial and is_selected) or now >= broken_at + self._patience:
                    raise self._unreachable(error) from error
                time.sleep(SHORTEST_PAUSE)

    def download(self, job_id: str, **query: str) -> Iterator[bytes]:
        """Yield the results of a job as bytes.

        `query` contains the format, filters, and order, as parameters of the API. An interrupted
        download raises Failure.
        """
        try:
            with self._opened(job_id, **query) as response:
                yield from response.iter_bytes()
        except httpx.TransportError as error:
            raise self._unreachable(error) from error

    def _opened(self, job_id: str, **query: str) -> contextlib.closing[httpx.Response]:
        """Start a download of results, and return a context manager with its response.

        At the end of the `with` block, the response is closed.
        """
        path = f"/api/v1/jobs/{job_id}/results"

        def request() -> httpx.Response:
            download = self._http.build_request("GET", path, params=query)
            response = self._http.send(download, stream=True)
            if response.is_error:
                response.read()
            return response

        return contextlib.closing(self._send(request))

    def cancel(self, job_id: str) -> Job:
        """Cancel a job, and return it. Results so far are kept."""
        return self._json("POST", f"/api/v1/jobs/{job_id}/cancel")

    def delete(self, job_id: str) -> None:
        """Delete a job with its puzzles and results.

        If the response to an earlier attempt was lost, and the job doesn't exist on the next
        attempt, the deletion succeeded.
        """
        lost = False

        def request() -> httpx.Response:
            nonlocal lost
            try:
                response = self._http.delete(f"/api/v1/jobs/{job_id}")
            except httpx.TransportError:
                lost = True
                raise
            lost = lost or response.status_code in _LOST
            return response

        try:
            self._send(request)
        except Failure as failure:
            if failure.status != _NOT_FOUND or not lost:
                raise

    def solve(self, puzzle: str, **options: object) -> ResultFields:
        """Solve one puzzle, and return its result. Waits as long as that takes.

        `options` are job options.
        """
        body = {"puzzle": puzzle, "options": options}
        response = self._send(lambda: self._http.post("/api/v1/solve", json=body))
        if response.status_code == _ACCEPTED:  # not solved in time: the response is the job
            job = self.wait(response.json()["id"])
            return self._json("GET", f"/api/v1/jobs/{job['id']}/puzzles/1", params={"wait": 0})
        result: ResultFields = response.json()
        return result

    def limits(self) -> dict[str, Any]:
        """Return the limits that apply to the client, and their current use."""
        return self._json("GET", "/api/v1/limits")

    def _json(self, method: str, path: str, **request: Any) -> dict[str, Any]:
        content: dict[str, Any] = self._send(
            lambda: self._http.request(method, path, **request)
        ).json()
        return content

    def _send(
        self,
        request: Callable[[], httpx.Response],
        *,
        retries: bool = True,
        also: tuple[int, ...] = (),
    ) -> httpx.Response:
        """Send a request, retry it while the service is unavailable, and return the response.

        `request` sends the request once. There is only one attempt if `retries` is False. `also`
        contains further HTTP statuses that cause a retry. The time limit for retries starts at the
        end of the first attempt, because an upload alone may take longer. Raises Failure if the
        last response is an error.
        """
        failed_at, pause = None, SHORTEST_PAUSE
        while True:
            try:
                response = request()
            except httpx.TransportError as error:
                failed_at = failed_at or time.monotonic()
                left = self._patience_left(failed_at)
                if not retries or left <= 0:
                    raise self._unreachable(error) from error
                wait = pause
            else:
                self._has_responded = True
                failed_at = failed_at or time.monotonic()
                left = self._patience_left(failed_at)
                if not retries or left <= 0 or response.status_code not in (*_TRY_AGAIN, *also):
                    return _checked(response)
                wait = max(pause, _retry_after(response))
            time.sleep(min(wait, left))
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _patience_left(self, failed_at: float) -> float:
        patience = self._patience if self._has_responded else self._first_patience
        return failed_at + patience - time.monotonic()

    def _unreachable(self, error: httpx.TransportError) -> Failure:
        return Failure(
            f"no answer from {self._url} ({_reason(error)}); is it running? `sudokuq up` starts it"
        )


def _described(name: str, metadata: Mapping[str, str] | None) -> dict[str, str]:
    """Return the query parameters for a name and metadata of jobs."""
    pairs = {f"metadata[{key}]": value for key, value in (metadata or {}).items()}
    return ({"name": name} if name else {}) | pairs


def _reason(error: httpx.TransportError) -> str:
    """Return the message of an error without the error number of the operating system."""
    return re.sub(r"^\[Errno -?[0-9]+\] ", "", str(error)) or type(error).__name__


def _host_of(url: str) -> str:
    """Return the host in the URL of a service. Raises Failure if the URL is invalid."""
    try:
        address = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise Failure(f"{url!r} isn't a valid URL: {error}") from None
    if address.scheme not in ("http", "https") or not address.host:
        raise Failure(
            f"{url!r} isn't a valid service URL; expected one such as http://127.0.0.1:8000"
        )
    return address.host


def _checked(response: httpx.Response) -> httpx.Response:
    """Return the response, or raise Failure with the reported problem if it is an error."""
    if not response.is_error:
        return response
    request_id = response.headers.get("X-Request-Id")
    try:
        problem = response.json()
    except ValueError:
        detail = f"{response.status_code} {response.reason_phrase}"
        raise Failure(detail, status=response.status_code, request_id=request_id) from None
    place = f"line {problem['line']}: " if "line" in problem else ""
    detail = f"{place}{problem.get('detail', response.reason_phrase)}"
    raise Failure(
        detail, status=response.status_code, type=problem.get("type"), request_id=request_id
    )


def _retry_after(response: httpx.Response) -> float:
    try:
        return max(float(response.headers.get("Retry-After", "0")), 0.0)
    except ValueError:  # a date
        return 0.0


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of a text that arrives in pieces, without their line breaks."""
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        yield from whole
    if rest:
        yield rest
