"""The interface of requests that create jobs, and the details of such jobs."""

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from web.uploads.webhook_fields import read_webhook
from worker.job_details import JobDetails, parse_details
from worker.rejection import Rejection
from worker.service import Service
from worker.settings import Settings
from worker.store.webhooks import NewWebhook


class JobRequest(Protocol):
    """A parsed request that creates a job. Iterating over it reads the uploaded puzzles, if any."""

    def __iter__(self) -> Iterator[bytes]: ...

    def digested(self) -> Callable[[], str]:
        """Return a function that returns the digest of the request. Equal requests have the same.

        Call the function after all puzzles have been read, because they are a part of the request.
        """
        ...

    def make_job(self, service: Service, *, client: str, service_url: str) -> str | Rejection:
        """Create the job, and return its id, or a rejection with the reason.

        `service_url` is the URL under which the client reaches the service.
        """
        ...


def read_details(
    fields: Mapping[str, object], settings: Settings, *, name: str, service_url: str
) -> tuple[JobDetails, NewWebhook | None] | Rejection:
    """Return the details of a job and its webhook, or a rejection if one of them is invalid.

    The webhook is None if the fields request none. `name` is the job's name if the fields don't
    contain one. `service_url` is the URL under which the client reaches the service.
    """
    details = parse_details(fields, name=name, settings=settings)
    if isinstance(details, Rejection):
        return details
    webhook = read_webhook(fields, settings, service_url=service_url)
    return webhook if isinstance(webhook, Rejection) else (details, webhook)
