"""Give each request an id, which appears in its response, problem documents, and the log."""

import re
import secrets

from flask import Flask, Response, g, request

from worker.logs import log_about_nothing, log_about_request

HEADER = "X-Request-Id"
_BYTES = 8
# Ids that a proxy or client may choose. Other characters could forge log lines.
_ACCEPTED = re.compile(r"[A-Za-z0-9._:-]{1,64}")


def register_request_ids(app: Flask) -> None:
    """Make the app assign an id to every request, and return it in the header X-Request-Id."""
    app.before_request(_begin)
    app.after_request(_send)


def new_request_id() -> str:
    """Return a new random request id."""
    return secrets.token_hex(_BYTES)


def request_id() -> str:
    """Return the id of the current request.

    It is the id in the header X-Request-Id if that is valid, or else a random one.
    """
    if "request_id" not in g:
        sent = request.headers.get(HEADER, "")
        g.request_id = sent if _ACCEPTED.fullmatch(sent) else new_request_id()
    return str(g.request_id)


def _begin() -> None:
    log_about_request(request_id())


def _send(response: Response) -> Response:
    response.headers[HEADER] = request_id()
    response.call_on_close(log_about_nothing)
    return response
