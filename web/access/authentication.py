"""Access control: API keys, browser sessions that start with a key, and checks of each request.

If keys are enabled, every endpoint requires one. Exceptions are endpoints that reveal nothing about
jobs: health checks, the documentation, the API description, the pages about problem types, static
files, signing in, and signing out. The rates of requests and of wrong keys are limited. Requests
that pages of other sites make browsers send are rejected.
"""

import logging
import math
import re
from dataclasses import replace
from typing import TypeVar, cast

from flask import Blueprint, Flask, g, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from web.access.audit import audit, note_key
from web.access.cors import allowed_origin
from web.http import request_context
from web.http.errors import FOR_PROGRAMS, Problem
from worker.api_keys import ApiKey, Scope, digest_of, find_key, read_keys
from worker.service import Service
from worker.store.sessions import SESSION_SECONDS

access = Blueprint("access", __name__)

COOKIE = "sudokuq_key"
_Bound = TypeVar("_Bound", int, int | None)
OPEN_TO_ALL = {"static", "health.alive", "health.ready", "docs.show_api_page",
               "docs.get_openapi_document", "documentation.file", "problem_pages.overview",
               "problem_pages.one", "access.sign_in", "access.sign_out"}  # fmt: skip
_NEVER_COUNTED = {"static", "documentation.file", "health.alive", "health.ready"}
_SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
_LONGEST_KEY = 1_000
# A path on this site. Browsers treat // and /\ as the start of another host's URL.
_HERE = re.compile(r"/(?![/\\])[\x21-\x7e]*")


def protect(app: Flask) -> None:
    """Make the app check each request's origin, rate, and API key, and add the sign-in pages."""
    app.before_request(check_origin)
    app.before_request(check_rate)
    app.before_request(check_key)
    app.register_blueprint(access)


def check_origin() -> None:
    """Raise Problem if a page of another site made the browser send this state-changing request.

    Such a request is recognized by the Sec-Fetch-Site or Origin header that browsers send. Programs
    usually send neither. Origins that the settings allow are accepted for requests to the API.
    """
    if request.method in _SAFE_METHODS or allowed_origin() is not None:
        return
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    if site is not None:
        same = site in ("same-origin", "none")
    else:
        # Compared as a whole instead of parsed: browsers send exactly this form, and other programs
        # may send anything.
        same = origin is None or origin in (f"http://{request.host}", f"https://{request.host}")
    if not same:
        raise Problem(403, "pages of other sites may not send requests to this service")


def check_rate() -> None:
    """Count the request, and raise Problem if the client has exceeded its limit per minute.

    Does nothing if there is no limit, or for health checks, static files, and documentation. A
    client is an API key, or an IP address for requests without a known key. Requests that can't be
    counted, because Redis is full, are let through. Also stores the limit and the count for the
    headers of the response (see `web.access.quotas`).
    """
    if request.endpoint in _NEVER_COUNTED:
        return
    most = service().settings.max_requests_per_client
    if most is None:
        return
    sent, seconds = 0, 0.0
    with request_context.ignore_full_redis():
        sent, seconds = request_context.service().request_counter.count(client())
        g.counted_requests = (most, sent, seconds)
    if sent > most:
        detail = (
            f"you have sent more than {most:,} requests within a minute, the limit for a client"
        )
        raise Problem(429, detail, retry_after=math.ceil(seconds))


def check_key() -> Response | None:
    """Check the API key of the current request, if keys are enabled.

    Returns None if the request may proceed. The endpoints in `OPEN_TO_ALL` need no key. For other
    endpoints, GET requests for pages without a key are redirected to the sign-in page. Otherwise,
    raises Problem if the request has no known key, or if the key doesn't permit it. Wrong keys in
    the request's headers are counted, and too many raise Problem, too. The key is stored for log
    entries.
    """
    if not request_context.service().settings.api_keys or request.endpoint in _NEVER_COUNTED:
        return None
    key = _key()
    note_key(key)
    if _sent_key() is not None:
        _check_attempt(key)
    if request.endpoint in OPEN_TO_ALL:
        return None
    if key is not None:
        scope = Scope.READ if request.method in _SAFE_METHODS else Scope.WRITE
        if key.is_for(scope):
            return None
        raise Problem(403, f"this API key doesn't permit requests that {scope}")
    if _sent_key() is not None:
        raise Problem(401, "this API key is unknown", kind="unknown-api-key")
    if request.method == "GET" and not request.path.startswith(FOR_PROGRAMS):
        return redirect(url_for("access.sign_in", next=request.full_path.rstrip("?")), 303)
    raise Problem(401, "send an API key in the header Authorization: Bearer KEY")


