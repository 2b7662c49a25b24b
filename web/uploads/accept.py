"""Creates jobs from requests, and reads requests for one puzzle or for a preview of an upload.

The puzzles of a job are streamed from a multipart form or a raw body. All other puzzles are read
into memory.
"""

import re
import threading
import time
from collections import deque
from collections.abc import Iterator
from itertools import chain
from typing import Protocol
from urllib.parse import parse_qsl

from flask import Request
from redis.exceptions import RedisError

from web.http.connection import stopping
from web.uploads.body import join_pieces, stream_body
from web.uploads.budget import start_budget
from web.uploads.fields import check_fields, joined
from web.uploads.forms import HELD_BACK, MIB, Form
from web.uploads.job_request import JobRequest
from web.uploads.json_body import read_job, read_puzzle
from web.uploads.progress_body import watch_body
from web.uploads.run_again import RunAgain
from web.uploads.upload import Upload
from worker.ingest.encoding import to_utf8
from worker.ingest.upload_budget import UploadBudget
from worker.rejection import Rejected, Rejection, RejectionKind
from worker.service import Service
from worker.settings import Settings
from worker.store.idempotency import KeyClaim

_MAX_JSON_BYTES = 64 * MIB  # such a body is held in memory and checked as a whole
_JSON_TOO_LARGE = (
    f"a JSON body may have at most {_MAX_JSON_BYTES:,} bytes ({_MAX_JSON_BYTES // MIB} MiB), "
    "uncompressed; send the puzzles as NDJSON (application/x-ndjson) or as a file in a multipart "
    "form, which are streamed"
)
_MAX_PUZZLE_BYTES = 1 << 20
_PIECE = 1 << 17
# Such a body is decoded as a whole, and takes many times its length in memory.
_MAX_URLENCODED_BYTES = 8 * MIB
_MAX_KEY_LENGTH = 255
# The beginning of a URL-encoded form: the name of its first field.
_FIRST_FIELD = re.compile(rb"(?:[a-z_]+|metadata(?:\[|%5[Bb])[^&=\s]+)=")
_GIVE_UP_AGAIN_SECONDS = 0.5
_RENEWALS = 10  # of a claimed Idempotency-Key within its lifetime, as long as the upload continues
# The parts of a form around its file don't count toward the upload limit.
_MAX_FIELDS_BYTES = 8 * MIB
_RAW_TYPES = ("text/", "application/x-ndjson", "application/octet-stream", "application/gzip",
              "application/x-gzip", "application/zstd", "application/zip",
              "application/x-zip-compressed")  # fmt: skip


class Read(Protocol):
    """A function that parses a request which creates a job."""

    def __call__(
        self, request: Request, settings: Settings, *, name: str
    ) -> JobRequest | Rejection:
        """Return the parsed request, or a rejection with the reason.

        `name` is the job's name if the request doesn't contain one.
        """
        ...


def accept(
    request: Request,
    service: Service,
    *,
    client: str,
    name: str = "",
    read: Read | None = None,
) -> str | Rejection:
    """Create a job from a request's body, and return its id, or a rejection of the request.

    `name` is the job's name if the request doesn't contain one. `read` parses the request. It is
    `read_upload` by default. A repeated request with the same Idempotency-Key returns the id of the
    first request's job. It gets a rejection if its upload differs, or if the first request is still
    in progress. A key that is empty or longer than `_MAX_KEY_LENGTH` gets one, too.
    """
    key = request.headers.get("Idempotency-Key")
    read = read or read_upload
    if key is None:
        upload = read(request, service.settings, name=name)
        return make_job(upload, service, client=client, service_url=service_url(request))
    if not 0 < len(key) <= _MAX_KEY_LENGTH:
        detail = f"the header Idempotency-Key has {len(key):,} characters; it may have 1 to"
        return Rejection(RejectionKind.BAD_REQUEST, f"{detail} {_MAX_KEY_LENGTH}")
    claim = service.idempotency_keys.claim(key, client=client)
    if claim.mine:
        return _fulfil(key, claim, request, service, client=client, name=name, read=read)
    if claim.job_id is None:
        detail = "the first request with this Idempotency-Key is still in progress"
        return Rejection(RejectionKind.IN_PROGRESS, detail)
    upload = read(request, service.settings, name=name)
    if isinstance(upload, Rejection):
        return upload
    digest = upload.digested()
    try:
        deque(upload, maxlen=0)
    except Rejected as rejected:
        return rejected.rejection
    if claim.digest != digest():
        detail = "this Idempotency-Key was used for another upload; use a new one"
        return Rejection(RejectionKind.BAD_OPTION, detail)
    return claim.job_id


