"""Turn failures into responses: problem details (RFC 9457) for programs, a page for people."""

import logging
from dataclasses import dataclass, replace
from typing import TypeVar

from flask import Flask, Response, jsonify, render_template, request
from kombu.exceptions import OperationalError
from msgspec import UNSET
from redis.exceptions import RedisError
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound

from solver.board.display import shorten
from web.http.gunicorn_private import errors as http_errors
from web.http.request_ids import request_id
from web.schemas import responses
from web.schemas.problem_types import PROBLEM_TYPES, ProblemType, default_type
from worker.rejection import Rejection, RejectionKind
from worker.store.schema import StoredByNewer

logger = logging.getLogger(__name__)

RETRY_SECONDS = 5
# The problem type of each rejection, and the seconds after which a retry may succeed.
_REJECTIONS: dict[RejectionKind, tuple[str, int | None]] = {
    RejectionKind.BAD_REQUEST: ("bad-request", None),
    RejectionKind.UNREADABLE: ("unreadable-upload", None),
    RejectionKind.TOO_LARGE: ("too-large", None),
    RejectionKind.UNKNOWN_TYPE: ("unsupported-type", None),
    RejectionKind.BAD_OPTION: ("invalid-value", None),
    RejectionKind.TOO_MANY_JOBS: ("too-many-jobs", 30),
    RejectionKind.QUEUE_FULL: ("queue-full", 60),
    RejectionKind.STORE_FULL: ("store-full", 60),
    RejectionKind.IN_PROGRESS: ("upload-in-progress", RETRY_SECONDS),
    RejectionKind.GONE: ("job-gone", RETRY_SECONDS),
    RejectionKind.SOURCE_GONE: ("job-not-found", None),
}
# Headers that some statuses require: the allowed methods, the length of the content.
_COPIED_HEADERS = ("Allow", "Content-Range")
FOR_PROGRAMS = ("/api/", "/healthz", "/readyz", "/metrics")


@dataclass(eq=False)  # not frozen, because Python sets the traceback attribute
class Problem(Exception):
    """An expected failure of a request, which an error handler turns into a problem document.

    Code that handles a request raises it to abort the request. `status` is the HTTP status, and
    `detail` the message. `line` and `column` (from 1) are a position in the upload, and `field` is
    the name of an invalid parameter. `retry_after` is the number of seconds after which a retry may
    succeed. `kind` names a problem type that is more specific than the default type of the status.
    See `web.schemas.problem_types`.
    """

    status: int
    detail: str
    line: int | None = None
    column: int | None = None
    field: str | None = None
    retry_after: int | None = None
    kind: str | None = None

    @classmethod
    def of(cls, rejection: Rejection) -> "Problem":
        """Return the problem that reports a rejection to a client.

        The kind of the rejection determines the status, the type, and when to retry.
        """
        kind, retry_after = _REJECTIONS[rejection.kind]
        place = (rejection.line, rejection.column, rejection.field)
        return cls(PROBLEM_TYPES[kind].status, rejection.detail, *place, retry_after, kind)

    @property
    def type(self) -> ProblemType:
        """The problem's type: the one that `kind` names, or the default type of the status."""
        return default_type(self.status) if self.kind is None else PROBLEM_TYPES[self.kind]

    @property
    def title(self) -> str:
        """The title of the problem's type."""
        return self.type.title

    def as_json(self) -> responses.Problem:
        """Return the problem document.

        It has the id of the current request. Line, column, and field are left out if they are None.
        """
        return responses.Problem(
            type=self.type.uri,
            title=self.title,
            status=self.status,
            detail=self.detail,
            line=UNSET if self.line is None else self.line,
            column=UNSET if self.column is None else self.column,
            field=UNSET if self.field is None else self.field,
            request_id=request_id(),
        )


_Accepted = TypeVar("_Accepted")


def raise_if_rejected(answer: _Accepted | Rejection) -> _Accepted:
    """Raise the corresponding Problem if the argument is a Rejection, otherwise return it."""
    if isinstance(answer, Rejection):
        raise Problem.of(answer)
    return answer


def respond(problem: Problem) -> Response:
    """Return the response that reports a problem: JSON for programs, or a page for people.

    The path of the request decides between them: paths that start with /api/, for example, are for
    programs. The text of a server error contains the request id, so that users can report it to the
    operator.

    The response has the header Retry-After if the problem states it, and WWW-Authenticate with the
    status 401.
    """
    if problem.status >= 500 and request_id() not in problem.detail:
        problem = replace(problem, detail=f"{problem.detail} (request {request_id()})")
    if request.path.startswith(FOR_PROGRAMS):
        response = jsonify(problem.as_json())
        response.content_type = "application/problem+json"
    else:
        response = Response(_page(problem), mimetype="text/html")
    response.status_code = problem.status
    if problem.status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    if problem.retry_after is not None:
        response.headers["Retry-After"] = str(problem.retry_after)
    return response


def _page(problem: Problem) -> str:
    return render_template("error.html", problem=problem, request_id=request_id())


def register_errors(app: Flask) -> None:
    """Register error handlers that turn every failure into a problem response.

    Problems and HTTP errors keep their status. It is 503 if Redis fails, or if the job was stored
    by a newer version, 400 if the request's body is malformed or interrupted, and 500 for all other
    exceptions. Only Problems and HTTP errors aren't logged.
    """

    @app.errorhandler(Problem)
    def problem(error: Problem) -> Response:
        return respond(error)

    @app.errorhandler(HTTPException)
    def http(error: HTTPException) -> Response:
        detail = error.description or error.name
        if detail == NotFound.description:  # no route matches the URL
            detail = f"There is no {shorten(request.path)}"
            if request.path.startswith("/api/"):
                detail += "; /api/docs lists all requests"
        if isinstance(error, MethodNotAllowed) and error.valid_methods:
            allowed = sorted({*error.valid_methods} - {"HEAD", "OPTIONS"})
            detail = f"{request.method} isn't allowed for {shorten(request.path)}; expected "
            detail += " or ".join(allowed)
        response = respond(Problem(error.code or 500, detail))
        headers = dict(error.get_headers())
        copied = {name: headers[name] for name in _COPIED_HEADERS if name in headers}
        response.headers.update(copied)
        return response

    @app.errorhandler(OperationalError)  # Celery wraps RedisErrors in it
    @app.errorhandler(RedisError)
    def redis(error: Exception) -> Response:
        logger.warning("Redis is unavailable or full: %s", error)
        detail = "Redis doesn't respond or is full; try again in a moment"
        return respond(Problem(503, detail, retry_after=RETRY_SECONDS))

    @app.errorhandler(StoredByNewer)
    def newer(error: StoredByNewer) -> Response:
        logger.warning("rejected a request for a job of a newer version: %s", error)
        detail = (
            "A newer version of sudokuq stored this job. Try again when the upgrade is complete."
        )
        return respond(Problem(503, detail, retry_after=RETRY_SECONDS))

    @app.errorhandler(http_errors.ParseException)  # malformed chunked body
    @app.errorhandler(http_errors.NoMoreData)
    @app.errorhandler(ConnectionError)
    @app.errorhandler(TimeoutError)
    def broken(error: Exception) -> Response:
        logger.info("malformed or interrupted request body: %s", error)
        return respond(Problem(400, "the request's body is malformed or incomplete"))

    @app.errorhandler(Exception)
    def bug(error: Exception) -> Response:
        logger.exception("unhandled error in a view", exc_info=error)
        return respond(
            Problem(
                500, f"Internal server error. Please report it with the request id {request_id()}."
            )
        )
