"""Rules for repeating a failed request. The clients send it, and sleep between attempts."""

import time

import httpx

from web.client.endpoints import Request
from web.client.failures import reported, unreachable

# Seconds to retry requests for while the service is busy or unreachable.
PATIENCE = 60.0
# Seconds before the first retry, and minimum seconds between polls. A service that has no free
# slots for waiting requests responds to polls immediately.
SHORTEST_PAUSE = 0.5
_LONGEST_PAUSE = 5.0
_NOT_FOUND = 404
# Errors from a proxy. They leave open whether the service processed the request.
_LOST = (502, 504)


class Patience:
    """How long the client of a service repeats requests.

    seconds        seconds to retry for, by default PATIENCE
    first_seconds  seconds to retry for if the service has never responded, by default `seconds`
    """

    def __init__(self, url: str, *, seconds: float | None, first_seconds: float | None) -> None:
        self.url = url
        self.seconds = PATIENCE if seconds is None else seconds
        self._first_seconds = self.seconds if first_seconds is None else first_seconds
        self._has_responded = False

    def record_response(self) -> None:
        """Record that the service has responded, so that `seconds` applies from now on."""
        self._has_responded = True

    def left(self, failed_at: float) -> float:
        """Return the seconds left for retries of a request that failed first at `failed_at`.

        `failed_at` is a monotonic time. The result is negative when the time is over.
        """
        seconds = self.seconds if self._has_responded else self._first_seconds
        return failed_at + seconds - time.monotonic()


class Attempts:
    """The attempts to send one request.

    The time limit for retries starts at the end of the first attempt, because an upload alone may
    take longer.
    """

    def __init__(self, request: Request, patience: Patience) -> None:
        self._request = request
        self._patience = patience
        self._pause = SHORTEST_PAUSE
        self._failed_at: float | None = None
        self._is_lost = False  # whether an earlier attempt may have succeeded

    def pause_after_error(self, error: httpx.TransportError) -> float:
        """Return the seconds until the next attempt. Raises Failure after the last one."""
        self._is_lost = True
        left = self._left()
        if left <= 0:
            raise unreachable(self._patience.url, error) from error
        return self._next_pause(0.0, left)

    def pause_after(self, response: httpx.Response) -> float | None:
        """Return the seconds until the next attempt, or None if the request succeeded.

        The pauses become longer, and are at least as long as Retry-After requires, but don't exceed
        the time left for retries. A deletion also succeeded if there is nothing to delete after an
        attempt whose response was lost. Raises Failure if the response is an error that isn't
        retried.
        """
        self._patience.record_response()
        status, left = response.status_code, self._left()
        if left > 0 and status in self._request.retried:
            self._is_lost = self._is_lost or status in _LOST
            return self._next_pause(_retry_after(response), left)
        is_deleted = self._request.is_deletion and self._is_lost and status == _NOT_FOUND
        if response.is_error and not is_deleted:
            raise reported(response)
        return None

    def _left(self) -> float:
        if not self._request.can_repeat:
            return 0.0
        self._failed_at = self._failed_at or time.monotonic()
        return self._patience.left(self._failed_at)

    def _next_pause(self, minimum: float, left: float) -> float:
        pause = min(max(self._pause, minimum), left)
        self._pause = min(2 * self._pause, _LONGEST_PAUSE)
        return pause


def pause_until_poll(sent_at: float) -> float:
    """Return the seconds until the next poll. `sent_at` is the monotonic time of the last one."""
    return max(sent_at + SHORTEST_PAUSE - time.monotonic(), 0.0)


def _retry_after(response: httpx.Response) -> float:
    try:
        return max(float(response.headers.get("Retry-After", "0")), 0.0)
    except ValueError:  # a date
        return 0.0
