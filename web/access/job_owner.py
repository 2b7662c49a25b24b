"""Ownership of job lists: an API key, a browser, or all users of this machine own a list of jobs.

Everybody who has a job's id may see the job, so a client must not see the ids of other clients'
jobs. If API keys are enabled, jobs belong to keys. If the service is reachable only from its own
machine, all clients share one list. If other machines can reach it without keys, an IP address
doesn't identify a client. Then each browser gets a random name in a signed cookie, and clients
without the cookie have no list.
"""

import secrets

from flask import Flask, Response, g, request
from itsdangerous import BadSignature, URLSafeTimedSerializer

from web.access.authentication import client
from web.http import request_context

COOKIE = "sudokuq_owner"
_BYTES = 16


def register_owner(app: Flask) -> None:
    """Make the app set or delete the owner cookie after requests that change a job list."""
    app.after_request(_send_cookie)


def owner() -> str | None:
    """Return the name of the owner of the client's job list, or None if the client has no list.

    If API keys are enabled, or the service isn't open to all, it is the return value of `client`.
    Otherwise it comes from the browser's signed cookie, and is None without a valid cookie.
    """
    settings = request_context.service().settings
    if settings.api_keys or not settings.open_to_all:
        return client()
    name = _name()
    return None if name is None else f"browser {name}"


def describe_owner() -> str:
    """Return a sentence about whose jobs the client's list contains."""
    settings = request_context.service().settings
    if settings.api_keys:
        return "This list has all jobs that were created with your API key, also by programs."
    if settings.open_to_all:
        return "This list has the jobs that were created in this browser."
    return (
        "This list has all jobs that were created on this computer, in any browser, with the API, "
        "or with the command line."
    )


def remember(job_id: str) -> None:
    """Add a job to the client's list.

    A browser without a list gets a new one. The response to the current request sends its cookie,
    or renews it. Raises Problem if there is no such job.
    """
    whose = owner()
    if whose is None or whose.startswith("browser "):
        name = _name() or secrets.token_urlsafe(_BYTES)
        g.owner_cookie = _signer().dumps(name)
        whose = f"browser {name}"
    job = request_context.find_job(job_id)
    request_context.service().job_owners.add(whose, job_id, created_at=job.created_at)


def forget() -> None:
    """Clear the client's job list, and delete the owner cookie. The jobs themselves are kept.

    The cookie is deleted by the response to the current request.
    """
    whose = owner()
    if whose is not None:
        request_context.service().job_owners.forget(whose)
    g.owner_cookie = ""


def _name() -> str | None:
    """Return the browser's random name from its cookie, or None without a valid cookie.

    A cookie is valid if it is signed and not older than the retention of jobs.
    """
    cookie = request.cookies.get(COOKIE)
    if cookie is None:
        return None
    try:
        return str(
            _signer().loads(cookie, max_age=int(request_context.service().settings.retention))
        )
    except BadSignature:
        return None


def _signer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(request_context.service().job_owners.secret(), salt=COOKIE)


def _send_cookie(response: Response) -> Response:
    """Set or delete the owner cookie in the response, if `remember` or `forget` has been called.

    Each new job renews the cookie, because it must last as long as the latest job.
    """
    cookie = g.pop("owner_cookie", None)
    if cookie == "" and COOKIE in request.cookies:
        response.delete_cookie(COOKIE, httponly=True, samesite="Lax")
    elif cookie:
        response.set_cookie(
            COOKIE,
            cookie,
            max_age=int(request_context.service().settings.retention),
            secure=request.is_secure,
            httponly=True,
            samesite="Lax",
        )
    return response
