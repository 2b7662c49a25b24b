"""A client of a running service whose jobs notify a receiver."""

from typing import Any

import httpx
from jobs import GOOD
from receiver import SECRET, Receiver
from services import wait_until

# The settings of a service that may send webhooks to this machine.
ALLOWED: dict[str, Any] = {
    "SUDOKUQ_WEBHOOK_HOSTS": "127.0.0.1:*",
    "SUDOKUQ_WEBHOOK_NETWORKS": "127.0.0.1",
}


class NotifyingService:
    """The API of the service at `url`. The webhook of each job is `receiver`."""

    def __init__(self, url: str, receiver: Receiver) -> None:
        self.url = url
        self._receiver = receiver

    def url_of(self, job: Any) -> str:
        return f"{self.url}/api/v1/jobs/{job['id']}"

    def submit(self, text: str = GOOD) -> Any:
        options = {"webhook": self._receiver.url, "webhook_secret": SECRET}
        body = {"puzzles": text.split(), "options": options}
        answer = httpx.post(f"{self.url}/api/v1/jobs", json=body, timeout=60)
        return answer.raise_for_status().json()

    def post(self, job: Any, action: str) -> Any:
        return httpx.post(f"{self.url_of(job)}/{action}", timeout=60).raise_for_status().json()

    def webhook(self, job: Any) -> Any:
        return httpx.get(self.url_of(job), timeout=60).raise_for_status().json()["webhook"]

    def await_webhook(self, job: Any, *, state: str) -> Any:
        """Wait until the webhook of a job has this state, for up to 90 s, and return it."""
        wait_until(lambda: self.webhook(job)["state"] == state)
        return self.webhook(job)
