"""Uploads in UTF-16 and Windows-1252."""

import gzip
import io
import json
from typing import Any, cast

import pytest

from solver.formats.format import DigitBlock
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service
from worker.store.keys import JobKeys
from worker.store.serialization import unpack_block

GOOD = "12.4...2....4..1"
SOLVED = "1234341221434321"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("packed", [False, True])
def test_utf_16_is_read_if_it_has_a_byte_order_mark(
    http: Any, service: Service, encoding: str, *, packed: bool
) -> None:
    text = "\ufeff" + f"{GOOD}\r\n" * 20_000
    data = text.encode(encoding)
    answer = http.post("/api/v1/jobs", data=gzip.compress(data) if packed else data)
    assert (answer.status_code, answer.json["total"]) == (202, 20_000)
    job_id = answer.json["id"]
    block = unpack_block(cast("bytes", service.redis.get(JobKeys(job_id).input(0))))
    assert isinstance(block, DigitBlock)  # one byte per character


@pytest.mark.parametrize(
    ("kind", "encoding"),
    [("text/plain; charset=utf-16", "utf-16-be"), ("text/plain; charset=utf-16", "utf-16-le"),
     ("text/csv; charset=UTF-16LE", "utf-16-le"), ("text/csv; charset=utf-16be", "utf-16-be"),
     ("text/plain; charset=ISO-8859-1", "cp1252"), ("text/plain; charset=windows-1252", "cp1252"),
     ("text/plain; charset=utf-16", "utf-8-sig"), ("text/plain; charset=iso-8859-1", "utf-16"),
     ("text/plain; charset=unknown", "utf-8"), ("text/plain; charset=utf-8", "utf-8")],
)  # fmt: skip
@pytest.mark.parametrize("packed", [False, True])
def test_text_is_read_in_the_charset_that_is_named(
    http: Any, service: Service, kind: str, encoding: str, *, packed: bool
) -> None:
    data = f"puzzle,name\r\n{GOOD},\u00e9t\u00e9\r\n".encode(encoding)
    answer = http.post(
        "/api/v1/jobs",
        data=gzip.compress(data) if packed else data,
        content_type=kind,
        headers={"Content-Encoding": "gzip"} if packed else {},
    )
    ChunkRunner(service, worker="here").run(answer.json["id"], 0)
    (row,) = http.get(f"/api/v1/jobs/{answer.json['id']}/results?format=json").json
    assert (row["puzzle"], row["name"]) == (GOOD, "\u00e9t\u00e9")


def test_file_of_a_form_is_read_in_the_charset_that_is_named(http: Any) -> None:
    file = (io.BytesIO(GOOD.encode("utf-16-le")), "a.txt", "text/plain; charset=utf-16le")
    answer = http.post("/api/v1/jobs", data={"file": file})
    assert (answer.status_code, answer.json.get("total")) == (202, 1)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_json_is_read_in_the_charset_that_is_named(http: Any, encoding: str) -> None:
    data = json.dumps({"puzzles": [GOOD], "name": "\u00e9t\u00e9"}, ensure_ascii=False).encode(
        encoding
    )
    answer = http.post("/api/v1/jobs", data=data, content_type="application/json; charset=utf-16")
    assert (answer.status_code, answer.json["name"]) == (202, "\u00e9t\u00e9")
