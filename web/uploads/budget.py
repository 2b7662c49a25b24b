"""The budget of CPU time for reading the current request."""

from web.http.connection import client_disconnected
from worker.ingest.upload_budget import UploadBudget
from worker.settings import Settings


def start_budget(settings: Settings) -> UploadBudget:
    """Return the budget of the current request, which measures CPU time from now on."""
    return UploadBudget(seconds=settings.upload_seconds, is_disconnected=client_disconnected)
