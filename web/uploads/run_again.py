"""Requests that solve selected records of another job again, without an upload."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec

from solver.board.closest import unknown
from solver.board.display import shown
from web.http import request_context
from web.http.errors import Problem
from web.results.query import ResultQuery, parse_result_query
from web.results.sort_orders import matching_arguments
from web.uploads.job_request import read_details
from worker.ingest.run_again import Selection, run_again
from worker.job import Job, JobOptions
from worker.job_details import is_detail
from worker.option_texts import READING_OPTIONS
from worker.options import OPTIONS, parse_options
from worker.rejection import Rejection, RejectionKind
from worker.service import Service
from worker.settings import Settings

FILTERS = (
    "outcome",
    "rating",
    "sudokuq_rating",
    "technique",
    "search",
    "duplicates",
    "finding",
    "numbers",
)
_LONGEST_ID = 100


class RunAgain:
    """A request to solve records of another job again, in a new job.

    `from_job` is the id of the other job, and `where` is the filter that selects its records.
    `fields` contains options of the new job that differ from those of the other job, and details
    such as its name. Like an `Upload`, it can be iterated, but has no content.
    """

    def __init__(
        self,
        from_job: str,
        where: Mapping[str, str],
        fields: Mapping[str, object],
    ) -> None:
        self._from_job = from_job
        self._where = dict(where)
        self._fields = fields

    def __iter__(self) -> Iterator[bytes]:
        return iter(())

    def digested(self) -> Callable[[], str]:
        """Compute the digest of the request, and return a function that returns it.

        `JobRequest` requires a function, because the digest of an upload is known only after
        reading it.
        """
        asked = (self._from_job, self._where, sorted(self._fields.items()))
        digest = hashlib.sha256(msgspec.json.encode(asked)).hexdigest()
        return lambda: digest

    def make_job(self, service: Service, *, client: str, service_url: str) -> str | Rejection:
        """Create the job, and return its id, or the reason why it is rejected.

        The request is rejected if the filter selects no result. `service_url` is the URL under
        which the client reaches the service. Raises Problem if the other job doesn't exist or
        hasn't ended, or if the filter is invalid.
        """
        source = find_source(self._from_job)
        result_query = parse_result_query(self._where, source)
        options = again_options(source, self._fields, service.settings)
        if isinstance(options, Rejection):
            return options
        read = read_details(
            self._fields, service.settings, name=source.name, service_url=service_url
        )
        if isinstance(read, Rejection):
            return read
        details, webhook = read
        selection = select(service, source, result_query, where=self._where)
        if selection.records == 0:
            detail = "no puzzle of the job has a result that matches the filter"
            return Rejection(RejectionKind.BAD_OPTION, detail, field="where")
        return run_again(
            service,
            source,
            selection,
            options=options,
            name=details.name,
            metadata=details.metadata,
            expires_in=details.expires_in,
            client=client,
            webhook=webhook,
        )


def find_source(job_id: str) -> Job:
    """Return the job with this id if it has ended. Raises Problem otherwise.

    The status is 404 if the job is unknown, and 409 if it hasn't ended.
    """
    job = None if len(job_id) > _LONGEST_ID else request_context.service().jobs.get(job_id)
    if job is None:
        detail = "'from_job' isn't the id of a job; perhaps the job has expired"
        raise Problem(404, detail, field="from_job", kind="job-not-found")
    if not job.state.final:
        detail = (
            f"the job in 'from_job' is {job.state}; wait until it has ended, or cancel it, before "
            "its puzzles run again"
        )
        raise Problem(409, detail, field="from_job", retry_after=1, kind="job-not-finished")
    return job


def select(
    service: Service, source: Job, result_query: ResultQuery, *, where: Mapping[str, str]
) -> Selection:
    """Return the records of a job that have a result and pass the filter of a query.

    `where` is the same filter as it was written in the request.
    """
    passing = result_query.wanted
    chunks: Iterable[int] = range(source.chunks)
    indexed = matching_arguments(source, passing)
    if indexed is not None:
        chunks = (chunk for chunk, _ in service.results.matching_chunks(source.id, **indexed))
    return Selection(
        where=where,
        records=result_query.selected(source),
        chunks=chunks,
        places_in=passing.places_in,
    )


def again_options(
    source: Job, fields: Mapping[str, object], settings: Settings
) -> JobOptions | Rejection:
    """Return the options of a job that solves records of `source` again, or a rejection.

    They are the options of `source` except for those in `fields`. If `fields` contain an option
    that determines how the upload is read, its value must be the same, or the format in which it
    was read.
    """
    known: dict[str, Any] = msgspec.structs.asdict(source.options)
    given = {name: value for name, value in fields.items() if not is_detail(name)}
    for name in READING_OPTIONS:
        value = OPTIONS[name].read(given.pop(name, None), settings)
        if value is not None and value not in (known[name], source.format):
            detail = (
                f"{name!r} can't differ from the other job, because it determines how the upload "
                "was read; upload the puzzles again"
            )
            return Rejection(RejectionKind.BAD_OPTION, detail, field=name)
    given = {name: value for name, value in given.items() if value not in (None, "")}
    return parse_options(known | given, settings=settings)


def read_where(value: object) -> dict[str, str] | Rejection:
    """Return the filter in the member `where` of a JSON body, or a rejection if it is invalid.

    Lists of values are joined with commas, and empty values are left out.
    """
    if value is None:
        return {}
    if not isinstance(value, dict):
        return _bad(f"'where' must be an object, not {shown(value)}", "where")
    where = {}
    for name, member in value.items():
        if name not in FILTERS:
            return _bad(unknown("filter", name, FILTERS), name)
        items = member if isinstance(member, list) else [member]
        if not all(isinstance(item, str) for item in items):
            return _bad(f"{name!r} must be a string, not {shown(member)}", name)
        if text := ",".join(items):
            where[name] = text
    return where


def _bad(detail: str, field: str) -> Rejection:
    return Rejection(RejectionKind.BAD_OPTION, detail, field=field)
