"""Write the logs of the web server and the workers, with one line per message, as text or JSON.

A line about a job also contains the job and its chunk or record, and a line about a request its id.
A warning or error that repeats a recent one is dropped.
"""

import ast
import json
import logging
import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import UTC, datetime
from enum import StrEnum
from types import MappingProxyType

_Subject = Mapping[str, str | int]
_NOTHING: _Subject = MappingProxyType({})
_subject: ContextVar[_Subject] = ContextVar("subject", default=_NOTHING)
_SHOWN_OF_AN_ID = 6
_ONE_WORD = re.compile(r"[\w./:@…-]+")
# A repeated warning or error is written once within this time.
_REPEATED_AFTER_SECONDS = 10.0
_MOST_REMEMBERED = 256


class LogFormat(StrEnum):
    """The format of log lines: plain text, or one JSON object per line."""

    TEXT = "text"
    JSON = "json"


def shown_id(job_id: str) -> str:
    """Return the first characters of a job's id and "…".

    The complete id would give access to the job.
    """
    return job_id[:_SHOWN_OF_AN_ID] + "…"


@contextmanager
def logging_about(
    job_id: str, *, chunk: int | None = None, record: int | None = None
) -> Iterator[None]:
    """Add a job, and optionally a chunk or record of it, to all messages in a `with` block.

    The job's id is shortened. These messages don't contain the additions of an outer block.
    """
    subject: dict[str, str | int] = {"job": shown_id(job_id)}
    if chunk is not None:
        subject["chunk"] = chunk
    if record is not None:
        subject["record"] = record
    token = _subject.set(subject)
    try:
        yield
    finally:
        _subject.reset(token)


def log_about_request(request_id: str) -> None:
    """Add a request id to all later messages of this thread, instead of anything added before."""
    _subject.set({"request": request_id})


def log_about_nothing() -> None:
    """Stop adding anything to the messages of this thread."""
    _subject.set(_NOTHING)


def formatter(format: LogFormat) -> logging.Formatter:
    """Return the formatter for a log format."""
    return _Json() if format is LogFormat.JSON else _Text()


def start_logging(format: LogFormat, *, level: int = logging.INFO) -> None:
    """Write all logs and Python warnings of this process to standard error.

    Replaces earlier handlers. Messages below `level` are dropped, and so are recent repetitions of
    warnings and errors. Of httpx, only warnings and errors are written, because its other messages
    contain URLs.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(formatter(format))
    handler.addFilter(Repeats())
    logging.basicConfig(level=level, handlers=[handler], force=True)
    logging.captureWarnings(capture=True)
    # It logs the URL of each request, and the URL of a webhook may contain a secret.
    logging.getLogger("httpx").setLevel(logging.WARNING)


class Repeats(logging.Filter):
    """Drops a warning or error if the same message was written in the last 10 seconds.

    The dropped messages are counted. Messages with additional details, such as those of an audit
    log, are never dropped.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        # (time written, repetitions dropped since)
        self._written: dict[tuple[object, ...], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to write a log message, which is False for a recent repetition.

        A repetition has the same logger, level, and text, and is about the same job, chunk, record,
        or request. Messages below WARNING and those with `details` are always written. If
        repetitions were dropped since the same message was last written, their number is added to
        it.
        """
        if record.levelno < logging.WARNING or hasattr(record, "details"):
            return True
        now, message = self._clock(), record.getMessage()
        key = (record.name, record.levelno, message, *_subject_of(record).items())
        written_at, left_out = self._written.pop(key, (None, 0))
        if written_at is not None and now < written_at + _REPEATED_AFTER_SECONDS:
            self._written[key] = (written_at, left_out + 1)
            return False
        self._written[key] = (now, 0)
        if len(self._written) > _MOST_REMEMBERED:
            del self._written[next(iter(self._written))]
        if left_out:
            record.msg = f"{message.rstrip()} (and {left_out} more times since it was last logged)"
            record.args = None
        return True


def _details(record: logging.LogRecord) -> dict[str, str | int]:
    """Return the additional fields of a log message, and those of its subject.

    The subject is a job, chunk, record, or request (see `_subject_of`).
    """
    return {**getattr(record, "details", {}), **_subject_of(record)}


def _shown(value: str | int) -> str:
    """Return a value as text, quoted unless it is a single word."""
    text = str(value)
    return text if _ONE_WORD.fullmatch(text) else json.dumps(text)


class _Text(logging.Formatter):
    """Formats log messages as plain text, with the additional fields at the end."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(process)d %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 (logging's)
        about = "".join(f" {name}={_shown(value)}" for name, value in _details(record).items())
        return super().formatMessage(record) + about


class _Json(logging.Formatter):
    """Formats log messages as JSON objects, with the additional fields as further members."""

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


def _subject_of(record: logging.LogRecord) -> _Subject:
    """Return what a log message is about: job, chunk, record, or request, with its id or number.

    This is set by the enclosing `logging_about` block or by `log_about_request`. Celery logs
    outside of such blocks. For its messages about tasks, the job and the chunk or record are read
    from the task's arguments, which the message has as text. Returns an empty dict if nothing is
    known.
    """
    known, task = _subject.get(), getattr(record, "data", None)
    if not known and isinstance(task, dict):
        with suppress(ValueError, SyntaxError, TypeError):
            job_id, number, *_ = ast.literal_eval(task["args"])
            part = "record" if "explain" in task["name"] else "chunk"
            return {"job": shown_id(job_id), part: number}
    return known
