"""A client of a running service, for programs; the command line is one of them.

    from web.client import Client

    with Client("http://127.0.0.1:8000") as client:
        job = client.submit("53..7....6..195…")
        job = client.wait(job["id"])
        for result in client.results(job["id"]):
            print(result["n"], result["outcome"], result["solution"])

Jobs and results are dictionaries, as the API describes them. What a service that is busy or away
does not answer is asked again for a while, as soon as it says (Retry-After). An upload carries an
Idempotency-Key, so that asking again makes no second job.
"""

import contextlib
import io
import json
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import IO, Any, Self

import httpx

from worker.addresses import is_loopback

Job = dict[str, Any]
Result = dict[str, Any]
Content = str | bytes | IO[bytes] | IO[str]

FINAL = ("finished", "cancelled", "failed")
_PIECE = 1 << 18
_LONG_POLL = 20
# Polls are so far apart at least, in seconds: a service whose waiting places are all taken
# answers at once.
SHORTEST_PAUSE = 0.5
# A service that does not answer, or says so, is asked again for so long.
PATIENCE = 60.0
_LONGEST_PAUSE = 5.0
_ACCEPTED = 202
_NOT_FOUND = 404
_TRY_AGAIN = (429, 502, 503, 504)
_LOST = (502, 504)  # a proxy's, which does not know what the service did
_IN_PROGRESS = 409  # the first request with this Idempotency-Key may still be under way


