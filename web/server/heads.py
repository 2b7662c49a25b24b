"""What the beginning of a request tells: which threads it is for, and whether they may begin."""

import re
from enum import StrEnum

MOST_HEAD_BYTES = 1 << 16
_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")
_FIRST_BODY_BYTES = 1 << 14
_LENGTH = re.compile(rb"\ncontent-length:[ \t]*([0-9]{1,15})[ \t]*\r?\n", re.IGNORECASE)
_CHUNKED = re.compile(rb"\ntransfer-encoding:[^\n]*chunked", re.IGNORECASE)
_LAST_CHUNK = re.compile(rb"\n0+[ \t]*(;[^\n]*)?\r?\n")
_EXPECT = re.compile(rb"\nexpect:", re.IGNORECASE)  # the body comes when it is asked for

_HEALTH = re.compile(rb"[A-Z]+ /(healthz|readyz)/?[ ?]")
_TRANSFER = re.compile(rb"(POST|PUT|PATCH) |[A-Z]+ /api/v1/jobs/[^/ ]*/results/?[ ?]")
_WATCH = re.compile(
    rb"GET /api/v1/jobs/[^/ ]*/events/?[ ?]|(GET|HEAD) /api/v1/jobs/[^/ ?]*/?\?([^ ]*&)?wait="
)


class Lane(StrEnum):
    """Which threads a request is for."""

    HEALTH = "health"
    TRANSFER = "transfer"
    WATCH = "watch"
    QUICK = "quick"


def lane_of(head: bytes) -> Lane:
    """Return the lane of a request by its first line."""
    if _HEALTH.match(head):
        return Lane.HEALTH
    if _WATCH.match(head):
        return Lane.WATCH
    return Lane.TRANSFER if _TRANSFER.match(head) else Lane.QUICK


def is_enough(start: bytes) -> bool:
    """Return whether a thread may begin with a request that starts like this."""
    end = _END_OF_HEAD.search(start)
    if end is None or _EXPECT.search(start, 0, end.end()):
        return end is not None or len(start) >= MOST_HEAD_BYTES
    here = len(start) - end.end()
    if _CHUNKED.search(start, 0, end.end()):
        return here >= _FIRST_BODY_BYTES or bool(_LAST_CHUNK.search(start, end.end() - 1))
    length = _LENGTH.search(start, 0, end.end())
    return length is None or here >= min(int(length[1]), _FIRST_BODY_BYTES)
