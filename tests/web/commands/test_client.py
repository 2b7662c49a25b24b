"""Both Python clients with busy services, dropped connections, and the real service.

Some tests are about the command line: watching a job, completion scripts, keys, and misspelled
commands.
"""

import contextlib
import io
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from client_kinds import KINDS

from web.client import Client, Failure, retries
from web.commands.cli import main

Answer = tuple[int, dict[str, str], bytes]


@contextlib.contextmanager
def service(*answers: Answer) -> Iterator[tuple[str, list[Any]]]:
    """Run a service that returns the given responses in turn; yield its URL and the requests.

    A status of 0 closes the connection without a response.
    """
    asked: list[Any] = []
    left = iter(answers)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            if "Content-Length" in self.headers:
                self._answer(self.rfile.read(int(self.headers["Content-Length"])))
                return
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            self._answer(body)

        def do_GET(self) -> None:
            self._answer(b"")

        def do_DELETE(self) -> None:
            self._answer(b"")

        def _answer(self, body: bytes) -> None:
            asked.append((self.path, dict(self.headers), body))
            status, headers, content = next(left)
            if status == 0:
                return
            self.send_response(status)
            for name, value in ({"Content-Length": str(len(content))} | headers).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)
            time.sleep(float(headers.get("X-Silence", "0")))

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


JOB = {"id": "j", "state": "finished", "total": 1, "done": 1, "outcomes": {"solved": 1},
       "links": {"page": "http://x/jobs/j"}}  # fmt: skip
ACCEPTED: Answer = (202, {}, json.dumps(JOB).encode())
BUSY: Answer = (503, {"Retry-After": "0.2"}, b'{"detail": "full"}')


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retries, "SHORTEST_PAUSE", 0.01)


@pytest.fixture(params=KINDS, ids=lambda kind: kind.__name__)
def connect(request: pytest.FixtureRequest) -> type[Client]:
    """Return each of the client classes."""
    kind: type[Client] = request.param
    return kind


@pytest.mark.parametrize("content", [lambda: "text", lambda: b"text", lambda: io.BytesIO(b"text")])
def test_upload_is_retried_with_the_same_key_after_the_requested_pause(
    content: Any, connect: type[Client]
) -> None:
    with service(BUSY, (409, {}, b"{}"), ACCEPTED) as (url, asked), connect(url) as client:
        before = time.monotonic()
        assert client.submit(content(), name="mine", options={"limit": 1})["id"] == "j"
        assert time.monotonic() - before >= 0.2
    assert {body for _, _, body in asked} == {b"text"}
    assert len({headers["Idempotency-Key"] for _, headers, _ in asked}) == 1
    assert asked[0][0] == "/api/v1/jobs?limit=1&name=mine"


BATCH = '{"puzzles": ["12.4"], "options": {"rate": true}}'


@pytest.mark.parametrize(
    ("puzzles", "kind", "body"),
    [
        ("12.4", "octet-stream", "12.4"),
        (BATCH, "json", BATCH),
        (BATCH.encode(), "json", BATCH),
        ('{"puzzles": ["12.4"], "comment": 1}', "octet-stream", None),
        ('{"puzzle": "12.4"}\n{"puzzle": "12.4"}', "octet-stream", None),
        (lambda: io.StringIO("12.4"), "octet-stream", "12.4"),
        (["12.4", "1\n2"], "x-ndjson", '"12.4"\n"1\\n2"'),
        (({"puzzle": "12.4", "id": "ä"}, [0, 1]), "x-ndjson",
         '{"puzzle": "12.4", "id": "ä"}\n[0, 1]'),
        (np.array([[1, 0, 0, 1]] * 2, np.int16), "x-ndjson", "[1, 0, 0, 1]\n[1, 0, 0, 1]"),
        (np.eye(2, dtype=np.uint8)[None], "x-ndjson", "[[1, 0], [0, 1]]"),
        (np.array(["12.4", "1..."]), "x-ndjson", '"12.4"\n"1..."'),
    ],
)  # fmt: skip
def test_upload_has_the_type_of_its_puzzles(
    puzzles: Any, kind: str, body: str | None, connect: type[Client]
) -> None:
    with service(ACCEPTED) as (url, asked), connect(url) as client:
        client.submit(puzzles() if callable(puzzles) else puzzles)
    path, headers, received = asked[0]
    assert headers["Content-Type"] == f"application/{kind}"
    assert received.decode() == (puzzles if body is None else body)
    assert path == "/api/v1/jobs" + ("?format=ndjson" if kind == "x-ndjson" else "")


