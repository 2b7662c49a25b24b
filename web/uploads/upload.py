"""A parsed upload request, independent of the format of its body."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from web.uploads.job_request import read_details
from worker.ingest.ingest import ingest
from worker.ingest.upload_budget import UploadBudget
from worker.job import JobOptions
from worker.job_details import is_detail
from worker.options import parse_options
from worker.rejection import Rejection
from worker.service import Service
from worker.settings import Settings


class Upload:
    """A parsed upload: its option fields, and an iterator over the bytes of its puzzles.

    `fields` contains the options and perhaps the job's name. Otherwise, the job's name is `name`.
    Iterating may raise Rejected. All processing of the bytes counts toward the budget of the
    request.
    """

    def __init__(
        self,
        fields: Mapping[str, object],
        name: str,
        pieces: Iterable[bytes],
        *,
        budget: UploadBudget,
    ) -> None:
        self.budget = budget
        self._name = name
        self._fields = fields
        self._pieces = pieces

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._pieces)

    def options(self, settings: Settings) -> JobOptions | Rejection:
        """Return the options of the job to create, or a rejection if a field is invalid."""
        fields = {field: value for field, value in self._fields.items() if not is_detail(field)}
        return parse_options(fields, settings=settings)

    def make_job(self, service: Service, *, client: str, service_url: str) -> str | Rejection:
        """Create the job, and return its id, or the reason why it is rejected.

        `service_url` is the URL under which the client reaches the service.
        """
        options = self.options(service.settings)
        if isinstance(options, Rejection):
            return options
        read = read_details(
            self._fields, service.settings, name=self._name, service_url=service_url
        )
        if isinstance(read, Rejection):
            return read
        details, webhook = read
        return ingest(
            service,
            self,
            options=options,
            name=details.name,
            metadata=details.metadata,
            expires_in=details.expires_in,
            client=client,
            budget=self.budget,
            webhook=webhook,
        )

    def digested(self) -> Callable[[], str]:
        """Return a function that returns the digest of the fields and of the puzzles.

        From now on, iterating also hashes the puzzles, so call the function after everything has
        been read. A digest of the body would differ each time a form is sent, because its boundary
        differs.
        """
        puzzles = hashlib.sha256()
        self._pieces = _into(puzzles, self._pieces)
        asked = msgspec.json.encode(sorted(self._fields.items()))
        return lambda: hashlib.sha256(asked + puzzles.digest()).hexdigest()


def _into(digest: "hashlib._Hash", pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield pieces of an upload unchanged, and add each of them to a digest."""
    for piece in pieces:
        digest.update(piece)
        yield piece
