"""The Flask application: its parts, and what every answer carries."""

from flask import Flask, Response

from web.answers import Provider
from web.api import api
from web.boards.symbol_images import pictures
from web.errors import register_errors
from web.health import health
from web.openapi import docs
from web.pages import pages
from worker.service import Service, connect_service
from worker.settings import Settings

# Pages load nothing from other hosts and run no inline script. No cookies are set, so a form
# on another site can do nothing in a visitor's name: it can upload puzzles, as anybody can.
_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def create_app(settings: Settings | None = None, *, service: Service | None = None) -> Flask:
    """Return the application; the settings come from the environment unless they are given."""
    app = Flask(__name__)
    app.json = Provider(app)
    if service is None:
        service = connect_service(settings or Settings.from_environment())
    app.extensions["sudokuq"] = service
    register_errors(app)
    for blueprint in (api, docs, health, pages, pictures):
        app.register_blueprint(blueprint)

    @app.after_request
    def add_headers(response: Response) -> Response:
        response.headers.extend(_HEADERS)
        return response

    return app
