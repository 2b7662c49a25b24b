"""Who may use the service: an API key in a header, or a cookie that the sign-in form sets.

Where keys are switched on, everything asks for one but what says nothing of jobs: health, the
description of the API, and the sign-in page with its style sheet.
"""

import math
import re
from dataclasses import replace
from typing import TypeVar

from flask import Blueprint, Flask, redirect, render_template, request, url_for
from itsdangerous import BadSignature, URLSafeTimedSerializer
from werkzeug.wrappers import Response

from web import current
from web.cors import allowed_origin
from web.errors import FOR_PROGRAMS, Problem
from worker.api_keys import ApiKey, Scope, digest_of, find_key, read_keys
from worker.service import Service

access = Blueprint("access", __name__)

COOKIE = "sudokuq_key"
_Bound = TypeVar("_Bound", int, int | None)
_COOKIE_SECONDS = 30 * 86_400
_OPEN_TO_ALL = {"static", "health.alive", "health.ready", "docs.page", "docs.document",
                "problem_pages.overview", "problem_pages.one",
                "access.sign_in", "access.sign_out"}  # fmt: skip
_NEVER_COUNTED = {"static", "health.alive", "health.ready"}
_SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
_LONGEST_KEY = 1_000
# A path on this site and nothing else: browsers take // and /\ for other hosts.
_HERE = re.compile(r"/(?![/\\])[\x21-\x7e]*")


def protect(app: Flask) -> None:
    """Check every request before its view: where it comes from, how many there are, its key."""
    app.before_request(check_origin)
    app.before_request(check_rate)
    app.before_request(check_key)
    app.register_blueprint(access)


def check_origin() -> None:
    """Raise Problem for what the page of another site has a visitor's browser send.

    Browsers say where a request comes from; programs say nothing and send no cookies either.
    """
    if request.method in _SAFE_METHODS or allowed_origin() is not None:
        return
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    if site is not None:
        same = site in ("same-origin", "none")
    else:
        # Not parsed: what a browser sends is no more than that, and others send anything.
        same = origin is None or origin in (f"http://{request.host}", f"https://{request.host}")
    if not same:
        raise Problem(403, "pages of other sites may not send requests to this service")


def check_rate() -> None:
    """Raise Problem for more requests a minute than the client may send, where that is bounded.

    What has a wrong key counts for its address, so that keys cannot be tried out. What cannot be
    counted, because Redis is full, is not held back.
    """
    most = service().settings.max_requests_per_client
    if most is None or request.endpoint in _NEVER_COUNTED:
        return
    sent, seconds = 0, 0.0
    with current.if_redis_takes_it():
        sent, seconds = current.service().store.count_request(client())
    if sent > most:
        detail = f"more than {most:,} requests within a minute, the most that one client may send"
        raise Problem(429, detail, retry_after=math.ceil(seconds))


def check_key() -> Response | None:
    """Raise Problem unless the request has a key, where keys are switched on.

    A person without one is shown the way to the sign-in page.
    """
    if not current.service().settings.api_keys or request.endpoint in _OPEN_TO_ALL:
        return None
    key = _key()
    if key is not None:
        scope = Scope.READ if request.method in _SAFE_METHODS else Scope.WRITE
        if key.is_for(scope):
            return None
        raise Problem(403, f"this API key is not for requests that {scope}")
    if _sent_key() is not None:
        raise Problem(401, "this API key is not known", kind="unknown-api-key")
    if request.method == "GET" and not request.path.startswith(FOR_PROGRAMS):
        return redirect(url_for("access.sign_in", next=request.full_path.rstrip("?")), 303)
    raise Problem(401, "an API key is needed: Authorization: Bearer KEY")


def client() -> str:
    """Return who asks: the digest of an API key where those are switched on, else the address.

    The key itself is written nowhere.
    """
    key = _key()
    return (request.remote_addr or "unknown") if key is None else f"key {key.digest}"


def service() -> Service:
    """Return the service, with the limits of whoever asks."""
    everybody, key = current.service(), _key()
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
    """Ask for a key, and remember in a signed cookie that it was known."""
    wanted = request.values.get("next", "")
    target = wanted if _HERE.fullmatch(wanted) else url_for("pages.index")
    if request.method == "GET":
        return render_template("sign_in.html", next=target, wrong=False)
    digest = digest_of(request.form.get("key", "").strip()[:_LONGEST_KEY])
    if find_key(_keys(), digest=digest) is None:
        return render_template("sign_in.html", next=target, wrong=True), 403
    response = redirect(target, 303)
    response.set_cookie(
        COOKIE,
        _signer().dumps(digest),
        max_age=_COOKIE_SECONDS,
        secure=request.is_secure,
        httponly=True,
        samesite="Lax",
    )
    return response


@access.post("/sign-out")
def sign_out() -> Response:
    """Forget the key."""
    response = redirect(url_for("access.sign_in"), 303)
    response.delete_cookie(COOKIE, httponly=True, samesite="Lax")
    return response


def _sent_key() -> str | None:
    """Return the key in the headers, None if there is none."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    bearer = token.strip() if scheme.lower() == "bearer" else ""
    return bearer or request.headers.get("X-API-Key") or None


def _key() -> ApiKey | None:
    """Return the key of whoever asks, None where it is not known or keys are switched off."""
    sent = _sent_key()
    if sent is not None:
        return find_key(_keys(), digest=digest_of(sent[:_LONGEST_KEY]))
    cookie = request.cookies.get(COOKIE)
    if cookie is None or not _keys():
        return None
    try:
        digest = _signer().loads(cookie, max_age=_COOKIE_SECONDS)
    except BadSignature:
        return None
    return find_key(_keys(), digest=str(digest))


def _keys() -> tuple[ApiKey, ...]:
    return read_keys(current.service().settings.api_keys)


def _signer() -> URLSafeTimedSerializer:
    """Return what signs cookies; whoever knows all keys could do it, and needs it least."""
    return URLSafeTimedSerializer(list(current.service().settings.api_keys), salt=COOKIE)
