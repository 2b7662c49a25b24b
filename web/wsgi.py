"""The application as a web server loads it."""

from web import create_app

app = create_app()
