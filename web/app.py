"""The Flask application: its parts, and what every answer carries."""

from flask import Flask, Response

from web.access import protect
from web.answers import Provider
from web.api import api
from web.boards.symbol_images import pictures
from web.errors import register_errors
from web.health import health
from web.openapi import docs
from web.pages import pages
from worker.service import Service, connect_service
from worker.settings import Settings

# Pages load nothing from other hosts and run no inline script. The referrer stays on this
# site; without any, browsers would not say either where a form comes from.
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}


def create_app(settings: Settings | None = None, *, service: Service | None = None) -> Flask:
    """Return the application; the settings come from the environment unless they are given."""
    app = Flask(__name__)
    app.json = Provider(app)
    if service is None:
        service = connect_service(settings or Settings.from_environment())
    app.extensions["sudokuq"] = service
    register_errors(app)
    protect(app)
    for blueprint in (api, docs, health, pages, pictures):
        app.register_blueprint(blueprint)

    @app.after_request
    def add_headers(response: Response) -> Response:
        response.headers.extend(_HEADERS)
        return response

    return app
