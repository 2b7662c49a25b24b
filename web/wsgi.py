"""The application as a web server loads it."""

from web.app import create_app
from worker.logs import start_logging
from worker.settings import Settings

settings = Settings.from_environment()
start_logging(settings.log_format)
app = create_app(settings)
