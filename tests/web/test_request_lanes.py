"""The lane of threads that handles a request, and the moment at which a thread starts on it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from web.server.request_header import Lane, can_start, lane_of


def test_a_thread_starts_when_enough_of_a_request_has_arrived() -> None:
    post, chunked = b"POST / HTTP/1.1\r\n", b"Transfer-Encoding: chunked\r\n\r\n"
    for start, enough in (
        (b"", False),
        (post, False),
        (post + b"\r\n", True),
        (b"x" * 65_536, True),
        (post + b"Content-Length: 3\r\n\r\n12", False),
        (post + b"Content-Length: 3\r\n\r\n123", True),
        (post + b"content-length:99999\r\n\r\n" + b"x" * 16_384, True),
        (post + b"Content-Length: 3\r\nExpect: 100-continue\r\n\r\n", True),
        (post + chunked + b"5\r\n1000\n\r\n", False),
        (post + chunked + b"1\r\nx\r\n0\r\n\r\n", True),
        (post + chunked + b"1\r\nx\r\n0\r\nAfter: 1\r\n\r\nGET / HTTP/1.1\r\n", True),
        (post + chunked + b"4000\r\n" + b"x" * 16_384, True),
    ):
        assert can_start(start) is enough, start[:99]


@pytest.mark.parametrize("slash", ["", "/"])
def test_a_trailing_slash_does_not_change_the_lane(slash: str) -> None:
    for line, lane in (
        ("GET /healthz", Lane.HEALTH),
        ("PUT /api/v1/jobs", Lane.TRANSFER),
        ("GET /api/v1/jobs/x/results", Lane.TRANSFER),
        ("GET /api/v1/jobs/x/events", Lane.WATCH),
        ("GET /api/v1/jobs/x", Lane.QUICK),
        ("GET /my-jobs", Lane.QUICK),
    ):
        assert lane_of(f"{line}{slash} HTTP/1.1\r\n".encode()) is lane, line
    assert lane_of(f"GET /api/v1/jobs/x{slash}?wait=30 HTTP/1.1\r\n".encode()) is Lane.WATCH


LANES = [
    ("GET", "/healthz", Lane.HEALTH),
    ("GET", "/api/v1/jobs/x/results", Lane.TRANSFER),
    ("GET", "/api/v1/jobs/x/events", Lane.WATCH),
    ("HEAD", "/api/v1/jobs/x?wait=3", Lane.WATCH),
    ("GET", "/api/v1/jobs/x", Lane.QUICK),
    ("POST", "/jobs", Lane.TRANSFER),
]


@settings(deadline=None)
@given(st.sampled_from(LANES), st.data())
def test_no_encoding_of_a_path_changes_the_lane(
    case: tuple[str, str, Lane], data: st.DataObject
) -> None:
    method, target, lane = case
    path, _, query = target.partition("?")

    def spell(text: str) -> str:
        spellings = [st.sampled_from([c, f"%{ord(c):02x}", f"%{ord(c):02X}"]) for c in text]
        return "".join(data.draw(st.tuples(*spellings)))

    name, _, value = query.partition("=")
    start = data.draw(st.sampled_from(["", "/", "//", "http://a", "HTTP://b:8000"]))
    end = data.draw(st.sampled_from(["", "/", "#f"]) if not query else st.just(""))
    query = (
        data.draw(st.sampled_from(["a=1&", ""])) + f"{spell(name)}={value}" if query else "a=wait"
    )
    spelled = f"{start}/{spell(path[1:])}{end}" + ("" if end == "#f" else f"?{query}")
    blank = data.draw(st.sampled_from(["", "\r\n"]))
    head = f"{blank}{method} {spelled} HTTP/1.1\r\n\r\n".encode()
    assert lane_of(head) is lane, spelled


@pytest.mark.parametrize(
    "line", ["", "GET", "GET ", "GET http://[ HTTP/1.1", "GET /%ff%00 HTTP/1.1", "GET * HTTP/1.1"]
)
def test_a_malformed_header_has_a_lane(line: str) -> None:
    assert lane_of(f"{line}\r\n".encode()) is Lane.QUICK
