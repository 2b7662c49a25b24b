"""Range requests on downloads, as download managers and `curl -C -` send them.

Also conditional requests with ETags, downloads that fail or are abandoned, and HTTP/1.0.
"""

import tempfile
import threading
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from web.results.downloads import begin_now, download, produce_ahead
from worker.process.chunk_runner import ChunkRunner
from worker.service import Service

pytestmark = pytest.mark.redis

PUZZLES = "12.4...2....4..1\nnone\n................\n" * 30


@pytest.fixture
def path(http: Any, service: Service) -> str:
    job = http.post("/api/v1/jobs", data=PUZZLES, content_type="text/plain").json
    ChunkRunner(service, worker="here").run(job["id"], 0)
    return f"/api/v1/jobs/{job['id']}/results"


def get(http: Any, path: str, range_: str, **headers: str) -> Any:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return http.get(path, headers={"Range": range_} | sent)


@pytest.mark.parametrize("format_", ["jsonl", "json", "csv", "txt", "sdm", "grid"])
def test_interrupted_download_resumes_at_the_next_byte(format_: str, http: Any, path: str) -> None:
    address = f"{path}?format={format_}"
    whole = http.get(address)
    assert whole.headers["Accept-Ranges"] == "bytes"
    half = len(whole.data) // 2
    rest = get(http, address, f"bytes={half}-", If_Range=whole.headers["ETag"])
    assert rest.status_code == 206
    assert rest.headers["Content-Range"] == f"bytes {half}-{len(whole.data) - 1}/{len(whole.data)}"
    assert rest.headers["ETag"] == whole.headers["ETag"]
    assert whole.data[:half] + rest.data == whole.data


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_range_contains_the_same_bytes_as_the_whole_download(
    http: Any, path: str, data: st.DataObject
) -> None:
    whole = http.get(path).data
    first = data.draw(st.integers(0, len(whole) - 1), label="first")
    last = data.draw(st.integers(first, 2 * len(whole)), label="last")
    suffix = data.draw(st.integers(1, 2 * len(whole)), label="suffix")
    for asked, expected in (
        (f"{first}-{last}", whole[first : last + 1]),
        (f"{first}-", whole[first:]),
        (f"-{suffix}", whole[-suffix:]),
    ):
        answer = get(http, path, f"bytes={asked}")
        assert (answer.status_code, answer.data) == (206, expected)
        assert answer.content_length == len(expected)


def test_range_after_the_end_is_rejected_with_the_length(http: Any, path: str) -> None:
    length = len(http.get(path).data)
    assert get(http, path, f"bytes={length - 1}-").status_code == 206
    refused = get(http, path, f"bytes={length}-")
    assert refused.status_code == 416
    assert refused.headers["Content-Range"] == f"bytes */{length}"
    assert refused.content_type == "application/problem+json"


@pytest.mark.parametrize("range_", ["bytes=-0", "Bytes = -000"])
def test_range_of_the_last_zero_bytes_is_not_satisfiable(range_: str, http: Any, path: str) -> None:
    whole = http.get(path)
    refused = get(http, path, range_)
    assert (refused.status_code, refused.headers["Content-Range"]) == (
        416,
        f"bytes */{len(whole.data)}",
    )
    assert get(http, path, range_, If_Range='"another"').status_code == 200


@pytest.mark.parametrize("range_", ["bytes=0-1,4-5", "lines=0-1", "bytes=x", "bytes=5-4", ""])
def test_multiple_or_malformed_ranges_get_the_whole_download(
    range_: str, http: Any, path: str
) -> None:
    answer = get(http, path, range_)
    assert (answer.status_code, answer.data) == (200, http.get(path).data)


def test_ranges_refer_to_uncompressed_bytes(http: Any, path: str) -> None:
    whole = http.get(path)
    expected = whole.data
    packed = http.get(path, headers={"Accept-Encoding": "gzip"})
    assert packed.headers["ETag"] == f"W/{whole.headers['ETag']}"
    answer = get(http, path, "bytes=5-9", Accept_Encoding="gzip")
    assert (answer.status_code, answer.data) == (206, expected[5:10])
    assert "Content-Encoding" not in answer.headers
    for other in (packed.headers["ETag"], '"another"', "Wed, 21 Oct 2015 07:28:00 GMT"):
        answer = get(http, path, "bytes=5-9", If_Range=other)
        assert (answer.status_code, answer.data) == (200, expected)


