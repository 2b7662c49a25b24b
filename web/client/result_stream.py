"""The results of a job as a stream of JSON lines that resumes after an interruption."""

import json
import time
from collections.abc import Iterator

import httpx

from web.client import retries
from web.client.endpoints import Request, results
from web.client.failures import unreachable
from web.client.job_types import ResultFields
from web.client.retries import Patience


class ResultStream:
    """A download of a job's results: parses its pieces, and keeps the position where it can resume.

    The caller sends the requests. Except for `patience`, the arguments are those of
    `Client.results`. Results of an unfinished job that a filter selects, or that are sorted, can't
    be resumed, because more results may match in the meantime.
    """

    def __init__(
        self,
        job_id: str,
        *,
        outcome: str,
        rating: str,
        sort: str,
        offset: int,
        count: int | None,
        partial: bool,
        patience: Patience,
    ) -> None:
        chosen = {"outcome": outcome, "rating": rating, "sort": sort}
        chosen["partial"] = "1" if partial else ""
        self._job_id = job_id
        self._query = {"format": "jsonl"} | {key: text for key, text in chosen.items() if text}
        self._is_selected = bool(outcome or rating or sort)
        self._can_resume = not (partial and self._is_selected)
        self._offset = offset
        self._count = count
        self._patience = patience
        self._passed = 0
        self._broken_at: float | None = None
        self._rest = b""

    def request(self) -> Request:
        """Return the request for the results that haven't been yielded yet.

        Discards the incomplete line at the end of an interrupted response.
        """
        self._rest = b""
        query = self._query | {"offset": str(self._offset + self._passed)}
        if self._count is not None:
            query["count"] = str(self._count - self._passed)
        return results(self._job_id, query)

    def read(self, piece: bytes) -> Iterator[ResultFields]:
        """Yield the results that are complete with the next piece of the response."""
        *lines, self._rest = (self._rest + piece).split(b"\n")
        for line in lines:
            yield self._parse(line)

    def read_rest(self) -> Iterator[ResultFields]:
        """Yield the last result of the response, if no line break follows it."""
        if self._rest:
            yield self._parse(self._rest)

    def _parse(self, line: bytes) -> ResultFields:
        result: ResultFields = json.loads(line)
        # Without a filter, the offset counts records, and unfinished ones are missing.
        self._passed = self._passed + 1 if self._is_selected else result["n"] - self._offset
        self._broken_at = None
        return result

    def pause_after_error(self, error: httpx.TransportError) -> float:
        """Return the seconds to wait after a lost connection before the next request.

        Raises Failure if the download can't be resumed, or if no result has arrived for too long.
        """
        now = time.monotonic()
        self._broken_at = self._broken_at or now
        if not self._can_resume or now >= self._broken_at + self._patience.seconds:
            raise unreachable(self._patience.url, error) from error
        return retries.SHORTEST_PAUSE
