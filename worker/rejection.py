"""Represent the reasons to reject a user's request as values that are independent of HTTP."""

from dataclasses import dataclass
from enum import StrEnum


class RejectionKind(StrEnum):
    """Kinds of reasons for rejecting an upload, a request, or the input of a command."""

    BAD_REQUEST = "bad request"
    UNREADABLE = "unreadable"
    TOO_LARGE = "too large"
    UNKNOWN_TYPE = "unknown type"
    BAD_OPTION = "bad option"
    TOO_MANY_JOBS = "too many jobs"
    QUEUE_FULL = "queue full"
    STORE_FULL = "store full"
    IN_PROGRESS = "in progress"
    GONE = "gone"
    SOURCE_GONE = "source gone"


@dataclass(frozen=True, slots=True)
class Rejection:
    """A rejection of a user's request.

    `detail` is the message for the user. `line` and `column` (from 1) are the position in the
    upload that caused it, and `field` is the name of the option or parameter that caused it. They
    are None if unknown.
    """

    kind: RejectionKind
    detail: str
    line: int | None = None
    column: int | None = None
    field: str | None = None


class Rejected(Exception):
    """Carries a `Rejection` out of an iterator to the function that returns the rejection."""

    def __init__(self, kind: RejectionKind, detail: str, *, field: str | None = None) -> None:
        super().__init__(detail)
        self.rejection = Rejection(kind, detail, field=field)