def test_upload_of_a_path_names_the_job_like_the_file(
    tmp_path: Path, connect: type[Client]
) -> None:
    file = tmp_path / "puzzles.txt"
    file.write_bytes(b"text")
    with service(ACCEPTED, ACCEPTED) as (url, asked), connect(url) as client:
        client.submit(file)
        client.submit(file, name="mine")
    assert [(path, body) for path, _, body in asked] == [
        ("/api/v1/jobs?name=puzzles.txt", b"text"),
        ("/api/v1/jobs?name=mine", b"text"),
    ]


@pytest.mark.parametrize(
    ("puzzles", "message"),
    [
        (5, "puzzles must be text, bytes, a pathlib.Path, .* not int"),
        (iter(["12.4"]), "puzzles must be text, bytes, .* not list_iterator"),
        (["12.4", 5], r"puzzles\[1\] must be text, a dict, or a list of integers, not int"),
        ([{"puzzle": {1}}], r"puzzles\[0\] can't be sent as JSON"),
        ([], "the list of puzzles is empty"),
        (np.zeros((2, 81)), r"integers .* not float64 in the shape \(2, 81\)"),
        (np.zeros((9, 9), np.uint8), r"\(9, 9\) is ambiguous; pass array\[None\]"),
    ],
)
def test_the_error_for_unsupported_content_lists_supported_content(
    puzzles: Any, message: str, connect: type[Client]
) -> None:
    with service() as (url, asked), connect(url) as client:
        with pytest.raises((TypeError, ValueError), match=message):
            client.submit(puzzles)
        with pytest.raises(ValueError, match="omit the option 'format'"):
            client.submit(["12.4"], options={"format": "lines"})
    assert not asked


def test_upload_can_be_repeated_with_an_idempotency_key_of_the_caller(
    connect: type[Client],
) -> None:
    with service(ACCEPTED) as (url, asked), connect(url) as client:
        client.submit("12.4", idempotency_key="mine")
    assert asked[0][1]["Idempotency-Key"] == "mine"


