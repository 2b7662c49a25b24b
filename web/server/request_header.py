"""Analyzes request headers: which lane handles a request, and whether a thread may start on it."""

import re
from enum import StrEnum
from urllib.parse import parse_qs, unquote_to_bytes

from werkzeug.exceptions import HTTPException
from werkzeug.routing import Map, Rule

from web.http.gunicorn_private import split_request_uri

MAX_HEADER_BYTES = 1 << 16
_END_OF_HEADER = re.compile(rb"\r?\n\r?\n")
_FIRST_BODY_BYTES = 1 << 14
_LENGTH = re.compile(rb"\ncontent-length:[ \t]*([0-9]{1,15})[ \t]*\r?\n", re.IGNORECASE)
_CHUNKED = re.compile(rb"\ntransfer-encoding:[^\n]*chunked", re.IGNORECASE)
_LAST_CHUNK = re.compile(rb"\n0+[ \t]*(;[^\n]*)?\r?\n")
_EXPECT = re.compile(
    rb"\nexpect:", re.IGNORECASE
)  # such a client sends the body only after a 100 response


class Lane(StrEnum):
    """A group of server threads that handles one kind of request.

    HEALTH is for health checks, and TRANSFER is for uploads and downloads. WATCH is for requests
    that wait for a job. QUICK is for all other requests.
    """

    HEALTH = "health"
    TRANSFER = "transfer"
    WATCH = "watch"
    QUICK = "quick"


_JOB = "/api/v1/jobs/<job_id>"
_UPLOADS = ("POST", "PUT", "PATCH")
# Lanes by path. Unlisted paths are quick.
_LANES = Map(
    [
        Rule("/healthz", endpoint=Lane.HEALTH),
        Rule("/readyz", endpoint=Lane.HEALTH),
        Rule(f"{_JOB}/results", endpoint=Lane.TRANSFER),
        Rule(f"{_JOB}/events", endpoint=Lane.WATCH),
        Rule(_JOB, endpoint=Lane.QUICK),
    ],
    strict_slashes=False,
).bind("")


def lane_of(header: bytes) -> Lane:
    """Return the lane of a request from its header, based on the path that the router will see.

    The path is split off and decoded as in gunicorn, and matched as Werkzeug matches the routes of
    the application. So a client can't get into another lane by encoding a path differently.

    Health checks get HEALTH, downloads of results TRANSFER, and streams of events WATCH. GET and
    HEAD requests for a job with the parameter `wait` get WATCH, too. Of all other requests,
    malformed ones included, POST, PUT, and PATCH requests get TRANSFER, and the rest get QUICK.
    """
    line = header.removeprefix(b"\r\n").partition(b"\r\n")[0].decode("latin-1")
    method, _, rest = line.partition(" ")
    try:
        target = split_request_uri(rest.partition(" ")[0])
        path = unquote_to_bytes(target.path).decode("utf-8", "replace")
        lane, parts = _LANES.match(path, method=method)
    except (ValueError, HTTPException):  # malformed HTTP, or none of these paths
        lane, parts = Lane.QUICK, {}
    if lane is Lane.QUICK and "job_id" in parts and method in ("GET", "HEAD"):
        waits = "wait" in parse_qs(target.query, keep_blank_values=True)
        lane = Lane.WATCH if waits else Lane.QUICK
    if lane is Lane.QUICK and method in _UPLOADS:
        lane = Lane.TRANSFER
    return Lane(lane)


def header_of(header: bytes, name: str) -> str | None:
    """Return the value of a header field, or None if it is absent.

    `header` contains the whole header of the request. `name` is the field's name in lower case. The
    values of repeated fields are joined with commas.
    """
    fields = header.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    values = [value.strip() for key, _, value in (f.partition(":") for f in fields)
              if key.lower() == name]  # fmt: skip
    return ",".join(values) if values else None


def can_start(start: bytes) -> bool:
    """Return whether enough of a request has arrived for a thread to start on it.

    `start` contains the bytes that have arrived. All headers are required, and the first 16 KiB of
    the body or all of a shorter body. The body isn't required if the client waits for a 100
    response. Headers of 64 KiB or more can start, too, because the thread rejects them.
    """
    end = _END_OF_HEADER.search(start)
    if end is None or _EXPECT.search(start, 0, end.end()):
        return end is not None or len(start) >= MAX_HEADER_BYTES
    here = len(start) - end.end()
    if _CHUNKED.search(start, 0, end.end()):
        return here >= _FIRST_BODY_BYTES or bool(_LAST_CHUNK.search(start, end.end() - 1))
    length = _LENGTH.search(start, 0, end.end())
    return length is None or here >= min(int(length[1]), _FIRST_BODY_BYTES)
