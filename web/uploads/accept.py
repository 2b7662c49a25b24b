"""From a request to a job: forms, JSON and raw bodies, each read as a stream."""

import contextlib
import hashlib
import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from urllib.parse import parse_qsl

import msgspec
from flask import Request
from redis.exceptions import RedisError

from web.errors import RETRY_SECONDS, Problem
from web.uploads.body import read_body, read_whole
from web.uploads.forms import HELD_BACK, MIB, MOST_TEXT_BYTES, Form
from web.uploads.ingest import ingest
from worker.job import JobOptions
from worker.options import OptionFault, parse_options
from worker.service import Service

_MOST_JSON_BYTES = 64 * MIB
# What a form has around its file does not count against the bound on uploads.
_ROOM_FOR_FIELDS = 8 * MIB
_RAW_TYPES = ("text/", "application/x-ndjson", "application/octet-stream", "application/gzip",
              "application/x-gzip", "application/zstd")  # fmt: skip
_JSON_MARK = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{},]', re.DOTALL)


class Upload:
    """What a request asks for: the option fields, then the puzzles piece by piece."""

    def __init__(self, fields: Mapping[str, object], name: str, pieces: Iterable[bytes]) -> None:
        self.fields = fields
        self.name = str(fields.get("name") or name)
        self._pieces = pieces
        self._hash = hashlib.sha256()

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._pieces:
            self._hash.update(piece)
            yield piece

    def digest(self) -> str:
        """Return what is the same for the same options and puzzles, when all are read.

        Not a digest of the body: a form that is sent again has another boundary.
        """
        asked = msgspec.json.encode(sorted(self.fields.items()))
        return hashlib.sha256(asked + self._hash.digest()).hexdigest()


def accept(request: Request, service: Service, *, client: str, name: str = "upload") -> str:
    """Make a job of a request's body and return its id; raises Problem.

    An Idempotency-Key makes a repeated request lead to the first one's job.
    """
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return _make_job(read_upload(request, service, name=name), service, client=client)
    if not 0 < len(key) <= 255:
        raise Problem(422, "an Idempotency-Key has 1 to 255 characters")
    store = service.store
    claim = store.claim_key(key, client=client)
    if claim.mine:
        job_id = None
        try:
            upload = read_upload(request, service, name=name)
            job_id = _make_job(upload, service, client=client)
            store.fulfil_key(key, client=client, job_id=job_id, digest=upload.digest())
        except BaseException:
            with contextlib.suppress(RedisError):
                if job_id is not None:
                    store.delete(job_id)
                store.release_key(key, client=client)
            raise
        return job_id
    if claim.job_id is None:
        detail = "the first request with this Idempotency-Key is still in progress"
        raise Problem(409, detail, retry_after=RETRY_SECONDS)
    upload = read_upload(request, service, name=name)
    deque(upload, maxlen=0)
    if claim.digest != upload.digest():
        raise Problem(422, "this Idempotency-Key was used for another upload")
    return claim.job_id


def _make_job(upload: Upload, service: Service, *, client: str) -> str:
    options = checked_options(upload.fields, service)
    return ingest(service, upload, options=options, name=upload.name, client=client)


def checked_options(fields: Mapping[str, object], service: Service) -> JobOptions:
    """Return the options in the fields; raises Problem for one that cannot be used."""
    options = parse_options(
        {name: value for name, value in fields.items() if name != "name"},
        settings=service.settings,
    )
    if isinstance(options, OptionFault):
        raise Problem(422, options.detail, field=options.field)
    return options


def read_upload(request: Request, service: Service, *, name: str) -> Upload:
    """Return what a request asks for, as far as that can be said without reading its puzzles."""
    kind = request.mimetype.lower()
    body = read_body(request, most=service.settings.max_upload_bytes + _ROOM_FOR_FIELDS)
    arguments = dict[str, object](request.args)
    if kind == "multipart/form-data":
        form = Form(body, boundary=request.mimetype_params.get("boundary", ""))
        return _from_form(form, name, arguments)
    if kind == "application/json":
        return _from_json(read_whole(body, most=_MOST_JSON_BYTES), name, arguments)
    if kind == "application/x-www-form-urlencoded":
        return _from_urlencoded(body, name, arguments)
    if not kind or kind.startswith(_RAW_TYPES):
        return Upload(arguments, name, body)
    raise Problem(415, f"{kind} is not read; send text, a form, JSON or NDJSON")


