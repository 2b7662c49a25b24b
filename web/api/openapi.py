"""The description of the API: an OpenAPI 3.1 document, and a page generated from it.

Paths and summaries come from the routes and docstrings of the views. Everything else comes from the
decorator `operation` of each view and the types that it names.
"""

import inspect
import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import msgspec
from flask import Blueprint, Flask, Response, render_template, request, url_for

from web.access.authentication import COOKIE, OPEN_TO_ALL
from web.api.catalog import catalog
from web.api.first_requests import first_requests
from web.api.openapi_parts import (
    Schemas,
    option_parameters,
    option_schemas,
    parameters,
    request_body,
    responses,
    shared_responses,
)
from web.api.picture_routes import picture_api
from web.api.report_routes import report_api
from web.api.requests import Batch, Selection
from web.api.routes import api
from web.api.webhook_routes import webhook_api
from web.boards.symbol_images import pictures
from web.http import request_context
from web.results.rows import RatedRow, Row
from web.schemas.operation import ANY_OBJECT, Returned, as_json, operation, operation_of
from web.schemas.responses import Problem
from worker.settings import Settings

docs = Blueprint("docs", __name__, url_prefix="/api")

_INFO = {
    "title": "sudokuq",
    "version": "1",
    "description": "Upload puzzles, get a job immediately, and fetch the verified solutions when "
    "they are ready. Every response has a request id in the header X-Request-Id. If a limit on "
    "requests, jobs, or puzzles applies to you, it has the headers RateLimit-Policy and RateLimit. "
    "Errors are problem documents (RFC 9457), and /errors explains the cause and remedy of each "
    "type.",
    "license": {"name": "MIT", "identifier": "MIT"},
}
_TAGS = {
    "Jobs": "Upload puzzles, and follow, cancel, or delete the job that solves them.",
    "Results": "Download the results of a job.",
    "Puzzles": "Solve a single puzzle, or preview an upload without creating a job.",
    "Catalog": "Formats, rules, and techniques that the service supports.",
    "Service": "The state of the service, and this description.",
}
_SECURITY = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "An API key."},
    "key": {"type": "apiKey", "in": "header", "name": "X-API-Key", "description": "An API key."},
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": "The session of a browser that signed in with an API key.",
    },
}
# The schemas to which operations refer by name.
_SHARED_TYPES = (Problem, Row, RatedRow, Batch, Selection)


def describe(settings: Settings, *, url: str = "/") -> dict[str, Any]:
    """Return the OpenAPI document of a service with these settings at this URL.

    If the settings have no API keys, requests need none.
    """
    views = _views()
    options = option_schemas(settings)
    types = {each for *_, view in views for each in operation_of(view).types()}
    schemas = Schemas([*_SHARED_TYPES, *sorted(types, key=str)], options)
    paths: dict[str, dict[str, Any]] = {}
    for rule, method, endpoint, view in views:
        item = paths.setdefault(re.sub(_VARIABLE, r"{\1}", rule), {})
        item[method.lower()] = _described(rule, endpoint, view, schemas)
    # Without API keys, requests may also have none.
    security: list[dict[str, list[str]]] = [{name: []} for name in _SECURITY]
    return {
        "openapi": "3.1.0",
        "info": _INFO,
        "servers": [{"url": url, "description": "This service"}],
        "security": security if settings.api_keys else [{}, *security],
        "tags": [{"name": name, "description": text} for name, text in _TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": schemas.components,
            "parameters": option_parameters(options),
            "responses": shared_responses(),
            "securitySchemes": _SECURITY,
        },
    }


_VARIABLE = r"<(?:int:)?(\w+)>"


@cache
def _views() -> list[tuple[str, str, str, Callable[..., Any]]]:
    """Return the path, method, endpoint, and view of each operation."""
    app = Flask(__name__, static_folder=None)
    for blueprint in (api, picture_api, report_api, webhook_api, pictures, catalog, docs):
        app.register_blueprint(blueprint)
    return [
        (rule.rule, method, rule.endpoint, app.view_functions[rule.endpoint])
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/")
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"})
    ]


def _described(
    rule: str, endpoint: str, view: Callable[..., Any], schemas: Schemas
) -> dict[str, Any]:
    """Return the OpenAPI object of an operation. Its texts are in the docstring of the view."""
    described = operation_of(view)
    id_ = view.__name__
    summary, _, description = inspect.cleandoc(view.__doc__ or "").partition("\n\n")
    needs_key = endpoint not in OPEN_TO_ALL
    members = {
        "operationId": id_,
        "tags": [described.tag],
        "summary": summary,
        "description": description,
        "parameters": [*parameters(described, re.findall(_VARIABLE, rule))],
        **request_body(id_, described, schemas),
        "responses": responses(id_, described, schemas, needs_key=needs_key),
    }
    members = {name: member for name, member in members.items() if member}
    return members if needs_key else members | {"security": []}


@docs.get("/openapi.json")
@operation("Service", {200: as_json("The document.", ANY_OBJECT)})
def get_openapi_document() -> Response:
    """Get the OpenAPI document of this API."""
    settings = request_context.service().settings
    return Response(_encoded(settings, request.url_root), mimetype="application/json")


@lru_cache(maxsize=8)
def _encoded(settings: Settings, url: str) -> bytes:
    return msgspec.json.encode(describe(settings, url=url.rstrip("/")))


@docs.get("/docs")
@operation("Service", {200: Returned("The page.", {"text/html": str})})
def show_api_page() -> str:
    """Show this API as a page where you can try each request."""
    settings = request_context.service().settings
    return render_template(
        "docs.html",
        document=describe(settings),
        options=option_schemas(settings),
        first_requests=first_requests(url_for("api.create_job", _external=True)),
    )
