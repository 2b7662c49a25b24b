"""The limits that apply to the client, their current use, and the headers that report them.

The headers RateLimit-Policy and RateLimit follow draft-ietf-httpapi-ratelimit-headers-11: lists of
structured fields (RFC 9651), with a string for each limit.
"""

import contextlib
import math
from dataclasses import dataclass

from flask import Flask, Response, g, request
from redis.exceptions import RedisError

from web.access.authentication import client, service
from web.http import request_context
from worker.store.rate_limits import MINUTE

# The endpoints to which the limits on jobs and puzzles apply.
_UPLOADS = {"api.create_job", "api.put_job", "api.upload_file", "api.solve_puzzle"}
_REJECTED = (401, 403)
_REDIRECTS = (301, 302, 303, 307, 308)  # a client without quota would wait before following them
_HIGHEST_INTEGER = 10**15 - 1  # of structured fields


@dataclass(frozen=True, slots=True, kw_only=True)
class Quota:
    """A limit that applies to the client, and how much of it is in use.

    `unit` is the quota unit in the RateLimit headers, by default requests. If the limit has a
    `window` in seconds, its use is counted from 0 again after `resets_in` seconds. Otherwise its
    use decreases when jobs or puzzles are done.
    """

    name: str
    limit: int
    used: int
    unit: str | None = None
    window: int | None = None
    resets_in: float | None = None

    @property
    def remaining(self) -> int:
        """How much of the limit is left."""
        return max(self.limit - self.used, 0)

    def policy(self) -> str:
        """Return this limit's member of the header RateLimit-Policy.

        It has the limit's name, the limit itself, and, if any, its unit and its window.
        """
        unit = "" if self.unit is None else f';qu="{self.unit}"'
        window = "" if self.window is None else f";w={self.window}"
        return f'"{self.name}";q={min(self.limit, _HIGHEST_INTEGER)}{unit}{window}'

    def state(self) -> str:
        """Return this limit's member of the header RateLimit.

        It has the limit's name, how much of the limit is left, and, if known, the seconds until it
        resets.
        """
        resets = "" if self.resets_in is None else f";t={math.ceil(self.resets_in)}"
        return f'"{self.name}";r={min(self.remaining, _HIGHEST_INTEGER)}{resets}'


def register_quotas(app: Flask) -> None:
    """Make the app report the limits that apply to a request in the headers of its response."""
    app.after_request(_add_headers)


def request_quotas() -> list[Quota]:
    """Return a list with the limit on requests per minute, empty if this request wasn't counted."""
    counted = g.get("counted_requests")
    if counted is None:
        return []
    limit, sent, seconds = counted
    return [Quota(name="requests", limit=limit, used=sent, window=MINUTE, resets_in=seconds)]


def upload_quotas() -> list[Quota]:
    """Return the limits on the client's active jobs and, if there is one, on unsolved puzzles."""
    settings, active_jobs = service().settings, service().active_jobs
    quotas = [
        Quota(
            name="active_jobs",
            limit=settings.max_jobs_per_client,
            used=active_jobs.count(client()),
            unit="concurrent-requests",
        )
    ]
    if settings.max_puzzles_per_client is not None:
        quotas.append(
            Quota(
                name="unsolved_puzzles",
                limit=settings.max_puzzles_per_client,
                used=active_jobs.all_waiting_records(client=client()),
                unit="puzzles",
            )
        )
    return quotas


def explanation_quotas() -> list[Quota]:
    """Return a list with the limit on the client's pending requests for explanations."""
    limit = service().settings.max_explanations_per_client
    used = request_context.service().explanations.count_pending(client())
    return [Quota(name="explanations", limit=limit, used=used, unit="explanations")]


def _add_headers(response: Response) -> Response:
    if response.status_code in _REDIRECTS:
        return response
    quotas = request_quotas()
    if request.endpoint in _UPLOADS and response.status_code not in _REJECTED:
        with contextlib.suppress(RedisError):
            quotas += upload_quotas()
    if quotas:
        response.headers["RateLimit-Policy"] = ", ".join(quota.policy() for quota in quotas)
        response.headers["RateLimit"] = ", ".join(quota.state() for quota in quotas)
    return response
