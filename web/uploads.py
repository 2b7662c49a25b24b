"""From a request to a job: forms, JSON and raw bodies, each read as a stream."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import IO
from urllib.parse import parse_qsl

import msgspec
from flask import Request
from werkzeug.sansio.multipart import Data, Epilogue, Event, Field, File, MultipartDecoder, NeedData

from web.errors import Problem
from web.ingest import ingest
from worker.jobs import JobOptions
from worker.options import OptionFault, parse_options
from worker.service import Service

MIB = 1 << 20
_PIECE = 1 << 17
# A form's fields may stand behind its file as long as the file is no longer than this.
_FIELDS_WITHIN = 4 * MIB
_MOST_FIELD_BYTES = 64 * 1024
_MOST_JSON_BYTES = 64 * MIB
_RAW_TYPES = ("text/", "application/x-ndjson", "application/octet-stream", "application/gzip",
              "application/x-gzip", "application/zstd")  # fmt: skip


class Body:
    """The body of a request as it arrives, with its digest so far."""

    def __init__(self, request: Request) -> None:
        self._stream: IO[bytes] = request.stream
        self._expected = request.content_length
        self._received = 0
        self._hash = hashlib.sha256(request.query_string + b"\n")

    def __iter__(self) -> Iterator[bytes]:
        while piece := self._stream.read(_PIECE):
            self._received += len(piece)
            self._hash.update(piece)
            yield piece
        # The server hands over what came before a connection broke as if that were all.
        if self._expected is not None and self._received < self._expected:
            detail = f"the upload broke off after {self._received:,} of {self._expected:,} bytes"
            raise Problem(400, detail)

    def digest(self) -> str:
        """Return the digest of what has been read."""
        return self._hash.hexdigest()


@dataclass(slots=True)
class Upload:
    """What a request asks for: fields first, then the puzzles piece by piece."""

    fields: dict[str, object]
    name: str
    pieces: Iterable[bytes]
    late_fields: dict[str, object] = field(default_factory=dict)


def accept(request: Request, service: Service, *, client: str, name: str = "upload") -> str:
    """Make a job of a request's body and return its id; raises Problem.

    An Idempotency-Key makes a repeated request lead to the first one's job.
    """
    key = request.headers.get("Idempotency-Key")
    body = Body(request)
    if key is None:
        return _accept(request, body, service, client=client, name=name)
    if not 0 < len(key) <= 255:
        raise Problem(422, "an Idempotency-Key has 1 to 255 characters")
    store = service.store
    claim = store.claim_key(key, client=client)
    if claim.mine:
        try:
            job_id = _accept(request, body, service, client=client, name=name)
            for _ in body:  # what a form has behind its last boundary counts as well
                pass
        except BaseException:
            store.release_key(key, client=client)
            raise
        store.fulfil_key(key, client=client, job_id=job_id, digest=body.digest())
        return job_id
    if claim.job_id is None:
        raise Problem(409, "the first request with this Idempotency-Key is still in progress")
    for _ in body:
        pass
    if claim.digest != body.digest():
        raise Problem(422, "this Idempotency-Key was used for another upload")
    return claim.job_id


def _accept(request: Request, body: Body, service: Service, *, client: str, name: str) -> str:
    upload = _read(request, body, name)
    options = checked_options(upload.fields, service)
    job_id = ingest(service, upload.pieces, options=options, name=upload.name, client=client)
    if upload.late_fields:
        service.store.delete(job_id)
        late = ", ".join(upload.late_fields)
        raise Problem(400, f"{late}: put fields before a file larger than {_FIELDS_WITHIN:,} bytes")
    return job_id


def checked_options(fields: Mapping[str, object], service: Service) -> JobOptions:
    """Return the options in the fields; raises Problem for one that cannot be used."""
    options = parse_options(
        {name: value for name, value in fields.items() if name != "name"},
        settings=service.settings,
    )
    if isinstance(options, OptionFault):
        raise Problem(422, options.detail, field=options.field)
    return options


def _read(request: Request, body: Body, name: str) -> Upload:
    kind = (request.mimetype or "").lower()
    encoding = request.headers.get("Content-Encoding", "identity").lower()
    if encoding not in ("identity", "gzip", "x-gzip", "zstd", ""):
        raise Problem(415, f"the Content-Encoding {encoding!r} is not read; use gzip or zstd")
    arguments: dict[str, object] = dict(request.args)
    title = str(arguments.get("name") or name)
    if kind == "multipart/form-data":
        return _read_form(request, body, title, arguments)
    if kind == "application/json":
        return _read_json(body, title, arguments)
    if kind == "application/x-www-form-urlencoded":
        return _read_urlencoded(body, title, arguments)
    if not kind or kind.startswith(_RAW_TYPES):
        return Upload(arguments, title, body)
    raise Problem(415, f"{kind} is not read; send text, a form, JSON or NDJSON")


def _read_urlencoded(body: Body, title: str, arguments: dict[str, object]) -> Upload:
    """Read a form; or a raw upload, which curl labels so too unless it is told otherwise."""
    pieces = iter(body)
    first = next(pieces, b"")
    if not re.match(rb"[a-z_]+=", first):
        return Upload(arguments, title, chain((first,), pieces))
    whole = first + _bounded(pieces, _MOST_JSON_BYTES)
    fields = arguments | dict(parse_qsl(whole.decode("utf-8", "replace"), keep_blank_values=True))
    text = str(fields.pop("text", ""))
    return Upload(fields, str(fields.get("name") or title), (text.encode(),))


def _read_json(body: Body, title: str, arguments: dict[str, object]) -> Upload:
    try:
        document = msgspec.json.decode(_bounded(iter(body), _MOST_JSON_BYTES))
    except (msgspec.DecodeError, RecursionError) as error:
        raise Problem(400, f"this is no JSON: {error}") from None
    if not isinstance(document, dict) or not isinstance(document.get("puzzles"), list):
        raise Problem(422, "a JSON body is an object with a list of puzzles", field="puzzles")
    unknown = sorted(set(document) - {"puzzles", "options", "name"})
    if unknown:
        raise Problem(422, f"there is no member {unknown[0]!r}", field=unknown[0])
    options = document.get("options", {})
    if not isinstance(options, dict):
        raise Problem(422, "options is an object", field="options")
    fields: dict[str, object] = arguments | options
    title = str(document.get("name") or fields.get("name") or title)
    if fields.get("format") in (None, "", "auto"):
        fields["format"] = "ndjson"
    lines = (msgspec.json.encode(puzzle) + b"\n" for puzzle in document["puzzles"])
    return Upload(fields, title, lines)


def _bounded(pieces: Iterable[bytes], most: int) -> bytes:
    whole = bytearray()
    for piece in pieces:
        whole += piece
        if len(whole) > most:
            detail = f"a body of this type may have {most:,} bytes; send larger uploads as text"
            raise Problem(413, detail)
    return bytes(whole)


def _read_form(request: Request, body: Body, title: str, arguments: dict[str, object]) -> Upload:
    boundary = request.mimetype_params.get("boundary", "")
    if not boundary:
        raise Problem(400, "the form has no boundary")
    upload = Upload(arguments, title, ())
    pieces = _form_pieces(body, boundary.encode(), upload)
    # Reading ahead lets fields stand behind a small file.
    ahead: list[bytes] = []
    size = 0
    for piece in pieces:
        ahead.append(piece)
        size += len(piece)
        if size >= _FIELDS_WITHIN:
            break
    upload.fields |= upload.late_fields
    upload.late_fields = {}
    upload.name = str(upload.fields.get("name") or upload.name)
    upload.pieces = chain(ahead, pieces)
    text = upload.fields.pop("text", "")
    if size == 0 and isinstance(text, str):
        upload.pieces = (text.encode(),)
    return upload


def _form_pieces(body: Body, boundary: bytes, upload: Upload) -> Iterator[bytes]:
    """Yield the content of the file; put the fields where they belong on the way."""
    decoder = MultipartDecoder(boundary)
    parts = _Parts(upload)
    try:
        for piece in chain(body, (None,)):
            decoder.receive_data(piece)
            while not isinstance(event := decoder.next_event(), (NeedData, Epilogue)):
                data = parts.take(event)
                if data:
                    yield data
            if isinstance(event, Epilogue):
                return
    except ValueError as error:
        raise Problem(400, f"the form cannot be read: {error}") from None


class _Parts:
    """Takes the parts of a form one event after the other."""

    def __init__(self, upload: Upload) -> None:
        self._upload = upload
        self._part: Field | File | None = None
        self._value = bytearray()

    def take(self, event: Event) -> bytes:
        """Return what belongs to the file; keep what belongs to a field."""
        if isinstance(event, (File, Field)):
            self._part, self._value = event, bytearray()
            if isinstance(event, File) and event.filename and self._upload.name == "upload":
                self._upload.name = event.filename
        elif isinstance(event, Data) and isinstance(self._part, File):
            return event.data if self._part.name == "file" else b""
        elif isinstance(event, Data) and self._part is not None:
            self._add_to_field(str(self._part.name), event)
        return b""

    def _add_to_field(self, name: str, event: Data) -> None:
        self._value += event.data
        if len(self._value) > (_MOST_JSON_BYTES if name == "text" else _MOST_FIELD_BYTES):
            raise Problem(413, f"the field {name!r} is too long", field=name)
        if not event.more_data:
            self._upload.late_fields[name] = self._value.decode("utf-8", "replace")
