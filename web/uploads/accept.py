"""Create jobs from requests. Forms and raw bodies are streamed."""

import re
import threading
import time
from collections import deque
from collections.abc import Iterator
from itertools import chain
from urllib.parse import parse_qsl

from flask import Request
from redis.exceptions import RedisError

from web.connections import client_is_gone, stopping
from web.uploads.body import read_body, read_whole
from web.uploads.fields import joined
from web.uploads.forms import HELD_BACK, MIB, Form
from web.uploads.json_body import read_puzzle, read_puzzles
from web.uploads.upload import Upload
from web.uploads.watched import watch_body
from worker.intake.effort import Effort
from worker.intake.encoding import to_utf8
from worker.intake.intake import take_in
from worker.refused import Refusal, RefusalKind, Refused
from worker.service import Service
from worker.settings import Settings
from worker.store.jobs import KeyClaim

_MOST_JSON_BYTES = 64 * MIB  # such a body is held in memory and checked as a whole
_JSON_TOO_LARGE = (
    f"a JSON body may have at most {_MOST_JSON_BYTES:,} bytes ({_MOST_JSON_BYTES // MIB} MiB), "
    "uncompressed; send the puzzles as NDJSON (application/x-ndjson) or as a file in a multipart "
    "form, which are streamed"
)
_MOST_PUZZLE_BYTES = 1 << 20
_PIECE = 1 << 17
# Such a body is decoded as a whole, and takes many times its length in memory.
_MOST_URLENCODED_BYTES = 8 * MIB
_LONGEST_KEY = 255
_GIVE_UP_AGAIN_SECONDS = 0.5
_RENEWALS = 10  # of a claimed Idempotency-Key within its lifetime, as long as the upload continues
# The parts of a form around its file don't count toward the upload limit.
_ROOM_FOR_FIELDS = 8 * MIB
_RAW_TYPES = ("text/", "application/x-ndjson", "application/octet-stream", "application/gzip",
              "application/x-gzip", "application/zstd", "application/zip",
              "application/x-zip-compressed")  # fmt: skip


def accept(request: Request, service: Service, *, client: str, name: str = "") -> str | Refused:
    """Create a job from a request's body, and return its id.

    A repeated request with the same Idempotency-Key returns the job of the first one.
    """
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return make_job(read_upload(request, service.settings, name=name), service, client=client)
    if not 0 < len(key) <= _LONGEST_KEY:
        detail = f"the header Idempotency-Key has {len(key):,} characters; it may have 1 to"
        return Refused(RefusalKind.BAD_REQUEST, f"{detail} {_LONGEST_KEY}")
    claim = service.store.claim_key(key, client=client)
    if claim.mine:
        return _fulfil(key, claim, request, service, client=client, name=name)
    if claim.job_id is None:
        detail = "the first request with this Idempotency-Key is still in progress"
        return Refused(RefusalKind.IN_PROGRESS, detail)
    upload = read_upload(request, service.settings, name=name)
    if isinstance(upload, Refused):
        return upload
    digest = upload.digested()
    try:
        deque(upload, maxlen=0)
    except Refusal as refusal:
        return refusal.refused
    if claim.digest != digest():
        detail = "this Idempotency-Key was used for another upload"
        return Refused(RefusalKind.BAD_OPTION, detail)
    return claim.job_id


def _fulfil(
    key: str, claim: KeyClaim, request: Request, service: Service, *, client: str, name: str
) -> str | Refused:
    """Create the job of a request whose Idempotency-Key is claimed. Release the key on failure."""
    store = service.store
    renewed = time.monotonic()

    def renew(piece: bytes) -> None:
        nonlocal renewed
        del piece
        if time.monotonic() - renewed > service.settings.upload_patience / _RENEWALS:
            store.renew_key(key, claim, client=client)
            renewed = time.monotonic()

    watch_body(request, renew)
    job_id: str | Refused | None = None
    fulfilled = False
    try:
        upload = read_upload(request, service.settings, name=name)
        if isinstance(upload, Refused):
            return upload
        digest = upload.digested()
        job_id = make_job(upload, service, client=client)
        if isinstance(job_id, str):
            fulfilled = store.fulfil_key(key, claim, client=client, job_id=job_id, digest=digest())
            if not fulfilled:
                detail = "the upload was silent for so long that its Idempotency-Key was given up"
                return Refused(RefusalKind.IN_PROGRESS, detail)
    finally:
        if not fulfilled:
            _give_up(key, claim, service, client=client, job_id=job_id)
    return job_id


def _give_up(
    key: str, claim: KeyClaim, service: Service, *, client: str, job_id: str | Refused | None
) -> None:
    """Release a claimed key and delete its job, immediately or as soon as Redis is available."""

    def is_forgotten() -> bool:
        try:
            if isinstance(job_id, str):
                service.store.delete(job_id)
            service.store.release_key(key, claim, client=client)
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