def _fulfil(
    key: str,
    claim: KeyClaim,
    request: Request,
    service: Service,
    *,
    client: str,
    name: str,
    read: Read,
) -> str | Rejection:
    """Create the job of a request that has claimed its Idempotency-Key, and store the job's id.

    The claim is renewed while the upload continues. On failure, the key is released. If the key
    expires in spite of that, because the upload pauses, the job is deleted, and a rejection is
    returned. Returns the id, or a rejection. `name` is the job's name if the request doesn't
    contain one. `read` parses the request.
    """
    renewed = time.monotonic()

    def renew(piece: bytes) -> None:
        nonlocal renewed
        del piece
        if time.monotonic() - renewed > service.settings.upload_patience / _RENEWALS:
            service.idempotency_keys.renew(key, claim, client=client)
            renewed = time.monotonic()

    watch_body(request, renew)
    job_id: str | Rejection | None = None
    fulfilled = False
    try:
        upload = read(request, service.settings, name=name)
        if isinstance(upload, Rejection):
            return upload
        digest = upload.digested()
        job_id = make_job(upload, service, client=client, service_url=service_url(request))
        if isinstance(job_id, str):
            fulfilled = service.idempotency_keys.fulfill(
                key, claim, client=client, job_id=job_id, digest=digest()
            )
            if not fulfilled:
                detail = (
                    "the upload paused for too long, so its Idempotency-Key expired; send it again"
                )
                return Rejection(RejectionKind.IN_PROGRESS, detail)
    finally:
        if not fulfilled:
            _give_up(key, claim, service, client=client, job_id=job_id)
    return job_id


def _give_up(
    key: str, claim: KeyClaim, service: Service, *, client: str, job_id: str | Rejection | None
) -> None:
    """Release a claimed Idempotency-Key, and delete the request's job if `job_id` is a job's id.

    If Redis is unavailable, a new thread repeats the attempt until it succeeds, the key has
    expired, or the server stops.
    """

    def is_forgotten() -> bool:
        try:
            if isinstance(job_id, str):
                service.jobs.delete(job_id)
            service.idempotency_keys.release(key, claim, client=client)
        except RedisError:
            return False
        return True

    def keep_trying() -> None:
        ends = time.monotonic() + service.settings.upload_patience  # the key has expired by then
        while time.monotonic() < ends and not stopping.wait(_GIVE_UP_AGAIN_SECONDS):
            if is_forgotten():
                return

    if not is_forgotten():
        threading.Thread(target=keep_trying, daemon=True).start()


def service_url(request: Request) -> str:
    """Return the URL under which the client of a request reaches the service."""
    return request.url_root.removesuffix("/")


def make_job(
    job_request: JobRequest | Rejection, service: Service, *, client: str, service_url: str
) -> str | Rejection:
    """Create the job of a parsed request, and return its id, or a rejection with the reason.

    If `job_request` is a rejection itself, it is returned. `service_url` is the URL under which the
    client reaches the service. A request to run puzzles again can also raise Problem.
    """
    if isinstance(job_request, Rejection):
        return job_request
    return job_request.make_job(service, client=client, service_url=service_url)


def read_upload(
    request: Request, settings: Settings, *, name: str
) -> Upload | RunAgain | Rejection:
    """Parse a request that creates a job, and return the upload or a rejection.

    JSON bodies and URL-encoded forms are read as a whole. Of a multipart form, all fields and up to
    8 MiB of the file are read. All other puzzles are read only when the upload is iterated. `name`
    is the job's name if the request doesn't contain one.
    """
    budget = start_budget(settings)
    arguments = _arguments(request)
    max_bytes = settings.max_upload_bytes + _MAX_FIELDS_BYTES
    if request.mimetype == "application/json":
        too_large = _JSON_TOO_LARGE if max_bytes > _MAX_JSON_BYTES else ""
        max_bytes = min(max_bytes, _MAX_JSON_BYTES)
        body = join_pieces(
            stream_body(request, max_bytes=max_bytes, budget=budget, too_large=too_large)
        )
        if isinstance(body, Rejection):
            return body
        return read_job(body, name, arguments, budget=budget)
    pieces = stream_body(request, max_bytes=max_bytes, budget=budget)
    if isinstance(pieces, Rejection):
        return pieces
    return _read_other(request, pieces, name, arguments, budget=budget)


def _arguments(request: Request, *, without: str = "") -> dict[str, object]:
    """Return the query parameters of a request by name, without the one named `without`.

    The values of repeated parameters are joined with commas.
    """
    fields = joined(request.args.items(multi=True))
    return {field: value for field, value in fields.items() if field != without}


