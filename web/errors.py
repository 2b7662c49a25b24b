"""Errors as people and programs read them: problem details (RFC 9457), or a page."""

import logging
from dataclasses import dataclass
from typing import TypeVar

from flask import Flask, Response, jsonify, render_template, request
from gunicorn.http.errors import NoMoreData, ParseException
from kombu.exceptions import OperationalError
from msgspec import UNSET
from redis.exceptions import RedisError
from werkzeug.exceptions import HTTPException
from werkzeug.http import HTTP_STATUS_CODES

from web import answers
from worker.refused import RefusalKind, Refused

logger = logging.getLogger(__name__)

RETRY_SECONDS = 5
# The status of a refusal, and after how many seconds it may be otherwise.
_STATUSES: dict[RefusalKind, tuple[int, int | None]] = {
    RefusalKind.UNREADABLE: (400, None),
    RefusalKind.TOO_LARGE: (413, None),
    RefusalKind.UNKNOWN_TYPE: (415, None),
    RefusalKind.BAD_OPTION: (422, None),
    RefusalKind.TOO_MANY_JOBS: (429, 30),
    RefusalKind.QUEUE_FULL: (503, 60),
    RefusalKind.STORE_FULL: (503, 60),
    RefusalKind.IN_PROGRESS: (409, RETRY_SECONDS),
    RefusalKind.GONE: (409, RETRY_SECONDS),
}
# What a status asks for besides: which methods there are, how many bytes.
_SAID_BESIDE = ("Allow", "Content-Range")
FOR_PROGRAMS = ("/api/", "/healthz", "/readyz", "/metrics")


@dataclass(eq=False)  # not frozen: Python writes the traceback into it
class Problem(Exception):
    """An expected failure of a request; raised only to leave a view."""

    status: int
    detail: str
    line: int | None = None
    column: int | None = None
    field: str | None = None
    retry_after: int | None = None

    @classmethod
    def of(cls, refused: Refused) -> "Problem":
        """Return what a refusal is to a client."""
        status, retry_after = _STATUSES[refused.kind]
        place = (refused.line, refused.column, refused.field)
        return cls(status, refused.detail, *place, retry_after)

    @property
    def title(self) -> str:
        """The standard phrase of the status."""
        return HTTP_STATUS_CODES.get(self.status, "Error")

    def as_json(self) -> answers.Problem:
        """Return the problem document."""
        return answers.Problem(
            type="about:blank",
            title=self.title,
            status=self.status,
            detail=self.detail,
            line=UNSET if self.line is None else self.line,
            column=UNSET if self.column is None else self.column,
            field=UNSET if self.field is None else self.field,
        )


_Taken = TypeVar("_Taken")


def taken(answer: _Taken | Refused) -> _Taken:
    """Return what was not refused; raises Problem for what was."""
    if isinstance(answer, Refused):
        raise Problem.of(answer)
    return answer


def respond(problem: Problem) -> Response:
    """Return a problem as JSON to programs, as a page to people."""
    if request.path.startswith(FOR_PROGRAMS):
        response = jsonify(problem.as_json())
        response.content_type = "application/problem+json"
    else:
        response = Response(render_template("error.html", problem=problem), mimetype="text/html")
    response.status_code = problem.status
    if problem.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    if problem.retry_after is not None:
        response.headers["Retry-After"] = str(problem.retry_after)
    return response


def register_errors(app: Flask) -> None:
    """Answer every failure of a request in one way."""

    @app.errorhandler(Problem)
    def problem(error: Problem) -> Response:
        return respond(error)

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> Response:
        response = respond(Problem(error.code or 500, error.description or error.name))
        said = dict(error.get_headers())
        response.headers.update({name: said[name] for name in _SAID_BESIDE if name in said})
        return response

    @app.errorhandler(OperationalError)  # what Celery makes of a RedisError
    @app.errorhandler(RedisError)
    def redis(error: Exception) -> Response:
        logger.warning("Redis did not answer: %s", error)
        detail = "Redis does not answer, or is full; try again in a moment"
        return respond(Problem(503, detail, retry_after=RETRY_SECONDS))

    @app.errorhandler(ParseException)  # a body in chunks that are none
    @app.errorhandler(NoMoreData)
    @app.errorhandler(ConnectionError)
    @app.errorhandler(TimeoutError)
    def broken(error: Exception) -> Response:
        logger.info("a request broke off: %s", error)
        return respond(Problem(400, "the request's body is broken, or broke off"))

    @app.errorhandler(Exception)
    def bug(error: Exception) -> Response:
        logger.exception("an error in a view", exc_info=error)
        return respond(Problem(500, "an error of ours; it has been written to the log"))
