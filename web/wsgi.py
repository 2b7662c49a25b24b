"""The application object for WSGI servers."""

from web.app import create_app
from worker.logs import start_logging
from worker.process_setup import keep_freed_memory
from worker.settings import Settings

keep_freed_memory()
settings = Settings.from_environment()
start_logging(settings.log_format)
app = create_app(settings)