def _check_attempt(key: ApiKey | None) -> None:
    """Raise Problem if too many wrong keys came from the client's network within a minute.

    `key` is the known key that the client has just sent. None means that the client has just sent a
    wrong one, which is counted and logged. If Redis is full and can't count, nothing is raised.
    """
    seconds = None
    with request_context.ignore_full_redis():
        seconds = request_context.service().failed_keys.seconds_rejected(
            request.remote_addr or "unknown", digest=None if key is None else key.digest
        )
    if key is None:
        audit("wrong API key", level=logging.WARNING)
    if seconds is not None:
        most = request_context.service().settings.max_failed_keys
        raise Problem(
            429,
            f"more than {most:,} wrong API keys from this address within a minute",
            retry_after=math.ceil(seconds),
            kind="too-many-wrong-keys",
        )


def client() -> str:
    """Return a name that identifies the client: from its API key, or else its IP address.

    A signed-in browser has the key of its session. The name contains the digest of the key, because
    the key itself is never stored.
    """
    key = _key()
    return (request.remote_addr or "unknown") if key is None else f"key {key.digest}"


def service() -> Service:
    """Return the service with the limits of the client's API key in its settings.

    For a limit that the key doesn't set, the service's own limit applies.
    """
    everybody, key = request_context.service(), _key()
    if key is None:
        return everybody
    settings = everybody.settings
    own = replace(
        settings,
        max_jobs_per_client=_first(key.most_jobs, settings.max_jobs_per_client),
        max_puzzles_per_client=_first(key.most_waiting, settings.max_puzzles_per_client),
        max_requests_per_client=_first(key.most_requests, settings.max_requests_per_client),
    )
    return replace(everybody, settings=own)


def _first(own: int | None, everybody: _Bound) -> int | _Bound:
    return everybody if own is None else own


@access.route("/sign-in", methods=["GET", "POST"])
def sign_in() -> Response | str | tuple[str, int]:
    """Show the sign-in form (GET), or check the API key in the submitted form (POST).

    A known key starts a session, whose id is set as a cookie. The browser is then redirected to the
    path in the parameter `next`, or to the start page. An earlier session of the browser ends. With
    a wrong key, the form is shown again, with status 403. Raises Problem after too many wrong keys.
    """
    wanted = request.values.get("next", "")
    target = wanted if _HERE.fullmatch(wanted) else url_for("pages.index")
    if request.method == "GET":
        return render_template("sign_in.html", next=target, wrong=False)
    digest = digest_of(request.form.get("key", "").strip()[:_LONGEST_KEY])
    key = find_key(_keys(), digest=digest)
    _check_attempt(key)
    if key is None:
        return render_template("sign_in.html", next=target, wrong=True), 403
    _end_session()
    response = redirect(target, 303)
    response.set_cookie(
        COOKIE,
        request_context.service().sessions.open(digest),
        max_age=SESSION_SECONDS,
        secure=request.is_secure,
        httponly=True,
        samesite="Lax",
    )
    audit("signed in", key=key)
    return response


@access.post("/sign-out")
def sign_out() -> Response:
    """End the session on the server, delete its cookie, and redirect to the sign-in page.

    Copies of the cookie stop working, too.
    """
    if _end_session():
        audit("signed out")
    response = redirect(url_for("access.sign_in"), 303)
    response.delete_cookie(COOKIE, httponly=True, samesite="Lax")
    return response


def _end_session() -> bool:
    """End the browser's session, and return whether there was one."""
    cookie = request.cookies.get(COOKIE)
    return bool(cookie) and request_context.service().sessions.end(cookie or "")


def _sent_key() -> str | None:
    """Return the text of the API key in the header Authorization or X-API-Key, or None.

    Authorization counts only with the scheme Bearer, and takes precedence.
    """
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    bearer = token.strip() if scheme.lower() == "bearer" else ""
    return bearer or request.headers.get("X-API-Key") or None


def _key() -> ApiKey | None:
    """Return the API key in the request's headers, or else the key of the session.

    Returns None if the request has neither of them, or if the key isn't known.
    """
    if "api_key" not in g:
        digest = _digest() if _keys() else None
        g.api_key = None if digest is None else find_key(_keys(), digest=digest)
    return cast("ApiKey | None", g.api_key)


def _digest() -> str | None:
    """Return the digest of the API key in the request's headers, or else of the session's key.

    Returns None if the request has neither of them.
    """
    sent = _sent_key()
    if sent is not None:
        return digest_of(sent[:_LONGEST_KEY])
    cookie = request.cookies.get(COOKIE)
    return request_context.service().sessions.key_of(cookie) if cookie else None


def _keys() -> tuple[ApiKey, ...]:
    return read_keys(request_context.service().settings.api_keys)
