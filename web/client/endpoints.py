"""The requests that the clients send, with one function per request."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import httpx

from web.client.uploads import Upload

_JOBS = "/api/v1/jobs"
# Seconds that the service may hold a request until the job changes.
LONG_POLL = 20
_BUSY = frozenset((429, 502, 503, 504))
_IN_PROGRESS = 409  # the first request with this Idempotency-Key may still be in progress


@dataclass(frozen=True, slots=True)
class Request:
    """A request, how its response is read, and when it is sent again.

    url                  path, or the URL of a page
    is_download          whether the response is read piece by piece
    is_deletion          whether 404 means success, if the response to an earlier attempt was lost
    can_repeat           whether the request can be sent more than once
    retried              HTTP statuses after which it is sent again
    """

    method: str
    url: str | httpx.URL
    params: Mapping[str, Any] | None = None
    json: object = None
    headers: Mapping[str, str] | None = None
    is_download: bool = False
    is_deletion: bool = False
    can_repeat: bool = True
    retried: frozenset[int] = _BUSY


def submit(
    upload: Upload,
    *,
    name: str,
    metadata: Mapping[str, str] | None,
    expires_in: int | None,
    options: Mapping[str, Any] | None,
    idempotency_key: str | None,
) -> Request:
    """Return the request that uploads puzzles. It doesn't contain the body.

    The other arguments take precedence over `options`. If no name is given, the job gets that of
    the upload, if any. The request is repeated only if the upload can be rewound. Raises ValueError
    for a list of puzzles with the option `format`, unless that is "ndjson".
    """
    query = {**(options or {}), **_described(name, metadata)}
    if expires_in is not None:
        query["expires_in"] = expires_in
    if upload.is_list and query.setdefault("format", "ndjson") != "ndjson":
        raise ValueError("a list of puzzles has no format; omit the option 'format'")
    if upload.name:
        query.setdefault("name", upload.name)
    headers = {"Content-Type": upload.media_type} | _idempotency(idempotency_key)
    return Request(
        "POST",
        _JOBS,
        params=query,
        headers=headers,
        can_repeat=upload.is_seekable,
        retried=_BUSY | {_IN_PROGRESS},
    )


def run_again(
    job_id: str,
    *,
    outcome: str,
    rating: str,
    name: str,
    metadata: Mapping[str, str] | None,
    expires_in: int | None,
    options: Mapping[str, Any] | None,
) -> Request:
    """Return the request that runs puzzles of a job again.

    Entries of `options` take precedence over `metadata`, `name`, and `expires_in`. An empty
    `outcome`, `rating`, or `name` is left out.
    """
    details: dict[str, Any] = {"metadata": dict(metadata or {})}
    if name:
        details["name"] = name
    if expires_in is not None:
        details["expires_in"] = expires_in
    body = {
        "from_job": job_id,
        "where": _without_empty(outcome=outcome, rating=rating),
        "options": {**details, **(options or {})},
    }
    return Request("POST", _JOBS, json=body, headers=_idempotency(None))


def generate(
    request: Mapping[str, Any],
    *,
    name: str,
    metadata: Mapping[str, str] | None,
    expires_in: int | None,
    options: Mapping[str, Any] | None,
    idempotency_key: str | None,
) -> Request:
    """Return the request that makes puzzles.

    Entries of `options` take precedence over `metadata` and `expires_in`. The request is also
    repeated while an earlier one with the same key is in progress.
    """
    details: dict[str, Any] = {"metadata": dict(metadata or {})}
    if expires_in is not None:
        details["expires_in"] = expires_in
    body = {**request, **_without_empty(name=name), "options": {**details, **(options or {})}}
    return Request(
        "POST",
        "/api/v1/generate",
        json=body,
        headers=_idempotency(idempotency_key),
        retried=_BUSY | {_IN_PROGRESS},
    )


def job(job_id: str, *, wait: float) -> Request:
    """Return the request for a job, which waits up to `wait` seconds until the job changes."""
    return Request("GET", _job_path(job_id), params={"wait": wait} if wait else None)


def jobs(*, state: str, name: str, metadata: Mapping[str, str] | None) -> Request:
    """Return the request for the first page of the list of jobs.

    The list contains only jobs in one of the states in `state`, which are separated by commas, with
    the text `name` in their name, and with these metadata. "" or None leaves a condition out.
    """
    query = _described(name, metadata) | _without_empty(state=state)
    return Request("GET", _JOBS, params=query)


def page_after(response: httpx.Response) -> Request | None:
    """Return the request for the page that follows a response, or None after the last page."""
    url = response.links.get("next", {}).get("url")
    return Request("GET", url) if url else None


def results(job_id: str, query: Mapping[str, str]) -> Request:
    """Return the request for the results of a job."""
    return Request("GET", f"{_job_path(job_id)}/results", params=query, is_download=True)


def report(job_id: str, *, against: str, levels: int | None) -> Request:
    """Return the request for the report on a job."""
    query: dict[str, Any] = _without_empty(against=against)
    if levels is not None:
        query["levels"] = levels
    return Request("GET", f"{_job_path(job_id)}/report", params=query)


def cancel(job_id: str) -> Request:
    """Return the request that cancels a job."""
    return Request("POST", f"{_job_path(job_id)}/cancel")


def delete(job_id: str) -> Request:
    """Return the request that deletes a job."""
    return Request("DELETE", _job_path(job_id), is_deletion=True)


def solve(puzzle: str, options: Mapping[str, object]) -> Request:
    """Return the request that solves one puzzle."""
    return Request("POST", "/api/v1/solve", json={"puzzle": puzzle, "options": options})


def only_puzzle(job_id: str) -> Request:
    """Return the request for the result of the only puzzle of a job that has ended."""
    return Request("GET", f"{_job_path(job_id)}/puzzles/1", params={"wait": 0})


def limits() -> Request:
    """Return the request for the client's limits."""
    return Request("GET", "/api/v1/limits")


def _job_path(job_id: str) -> str:
    return f"{_JOBS}/{job_id}"


def _idempotency(key: str | None) -> dict[str, str]:
    return {"Idempotency-Key": key or secrets.token_urlsafe(16)}


def _described(name: str, metadata: Mapping[str, str] | None) -> dict[str, str]:
    """Return the query parameters for a name and metadata of jobs."""
    pairs = {f"metadata[{key}]": value for key, value in (metadata or {}).items()}
    return _without_empty(name=name) | pairs


def _without_empty(**parameters: str) -> dict[str, str]:
    return {name: value for name, value in parameters.items() if value}
