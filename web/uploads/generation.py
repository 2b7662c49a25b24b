"""Requests that create a job whose puzzles are generated."""

import hashlib
from collections.abc import Callable, Iterator, Mapping

import msgspec
from flask import Request

from solver.board.display import shown
from solver.generation.request import FIELDS, InvalidRequest, read_request
from web.uploads.body import join_pieces, stream_body
from web.uploads.budget import start_budget
from web.uploads.generation_name import generation_name
from web.uploads.job_request import read_details
from worker.ingest.generate import generate
from worker.job_details import DETAILS, is_detail
from worker.option_texts import READING_OPTIONS
from worker.options import OPTIONS, parse_options
from worker.rejection import Rejection, RejectionKind
from worker.service import Service
from worker.settings import Settings

_MAX_BYTES = 1 << 20
_JOB_OPTIONS = {*OPTIONS, *DETAILS}.difference(FIELDS, READING_OPTIONS)


class Generation:
    """A request for a job that generates puzzles.

    `request` has the fields of the generation request. `fields` contains options of the job, and
    details such as its name. Like an `Upload`, it can be iterated, but has no content.
    """

    def __init__(
        self,
        request: Mapping[str, object],
        fields: Mapping[str, object],
    ) -> None:
        self._request = request
        self._fields = fields

    def __iter__(self) -> Iterator[bytes]:
        return iter(())

    def digested(self) -> Callable[[], str]:
        """Compute the digest of the request, and return a function that returns it.

        `JobRequest` requires a function, because the digest of an upload is known only after
        reading it.
        """
        content = (sorted(self._request.items()), sorted(self._fields.items()))
        digest = hashlib.sha256(msgspec.json.encode(content)).hexdigest()
        return lambda: digest

    def make_job(self, service: Service, *, client: str, service_url: str) -> str | Rejection:
        """Create the job, and return its id, or the reason why it is rejected.

        `service_url` is the URL under which the client reaches the service. By default, the job's
        name describes the puzzles. Options about reading an upload are rejected.
        """
        request = read_request(self._request)
        if isinstance(request, InvalidRequest):
            return _bad(request.detail, request.field)
        given = {name: value for name, value in self._fields.items() if not is_detail(name)}
        for name in READING_OPTIONS:
            if given.get(name) not in (None, ""):
                detail = f"{name!r} isn't an option here; describe the board in the request itself"
                return _bad(detail, name)
        options = parse_options(given, settings=service.settings)
        if isinstance(options, Rejection):
            return options
        read = read_details(
            self._fields,
            service.settings,
            name=generation_name(request),
            service_url=service_url,
        )
        if isinstance(read, Rejection):
            return read
        details, webhook = read
        return generate(
            service,
            request,
            msgspec.json.encode(self._request).decode(),
            options=options,
            name=details.name,
            metadata=details.metadata,
            expires_in=details.expires_in,
            client=client,
            webhook=webhook,
        )


def read_generation(request: Request, settings: Settings, *, name: str) -> Generation | Rejection:
    """Parse a request for a job that generates puzzles. A body of more than 1 MiB is rejected.

    The body is a JSON object with the fields of a generation request, and perhaps `options` and
    `name`, as in a request that uploads puzzles. They can also be in the query. `name` is the job's
    name by default.
    """
    pieces = stream_body(request, max_bytes=_MAX_BYTES, budget=start_budget(settings))
    body = join_pieces(pieces)
    if isinstance(body, Rejection):
        return body
    try:
        value = msgspec.json.decode(body or b"{}")
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        return Rejection(RejectionKind.UNREADABLE, f"malformed JSON: {error}")
    if not isinstance(value, dict):
        detail = 'the body must be a JSON object such as {"count": 10, "rating": "6.5..7.5"}'
        return Rejection(RejectionKind.BAD_OPTION, detail)
    options = value.pop("options", {})
    if not isinstance(options, dict):
        return _bad(f"'options' must be an object, not {shown(options)}", "options")
    title = {"name": value.pop("name", request.args.get("name", name))}
    misplaced = next((key for key in value if key in _JOB_OPTIONS), None)
    if misplaced is not None:
        return _bad(f"'{misplaced}' is an option of the job, so put it into 'options'", misplaced)
    return Generation(value, {**request.args, **title, **options})


def _bad(detail: str, field: str) -> Rejection:
    return Rejection(RejectionKind.BAD_OPTION, detail, field=field)
