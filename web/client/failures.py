"""The exception that the clients raise for failed requests."""

import re

import httpx


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


def unreachable(url: str, error: httpx.TransportError) -> Failure:
    """Return the failure for a service that doesn't respond.

    The error number of the operating system is left out of the message.
    """
    # Without the error number of the operating system.
    reason = re.sub(r"^\[Errno -?[0-9]+\] ", "", str(error)) or type(error).__name__
    return Failure(f"no answer from {url} ({reason}); is it running? `sudokuq up` starts it")


def reported(response: httpx.Response) -> Failure:
    """Return the failure for a response that is an error, with the reported problem.

    If the response isn't JSON, the message is its status and reason phrase.
    """
    status, request_id = response.status_code, response.headers.get("X-Request-Id")
    try:
        problem = response.json()
    except ValueError:
        return Failure(f"{status} {response.reason_phrase}", status=status, request_id=request_id)
    place = f"line {problem['line']}: " if "line" in problem else ""
    detail = f"{place}{problem.get('detail', response.reason_phrase)}"
    return Failure(detail, status=status, type=problem.get("type"), request_id=request_id)
