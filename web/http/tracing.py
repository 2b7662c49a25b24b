"""Trace requests as OpenTelemetry spans, as children of the client's span if it sends one.

Spans contain no paths, because job ids are secrets.
"""

from contextlib import ExitStack

from flask import Flask, Response, g, request

from web.http import request_context


def trace_requests(app: Flask) -> None:
    """Make the app create a span for each request, if tracing is enabled."""
    app.before_request(_begin)
    app.after_request(_note_status)
    app.teardown_request(_end)


def _begin() -> None:
    telemetry = request_context.service().telemetry
    route = str(request.url_rule or "unknown")
    g.trace = ExitStack()
    g.span = g.trace.enter_context(
        telemetry.span(
            f"{request.method} {route}",
            parent=request.headers.get("traceparent", ""),
            **{"http.request.method": request.method, "http.route": route},
        )
    )


def _note_status(response: Response) -> Response:
    if "span" in g:
        g.span.note("http.response.status_code", response.status_code)
    return response


def _end(error: BaseException | None) -> None:
    if "trace" in g:
        g.pop("trace").__exit__(type(error) if error else None, error, None)