def test_only_versions_that_if_match_lists_are_sent_or_deleted(http: Any, path: str) -> None:
    tag, job = http.get(path).headers["ETag"], path.removesuffix("/results")
    for named, status in (
        (tag, 200),
        (f'"other", {tag}', 200),
        ("*", 200),
        (f"W/{tag}", 412),
        ('"other"', 412),
    ):
        assert http.get(path, headers={"If-Match": named}).status_code == status
    assert get(http, path, "bytes=0-1", If_Match='"other"').status_code == 412
    weak = http.get(job).headers["ETag"]
    for named, status in ((weak, 200), ('"other"', 412), ("*", 200)):
        answer = http.get(job, headers={"If-Match": named})
        assert (answer.status_code, answer.json.get("id") is None) == (status, status == 412)


@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_a_job_is_cancelled_or_deleted_if_its_etag_matches(http: Any, method: str) -> None:
    job = http.post("/api/v1/jobs", data=PUZZLES, content_type="text/plain").json
    path = f"/api/v1/jobs/{job['id']}"
    before = http.get(path).headers["ETag"]
    http.post(f"{path}/cancel", headers={"If-Match": before})
    after = http.get(path).headers["ETag"]
    changed = path if method == "DELETE" else f"{path}/cancel"
    refused = http.open(changed, method=method, headers={"If-Match": before})
    assert (refused.status_code, refused.json["type"]) == (412, "/errors/precondition-failed")
    done = http.open(changed, method=method, headers={"If-Match": f'"x", {after}'})
    assert done.status_code in (200, 204)


def test_growing_results_have_no_ranges(http: Any) -> None:
    job = http.post("/api/v1/jobs", data=PUZZLES, content_type="text/plain").json
    answer = get(http, f"/api/v1/jobs/{job['id']}/results?partial=1", "bytes=0-1")
    assert (answer.status_code, answer.headers["Accept-Ranges"]) == (200, "none")
    assert "ETag" not in answer.headers


def test_a_piece_is_made_while_the_one_before_is_sent() -> None:
    made = threading.Event()

    def pieces() -> Iterator[bytes]:
        yield b"first"
        made.set()
        yield b"second"

    sent = produce_ahead(pieces())
    assert next(sent) == b"first"
    assert made.wait(20)
    assert list(sent) == [b"second"]


def test_error_in_a_short_download_becomes_an_error_response() -> None:
    def pieces(size: int) -> Iterator[bytes]:
        yield b"first"
        yield bytes(size)
        raise LookupError("gone")

    with pytest.raises(LookupError):
        begin_now(pieces(9))
    sent = begin_now(pieces(1 << 20))
    assert [len(next(sent)), len(next(sent))] == [5, 1 << 20]
    with pytest.raises(LookupError):
        next(sent)


def test_error_in_a_later_piece_aborts_the_download_after_the_earlier_pieces() -> None:
    def pieces() -> Iterator[bytes]:
        yield b"first"
        raise LookupError("gone")

    sent = produce_ahead(pieces())
    assert next(sent) == b"first"
    with pytest.raises(LookupError, match="gone"):
        next(sent)


def test_a_download_that_is_given_up_ends_its_thread() -> None:
    before = threading.active_count()
    sent = produce_ahead(iter([b"first", b"second", b"third"]))
    assert next(sent) == b"first"
    sent.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before


@pytest.fixture
def over_http_1_0(http: Any) -> Iterator[None]:
    """Make the `with` block handle an HTTP/1.0 request."""
    with http.application.test_request_context(environ_overrides={"SERVER_PROTOCOL": "HTTP/1.0"}):
        yield


@pytest.mark.usefixtures("over_http_1_0")
def test_a_download_over_http_1_0_takes_neither_memory_nor_disk_for_its_size(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # a missing folder, so writing to it would fail
    monkeypatch.setenv("TMPDIR", str(tmp_path / "none"))
    monkeypatch.setattr(tempfile, "tempdir", None)
    tracemalloc.start()
    try:
        response = download(lambda: (bytes(1 << 16) for _ in range(4_800)), tag="t")
        assert response.content_length is None
        size = sum(map(len, response.response))
        used = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert size == 4_800 << 16
    assert used < 8 << 20


@pytest.mark.usefixtures("over_http_1_0")
def test_a_small_download_over_http_1_0_has_a_length() -> None:
    response = download(lambda: iter([b"12", b"345"]), tag=None)
    assert (response.content_length, response.data) == (5, b"12345")
