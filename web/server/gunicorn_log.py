"""Write gunicorn's log in the format of all other logs."""

from gunicorn.config import Config
from gunicorn.glogging import Logger as GunicornLogger

from worker.logs import formatter
from worker.settings import Settings


class Logger(GunicornLogger):  # type: ignore[misc]
    """Logger for gunicorn's own messages, as text or JSON according to SUDOKUQ_LOG_FORMAT."""

    def setup(self, cfg: Config) -> None:
        """Set up the log with gunicorn's configuration, and the format in SUDOKUQ_LOG_FORMAT."""
        super().setup(cfg)
        lines = formatter(Settings.from_environment().log_format)
        for handler in self.error_log.handlers:
            handler.setFormatter(lines)
