"""Whose jobs are listed: those of an API key, of a browser, or of everybody on this machine.

A job's id is the permission to see it, so nobody may come by the ids of others. Where API keys
are on, jobs belong to the key. Where no other machine reaches the service, all callers are one.
Where others do without keys, an address says nothing of who is behind it: there a browser keeps
a name in a cookie, which nobody can guess, and who sends none has no list.
"""

import secrets

from flask import Flask, Response, g, request

from web import current
from web.access import client

COOKIE = "sudokuq_owner"
_BYTES = 16
_LONGEST = 64


def register_owner(app: Flask) -> None:
    """Send the cookie of whoever made a first job."""
    app.after_request(_send_cookie)


def owner() -> str | None:
    """Return the name under which the caller's jobs are listed, None without one."""
    settings = current.service().settings
    if settings.api_keys or not settings.open_to_all:
        return client()
    name = request.cookies.get(COOKIE, "")
    return f"browser {name}" if 0 < len(name) <= _LONGEST else None


def remember(job_id: str) -> None:
    """List a job among those of the caller, who gets a name for that if need be."""
    name = owner()
    if name is None:
        g.new_owner = secrets.token_urlsafe(_BYTES)
        name = f"browser {g.new_owner}"
    job = current.find_job(job_id)
    current.service().owned.add(name, job_id, created_at=job.created_at)


def forget() -> None:
    """Forget which jobs the caller made."""
    name = owner()
    if name is not None:
        current.service().owned.forget(name)


def _send_cookie(response: Response) -> Response:
    name = g.pop("new_owner", None)
    if name is not None:
        response.set_cookie(
            COOKIE,
            name,
            max_age=int(current.service().settings.retention),
            secure=request.is_secure,
            httponly=True,
            samesite="Lax",
        )
    return response
