"""Logs of web and workers: a line a message, which says what job and chunk it is about."""

import json
import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from enum import StrEnum
from types import MappingProxyType

_NOTHING: Mapping[str, str | int] = MappingProxyType({})
_subject: ContextVar[Mapping[str, str | int]] = ContextVar("subject", default=_NOTHING)
_SHOWN_OF_AN_ID = 6
_ONE_WORD = re.compile(r"[\w./:@…-]+")


class LogFormat(StrEnum):
    """How a line is written."""

    TEXT = "text"
    JSON = "json"


def shown_id(job_id: str) -> str:
    """Return the beginning of a job's id: the whole is the permission to see the job."""
    return job_id[:_SHOWN_OF_AN_ID] + "…"


@contextmanager
def logging_about(job_id: str, *, chunk: int | None = None) -> Iterator[None]:
    """Have all messages meanwhile say that they are about this job."""
    subject: dict[str, str | int] = {"job": shown_id(job_id)}
    token = _subject.set(subject if chunk is None else subject | {"chunk": chunk})
    try:
        yield
    finally:
        _subject.reset(token)


def log_about_request(request_id: str) -> None:
    """Add the id of a request to all messages of this thread from now on."""
    _subject.set({"request": request_id})


def log_about_nothing() -> None:
    """Stop adding anything to the messages of this thread."""
    _subject.set(_NOTHING)


def start_logging(format: LogFormat, *, level: int = logging.INFO) -> None:
    """Write all logs of this process to its standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Json() if format is LogFormat.JSON else _Text())
    logging.basicConfig(level=level, handlers=[handler], force=True)


def _details(record: logging.LogRecord) -> dict[str, str | int]:
    """Return the fields of a message (`extra={"details": …}`) and of its subject."""
    return {**getattr(record, "details", {}), **_subject.get()}


def _shown(value: str | int) -> str:
    """Return a value in one word, quoted where it could be taken for something else."""
    text = str(value)
    return text if _ONE_WORD.fullmatch(text) else json.dumps(text)


class _Text(logging.Formatter):
    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(process)d %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (logging's)
        about = "".join(f" {name}={_shown(value)}" for name, value in _details(record).items())
        return super().formatMessage(record) + about


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, str | int] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process or 0,
            "message": record.getMessage(),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line | _details(record), ensure_ascii=False)
