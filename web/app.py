"""The Flask application: it registers all components and adds the common response headers."""

from flask import Flask, Response, request

from solver import __version__
from web.access.audit import register_audit
from web.access.authentication import protect
from web.access.cors import allow_origins
from web.access.forwarded import ForwardedRequests
from web.access.hosts import check_hosts
from web.access.job_owner import register_owner
from web.access.quotas import register_quotas
from web.api.catalog import catalog
from web.api.health import health
from web.api.openapi import docs
from web.api.picture_routes import picture_api
from web.api.report_routes import report_api
from web.api.routes import api
from web.api.webhook_routes import webhook_api
from web.boards.symbol_images import pictures
from web.http.compression import compress_responses
from web.http.connection import drop_body
from web.http.errors import register_errors
from web.http.request_ids import register_request_ids
from web.http.tracing import trace_requests
from web.pages import pages
from web.pages.documentation import documentation
from web.pages.problem_pages import problem_pages
from web.schemas.responses import Provider
from worker.service import Service, connect_service
from worker.settings import Settings

# Pages load nothing from other hosts and run no inline scripts. The referrer is sent within this
# site only. With a stricter policy, browsers would also hide the origin of form submissions.
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "font-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
}
_A_YEAR = "max-age=31536000"


def create_app(settings: Settings | None = None, *, service: Service | None = None) -> Flask:
    """Return the Flask application.

    By default, `settings` come from the environment, and `service` is created from them. Raises
    BadSetting if they are invalid.
    """
    app = Flask(__name__)
    app.json = Provider(app)
    app.jinja_env.globals["version"] = __version__
    # Also serve URLs with a trailing slash: a redirect would make clients send uploads twice.
    app.url_map.strict_slashes = False
    if service is None:
        service = connect_service(settings or Settings.from_environment())
    app.extensions["sudokuq"] = service
    networks = service.settings.proxy_networks()
    app.wsgi_app = ForwardedRequests(app.wsgi_app, trusted=networks)  # type: ignore[method-assign]
    register_request_ids(app)
    trace_requests(app)
    register_audit(app)
    register_errors(app)
    check_hosts(app)
    allow_origins(app)
    protect(app)
    register_owner(app)
    register_quotas(app)
    for blueprint in (
        api, picture_api, report_api, webhook_api, catalog, docs, documentation, health, pages,
        pictures, problem_pages,
    ):  # fmt: skip
        app.register_blueprint(blueprint)

    compress_responses(app)

    @app.after_request
    def add_headers(response: Response) -> Response:
        drop_body()
        response.headers.update(_HEADERS)
        # A job's URL is a secret, so shared caches must not store its contents.
        response.headers.setdefault("Cache-Control", "private, no-cache")
        if request.is_secure:
            response.headers["Strict-Transport-Security"] = _A_YEAR
        return response

    return app
