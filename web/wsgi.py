"""The application as a web server loads it."""

from web.app import create_app

app = create_app()