def make_job(upload: Upload | Refused, service: Service, *, client: str) -> str | Refused:
    """Create the requested job, and return its id."""
    if isinstance(upload, Refused):
        return upload
    options = upload.options(service.settings)
    if isinstance(options, Refused):
        return options
    return take_in(
        service, upload, options=options, name=upload.name, client=client, effort=upload.effort
    )


def read_upload(request: Request, settings: Settings, *, name: str) -> Upload | Refused:
    """Parse a request's options, leaving its puzzles unread if they can be streamed."""
    kind = request.mimetype.lower()
    most = settings.max_upload_bytes + _ROOM_FOR_FIELDS
    if kind == "application/json" and (request.content_length or 0) > _MOST_JSON_BYTES:
        return Refused(RefusalKind.TOO_LARGE, _JSON_TOO_LARGE)
    effort = _effort(settings)
    body = read_body(request, most=most, effort=effort)
    if isinstance(body, Refused):
        return body
    arguments = _arguments(request)
    if kind == "application/json":
        whole = read_whole(body, most=_MOST_JSON_BYTES, too_large=_JSON_TOO_LARGE)
        if isinstance(whole, Refused):
            return whole
        return read_puzzles(whole, name, arguments, effort=effort)
    return _read_other(request, body, name, arguments, effort=effort)


def _effort(settings: Settings) -> Effort:
    """Return the CPU budget of the current request, which is measured from now on."""
    return Effort(seconds=settings.upload_seconds, gone=client_is_gone)


def _arguments(request: Request, *, without: str = "") -> dict[str, object]:
    """Return the query parameters, except `without`, which isn't a job option."""
    fields = joined(request.args.items(multi=True))
    return {field: value for field, value in fields.items() if field != without}


def _read_other(
    request: Request,
    body: Iterator[bytes],
    name: str,
    arguments: dict[str, object],
    *,
    effort: Effort,
) -> Upload | Refused:
    """Parse a form or a raw upload."""
    kind = request.mimetype.lower()
    try:
        if kind == "multipart/form-data":
            form = Form(body, boundary=request.mimetype_params.get("boundary", ""))
            return _from_form(form, name, arguments, effort=effort)
        if kind == "application/x-www-form-urlencoded":
            return _from_urlencoded(body, name, arguments, effort=effort)
    except Refusal as refusal:
        return refusal.refused
    if not kind or kind.startswith(_RAW_TYPES):
        return Upload(arguments, name, body, effort=effort)
    detail = f"{kind} is not read; send text, a form, JSON or NDJSON"
    return Refused(RefusalKind.UNKNOWN_TYPE, detail)


def read_single(request: Request, settings: Settings, *, name: str) -> Upload | Refused:
    """Parse a request that contains a single puzzle."""
    arguments = _arguments(request, without="wait")
    effort = _effort(settings)
    sent = read_body(request, most=_MOST_PUZZLE_BYTES, effort=effort)
    body = read_whole(sent, most=_MOST_PUZZLE_BYTES)
    if isinstance(body, Refused):
        return body
    if request.mimetype == "application/json":
        return read_puzzle(body, name, arguments, effort=effort)
    return _read_other(request, iter((body,)), name, arguments, effort=effort)


def read_beginning(request: Request, settings: Settings) -> Upload | Refused:
    """Parse a request that contains at most the first MiB of an upload."""
    arguments = _arguments(request, without="cut")
    effort = _effort(settings)
    body = read_whole(read_body(request, most=MIB, effort=effort), most=MIB)
    return body if isinstance(body, Refused) else Upload(arguments, "", (body,), effort=effort)


def _from_form(form: Form, name: str, arguments: dict[str, object], *, effort: Effort) -> Upload:
    content = iter(form)
    ahead: list[bytes] = []
    size = 0
    for piece in content:
        ahead.append(piece)
        size += len(piece)
        if size > HELD_BACK:
            break
    form.fields_complete = True
    pieces = to_utf8(chain(ahead, content), charset=form.charset) if size else _cut(form.text)
    return Upload(arguments | form.fields, form.file_name or name, pieces, effort=effort)


def _cut(text: bytearray) -> Iterator[bytes]:
    for start in range(0, len(text), _PIECE):
        yield bytes(text[start : start + _PIECE])


def _from_urlencoded(
    body: Iterator[bytes], name: str, arguments: dict[str, object], *, effort: Effort
) -> Upload | Refused:
    """Parse a URL-encoded form, or a raw upload, which curl labels as one by default."""
    first = next(body, b"")
    if not re.match(rb"[a-z_]+=", first):
        return Upload(arguments, name, chain((first,), body), effort=effort)
    whole = read_whole(chain((first,), body), most=_MOST_URLENCODED_BYTES)
    if isinstance(whole, Refused):
        return whole
    fields = joined(parse_qsl(whole.decode("utf-8", "replace"), keep_blank_values=True))
    text = fields.pop("text", "")
    return Upload(arguments | fields, name, (text.encode(),), effort=effort)