def test_upload_that_took_longer_than_the_patience_is_sent_again(connect: type[Client]) -> None:
    pauses = iter([1.0])

    class Slow(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            time.sleep(next(pauses, 0.0))
            return super().read(size)

    with service(BUSY, BUSY, ACCEPTED) as (url, asked), connect(url, patience=0.8) as client:
        assert client.submit(Slow(b"text"))["id"] == "j"
    assert [body for _, _, body in asked] == [b"text"] * 3


def test_input_that_cannot_be_rewound_is_not_retried(connect: type[Client]) -> None:
    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

    with service(BUSY) as (url, _), connect(url) as client, pytest.raises(Failure) as failure:
        client.submit(Pipe(b"text"))
    assert (failure.value.status, failure.value.detail) == (503, "full")


def test_rejection_names_the_place(connect: type[Client]) -> None:
    refused: Answer = (400, {}, b'{"detail": "no puzzle", "line": 3}')
    with service(refused) as (url, _), connect(url) as client, pytest.raises(Failure) as failure:
        client.submit("text")
    assert failure.value.detail == "line 3: no puzzle"


def test_a_failure_has_the_type_and_the_request_id(connect: type[Client]) -> None:
    problem = json.dumps({"type": "/errors/too-large", "detail": "no"}).encode()
    refused: Answer = (413, {"X-Request-Id": "abc"}, problem)
    broken: Answer = (500, {"X-Request-Id": "def"}, b"<html>")
    with service(refused, broken) as (url, _), connect(url) as client:
        for type_, request_id in (("/errors/too-large", "abc"), (None, "def")):
            with pytest.raises(Failure) as failure:
                client.job("j")
            assert (failure.value.type, failure.value.request_id) == (type_, request_id)


def test_interrupted_results_are_resumed(connect: type[Client]) -> None:
    first = b'{"n": 1}\n{"n": 2}\n{"n"'
    broken: Answer = (200, {"Content-Length": "99"}, first)
    with service(broken, (200, {}, b'{"n": 3}\n')) as (url, asked), connect(url) as client:
        assert [result["n"] for result in client.results("j")] == [1, 2, 3]
    assert asked[1][0].endswith("offset=2")


def test_selected_results_are_resumed_by_their_number(connect: type[Client]) -> None:
    broken: Answer = (200, {"Content-Length": "99"}, b'{"n": 7}\n{"n": 3}\n')
    with service(broken, (200, {}, b'{"n": 9}\n')) as (url, asked), connect(url) as client:
        found = client.results(
            "j", outcome="solved", rating="2..", sort="-steps", offset=5, count=3
        )
        assert [result["n"] for result in found] == [7, 3, 9]
    query = "format=jsonl&outcome=solved&rating=2..&sort=-steps"
    assert [path.partition("?")[2] for path, _, _ in asked] == [
        f"{query}&offset=5&count=3", f"{query}&offset=7&count=1",
    ]  # fmt: skip


def test_results_without_a_filter_are_resumed_after_the_last_record(connect: type[Client]) -> None:
    broken: Answer = (200, {"Content-Length": "99"}, b'{"n": 6}\n{"n": 9}\n')
    with service(broken, (200, {}, b"")) as (url, asked), connect(url) as client:
        assert [result["n"] for result in client.results("j", offset=5, count=10)] == [6, 9]
    assert asked[1][0].endswith("&offset=9&count=6")


def test_selected_results_of_a_running_job_are_not_resumed(connect: type[Client]) -> None:
    broken: Answer = (200, {"Content-Length": "99"}, b'{"n": 1}\n')
    with service(broken) as (url, asked), connect(url) as client, pytest.raises(Failure):
        list(client.results("j", outcome="solved", partial=True))
    assert len(asked) == 1


def test_results_are_requested_again_after_the_time_that_the_service_gives(
    connect: type[Client],
) -> None:
    with service(BUSY, (200, {}, b'{"n": 1}\n')) as (url, asked), connect(url) as client:
        assert [result["n"] for result in client.results("j")] == [1]
    running: Answer = (409, {"Retry-After": "1"}, b'{"detail": "the job is running"}')
    with service(running) as (url, asked), connect(url) as client:
        with pytest.raises(Failure) as failure:
            list(client.results("j"))
        assert (failure.value.status, len(asked)) == (409, 1)


def test_results_that_stall_for_longer_than_the_patience_are_resumed(
    connect: type[Client],
) -> None:
    silent: Answer = (200, {"Content-Length": "99", "X-Silence": "0.3"}, b'{"n": 1}\n')
    last: Answer = (200, {}, b'{"n": 2}\n')
    with service(silent, last) as (url, _), connect(url, patience=0.1) as client:
        assert [result["n"] for result in client.results("j")] == [1, 2]


def test_results_that_break_off_again_and_again_are_given_up(connect: type[Client]) -> None:
    broken: Answer = (200, {"Content-Length": "99"}, b"")
    with (
        service(*[broken] * 99) as (url, _),
        connect(url, patience=0.2) as client,
        pytest.raises(Failure),
    ):
        list(client.results("j"))


def test_interrupted_partial_results_resume_after_the_last_result(connect: type[Client]) -> None:
    broken: Answer = (200, {"Content-Length": "99"}, b'{"n": 1}\n{"n": 513}\n')
    with service(broken, (200, {}, b'{"n": 514}\n')) as (url, asked), connect(url) as client:
        assert [result["n"] for result in client.results("j", partial=True)] == [1, 513, 514]
    assert asked[1][0].endswith("offset=513")


def test_file_is_sent_from_its_position_on_every_attempt(
    tmp_path: Path, connect: type[Client]
) -> None:
    path = tmp_path / "puzzles"
    path.write_bytes(b"head\ntext")
    with service(BUSY, ACCEPTED) as (url, asked), connect(url) as client, path.open("rb") as file:
        file.readline()
        client.submit(file)
    assert [body for _, _, body in asked] == [b"text", b"text"]


def test_text_file_is_sent_in_utf8_from_its_position(tmp_path: Path, connect: type[Client]) -> None:
    path = tmp_path / "puzzles"
    path.write_text("hőad\ntext 🐸\n", "utf-8")
    sizes: list[int] = []
    with (
        service(BUSY, ACCEPTED) as (url, asked),
        connect(url) as client,
        path.open(encoding="utf-8") as file,
    ):
        file.readline()
        client.submit(file, sent=sizes.append)
    assert [body.decode() for _, _, body in asked] == ["text 🐸\n"] * 2
    assert sizes == [10, 10]


def test_puzzle_that_takes_longer_is_waited_for(connect: type[Client]) -> None:
    queued: Answer = (202, {}, json.dumps(JOB | {"state": "queued"}).encode())
    done: Answer = (200, {}, json.dumps(JOB).encode())
    result: Answer = (200, {}, b'{"n": 1, "outcome": "solved"}')
    with service(queued, done, result) as (url, asked), connect(url) as client:
        assert client.solve("text", limit=1)["outcome"] == "solved"
    assert json.loads(asked[0][2]) == {"puzzle": "text", "options": {"limit": 1}}
    assert asked[2][0] == "/api/v1/jobs/j/puzzles/1?wait=0"


LOST: Answer = (0, {}, b"")
GONE: Answer = (404, {}, b'{"detail": "Unknown job"}')


@pytest.mark.parametrize("lost", [LOST, (502, {}, b""), (504, {}, b"")])
def test_deletion_succeeds_if_the_job_is_gone_after_a_lost_response(
    lost: Answer, connect: type[Client]
) -> None:
    with service(lost, GONE) as (url, asked), connect(url) as client:
        client.delete("j")
    assert len(asked) == 2


@pytest.mark.parametrize("before", [(), (BUSY,)])
def test_job_that_was_not_there_before_cannot_be_deleted(
    before: tuple[Answer, ...], connect: type[Client]
) -> None:
    with service(*before, GONE) as (url, _), connect(url) as client, pytest.raises(Failure) as told:
        client.delete("j")
    assert told.value.status == 404


def test_jobs_are_listed_over_all_pages(connect: type[Client]) -> None:
    first: Answer = (
        200,
        {"Link": '</api/v1/jobs?cursor=7>; rel="next"'},
        b'{"jobs": [{"id": "b"}]}',
    )
    last: Answer = (200, {}, b'{"jobs": [{"id": "a"}]}')
    with service(first, last) as (url, _), connect(url) as client:
        assert [job["id"] for job in client.jobs()] == ["b", "a"]


def test_watch_writes_the_job_whenever_it_changes() -> None:
    running: Answer = (200, {}, json.dumps(JOB | {"state": "running", "done": 0}).encode())
    with service(running, (200, {}, json.dumps(JOB).encode())) as (url, _):
        done = CliRunner(env={"SUDOKUQ_URL": url}).invoke(main, ["watch", "j", "--json"])
    assert [json.loads(line)["state"] for line in done.stdout.splitlines()] == [
        "running", "finished"
    ]  # fmt: skip
    assert done.exit_code == 0


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_completion_scripts_are_printed_for_all_shells(shell: str) -> None:
    written = CliRunner().invoke(main, ["completion", shell]).stdout
    assert f"_SUDOKUQ_COMPLETE={shell}_complete" in written


def test_command_without_a_key_names_the_option_and_the_variable() -> None:
    problem = {"type": "/errors/api-key-required", "detail": "Authorization: Bearer KEY"}
    with service((401, {}, json.dumps(problem).encode())) as (url, _):
        found = CliRunner(env={"SUDOKUQ_URL": url}).invoke(main, ["status", "j"])
    assert found.exit_code == 2
    assert "pass it with --api-key KEY, or set SUDOKUQ_API_KEY." in found.stderr


@pytest.mark.parametrize(
    ("name", "message"),
    [("sovle", "'sovle'. Did you mean 'solve'?"), ("xyzzy", "No such command 'xyzzy'.")],
)
def test_unknown_command_suggests_the_closest_one(name: str, message: str) -> None:
    found = CliRunner().invoke(main, [name])
    assert found.exit_code == 2
    assert found.stderr.rstrip().endswith(message)