def _read_other(
    request: Request,
    body: Iterator[bytes],
    name: str,
    arguments: dict[str, object],
    *,
    budget: UploadBudget,
) -> Upload | Rejection:
    """Parse an upload that is a form or raw puzzles, according to its media type.

    `body` is the request's body, decompressed. `arguments` contains the query parameters. `name` is
    the job's name if the request doesn't contain one. Returns a rejection for other media types and
    malformed forms.
    """
    kind = request.mimetype
    try:
        if kind == "multipart/form-data":
            form = Form(body, boundary=request.mimetype_params.get("boundary", ""))
            return _from_form(form, name, arguments, budget=budget)
        if kind == "application/x-www-form-urlencoded":
            return _from_urlencoded(body, name, arguments, budget=budget)
    except Rejected as rejected:
        return rejected.rejection
    if not kind or kind.startswith(_RAW_TYPES):
        return Upload(arguments, name, body, budget=budget)
    detail = f"{kind} isn't supported; send text, a form, JSON, or NDJSON"
    return Rejection(RejectionKind.UNKNOWN_TYPE, detail)


def read_single(request: Request, settings: Settings, *, name: str) -> Upload | Rejection:
    """Parse a request that contains a single puzzle, and return an upload of it or a rejection.

    A body of more than 1 MiB is rejected. `name` is the job's name if the request doesn't contain
    one. The query parameter `wait` isn't an option of the job.
    """
    arguments = _arguments(request, without="wait")
    budget = start_budget(settings)
    body = join_pieces(stream_body(request, max_bytes=_MAX_PUZZLE_BYTES, budget=budget))
    if isinstance(body, Rejection):
        return body
    if request.mimetype == "application/json":
        return read_puzzle(body, name, arguments, budget=budget)
    return _read_other(request, iter((body,)), name, arguments, budget=budget)


def read_beginning(request: Request, settings: Settings) -> Upload | Rejection:
    """Parse a request whose body is the beginning of an upload, and return it or a rejection.

    More than 1 MiB is rejected. The query parameter `cut` isn't an option of the upload.
    """
    arguments = _arguments(request, without="cut")
    budget = start_budget(settings)
    body = join_pieces(stream_body(request, max_bytes=MIB, budget=budget))
    if isinstance(body, Rejection):
        return body
    return Upload(arguments, "", (body,), budget=budget)


def _from_form(
    form: Form, name: str, arguments: dict[str, object], *, budget: UploadBudget
) -> Upload:
    """Return the upload in a multipart form: its file, or the text that is pasted into it.

    Reads all fields and up to 8 MiB of the file. Raises Rejected if the form is malformed, or has a
    field such as `puzzle` instead of `text`. `arguments` contains the query parameters, and `name`
    is the job's name if neither the file nor a field has one.
    """
    content = iter(form)
    ahead: list[bytes] = []
    size = 0
    for piece in content:
        ahead.append(piece)
        size += len(piece)
        if size > HELD_BACK:
            break
    form.fields_complete = True
    check_fields(form.fields)
    pieces = to_utf8(chain(ahead, content), charset=form.charset) if size else _cut(form.text)
    return Upload(arguments | form.fields, form.file_name or name, pieces, budget=budget)


def _cut(text: bytearray) -> Iterator[bytes]:
    for start in range(0, len(text), _PIECE):
        yield bytes(text[start : start + _PIECE])


def _from_urlencoded(
    body: Iterator[bytes], name: str, arguments: dict[str, object], *, budget: UploadBudget
) -> Upload | Rejection:
    """Parse the body of a request that is labeled as a URL-encoded form.

    By default, curl labels every body like that, so a body that doesn't look like a form is treated
    as raw puzzles. Returns a rejection if the form is too long or can't be read, and raises
    Rejected if it has a field such as `puzzle` instead of `text`. `arguments` contains the query
    parameters, and `name` is the job's name if the form has none.
    """
    first = next(body, b"")
    if not _FIRST_FIELD.match(first):
        return Upload(arguments, name, chain((first,), body), budget=budget)
    body = budget.limit(chain((first,), body), max_bytes=_MAX_URLENCODED_BYTES)
    whole = join_pieces(body)
    if isinstance(whole, Rejection):
        return whole
    fields = joined(parse_qsl(whole.decode("utf-8", "replace"), keep_blank_values=True))
    check_fields(fields)
    text = fields.pop("text", "")
    return Upload(arguments | fields, name, (text.encode(),), budget=budget)
