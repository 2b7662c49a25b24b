import gzip
import io
import json
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
import zstandard
from flask import Request
from http_jobs import part, send_form
from hypothesis import given, settings, strategies
from kombu.exceptions import OperationalError
from redis.exceptions import ConnectionError as RedisIsAway
from werkzeug.test import EnvironBuilder

from web.app import create_app
from web.uploads.accept import read_upload
from web.uploads.forms import HELD_BACK, Form
from worker.process.chunk_runner import ChunkRunner
from worker.rejection import Rejection
from worker.service import Service, connect_service
from worker.settings import Settings

GOOD = "12.4...2....4..1"
SOLVED = "1234341221434321"
TINY = "12.4...2....4..1"
MIB = 1 << 20


def zipped(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return packed.getvalue()


PACKERS: list[Callable[[bytes], bytes]] = [gzip.compress, zstandard.compress]

values = strategies.recursive(
    strategies.none() | strategies.integers(-9, 99) | strategies.text(max_size=4),
    lambda inner: (
        strategies.lists(inner, max_size=3)
        | strategies.dictionaries(strategies.text(max_size=2), inner, max_size=2)
    ),
    max_leaves=8,
)


def nothing_is_left(service: Service) -> bool:
    return service.redis.keys("sudokuq:{*") == [] and service.active_jobs.ids() == []


def test_files_of_a_zip_archive_are_read_one_after_another(http: Any, service: Service) -> None:
    del service
    packed = zipped({"a.txt": TINY.encode(), "more/": b"", "more/b.txt": TINY.encode()})
    answer = http.post("/api/v1/jobs", data=packed)
    assert (answer.status_code, answer.json["total"]) == (202, 2)


@pytest.mark.parametrize(
    "files",
    [
        {"[Content_Types].xml": b"<Types/>", "xl/workbook.xml": b"<workbook/>"},
        {"mimetype": b"application/vnd.oasis.opendocument.spreadsheet", "content.xml": b"<x/>"},
    ],
)
def test_documents_of_office_programs_are_named_as_such(http: Any, files: Any) -> None:
    answer = http.post("/api/v1/jobs", data=zipped(files))
    assert answer.status_code == 400
    assert "save it as CSV or text" in answer.json["detail"]


@pytest.mark.parametrize("pack", PACKERS)
def test_content_encoding_wraps_every_kind_of_body(pack: Any, http: Any, service: Service) -> None:
    coding = {"Content-Encoding": "gzip" if pack is gzip.compress else "zstd"}
    document = json.dumps({"puzzles": [GOOD]}).encode()
    form = part('name="limit"', b"2") + part('name="file"; filename="a"', GOOD.encode())
    for body, kind in (
        (document, "application/json"),
        (form + b"--x--\r\n", "multipart/form-data; boundary=x"),
        (GOOD.encode(), "text/plain"),
        (pack(GOOD.encode()), "text/plain"),
    ):
        answer = http.post("/api/v1/jobs", data=pack(body), content_type=kind, headers=coding)
        assert (answer.status_code, answer.json["total"]) == (202, 1)
    service.jobs.delete(answer.json["id"])
    plain = http.post("/api/v1/jobs", data=GOOD, content_type="text/plain", headers=coding)
    assert plain.status_code == 400


def test_a_form_field_without_a_name_is_refused(http: Any) -> None:
    answer = http.post(
        "/api/v1/jobs",
        data=b"--x\r\nContent-Disposition: form-data\r\n\r\n2\r\n--x--\r\n",
        content_type="multipart/form-data; boundary=x",
        headers={"Idempotency-Key": "unnamed"},
    )
    assert answer.status_code == 400
    assert "has no name" in answer.json["detail"]


def test_unknown_types_and_codings_are_refused(http: Any) -> None:
    for kind, headers in (("image/png", {}), ("text/plain", {"Content-Encoding": "br"})):
        answer = http.post("/api/v1/jobs", data=GOOD, content_type=kind, headers=headers)
        assert answer.status_code == 415


def test_body_with_a_content_length_over_the_limit_is_not_read(settings: Settings) -> None:
    service = connect_service(replace(settings, max_upload_bytes=1_000))
    http: Any = create_app(service=service).test_client()
    answer = http.post("/api/v1/jobs", data=b"1" * 20_000_000, content_type="text/plain")
    assert answer.status_code == 413
    assert "20,000,000" in answer.json["detail"]
    service.app.close()
    service.redis.close()


def test_form_has_one_file_and_its_field_is_called_file(http: Any, service: Service) -> None:
    file = part('name="file"; filename="a.txt"', GOOD.encode())
    assert send_form(http, file, file).json["field"] == "file"
    other = send_form(http, part('name="upload"; filename="a.txt"', GOOD.encode()))
    assert (other.status_code, other.json["field"]) == (422, "upload")
    assert nothing_is_left(service)
    empty = part('name="file"; filename=""', b"")
    assert send_form(http, empty, part('name="text"', GOOD.encode())).status_code == 202


def test_field_after_a_large_file_is_rejected(http: Any, service: Service) -> None:
    lines = f"{GOOD}\n".encode() * (HELD_BACK // 17 + 20_000)
    file, limit = part('name="file"; filename="a.txt"', lines), part('name="limit"', b"7")
    answer = send_form(http, file, limit)
    assert (answer.status_code, answer.json["field"]) == (400, "limit")
    assert "before the file" in answer.json["detail"]
    assert nothing_is_left(service)
    assert send_form(http, limit, file).json["options"]["limit"] == 7


@pytest.mark.parametrize(
    "body",
    [b"".join(part(f'name="f{n}"', b"1") for n in range(200)),
     b"--x\r\n" + b"X: y\r\n" * 500_000,
     b"no boundary at all " * 100_000,
     part('name="limit"', b"1" * 100_000)],
    ids=["parts", "headers", "preamble", "field"],
)  # fmt: skip
def test_size_of_form_fields_is_limited(body: bytes, http: Any) -> None:
    assert send_form(http, body).status_code == 413


@given(content=strategies.binary(max_size=200), cut=strategies.integers(1, 50))
@settings(max_examples=50, deadline=None)
def test_form_passes_the_content_of_its_file_on_unchanged(content: bytes, cut: int) -> None:
    body = part('name="file"; filename="a"', content) + part('name="b"', b"c") + b"--x--\r\n"
    form = Form((body[at : at + cut] for at in range(0, len(body), cut)), boundary="x")
    if b"--x" not in content:
        assert b"".join(form) == content
        assert (form.fields, form.file_name) == ({"b": "c"}, "a")


def json_lines(document: bytes) -> list[bytes]:
    environ = EnvironBuilder(
        method="POST", data=document, content_type="application/json"
    ).get_environ()
    upload = read_upload(Request(environ), Settings(), name="x")
    assert not isinstance(upload, Rejection)
    return b"".join(upload).splitlines()


@given(puzzles=strategies.lists(values, max_size=5), indent=strategies.sampled_from([None, 2]))
@settings(max_examples=100, deadline=None)
def test_elements_of_a_json_body_become_lines(puzzles: list[Any], indent: int | None) -> None:
    document = json.dumps({"options": {}, "puzzles": puzzles}, indent=indent).encode()
    assert [json.loads(line) for line in json_lines(document)] == puzzles


def test_record_of_a_json_body_has_its_number_as_its_line(http: Any, service: Service) -> None:
    body = b'{"puzzles": ["%s",\n\n "\xff", [[1, 2],\n [3]], "%s"]}' % ((GOOD.encode(),) * 2)
    answer = http.post("/api/v1/jobs", data=body, content_type="application/json")
    runner = ChunkRunner(service, worker="here")
    runner.run(answer.json["id"], 0)
    found = http.get(f"/api/v1/jobs/{answer.json['id']}/results").data.splitlines()
    rows = [json.loads(line) for line in found]
    assert [row["line"] for row in rows] == [1, 2, 3, 4]
    assert [row["outcome"] for row in rows] == ["solved", "invalid", "invalid", "solved"]


@pytest.mark.parametrize("first", [None, 12, True, "", [], {}, {"puzzles": []}, [None], [[1]]])
def test_first_element_of_a_json_body_costs_no_other(
    http: Any, service: Service, first: object
) -> None:
    answer = http.post("/api/v1/jobs", json={"puzzles": [first, GOOD]})
    assert (answer.status_code, answer.json.get("total")) == (202, 2)
    ChunkRunner(service, worker="here").run(answer.json["id"], 0)
    rows = http.get(f"/api/v1/jobs/{answer.json['id']}/results?format=json").json
    assert rows[1]["solution"] == SOLVED


@pytest.mark.parametrize(
    ("body", "status", "place"),
    [(b'{"puzzles": [1,\n2,]}', 400, (2, 3)), (b'{"puzzles"', 400, (None, None)),
     (b"[]", 422, (None, None)), (b'{"puzzles": "x"}', 422, (None, None)),
     (b'{"puzzles": [], "options": []}', 422, (None, None)),
     (b'{"puzzles": ["1"], "options": {"format": "line"}}', 422, (None, None)),
     (b'{"puzzles": []}', 400, (None, None)), (b'{"puzzles": ' + b"[" * 100_000, 400, (None, None)),
     (b'{"puzzles": ["1"], "options": {"name": "\xff"}}', 400, (None, None))],
)  # fmt: skip
def test_json_body_that_cannot_be_used_is_refused(
    body: bytes, status: int, place: tuple[int | None, int | None], http: Any
) -> None:
    answer = http.post("/api/v1/jobs", data=body, content_type="application/json")
    assert (answer.status_code, answer.content_type) == (status, "application/problem+json")
    assert (answer.json["detail"], answer.json.get("line"), answer.json.get("column")) == (
        answer.json["detail"], *place,
    )  # fmt: skip


@pytest.mark.parametrize(
    "puzzles",
    [b"0," * (4 << 20), b"[" + b"[[]]," * (2 << 20) + b"0],"],
    ids=["many", "nested"],
)
def test_compressed_json_body_gets_cpu_time_for_the_bytes_that_were_sent(
    puzzles: bytes, service: Service
) -> None:
    bounded = replace(service, settings=replace(service.settings, upload_seconds=0.25))
    http = create_app(service=bounded).test_client()
    body = gzip.compress(b'{"puzzles": [' + puzzles + b"0]}")
    before = time.thread_time()
    answer: Any = http.post(
        "/api/v1/jobs",
        data=body,
        content_type="application/json",
        headers={"Content-Encoding": "gzip", "Idempotency-Key": "k"},
    )
    assert time.thread_time() - before < 2
    assert answer.status_code == 413
    assert "0.3 s for the" in answer.json["detail"]
    assert f"{len(body):,} bytes" in answer.json["detail"]
    assert nothing_is_left(service)


def test_members_of_a_json_body_that_are_not_puzzles_are_bounded(http: Any) -> None:
    many = ",".join(f'"{number}": 1' for number in range(20_000))
    for member in ("options", "name"):
        body = f'{{"puzzles": [1], "{member}": {{{many}}}}}'
        answer = http.post("/api/v1/jobs", data=body, content_type="application/json")
        assert answer.status_code == 413, answer.json
        assert "65,536" in answer.json["detail"]
    unknown = http.post("/api/v1/jobs", data=f"{{{many}}}", content_type="application/json")
    assert (unknown.status_code, unknown.json["field"]) == (422, "0")
    assert "Expected one of: puzzles, from_job, where" in unknown.json["detail"]
    typo = http.post("/api/v1/jobs", json={"puzzle": []})
    assert "Did you mean 'puzzles'?" in typo.json["detail"]


def test_form_or_raw_upload_may_be_labeled_urlencoded(http: Any) -> None:
    kind = "application/x-www-form-urlencoded"
    form = http.post("/api/v1/jobs", data=f"limit=1&text={GOOD}", content_type=kind)
    assert (form.json["total"], form.json["options"]["limit"]) == (1, 1)
    raw = http.post("/api/v1/jobs", data=f"{GOOD}\n{GOOD}\n", content_type=kind)
    assert raw.json["total"] == 2


def test_form_that_is_sent_again_leads_to_the_first_job(http: Any) -> None:
    def send(text: str, **fields: str) -> Any:
        data = {**fields, "file": (io.BytesIO(text.encode()), "a.txt")}
        return http.post("/api/v1/jobs", data=data, headers={"Idempotency-Key": "k"})

    first = send(GOOD)
    assert first.status_code == 202
    assert send(GOOD).json["id"] == first.json["id"]  # although the multipart boundary differs
    assert send(GOOD, limit="3").status_code == 422
    assert send(GOOD + "\n").status_code == 422


def test_key_of_a_request_in_progress_is_busy(http: Any, service: Service) -> None:
    service.idempotency_keys.claim("k", client="127.0.0.1")
    answer = http.put("/api/v1/jobs", data=GOOD, headers={"Idempotency-Key": "k"})
    assert answer.status_code == 409
    assert answer.headers["Retry-After"]


def test_idempotency_key_of_a_deleted_job_can_be_used_again(http: Any) -> None:
    def send() -> Any:
        return http.put("/api/v1/jobs", data=GOOD, headers={"Idempotency-Key": "k"})

    first = send().json["id"]
    assert http.delete(f"/api/v1/jobs/{first}").status_code == 204
    second = send()
    assert second.status_code == 202
    assert second.json["id"] != first
    assert send().json["id"] == second.json["id"]


@pytest.mark.parametrize("key", [{}, {"Idempotency-Key": "k"}])
def test_broker_failure_during_an_upload_is_reported_and_leaves_no_job(
    key: dict[str, str], http: Any, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(_: object, job_id: str) -> None:
        assert service.jobs.get(job_id) is not None
        raise OperationalError

    with monkeypatch.context() as patch:
        patch.setattr(type(service.dispatcher), "dispatch", away)
        answer = http.put("/api/v1/jobs", data=GOOD, headers=key)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"]
    assert nothing_is_left(service)
    assert http.put("/api/v1/jobs", data=GOOD, headers=key).status_code == 202


def test_key_is_free_again_when_redis_is_back(
    http: Any, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object, **__: object) -> None:
        raise RedisIsAway

    def send() -> Any:
        return http.put("/api/v1/jobs", data=GOOD, headers={"Idempotency-Key": "k"})

    with monkeypatch.context() as patch:
        patch.setattr(type(service.jobs), "delete", away)
        for name in ("fulfill", "release"):
            patch.setattr(type(service.idempotency_keys), name, away)
        assert send().status_code == 503
        assert send().status_code == 409
    deadline = time.monotonic() + 20
    while (answer := send()).status_code == 409 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert answer.status_code == 202
    assert service.active_jobs.ids() == [answer.json["id"]]  # the first upload leaves no job


def test_connection_that_breaks_leaves_nothing(http: Any, service: Service) -> None:
    def broken() -> Iterator[bytes]:
        yield f"{GOOD}\n".encode() * 20_000
        raise OSError("the connection is gone")

    class Broken(io.RawIOBase):
        pieces = broken()

        def read(self, size: int = -1) -> bytes:
            del size
            return next(self.pieces)

    environ = {"wsgi.input": Broken(), "wsgi.input_terminated": True, "CONTENT_LENGTH": ""}
    http.put("/api/v1/jobs", environ_overrides=environ)
    assert nothing_is_left(service)


def test_packed_blank_lines_take_a_bounded_time(http: Any, service: Service) -> None:
    bounded = replace(service.settings, upload_seconds=0.2)
    client = create_app(service=replace(service, settings=bounded)).test_client()
    packed = zstandard.compress(TINY.encode()) + zstandard.compress(b"\n" * (1 << 24)) * 32
    answer = client.post("/api/v1/jobs", data=packed)
    assert answer.status_code == 413
    assert "The limit is 0.2 s" in answer.get_json()["detail"]
    assert not list(service.redis.scan_iter("sudokuq:{*"))
    assert http.post("/api/v1/jobs", data=TINY).status_code == 202


@pytest.mark.parametrize("kind", ["application/zip", "application/x-zip-compressed"])
def test_archive_can_have_the_media_type_of_an_archive(http: Any, kind: str) -> None:
    answer = http.post("/api/v1/jobs", data=zipped({"a.txt": TINY.encode()}), content_type=kind)
    assert (answer.status_code, answer.json.get("total")) == (202, 1)
