"""The Flask application: it registers all components and adds the common response headers."""

from flask import Flask, Response, request

from web.access import protect
from web.answers import Provider
from web.api import api
from web.audit import register_audit
from web.boards.symbol_images import pictures
from web.connections import drop_body
from web.cors import allow_origins
from web.errors import register_errors
from web.forwarded import ForwardedRequests
from web.health import health
from web.hosts import check_hosts
from web.openapi import docs
from web.owner import register_owner
from web.packing import pack_answers
from web.pages import pages
from web.problem_pages import problem_pages
from web.request_ids import register_request_ids
from web.tracing import trace_requests
from worker.service import Service, connect_service
from worker.settings import Settings

# Pages load nothing from other hosts and run no inline scripts. The referrer is sent within this
# site only. With a stricter policy, browsers would also hide the origin of form submissions.
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
}
_A_YEAR = "max-age=31536000"


def create_app(settings: Settings | None = None, *, service: Service | None = None) -> Flask:
    """Return the application. Settings that aren't given come from the environment."""
    app = Flask(__name__)
    app.json = Provider(app)
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
    for blueprint in (api, docs, health, pages, pictures, problem_pages):
        app.register_blueprint(blueprint)

    pack_answers(app)

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
