"""The audit log, and the optional access log.

The audit log (logger `sudokuq.audit`) records sign-ins, sign-outs, wrong API keys, requests refused
with status 403 or 421, and canceled or deleted jobs. Each entry contains the client's address and
the beginning of its key's digest, if it has a key. Neither log contains API keys, puzzles, or
complete job ids, because everyone who has a job's id may see the job.
"""

import logging
import re
import time
from functools import partial

from flask import Flask, Response, g, request

from web.http import request_context
from worker.api_keys import ApiKey
from worker.logs import shown_id

_audit = logging.getLogger("sudokuq.audit")
_access = logging.getLogger("sudokuq.access")

_EVENTS = {
    "api.cancel_job": "job cancelled", "pages.cancel": "job cancelled",
    "api.delete_job": "job deleted", "pages.delete": "job deleted",
}  # fmt: skip
_REFUSED = (403, 421)
_SIGN_IN = "access.sign_in"  # the sign-in view logs wrong keys itself
# Job ids and puzzles. They may occur anywhere in a path, even in one that matches no route.
_LONG = re.compile(r"[\w.~-]{16,}")
_LONGEST_PATH = 200
_DIGITS_OF_A_KEY = 8


def register_audit(app: Flask) -> None:
    """Make the app log audit events, and every request if the access log is enabled."""
    app.before_request(_begin)
    app.after_request(_log)


def audit(event: str, *, key: ApiKey | None = None, level: int = logging.INFO) -> None:
    """Log an audit event of the current request, with the client's address.

    `event` is the message. `key` is the client's API key, by default the one that `note_key` has
    stored. The beginning of its digest is logged, too.
    """
    _audit.log(level, event, extra={"details": _caller(key)})


def note_key(key: ApiKey | None) -> None:
    """Store the client's API key for the current request, so that log entries identify it."""
    g.audited_key = key


def _caller(key: ApiKey | None) -> dict[str, str | int]:
    key = key or g.get("audited_key")
    caller: dict[str, str | int] = {"client": request.remote_addr or "unknown"}
    return caller if key is None else caller | {"key": key.digest[:_DIGITS_OF_A_KEY]}


def _begin() -> None:
    g.began = time.monotonic()


def _log(response: Response) -> Response:
    status = response.status_code
    place: dict[str, str | int] = {
        "method": request.method,
        "path": _shown_path(),
        "status": status,
    }
    event = _EVENTS.get(request.endpoint or "")
    if status in _REFUSED and request.endpoint != _SIGN_IN:
        _audit.warning("request refused", extra={"details": _caller(None) | place})
    elif event is not None and status < 400:
        job = shown_id((request.view_args or {})["job_id"])
        _audit.info(event, extra={"details": _caller(None) | {"job": job}})
    if request_context.service().settings.access_log:
        log = partial(_log_access, _caller(None) | place, g.get("began", time.monotonic()))
        response.call_on_close(log)
    return response


def _log_access(details: dict[str, str | int], began: float) -> None:
    milliseconds = round((time.monotonic() - began) * 1000)
    _access.info("request", extra={"details": details | {"milliseconds": milliseconds}})


def _shown_path() -> str:
    return _LONG.sub(lambda found: shown_id(found[0]), request.path)[:_LONGEST_PATH]
