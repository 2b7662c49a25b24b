"""Whose jobs are listed: those of an API key, of a browser, or of everybody on this machine.

A job's id is the permission to see it, so nobody may come by the ids of others. Where API keys
are on, jobs belong to the key. Where no other machine reaches the service, all callers are one.
Where others do without keys, an address says nothing of who is behind it: there a browser keeps
a name in a signed cookie, which nobody can guess or make up, and who sends none has no list.
"""

import secrets

from flask import Flask, Response, g, request
from itsdangerous import BadSignature, URLSafeTimedSerializer

from web import current
from web.access import client

COOKIE = "sudokuq_owner"
_BYTES = 16


def register_owner(app: Flask) -> None:
    """Send the cookie of whoever made a job, or forgot all of them."""
    app.after_request(_send_cookie)


def owner() -> str | None:
    """Return the name under which the caller's jobs are listed, None without one."""
    settings = current.service().settings
    if settings.api_keys or not settings.open_to_all:
        return client()
    name = _name()
    return None if name is None else f"browser {name}"


def remember(job_id: str) -> None:
    """List a job among those of the caller, who gets a name for that if need be."""
    whose = owner()
    if whose is None or whose.startswith("browser "):
        name = _name() or secrets.token_urlsafe(_BYTES)
        g.owner_cookie = _signer().dumps(name)
        whose = f"browser {name}"
    job = current.find_job(job_id)
    current.service().owned.add(whose, job_id, created_at=job.created_at)


def forget() -> None:
    """Forget which jobs the caller made."""
    whose = owner()
    if whose is not None:
        current.service().owned.forget(whose)
    g.owner_cookie = ""


def _name() -> str | None:
    """Return the name in the caller's cookie, None without one that is signed and young enough."""
    cookie = request.cookies.get(COOKIE)
    if cookie is None:
        return None
    try:
        return str(_signer().loads(cookie, max_age=int(current.service().settings.retention)))
    except BadSignature:
        return None


def _signer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(current.service().owned.secret(), salt=COOKIE)


def _send_cookie(response: Response) -> Response:
    """Send the cookie again with each job, for it is to last as long as the latest one."""
    cookie = g.pop("owner_cookie", None)
    if cookie == "" and COOKIE in request.cookies:
        response.delete_cookie(COOKIE, httponly=True, samesite="Lax")
    elif cookie:
        response.set_cookie(
            COOKIE,
            cookie,
            max_age=int(current.service().settings.retention),
            secure=request.is_secure,
            httponly=True,
            samesite="Lax",
        )
    return response
