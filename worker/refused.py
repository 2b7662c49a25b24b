"""What is not taken from a user, and why; a value that says nothing of HTTP."""

from dataclasses import dataclass
from enum import StrEnum


class RefusalKind(StrEnum):
    """What is wrong with something that is refused."""

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


@dataclass(frozen=True, slots=True)
class Refused:
    """Why something is not taken: at which line and column, or because of which option."""

    kind: RefusalKind
    detail: str
    line: int | None = None
    column: int | None = None
    field: str | None = None


class Refusal(Exception):
    """Carries a `Refused` out of a stream that is being read, to whoever returns the value."""

    def __init__(self, kind: RefusalKind, detail: str, *, field: str | None = None) -> None:
        super().__init__(detail)
        self.refused = Refused(kind, detail, field=field)