class Failure(Exception):
    """A request failed for good; `status` is None where there was no answer.

    `type` is the stable name of the error, such as "/errors/too-large". `request_id` finds the
    request in the log of the service.
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
    """Requests to a service at an address; every method may raise `Failure`.

    A service that does not answer is asked again for `patience` seconds, one that never has
    answered for `first_patience`: it may not be there at all. A proxy of the environment is used
    unless it is to be `direct`, or the address is one of this machine's own.
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
                verify=httpx.create_ssl_context(),  # those of the environment in any case
            )
        except (httpx.InvalidURL, ImportError, OSError, ValueError) as error:
            raise Failure(
                "proxies or certificates of the environment (…_proxy, SSL_CERT_…) cannot be used: "
                f"{error}"
            ) from None
        self._url = url
        self._patience = PATIENCE if patience is None else patience
        self._first_patience = self._patience if first_patience is None else first_patience
        self._has_answered = False

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
        options: Mapping[str, Any] | None = None,
        sent: Callable[[int], object] | None = None,
    ) -> Job:
        """Upload puzzles, or a file from where it stands, and return the job.

        Text is sent in UTF-8. `sent` gets each piece's size. A file that cannot be read twice,
        such as a pipe, is sent once only.
        """
        query: dict[str, Any] = {**(options or {}), **({"name": name} if name else {})}
        headers = {
            "Content-Type": "application/octet-stream",
            "Idempotency-Key": secrets.token_urlsafe(16),
        }
        if isinstance(puzzles, str):
            puzzles = puzzles.encode()
        file = io.BytesIO(puzzles) if isinstance(puzzles, bytes) else puzzles
        again = file.seekable()
        start = file.tell() if again else 0

        def request() -> httpx.Response:
            if again:
                file.seek(start)
            body = _pieces(file, sent)
            return self._http.post("/api/v1/jobs", params=query, headers=headers, content=body)

        answer: Job = self._ask(request, again=again, also=(_IN_PROGRESS,)).json()
        return answer

    def job(self, job_id: str, *, wait: float = 0) -> Job:
        """Return a job, at once or when it changes."""
        query = {"wait": wait} if wait else {}
        return self._json("GET", f"/api/v1/jobs/{job_id}", params=query)

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs of this API key, or of whoever else asks from here, newest first."""
        address: str | None = "/api/v1/jobs"
        while address:
            answer = self._ask(lambda url=address: self._http.get(url))  # type: ignore[misc]
            yield from answer.json()["jobs"]
            address = answer.links.get("next", {}).get("url")

    def watch(self, job_id: str) -> Iterator[Job]:
        """Yield a job whenever it changes, and when it is final."""
        while True:
            asked = time.monotonic()
            job = self.job(job_id, wait=_LONG_POLL)
            yield job
            if job["state"] in FINAL:
                return
            time.sleep(max(asked + SHORTEST_PAUSE - time.monotonic(), 0.0))

    def wait(self, job_id: str) -> Job:
        """Return a job when it is final."""
        *_, last = self.watch(job_id)
        return last

    def results(self, job_id: str, *, partial: bool = False) -> Iterator[Result]:
        """Yield the results in upload order; a download that breaks off is gone on with."""
        last, broken_at = 0, None
        query = {"format": "jsonl"} | ({"partial": "1"} if partial else {})
        while True:
            try:
                with self._opened(job_id, **query, offset=str(last)) as response:
                    for line in _lines(response.iter_bytes()):
                        result: Result = json.loads(line)
                        yield result
                        last = result["n"]  # those that are not done yet are left out
                        broken_at = None
                return
            except httpx.TransportError as error:
                now = time.monotonic()
                broken_at = broken_at or now
                if now >= broken_at + self._patience:
                    raise self._away(error) from error
                time.sleep(SHORTEST_PAUSE)

    def download(self, job_id: str, **query: str) -> Iterator[bytes]:
        """Yield the results as the service writes them; the query says how, and which."""
        try:
            with self._opened(job_id, **query) as response:
                yield from response.iter_bytes()
        except httpx.TransportError as error:
            raise self._away(error) from error

    def _opened(self, job_id: str, **query: str) -> contextlib.closing[httpx.Response]:
        """Return the beginning of an answer with results, to be closed."""
        path = f"/api/v1/jobs/{job_id}/results"

        def request() -> httpx.Response:
            asked = self._http.build_request("GET", path, params=query)
            response = self._http.send(asked, stream=True)
            if response.is_error:
                response.read()
            return response

        return contextlib.closing(self._ask(request))

    def cancel(self, job_id: str) -> Job:
        """Cancel a job; what is done stays."""
        return self._json("POST", f"/api/v1/jobs/{job_id}/cancel")

    def delete(self, job_id: str) -> None:
        """Delete everything of a job; one that is gone after an answer was lost is deleted."""
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
            self._ask(request)
        except Failure as failure:
            if failure.status != _NOT_FOUND or not lost:
                raise

    def solve(self, puzzle: str, **options: object) -> Result:
        """Return the result of one puzzle, however long that takes."""
        body = {"puzzle": puzzle, "options": options}
        answer = self._ask(lambda: self._http.post("/api/v1/solve", json=body))
        if answer.status_code == _ACCEPTED:  # it takes longer: this is its job
            job = self.wait(answer.json()["id"])
            return self._json("GET", f"/api/v1/jobs/{job['id']}/puzzles/1", params={"wait": 0})
        result: Result = answer.json()
        return result

    def _json(self, method: str, path: str, **request: Any) -> dict[str, Any]:
        answer: dict[str, Any] = self._ask(
            lambda: self._http.request(method, path, **request)
        ).json()
        return answer

    def _ask(
        self,
        request: Callable[[], httpx.Response],
        *,
        again: bool = True,
        also: tuple[int, ...] = (),
    ) -> httpx.Response:
        """Return the answer to a request; ask again while the service is busy or away.

        Patience begins with the first answer that is none: an upload may take longer than that.
        """
        failed_at, pause = None, SHORTEST_PAUSE
        while True:
            try:
                response = request()
            except httpx.TransportError as error:
                failed_at = failed_at or time.monotonic()
                left = self._patience_left(failed_at)
                if not again or left <= 0:
                    raise self._away(error) from error
                wait = pause
            else:
                self._has_answered = True
                failed_at = failed_at or time.monotonic()
                left = self._patience_left(failed_at)
                if not again or left <= 0 or response.status_code not in (*_TRY_AGAIN, *also):
                    return _checked(response)
                wait = max(pause, _retry_after(response))
            time.sleep(min(wait, left))
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _patience_left(self, failed_at: float) -> float:
        patience = self._patience if self._has_answered else self._first_patience
        return failed_at + patience - time.monotonic()

    def _away(self, error: httpx.TransportError) -> Failure:
        return Failure(
            f"no answer from {self._url} ({error}); is it running? `sudokuq up` starts one"
        )


def _host_of(url: str) -> str:
    """Return the host in the address of a service; raises Failure."""
    try:
        address = httpx.URL(url)
    except httpx.InvalidURL as error:
        raise Failure(f"{url} is no address: {error}") from None
    if address.scheme not in ("http", "https") or not address.host:
        raise Failure(f"{url} is no address of a service; it must be like http://127.0.0.1:8000")
    return address.host


def _checked(response: httpx.Response) -> httpx.Response:
    """Return an answer that is no error; raises Failure with what the problem is otherwise."""
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


def _pieces(file: IO[bytes] | IO[str], sent: Callable[[int], object] | None) -> Iterator[bytes]:
    while read := file.read(_PIECE):
        piece = read.encode() if isinstance(read, str) else read
        if sent is not None:
            sent(len(piece))
        yield piece


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the whole lines of a text that comes in pieces."""
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        yield from whole
    if rest:
        yield rest
