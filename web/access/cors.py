"""Let web pages of the configured origins use the API (none by default).

Such pages send API keys in headers. Responses never contain Access-Control-Allow-Credentials.
Browsers therefore don't let these pages read a response to a request with cookies, and don't send
requests with cookies that need a preflight. The server itself doesn't reject cookies. Session
cookies have SameSite=Lax, so browsers don't add them to API calls by pages of other sites.
"""

from flask import Flask, Response, request

from web.http import request_context

_PREFIX = "/api/"
_READ = (
    "Accept-Ranges, Content-Location, Content-Range, ETag, Link, Location, RateLimit, "
    "RateLimit-Policy, Retry-After, X-Request-Id"
)
_SENT = (
    "Authorization, Content-Encoding, Content-Type, Idempotency-Key, If-Match, "
    "If-None-Match, If-Range, Last-Event-ID, Range, X-API-Key, X-Request-Id"
)
_A_DAY = "86400"


def allow_origins(app: Flask) -> None:
    """Make the app respond to preflight requests, and add CORS headers to responses.

    It must be called before other checks are added, because preflight requests have no API key.
    """
    app.before_request(_answer_preflight)
    app.after_request(_add_cors_headers)


def allowed_origin() -> str | None:
    """Return the Origin header of an API request if the settings allow that origin, else None."""
    origin = request.headers.get("Origin")
    origins = request_context.service().settings.cors_origins
    if origin is None or not request.path.startswith(_PREFIX):
        return None
    return origin if "*" in origins or origin in origins else None


def _answer_preflight() -> Response | None:
    """Return the response to a preflight request from an allowed origin, else None."""
    method = request.headers.get("Access-Control-Request-Method")
    if request.method != "OPTIONS" or method is None or allowed_origin() is None:
        return None
    response = Response(status=204)
    response.headers["Access-Control-Allow-Methods"] = "GET, HEAD, POST, PUT, DELETE"
    response.headers["Access-Control-Allow-Headers"] = _SENT
    response.headers["Access-Control-Max-Age"] = _A_DAY
    return response


def _add_cors_headers(response: Response) -> Response:
    if request_context.service().settings.cors_origins and request.path.startswith(_PREFIX):
        response.vary.add("Origin")
    origin = allowed_origin()
    if origin is not None:
        response.headers["Access-Control-Allow-Origin"] = origin
        response.headers["Access-Control-Expose-Headers"] = _READ
    return response