def _from_form(form: Form, name: str, arguments: dict[str, object]) -> Upload:
    content = iter(form)
    ahead: list[bytes] = []
    size = 0
    for piece in content:
        ahead.append(piece)
        size += len(piece)
        if size > HELD_BACK:
            break
    form.fields_complete = True
    text = form.fields.pop("text", "")
    pieces = chain(ahead, content) if size else (text.encode(),)
    return Upload(arguments | form.fields, form.file_name or name, pieces)


def _from_urlencoded(body: Iterator[bytes], name: str, arguments: dict[str, object]) -> Upload:
    """Read a form; or a raw upload, which curl labels so too unless it is told otherwise."""
    first = next(body, b"")
    if not re.match(rb"[a-z_]+=", first):
        return Upload(arguments, name, chain((first,), body))
    whole = read_whole(chain((first,), body), most=MOST_TEXT_BYTES)
    fields = dict(parse_qsl(whole.decode("utf-8", "replace"), keep_blank_values=True))
    text = fields.pop("text", "")
    return Upload(arguments | fields, name, (text.encode(),))


def _from_json(body: bytes, name: str, arguments: dict[str, object]) -> Upload:
    """Read {"puzzles": […], "options": {…}}; its puzzles become lines, one each."""
    members = read_members(body)
    unknown = sorted(set(members) - {"puzzles", "options", "name"})
    if unknown:
        raise Problem(422, f"there is no member {unknown[0]!r}", field=unknown[0])
    puzzles = members.get("puzzles", msgspec.Raw())
    if not bytes(memoryview(puzzles)[:1]) == b"[":
        raise Problem(422, "a JSON body is an object with a list of puzzles", field="puzzles")
    fields = arguments | read_options_member(members)
    if "name" in members:
        fields["name"] = read_json(members["name"])
    if fields.get("format") not in (None, "", "auto", "json", "ndjson"):
        raise Problem(422, "the puzzles of a JSON body are JSON; leave format out", field="format")
    fields["format"] = "ndjson"
    return Upload(fields, name, _elements(puzzles))


def read_members(body: bytes) -> dict[str, msgspec.Raw]:
    """Return the members of a JSON object, undecoded; raises Problem."""
    try:
        return msgspec.json.decode(body, type=dict[str, msgspec.Raw])
    except msgspec.ValidationError:
        raise Problem(422, "a JSON body is an object") from None
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise Problem(400, f"this is no JSON: {error}", *_place(error, body)) from None


def _place(error: Exception, body: bytes) -> tuple[int, int] | tuple[()]:
    """Return line and column of an error in a JSON body, where it names the byte."""
    found = re.search(r"\(byte (\d+)\)$", str(error))
    if found is None:
        return ()
    before = body[: int(found[1])]
    return before.count(b"\n") + 1, len(before) - before.rfind(b"\n")


def read_options_member(members: Mapping[str, msgspec.Raw]) -> dict[str, object]:
    """Return the options of a JSON body; raises Problem."""
    options = read_json(members["options"]) if "options" in members else {}
    if not isinstance(options, dict):
        raise Problem(422, "options is an object", field="options")
    return options


def read_json(value: msgspec.Raw) -> object:
    """Return a value whose syntax was checked before; raises Problem."""
    try:
        return msgspec.json.decode(value)
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        raise Problem(400, f"this is no JSON: {error}") from None


def _elements(array: msgspec.Raw) -> Iterator[bytes]:
    """Yield the elements of a valid JSON array, undecoded, each as a line.

    A list of them, or of what they stand for, could take thirty times as much memory.
    """
    text = memoryview(array)
    depth, start = 0, 1
    for mark in _JSON_MARK.finditer(text, 1):
        kind = mark[0][:1]
        if depth == 0 and kind in (b",", b"]"):
            element = bytes(text[start : mark.start()]).translate(_NO_LINE_BREAKS)
            if element.strip() or kind == b",":
                yield element + b"\n"
            start = mark.end()
        depth += (kind in (b"[", b"{")) - (kind in (b"]", b"}"))


# Line breaks in valid JSON stand between its tokens only.
_NO_LINE_BREAKS = bytes.maketrans(b"\r\n", b"  ")
